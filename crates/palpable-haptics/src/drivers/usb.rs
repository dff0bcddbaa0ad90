//! Which USB devices are plugged in, as Linux tells without any permission.

use std::fs;
use std::path::Path;

/// What became of looking for devices of a maker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Plugged {
    /// None seen, or a system that does not tell.
    No,
    /// One is there, and this user may use it.
    Usable,
    /// One is there, but this user may not use it.
    Forbidden,
}

/// Looks for devices of one of these makers (USB vendor ids, four hexadecimal digits).
pub fn plugged(vendors: &[&str]) -> Plugged {
    look(Path::new("/sys/bus/usb/devices"), Path::new("/dev/bus/usb"), vendors)
}

fn look(listed: &Path, nodes: &Path, vendors: &[&str]) -> Plugged {
    let word = |folder: &Path, name: &str| {
        fs::read_to_string(folder.join(name)).map(|text| text.trim().to_owned()).ok()
    };
    let mut found = Plugged::No;
    for entry in fs::read_dir(listed).into_iter().flatten().flatten() {
        let folder = entry.path();
        let vendor = word(&folder, "idVendor");
        if !vendor.is_some_and(|vendor| vendors.contains(&vendor.as_str())) {
            continue;
        }
        let number = |name: &str| word(&folder, name).and_then(|text| text.parse::<u32>().ok());
        let (Some(bus), Some(device)) = (number("busnum"), number("devnum")) else { continue };
        let node = nodes.join(format!("{bus:03}")).join(format!("{device:03}"));
        let mut open = fs::OpenOptions::new();
        match open.read(true).write(true).open(node) {
            Ok(_) => return Plugged::Usable,
            Err(_) => found = Plugged::Forbidden,
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_device_is_usable_if_its_node_can_be_opened() {
        let root = std::env::temp_dir().join(format!("palpable-usb-{}", std::process::id()));
        let (listed, nodes) = (root.join("sys"), root.join("dev"));
        let device = listed.join("1-4");
        fs::create_dir_all(&device).unwrap();
        fs::create_dir_all(nodes.join("001")).unwrap();
        fs::create_dir_all(listed.join("usb1")).unwrap();
        let found = |vendors: &[&str]| look(&listed, &nodes, vendors);
        assert_eq!(found(&["1451"]), Plugged::No);
        for (name, text) in [("idVendor", "1451\n"), ("busnum", "1\n"), ("devnum", "7\n")] {
            fs::write(device.join(name), text).unwrap();
        }
        assert_eq!(found(&["1451"]), Plugged::Forbidden, "no node that opens");
        fs::write(nodes.join("001/007"), "").unwrap();
        assert_eq!(found(&["256f", "1451"]), Plugged::Usable);
        assert_eq!(found(&["256f"]), Plugged::No);
        fs::remove_dir_all(root).unwrap();
        assert_eq!(found(&["1451"]), Plugged::No);
    }
}
