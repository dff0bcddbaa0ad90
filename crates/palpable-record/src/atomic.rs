//! Files that appear under their name only when they are whole.

use crate::RecordError;
use std::fs::{self, File, TryLockError};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Name under which a file grows before it is whole: `run.csv` grows as `run.csv.part`.
pub(crate) fn part_name(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(".part");
    path.with_file_name(name)
}

/// Creates `path`'s folder if need be, and opens its growing file.
pub(crate) fn create_part(path: &Path) -> Result<File, RecordError> {
    if path.file_name().is_none() {
        let none = std::io::Error::new(std::io::ErrorKind::InvalidInput, "not a file name");
        return Err(RecordError::io(path, "create the file", none));
    }
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        fs::create_dir_all(folder)
            .map_err(|source| RecordError::io(folder, "create the folder", source))?;
    }
    let part = part_name(path);
    clear(&part)?;
    let file = File::create_new(&part)
        .map_err(|source| RecordError::io(&part, "create the file", source))?;
    // whoever finds the file locked knows that it still grows; a system without locks does without
    let _ = file.try_lock();
    Ok(file)
}

/// Takes away what a run that was killed has left; refuses what is still written, and links, which
/// may lead anywhere.
fn clear(part: &Path) -> Result<(), RecordError> {
    let Ok(about) = fs::symlink_metadata(part) else { return Ok(()) };
    if !about.is_file() {
        let what = std::io::Error::new(ErrorKind::AlreadyExists, "something else has this name");
        return Err(RecordError::io(part, "create the file", what));
    }
    let locked = File::open(part).map(|file| file.try_lock());
    if matches!(locked, Ok(Err(TryLockError::WouldBlock))) {
        return Err(RecordError::Busy { path: part.to_path_buf() });
    }
    fs::remove_file(part).map_err(|source| RecordError::io(part, "replace the file", source))
}

/// Gives the grown file its final name, replacing what was there.
pub(crate) fn publish(path: &Path) -> Result<(), RecordError> {
    fs::rename(part_name(path), path)
        .map_err(|source| RecordError::io(path, "give the finished file its name", source))
}

/// Writes all of `bytes` under `path`, or leaves what was there before.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), RecordError> {
    let mut file = create_part(path)?;
    file.write_all(bytes).map_err(|source| RecordError::io(path, "write the file", source))?;
    publish(path)
}

/// Writes `STEM.png` and `STEM.svg`, and returns their names.
pub(crate) fn write_both(stem: &Path, png: &[u8], svg: &str) -> Result<[PathBuf; 2], RecordError> {
    let paths = [".png", ".svg"].map(|ending| {
        let mut name = stem.as_os_str().to_os_string();
        name.push(ending);
        PathBuf::from(name)
    });
    write(&paths[0], png)?;
    write(&paths[1], svg.as_bytes())?;
    Ok(paths)
}
