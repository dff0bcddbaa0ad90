//! The service's event channel: a thread that only listens.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::link::{Link, Trouble};
use super::wire;
use crate::device::DeviceEvent;

/// Time between two looks at whether the device is being closed.
const LOOK: Duration = Duration::from_millis(50);
/// Looks between two attempts to connect.
const RETRY: u32 = 10;

/// Listens until the device is closed. A service without this channel is no error.
pub fn listen(
    address: &str,
    id: &str,
    mut to: rtrb::Producer<DeviceEvent>,
    closing: &Arc<AtomicBool>,
) {
    let open = || !closing.load(Ordering::Acquire);
    let rest =
        |looks: u32| (0..looks).take_while(|_| open()).for_each(|_| std::thread::sleep(LOOK));
    while open() {
        let Ok(mut link) = Link::open(address, LOOK * RETRY) else {
            rest(RETRY);
            continue;
        };
        while open() {
            match link.hear(LOOK) {
                Ok(text) => {
                    let Some(event) = wire::event(&text, id) else { continue };
                    // no event may be lost: a loop that hangs finds them all
                    while to.push(event).is_err() && open() {
                        std::thread::sleep(LOOK);
                    }
                }
                Err(Trouble::Silent) => {}
                Err(Trouble::Broken) => break,
            }
        }
        rest(1);
    }
}
