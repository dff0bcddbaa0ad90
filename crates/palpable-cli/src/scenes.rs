//! `palpable scenes`: the scenes inside the program, by name; writes them out as files.

use crate::failure::Failure;
use crate::text::wrapped;
use crate::{Done, output};
use palpable_scene::Scene;
use palpable_studio::gallery::{self, GALLERY};
use palpable_studio::located;
use std::path::PathBuf;

/// List the scenes inside the program, or write one out as a file
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  palpable scenes\n  palpable run oscillator\n  \
    palpable scenes wipe --out my-scenes")]
pub struct Args {
    /// Scene to write out, with the files that it names
    name: Option<String>,
    /// Folder to write to
    #[arg(long, value_name = "DIR", default_value = ".")]
    out: PathBuf,
}

/// Runs the command.
pub fn main(args: &Args, json: bool) -> Result<Done, Failure> {
    match &args.name {
        Some(name) => write(name, args, json),
        None => list(json),
    }
}

fn write(name: &str, args: &Args, json: bool) -> Result<Done, Failure> {
    let Some(exhibit) = gallery::find(name) else {
        return Err(located::unknown(name).into());
    };
    let path = gallery::write(exhibit, &args.out).map_err(|error| {
        let out = args.out.display();
        Failure::new(format!("{out}: cannot write: {error}; name another folder by --out DIR"))
    })?;
    let path = path.display();
    if json {
        output::print_json(&serde_json::json!({ "file": path.to_string() }))?;
    } else {
        output::print(&format!("{path}\n"))?;
    }
    Ok(Done::Well)
}

fn list(json: bool) -> Result<Done, Failure> {
    let about = |text: &str, id: &str| {
        let read = Scene::parse(text, id).ok().map(|scene| scene.to_json());
        let word = |key: &str| Some(read.as_ref()?["scene"][key].as_str()?.to_owned());
        [word("name"), word("description")].map(Option::unwrap_or_default)
    };
    let mut text = String::new();
    let (mut group, mut all) = ("", Vec::new());
    for exhibit in GALLERY {
        let [name, description] = about(exhibit.text, exhibit.id);
        if exhibit.group != group {
            group = exhibit.group;
            text.push_str(&format!("{}{group}\n", if text.is_empty() { "" } else { "\n" }));
        }
        // the description beside the name, within 80 columns
        let beside = wrapped(&description, 26);
        let beside = beside.get(26..).unwrap_or("\n");
        text.push_str(&format!("  {:<24}{beside}", exhibit.id));
        all.push(serde_json::json!({
            "id": exhibit.id, "group": group, "name": name, "description": description,
        }));
    }
    if json {
        output::print_json(&serde_json::json!({ "scenes": all }))?;
    } else {
        output::print(&text)?;
    }
    Ok(Done::Well)
}
