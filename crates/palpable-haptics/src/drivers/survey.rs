//! Looks for every kind of device and says what is there, what is missing, and what to do.

use std::path::PathBuf;
use std::time::Duration;

use super::haply::{self, HaplySettings};
use super::space_mouse::{self, SpaceMouseSettings};
use super::usb::{Plugged, plugged};
use super::{force_dimension, open_haptics};
use crate::device::DeviceError;

/// USB vendors: Force Dimension. The Falcon has its serial chip's, which says nothing.
const FORCE_DIMENSION: &[&str] = &["1451"];
/// Sensable and 3D Systems.
const TOUCH: &[&str] = &["2988"];
/// 3Dconnexion.
const SPACE_MOUSE: &[&str] = &["256f"];

/// Where to look.
#[derive(Debug, Clone, PartialEq)]
pub struct Places {
    /// Simulation channel of the Haply service.
    pub haply: String,
    /// Its event channel.
    pub haply_events: String,
    /// The Force Dimension library; looked for if not given.
    pub force_dimension: Option<PathBuf>,
    /// The OpenHaptics library; looked for if not given.
    pub open_haptics: Option<PathBuf>,
    /// Socket of spacenavd.
    pub spacenav: PathBuf,
}

impl Default for Places {
    fn default() -> Self {
        let haply = HaplySettings::default();
        Self {
            haply: haply.address,
            haply_events: haply.events.unwrap_or_default(),
            force_dimension: None,
            open_haptics: None,
            spacenav: SpaceMouseSettings::default().socket,
        }
    }
}

/// How far the way to a device goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// A device is there.
    Found,
    /// The service or library is there, and it sees no device or cannot tell.
    NoDevice,
    /// The service does not run, or the library is not there.
    Missing,
    /// Something is there that cannot be used as it is.
    Broken,
}

impl Standing {
    /// In one word or two.
    pub fn text(self) -> &'static str {
        match self {
            Standing::Found => "found",
            Standing::NoDevice => "no device",
            Standing::Missing => "missing",
            Standing::Broken => "not usable",
        }
    }
}

/// What was found of one kind of device.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Name for `--device`.
    pub device: &'static str,
    /// Name for people.
    pub title: &'static str,
    /// How far it goes.
    pub standing: Standing,
    /// What was seen.
    pub seen: String,
    /// What to do about it; empty if nothing is to be done.
    pub cure: String,
}

/// Looks for every kind of device. Opens none, sends no force; takes a second at most.
pub fn survey(places: &Places) -> Vec<Finding> {
    vec![haply(places), forces(places), touch(places), mouse(places)]
}

/// Splits a message where its cure begins: at the colon after what is in brackets, or the first.
fn parted(error: impl ToString) -> (String, String) {
    let text = error.to_string();
    let text = text.strip_prefix("the device refuses: ").unwrap_or(&text);
    if let Some((seen, cure)) = text.split_once("): ") {
        return (format!("{seen})"), cure.to_owned());
    }
    match text.split_once(": ") {
        Some((seen, cure)) => (seen.to_owned(), cure.to_owned()),
        None => (text.to_owned(), String::new()),
    }
}

fn haply(places: &Places) -> Finding {
    let settings = HaplySettings {
        address: places.haply.clone(),
        open_within: Duration::from_millis(300),
        ..HaplySettings::default()
    };
    let finding = |standing, seen: String, cure: String| Finding {
        device: "haply",
        title: "Haply Inverse3",
        standing,
        seen,
        cure,
    };
    let place = &places.haply;
    let found = match haply::inventory(&settings) {
        Ok(found) => found,
        Err(error) => {
            let standing = match &error {
                DeviceError::Refused(text) if text.starts_with("nothing answers") => {
                    Standing::Missing
                }
                _ => Standing::Broken,
            };
            let (seen, cure) = parted(error);
            return finding(standing, seen, cure);
        }
    };
    if found.devices.is_empty() {
        let seen = format!("the service answers at {place}, without an Inverse3");
        return finding(Standing::NoDevice, seen, "plug it in and switch it on".into());
    }
    let grip = if found.grip { ", with a grip" } else { "" };
    let seen = format!("{} at {place}{grip}", found.devices.join(", "));
    let events = HaplySettings { address: places.haply_events.clone(), ..settings };
    let cure = if haply::answers(&events) {
        String::new()
    } else {
        let at = &places.haply_events;
        format!("no events at {at}: brakes and stalls of the device go unheard; give its address")
    };
    finding(Standing::Found, seen, cure)
}

