//! Names of files written, for people: the folder once, endings of one name together.

use crate::text::wrapped;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// `in FOLDER/`, then the names below it; nothing if there are no files.
pub fn text(files: &[PathBuf]) -> String {
    let Some(folder) = files.first().and_then(|file| file.parent()) else {
        return String::new();
    };
    format!("  in {}/\n{}", folder.display(), wrapped(&names(files).join("  "), 4))
}

/// `energy.{png,svg}` for two files, `run.csv` for one.
fn names(files: &[PathBuf]) -> Vec<String> {
    let mut names: Vec<(String, Vec<String>)> = Vec::new();
    for file in files {
        let (stem, ending) = parts(file);
        match names.iter_mut().find(|(name, _)| *name == stem) {
            Some((_, endings)) => endings.push(ending),
            None => names.push((stem, vec![ending])),
        }
    }
    let joined = |(name, endings): (String, Vec<String>)| match endings.as_slice() {
        [one] => format!("{name}.{one}"),
        more => format!("{name}.{{{}}}", more.join(",")),
    };
    names.into_iter().map(joined).collect()
}

fn parts(file: &Path) -> (String, String) {
    let text = |part: Option<&OsStr>| part.unwrap_or_default().to_string_lossy().into_owned();
    (text(file.file_stem()), text(file.extension()))
}
