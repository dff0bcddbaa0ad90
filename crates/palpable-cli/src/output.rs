//! Standard output that may be closed at any time, as by `palpable ... | head`.

use serde::Serialize;
use std::borrow::Cow;
use std::io::{ErrorKind, Write};

use crate::failure::Failure;

/// Prints text on standard output. A reader who left is no error.
///
/// # Errors
/// Standard output cannot be written for another reason, such as a full disk.
pub fn print(text: &str) -> Result<(), Failure> {
    let text = plain(text);
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
    let _ = writeln!(std::io::stderr(), "{}", plain(text));
}

/// Text in which control characters, line feeds and tabs excepted, are spelled out: names in files
/// are printed, and must not speak to the terminal.
pub fn plain(text: &str) -> Cow<'_, str> {
    let speaks = |c: char| c.is_control() && c != '\n' && c != '\t';
    if !text.contains(speaks) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if speaks(c) { out.extend(c.escape_unicode()) } else { out.push(c) }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn names_do_not_speak_to_the_terminal() {
        let name = "a\u{1b}]0;x\u{7}\u{1b}[2J\r\u{9b}b\n\tmaß";
        let shown = "a\\u{1b}]0;x\\u{7}\\u{1b}[2J\\u{d}\\u{9b}b\n\tmaß";
        assert_eq!(plain(name), shown);
        assert!(matches!(plain("maß\n"), std::borrow::Cow::Borrowed(_)));
    }
}