fn forces(places: &Places) -> Finding {
    let found = force_dimension::find(places.force_dimension.as_deref());
    let usb = plugged(FORCE_DIMENSION);
    let allow = "allow your user to use it: a udev rule for USB vendor 1451 with MODE=\"0666\"";
    let (standing, seen, cure) = match found {
        Ok(found) if found.devices > 0 => {
            let n = found.devices;
            let many = if n == 1 { "1 device".to_owned() } else { format!("{n} devices") };
            (Standing::Found, format!("{many} through {}", versioned(&found)), String::new())
        }
        Ok(found) if usb == Plugged::Forbidden => {
            let seen = format!("{} sees none, but one is plugged in", versioned(&found));
            (Standing::Broken, seen, allow.to_owned())
        }
        Ok(found) => {
            let seen = format!("{} sees none", versioned(&found));
            (Standing::NoDevice, seen, "plug it in and switch it on".to_owned())
        }
        Err(error) => without_library(error, usb),
    };
    Finding { device: "forcedimension", title: "Force Dimension", standing, seen, cure }
}

fn versioned(found: &force_dimension::Found) -> String {
    match &found.version {
        Some(version) => format!("{} ({version})", found.library),
        None => found.library.clone(),
    }
}

fn without_library(error: super::LibraryError, usb: Plugged) -> (Standing, String, String) {
    let missing = matches!(error, super::LibraryError::NotFound { .. });
    let (mut seen, cure) = parted(error);
    if usb != Plugged::No {
        seen.push_str("; a device is plugged in");
    }
    (if missing { Standing::Missing } else { Standing::Broken }, seen, cure)
}

fn touch(places: &Places) -> Finding {
    let usb = plugged(TOUCH);
    let (standing, seen, cure) = match open_haptics::find(places.open_haptics.as_deref()) {
        Ok(library) => match usb {
            Plugged::Usable => {
                (Standing::Found, format!("a device is plugged in; {library}"), String::new())
            }
            Plugged::Forbidden => (
                Standing::Broken,
                format!("a device is plugged in, without permission; {library}"),
                "allow your user to use it: a udev rule for USB vendor 2988 with MODE=\"0666\""
                    .to_owned(),
            ),
            Plugged::No => (
                Standing::NoDevice,
                format!("{library} is there; only opening shows whether a device is"),
                "run the maker's set-up program, then try --device openhaptics:NAME".to_owned(),
            ),
        },
        Err(error) => without_library(error, usb),
    };
    Finding { device: "openhaptics", title: "Touch, Phantom (OpenHaptics)", standing, seen, cure }
}

fn mouse(places: &Places) -> Finding {
    let usb = plugged(SPACE_MOUSE);
    let place = places.spacenav.display();
    let (standing, seen, cure) = match space_mouse::find(&places.spacenav) {
        Ok(()) if usb == Plugged::No => (
            Standing::NoDevice,
            format!("spacenavd answers at {place}; no SpaceMouse is seen on USB"),
            "plug it in; paired and older ones are not seen there, so try it".to_owned(),
        ),
        Ok(()) => (Standing::Found, format!("spacenavd answers at {place}"), String::new()),
        Err(error) => {
            let denied = error.to_string().contains("no permission");
            let (mut seen, cure) = parted(error);
            if usb != Plugged::No {
                seen.push_str("; a SpaceMouse is plugged in");
            }
            (if denied { Standing::Broken } else { Standing::Missing }, seen, cure)
        }
    };
    Finding { device: "spacemouse", title: "SpaceMouse (input only)", standing, seen, cure }
}
