//! What the Haply service says and understands, as text: pure functions.

use std::fmt::Write;

use serde::Deserialize;

use crate::device::{Buttons, DeviceEvent, Sample};
use palpable::{Rotation, Vec3};

/// How a force is spelled in a command. Services differ by version.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ForceKey {
    /// `{"values": {...}}`: services up to 3.4, and newer ones as an old form.
    #[default]
    Values,
    /// `{"vector": {...}}`: services from 3.5 on.
    Vector,
}

impl ForceKey {
    fn text(self) -> &'static str {
        match self {
            ForceKey::Values => "values",
            ForceKey::Vector => "vector",
        }
    }
}

/// Why a message could not be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Misread {
    /// No JSON, or fields of other types.
    Shape,
    /// Our device is not in it.
    NoDevice,
    /// Our device shows no state.
    NoState,
    /// A number that is not finite, or an orientation that is none.
    Number,
}

impl Misread {
    /// In words.
    pub fn text(self) -> &'static str {
        match self {
            Misread::Shape => {
                "a message of the Haply service has another form than versions 3.1 to 3.5 use"
            }
            Misread::NoDevice => "the Haply service does not list our Inverse3 any more",
            Misread::NoState => "the Haply service shows our Inverse3 without a position",
            Misread::Number => "the Haply service reports a number that is not finite",
        }
    }
}

#[derive(Deserialize)]
struct Message {
    inverse3: Option<Vec<Inverse3>>,
    verse_grip: Option<Vec<Grip>>,
    wireless_verse_grip: Option<Vec<Grip>>,
}

#[derive(Deserialize)]
struct Inverse3 {
    device_id: Id,
    state: Option<State>,
}

/// Older services number their devices.
#[derive(Deserialize)]
#[serde(untagged)]
enum Id {
    Text(String),
    Number(u64),
}

impl Id {
    fn is(&self, id: &str) -> bool {
        match self {
            Id::Text(text) => text == id,
            Id::Number(number) => id.parse() == Ok(*number),
        }
    }

    fn into_text(self) -> String {
        match self {
            Id::Text(text) => text,
            Id::Number(number) => number.to_string(),
        }
    }
}

#[derive(Deserialize)]
struct State {
    cursor_position: Option<Xyz>,
    cursor_velocity: Option<Xyz>,
}

#[derive(Deserialize)]
struct Xyz {
    x: f64,
    y: f64,
    z: f64,
}

impl Xyz {
    fn vector(&self) -> Vec3 {
        Vec3::new(self.x, self.y, self.z)
    }
}

#[derive(Deserialize)]
struct Grip {
    state: Option<GripState>,
}

#[derive(Deserialize)]
struct GripState {
    orientation: Option<Wxyz>,
    buttons: Option<Pressed>,
}

#[derive(Deserialize)]
struct Wxyz {
    w: f64,
    x: f64,
    y: f64,
    z: f64,
}

#[derive(Deserialize)]
struct Pressed {
    #[serde(default)]
    a: bool,
    #[serde(default)]
    b: bool,
    #[serde(default)]
    c: bool,
}

/// Ids of the Inverse3 that a message lists, and whether a grip is there.
pub fn inventory(text: &str) -> Result<(Vec<String>, bool), Misread> {
    let message: Message = serde_json::from_str(text).map_err(|_| Misread::Shape)?;
    let grip = grips(&message).next().is_some();
    let ids = message.inverse3.unwrap_or_default();
    Ok((ids.into_iter().map(|device| device.device_id.into_text()).collect(), grip))
}

fn grips(message: &Message) -> impl Iterator<Item = &Grip> {
    message.verse_grip.iter().chain(&message.wireless_verse_grip).flatten()
}

/// The state of our device in a message.
pub fn sample(text: &str, id: &str, sequence: u64) -> Result<Sample, Misread> {
    let message: Message = serde_json::from_str(text).map_err(|_| Misread::Shape)?;
    let device = message.inverse3.iter().flatten().find(|device| device.device_id.is(id));
    let state = device.ok_or(Misread::NoDevice)?.state.as_ref().ok_or(Misread::NoState)?;
    let position = state.cursor_position.as_ref().ok_or(Misread::NoState)?.vector();
    let velocity = state.cursor_velocity.as_ref().map(Xyz::vector);
    let mut sample = Sample { sequence, position, velocity, ..Sample::default() };
    if let Some(grip) = grips(&message).find_map(|grip| grip.state.as_ref()) {
        if let Some(q) = &grip.orientation {
            sample.rotation = rotation(q).ok_or(Misread::Number)?;
        }
        if let Some(p) = &grip.buttons {
            let bits = [p.a, p.b, p.c].into_iter().enumerate();
            sample.buttons = Buttons(bits.map(|(i, on)| u32::from(on) << i).sum());
        }
    }
    if sample.is_finite() { Ok(sample) } else { Err(Misread::Number) }
}

