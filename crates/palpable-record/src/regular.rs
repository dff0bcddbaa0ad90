//! Files that have an end: no device, no pipe, no folder.

use std::fs::File;
use std::io::{Error, ErrorKind, Read, Result};
use std::path::Path;

/// Largest recording that is read \[byte\].
const MOST: u64 = 2 << 30;

/// Opens a regular file, not larger than a recording can be.
pub(crate) fn open(path: &Path) -> Result<File> {
    let refused = |why: String| Error::new(ErrorKind::InvalidInput, why);
    // before it is opened: a pipe would wait for ever
    let about = std::fs::metadata(path)?;
    if about.is_dir() {
        return Err(Error::new(ErrorKind::IsADirectory, "it is a folder"));
    }
    if !about.is_file() {
        return Err(refused("it is not a regular file".into()));
    }
    if about.len() > MOST {
        return Err(refused(format!("it is larger than {} GB", MOST >> 30)));
    }
    File::open(path)
}

/// The bytes of such a file.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open(path)?.take(MOST).read_to_end(&mut bytes)?;
    Ok(bytes)
}
