//! Settings of the command line that take the place of the scene's.

use crate::failure::Failure;
use clap::builder::PossibleValuesParser;
use palpable::{ContactLaw, Scheme};
use palpable_passivity::{Quantity, parse_quantity};
use palpable_scene::urdf::Coordinates;
use palpable_scene::{Built, Scene};
use std::path::Path;

/// Reads a duration \[s\].
pub fn duration(text: &str) -> Result<f64, String> {
    match parse_quantity(text, Quantity::Time) {
        Ok(seconds) if seconds.is_finite() && seconds > 0.0 => Ok(seconds),
        Ok(_) => Err("give a time greater than 0, e.g. 2.5 or \"2.5 s\"".into()),
        Err(_) => Err("give a time, e.g. 2.5, \"2.5 s\" or \"2 min\"".into()),
    }
}

/// The names of all schemes.
pub fn schemes() -> PossibleValuesParser {
    PossibleValuesParser::new(Scheme::ALL.map(Scheme::name))
}

/// Sets duration \[s\] and scheme.
pub fn apply(built: &mut Built, duration: Option<f64>, scheme: Option<&str>) {
    built.duration = duration.unwrap_or(built.duration);
    if let Some(scheme) = Scheme::ALL.into_iter().find(|s| Some(s.name()) == scheme) {
        built.options.scheme = scheme;
    }
}

/// The names of all contact laws.
pub fn contact_laws() -> PossibleValuesParser {
    PossibleValuesParser::new(ContactLaw::NAMES)
}

/// Sets the contact law, with the sides given or else the scene's.
///
/// # Errors
/// The scene has no contact, or something that the law does not know.
pub fn set_contact_law(
    built: &mut Built,
    file: &Path,
    name: Option<&str>,
    sides: Option<u32>,
) -> Result<(), Failure> {
    if name.is_none() && sides.is_none() {
        return Ok(());
    }
    let now = built.options.contact_law;
    let kept = sides.or(now.sides()).unwrap_or(ContactLaw::SIDES);
    let law = ContactLaw::named(name.unwrap_or(now.name()), kept).unwrap_or(now);
    let failure = |words: String| Failure::new(format!("{}: {words}", file.display()));
    if built.world().contact_settings().is_none() {
        let cure = "leave --contact-law out, or give the scene a [contact] table";
        return Err(failure(format!("nothing touches in this scene; {cure}")));
    }
    if sides.is_some() && law.sides().is_none() {
        let cure = "leave --sides out, or add --contact-law printed-elastic";
        return Err(failure(format!("a cone has no sides; {cure}")));
    }
    law.check(&built.model).map_err(|error| failure(error.to_string()))?;
    built.options.contact_law = law;
    Ok(())
}

/// Sets the coordinates of robots.
///
/// # Errors
/// The scene has none.
pub fn set_coordinates(scene: &mut Scene, word: Option<&str>) -> Result<(), Failure> {
    let Some(word) = word else { return Ok(()) };
    let coordinates = match word {
        "generalized" => Coordinates::Generalized,
        _ => Coordinates::Maximal,
    };
    if scene.set_coordinates(coordinates) == 0 {
        let cure = "leave --coordinates out, or include a robot by [[include]]";
        let file = scene.file().display();
        return Err(Failure::new(format!("{file}: there is no robot in this scene; {cure}")));
    }
    Ok(())
}

/// The scene with another seed for its random steps.
///
/// # Errors
/// Its steps are not random.
pub fn reseeded(scene: &Scene, seed: u64) -> Result<Built, Failure> {
    let mut document = scene.to_json();
    let random = document.pointer_mut("/step/random").and_then(|random| random.as_object_mut());
    let Some(random) = random else {
        let cure = "leave --seed out, or give the scene [step] random = { min, max }";
        let file = scene.file().display();
        return Err(Failure::new(format!(
            "{file}: the steps of this scene are not random; {cure}"
        )));
    };
    random.insert("seed".into(), seed.into());
    Ok(scene.with_text(document.to_string())?.build()?)
}