/// A unit quaternion from one that may be scaled; none from zero.
fn rotation(q: &Wxyz) -> Option<Rotation> {
    let norm = (q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z).sqrt();
    let sound = norm.is_finite() && norm > 1e-6;
    let raw = nalgebra::Quaternion::new(q.w, q.x, q.y, q.z);
    sound.then(|| Rotation::from_quaternion(raw))
}

/// Writes a command for a force [N]; the first one introduces us. `id` is quoted JSON.
pub fn command(out: &mut String, id: &str, force: &Vec3, key: ForceKey, first: bool) {
    out.clear();
    let session = if first {
        r#""session":{"configure":{"profile":{"name":"org.palpable:palpable"}}},"#
    } else {
        ""
    };
    // nothing but zero if it is not finite, though nothing else comes from the safety stage
    let f = if force.iter().all(|a| a.is_finite()) { *force } else { Vec3::zeros() };
    let key = key.text();
    let _ = write!(
        out,
        r#"{{{session}"inverse3":[{{"device_id":{id},"commands":{{"set_cursor_force":"#
    );
    let _ = write!(out, r#"{{"{key}":{{"x":{},"y":{},"z":{}}}}}}}}}]}}"#, f.x, f.y, f.z);
}

#[derive(Deserialize)]
struct Told {
    name: String,
    data: Option<ToldData>,
}

#[derive(Deserialize)]
struct ToldData {
    device_id: Option<Id>,
    safety_type: Option<String>,
}

/// What a message of the event channel means for our device; none if it does not concern us.
pub fn event(text: &str, id: &str) -> Option<DeviceEvent> {
    let told: Told = serde_json::from_str(text).ok()?;
    let data = told.data.as_ref();
    let other = data.and_then(|d| d.device_id.as_ref()).is_some_and(|told| !told.is(id));
    if other {
        return None;
    }
    match told.name.as_str() {
        "device-disconnected" => Some(DeviceEvent::Disconnected),
        "device-safety-triggered" => {
            Some(match data.and_then(|d| d.safety_type.as_deref()).unwrap_or_default() {
                "ebrake_triggered" => DeviceEvent::BrakeOn,
                "ebrake_released" => DeviceEvent::BrakeOff,
                "stability_ceiling" => DeviceEvent::StabilityCeiling,
                // stalls, and whatever a newer service may add: fade, then try again
                _ => DeviceEvent::Stalled,
            })
        }
        name if name.contains("rate") && name.starts_with("device") => {
            Some(DeviceEvent::RateAnomaly)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STATE: &str = r#"{"inverse3":[
        {"device_id":"0001","state":{"cursor_position":{"x":9,"y":9,"z":9}}},
        {"device_id":"049D","status":{"calibrated":true},"state":{
            "cursor_position":{"x":0.1,"y":-0.2,"z":3e-2},
            "cursor_velocity":{"x":1,"y":2,"z":3},
            "current_cursor_force":{"x":0,"y":0,"z":0},"control_mode":"idle"}}],
        "verse_grip":[],
        "wireless_verse_grip":[{"device_id":"G","state":{
            "orientation":{"w":2,"x":0,"y":0,"z":2},
            "buttons":{"a":true,"b":false,"c":true},"hall":3}}]}"#;

    #[test]
    fn a_state_becomes_a_sample_of_our_device() {
        let s = sample(STATE, "049D", 7).unwrap();
        assert_eq!((s.sequence, s.position), (7, Vec3::new(0.1, -0.2, 0.03)));
        assert_eq!(s.velocity, Some(Vec3::new(1.0, 2.0, 3.0)));
        // a quarter turn about z, from a quaternion that is not normalised
        let turned = s.rotation * Vec3::x();
        assert!((turned - Vec3::y()).norm() < 1e-15, "{turned}");
        assert_eq!(s.buttons, Buttons(0b101));
        let listed = (vec!["0001".to_owned(), "049D".to_owned()], true);
        assert_eq!(inventory(STATE), Ok(listed));
        let numbered = r#"{"inverse3":[{"device_id":12,"state":{"cursor_position":
            {"x":1,"y":0,"z":0}}}]}"#;
        assert_eq!(sample(numbered, "12", 1).unwrap().position, Vec3::x());
        assert_eq!(inventory(numbered), Ok((vec!["12".to_owned()], false)));
    }

    #[test]
    fn what_cannot_be_used_is_told_apart() {
        let with = |position: &str| {
            format!(
                r#"{{"inverse3":[{{"device_id":"A","state":{{"cursor_position":{position}}}}}]}}"#
            )
        };
        let cases = [
            ("", Misread::Shape),
            ("{", Misread::Shape),
            ("[1, 2]", Misread::Shape),
            ("null", Misread::Shape),
            (r#"{"inverse3":7}"#, Misread::Shape),
            ("{}", Misread::NoDevice),
            (r#"{"inverse3":null}"#, Misread::NoDevice),
            (r#"{"inverse3":[]}"#, Misread::NoDevice),
            (r#"{"inverse3":[{"device_id":"B"}]}"#, Misread::NoDevice),
            (r#"{"inverse3":[{"device_id":"A"}]}"#, Misread::NoState),
            (r#"{"inverse3":[{"device_id":"A","state":{}}]}"#, Misread::NoState),
            (&with(r#"{"x":NaN,"y":0,"z":0}"#), Misread::Shape),
            (&with(r#"{"x":1e999,"y":0,"z":0}"#), Misread::Shape),
            (&with(r#"{"x":null,"y":0,"z":0}"#), Misread::Shape),
            (&with(r#"{"x":0,"y":0}"#), Misread::Shape),
            (&STATE.replace(r#""w":2,"x":0,"y":0,"z":2"#, r#""w":0,"x":0,"y":0,"z":0"#), {
                Misread::Number
            }),
        ];
        for (text, expected) in cases {
            let id = if text.contains("049D") { "049D" } else { "A" };
            assert_eq!(sample(text, id, 1), Err(expected), "{text}");
        }
    }

    #[test]
    fn a_command_is_json_in_both_spellings_and_never_without_a_number() {
        let mut text = String::new();
        for (key, name) in [(ForceKey::Values, "values"), (ForceKey::Vector, "vector")] {
            for first in [true, false] {
                let force = Vec3::new(1.5, -2e-9, 0.0);
                command(&mut text, "\"049D\"", &force, key, first);
                let json: serde_json::Value = serde_json::from_str(&text).unwrap();
                assert_eq!(json.get("session").is_some(), first);
                let device = &json["inverse3"][0];
                assert_eq!(device["device_id"], "049D");
                let told = &device["commands"]["set_cursor_force"][name];
                let parts = ["x", "y", "z"].map(|axis| told[axis].as_f64().unwrap());
                assert_eq!(parts, [1.5, -2e-9, 0.0]);
            }
        }
        command(&mut text, "\"A\"", &Vec3::repeat(f64::NAN), ForceKey::Values, false);
        assert!(text.contains(r#"{"x":0,"y":0,"z":0}"#), "{text}");
    }

    #[test]
    fn events_reach_the_safety_stage_by_name() {
        let safety = |kind: &str, id: &str| {
            format!(
                r#"{{"name":"device-safety-triggered","category":"device","level":"warning",
                "data":{{"device_id":"{id}","safety_type":"{kind}"}},"message":"m"}}"#
            )
        };
        let cases = [
            (safety("ebrake_triggered", "A"), Some(DeviceEvent::BrakeOn)),
            (safety("ebrake_released", "A"), Some(DeviceEvent::BrakeOff)),
            (safety("stability_ceiling", "A"), Some(DeviceEvent::StabilityCeiling)),
            (safety("stall_detected", "A"), Some(DeviceEvent::Stalled)),
            (safety("fod_stage_changed", "A"), Some(DeviceEvent::Stalled)),
            (safety("ebrake_triggered", "B"), None),
            (r#"{"name":"device-disconnected"}"#.into(), Some(DeviceEvent::Disconnected)),
            (r#"{"name":"device-rate-anomaly","data":{}}"#.into(), {
                Some(DeviceEvent::RateAnomaly)
            }),
            (r#"{"name":"session-created","data":{"n":1}}"#.into(), None),
            ("nonsense".into(), None),
        ];
        for (text, expected) in cases {
            assert_eq!(event(&text, "A"), expected, "{text}");
        }
    }
}
