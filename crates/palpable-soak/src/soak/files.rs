//! The output folder: state, list of violations, programs. Whole files only.

use super::state::State;
use crate::check::finding::Finding;
use crate::soak::pool::Violation;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// First line of the list of violations.
const HEADER: &str = "kind\tseed\tprofile\tstep\tsteps\tsize\trelative\tnote\n";

/// An output folder.
pub struct Folder {
    path: PathBuf,
    list: File,
}

impl Folder {
    /// Opens a folder, or makes it, and reads where the soak stands.
    pub fn open(path: &Path) -> io::Result<(Self, Option<State>)> {
        fs::create_dir_all(path)?;
        let state = match fs::read_to_string(path.join("state.txt")) {
            Ok(text) => Some(State::from_text(&text).map_err(|why| {
                let cure = "remove it or choose another folder with --out";
                io::Error::other(format!("state.txt: {why}; {cure}"))
            })?),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        let mut options = OpenOptions::new();
        let list = options.append(true).create(true).open(path.join("violations.tsv"))?;
        // what was listed after the state was kept will be listed again
        list.set_len(state.as_ref().map_or(0, |state| state.listed))?;
        Ok((Self { path: path.to_owned(), list }, state))
    }

    /// Adds violations of a world to the list; returns how long the list is [bytes].
    pub fn list(&mut self, profile: &str, found: &[(Violation, &Finding)]) -> io::Result<u64> {
        let empty = self.list.metadata()?.len() == 0;
        let mut text = if empty && !found.is_empty() { HEADER.to_owned() } else { String::new() };
        for (violation, f) in found {
            let Violation { kind, seed } = violation;
            let note = f.note.replace(['\t', '\n'], " ");
            let numbers = format!("{}\t{}\t{:.3e}\t{:.3e}", f.step, f.count, f.size, f.relative);
            text += &format!("{}\t{seed}\t{profile}\t{numbers}\t{note}\n", kind.name());
        }
        self.list.write_all(text.as_bytes())?;
        Ok(self.list.metadata()?.len())
    }

    /// Keeps the state.
    pub fn keep(&self, state: &State) -> io::Result<()> {
        write_whole(&self.path.join("state.txt"), &state.to_text())
    }

    /// Writes a program that shows a violation.
    pub fn write_program(&self, violation: Violation, text: &str) -> io::Result<()> {
        write_program(&self.path, violation, text).map(|_| ())
    }
}

/// Writes a program that shows a violation into a folder; returns its path.
pub fn write_program(folder: &Path, violation: Violation, text: &str) -> io::Result<PathBuf> {
    fs::create_dir_all(folder)?;
    let name = violation.kind.name().replace('-', "_");
    let path = folder.join(format!("{name}_{}.rs", violation.seed));
    write_whole(&path, text)?;
    Ok(path)
}

/// Writes a file beside its place and moves it there, so that nobody ever sees half of it.
fn write_whole(path: &Path, text: &str) -> io::Result<()> {
    let beside = path.with_extension("tmp");
    let mut file = File::create(&beside)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    fs::rename(beside, path)
}
