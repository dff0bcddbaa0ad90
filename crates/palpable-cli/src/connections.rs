//! Where devices are reached: options that `run` and `doctor` share.

use palpable_haptics::drivers::Places;
use std::path::PathBuf;

/// Port of the Haply service's event channel.
const HAPLY_EVENTS: u16 = 10020;

/// Addresses, libraries and sockets.
#[derive(clap::Args, Clone, Default)]
#[command(next_help_heading = "Where devices are")]
pub struct Connections {
    /// Haply service [default: 127.0.0.1:10001]
    #[arg(long, value_name = "HOST:PORT")]
    haply_address: Option<String>,
    /// Events of the Haply service [default: port 10020 of the same host]
    #[arg(long, value_name = "HOST:PORT")]
    haply_events: Option<String>,
    /// Force Dimension library [default: libdrd or libdhd in FORCEDIM_SDK or the system]
    #[arg(long, value_name = "FILE")]
    forcedimension_library: Option<PathBuf>,
    /// OpenHaptics library [default: libHD in OPENHAPTICS_SDK or the system]
    #[arg(long, value_name = "FILE")]
    openhaptics_library: Option<PathBuf>,
    /// Socket of spacenavd [default: /var/run/spnav.sock]
    #[arg(long, value_name = "FILE")]
    spacenav_socket: Option<PathBuf>,
}

impl Connections {
    /// The places, with defaults for those that were not given.
    pub fn places(&self) -> Places {
        let usual = Places::default();
        let haply = self.haply_address.clone().unwrap_or(usual.haply);
        let beside = || {
            let host = haply.trim_start_matches("ws://").rsplit_once(':').map(|(host, _)| host);
            host.map_or(usual.haply_events.clone(), |host| format!("{host}:{HAPLY_EVENTS}"))
        };
        Places {
            haply_events: self.haply_events.clone().unwrap_or_else(beside),
            haply,
            force_dimension: self.forcedimension_library.clone(),
            open_haptics: self.openhaptics_library.clone(),
            spacenav: self.spacenav_socket.clone().unwrap_or(usual.spacenav),
        }
    }
}
