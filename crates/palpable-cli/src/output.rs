//! Standard output that may be closed at any time, as by `palpable ... | head`.

use serde::Serialize;
use std::io::{ErrorKind, Write};

use crate::failure::Failure;

/// Prints text on standard output. A reader who left is no error.
///
/// # Errors
/// Standard output cannot be written for another reason, such as a full disk.
pub fn print(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    let outcome = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    match outcome {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            let cure = "check where it is sent to";
            Err(Failure::new(format!("cannot write to standard output: {error}; {cure}")))
        }
        _ => Ok(()),
    }
}

/// Prints one object as JSON, and a line feed.
///
/// # Errors
/// As [`print`].
pub fn print_json(value: &impl Serialize) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(value).map_err(|error| {
        Failure::new(format!("cannot make JSON: {error}; report this as a bug"))
    })?;
    print(&(text + "\n"))
}

/// Prints a line on standard error; a reader who left is no error.
pub fn remark(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}
