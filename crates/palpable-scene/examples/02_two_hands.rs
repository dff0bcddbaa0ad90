//! Writes `scenes/peg-two-hands.toml` and its variant with hard joints: two hands of ten links put
//! a peg into a box with holes, after [Kim2017 sec. 5.1].
//!
//! `cargo run -p palpable-scene --example 02_two_hands scenes` writes into the folder `scenes`;
//! without a folder the scene is built and its first second run.

use std::fmt::Write as _;

/// Width of the peg and of the box between the fingers, and of an open hand [m].
const PEG: f64 = 0.020;
const BOX: f64 = 0.036;
const OPEN: f64 = 0.050;
/// How far a finger's reference goes into what it grips [m].
const SQUEEZE: f64 = 0.002;
/// Middle plane between fingers and thumb, in the axes of the hand [m].
const MIDDLE: f64 = -0.020;
/// From the palm to what is gripped, along the fingers [m].
const REACH: f64 = 0.095;
/// Half the thickness of a finger [m].
const PAD: f64 = 0.006;
/// Where fingers stand across the palm: index, middle, ring, little [m].
const ACROSS: [f64; 4] = [0.027, 0.009, -0.009, -0.027];
/// Fingers whose far link reaches what is gripped, and the thumb opposite to them.
const FINGERS: [&str; 4] = ["index", "middle", "ring", "little"];
const THUMB: [f64; 3] = [0.030, 0.009, -0.010];
/// Length of the thumb's near link between its joints [m].
const THUMB_NEAR: f64 = 0.044;

type V = [f64; 3];

/// One of the two hands.
#[derive(Clone, Copy, PartialEq)]
enum Side {
    Right,
    Left,
}

/// Where a hand is, how wide it is open, and how deep its references go into what it holds.
#[derive(Clone, Copy)]
struct Grip {
    time: f64,
    palm: V,
    width: f64,
    /// By a finger, and by the thumb [m].
    squeeze: [f64; 2],
}

/// A link in the axes of its hand: centre, and angle by which it leans towards the back.
#[derive(Clone, Copy)]
struct Place {
    at: V,
    lean: f64,
}

impl Place {
    /// Turn about the hand's y that takes z, along which a finger's capsule lies, to its direction.
    fn angle(&self) -> f64 {
        std::f64::consts::FRAC_PI_2 - self.lean
    }
}

impl Side {
    fn name(self) -> &'static str {
        if self == Side::Right { "right" } else { "left" }
    }

    /// From the axes of the hand (fingers along x, back along z) to those of the world: the right
    /// hand points along x, the left against it, both with the index finger up.
    fn turn(self, [x, y, z]: V) -> V {
        match self {
            Side::Right => [x, -z, y],
            Side::Left => [-x, z, y],
        }
    }

    /// The same as a quaternion `w, x, y, z`, after a turn by `angle` about the hand's y.
    fn quaternion(self, angle: f64) -> [f64; 4] {
        let half = std::f64::consts::FRAC_1_SQRT_2;
        // a turn of 90 degrees about x, for the left hand half a turn about z after it
        let hand = match self {
            Side::Right => [half, half, 0.0, 0.0],
            Side::Left => [0.0, 0.0, half, half],
        };
        let (s, c) = (0.5 * angle).sin_cos();
        let [w, x, y, z] = hand;
        [w * c - y * s, x * c - z * s, w * s + y * c, x * s + z * c]
    }

    fn world(self, palm: V, at: V) -> V {
        let turned = self.turn(at);
        std::array::from_fn(|i| palm[i] + turned[i])
    }
}

/// Far links of the three long fingers, the little finger, and the thumb's far link, as a grip
/// wants them.
fn tips(grip: &Grip) -> [Place; 5] {
    let [finger, thumb] = grip.squeeze;
    let up = MIDDLE + 0.5 * grip.width + PAD;
    let down = MIDDLE - 0.5 * grip.width - PAD;
    let mut all = [Place { at: [0.0; 3], lean: 0.0 }; 5];
    for i in 0..3 {
        all[i].at = [0.040 + (0.040f64.powi(2) - up * up).sqrt() + 0.015, ACROSS[i], up];
    }
    // the little finger has one link, which leans with the others
    let lean = (up / 0.040).asin();
    all[3] = Place { at: [0.040 + 0.020 * lean.cos(), ACROSS[3], 0.020 * lean.sin()], lean };
    let fall = down - THUMB[2];
    let along = (THUMB_NEAR.powi(2) - fall * fall).max(0.0).sqrt();
    all[4].at = [THUMB[0] + along + 0.020, THUMB[1], down + thumb];
    // into what is gripped, straight
    all[..3].iter_mut().for_each(|tip| tip.at[2] -= finger);
    all
}

/// Near links of the three long fingers and of the thumb, between palm and far link.
fn near(grip: &Grip) -> [Place; 4] {
    let tips = tips(grip);
    std::array::from_fn(|i| {
        let (from, to, back) = match i {
            3 => (THUMB, tips[4].at, 0.020),
            _ => ([0.040, ACROSS[i], 0.0], tips[i].at, 0.015),
        };
        let end = [to[0] - back, to[1], to[2]];
        let lean = (end[2] - from[2]).atan2(end[0] - from[0]);
        Place { at: std::array::from_fn(|k| 0.5 * (from[k] + end[k])), lean }
    })
}

/// What each hand does: reach, grasp, lift, carry, insert, release, leave.
fn task(side: Side) -> Vec<Grip> {
    let grip = |time, x: f64, z: f64, width, squeeze: f64, fingers: f64| {
        let y = if side == Side::Right { MIDDLE } else { -MIDDLE };
        Grip { time, palm: [x, y, z], width, squeeze: [squeeze, fingers * squeeze] }
    };
    match side {
        // three fingers hold the peg, so the thumb presses three times as hard
        Side::Right => {
            let (from, to, low, inside) = (-0.21 - REACH, -0.020 - REACH, 0.088, 0.098);
            vec![
                grip(0.0, from - 0.06, low, OPEN, 0.0, 3.0),
                grip(0.8, from, low, OPEN, 0.0, 3.0),
                grip(1.2, from, low, PEG + 0.002, 0.0, 3.0),
                grip(1.5, from, low, PEG, SQUEEZE, 3.0),
                grip(2.2, from, low + 0.07, PEG, SQUEEZE, 3.0),
                grip(3.2, to, low + 0.07, PEG, SQUEEZE, 3.0),
                grip(3.4, to, low + 0.07, PEG, SQUEEZE, 3.0),
                grip(4.6, to, inside, PEG, SQUEEZE, 3.0),
                grip(4.8, to, inside, PEG, SQUEEZE, 3.0),
                grip(5.0, to, inside, PEG + 0.002, 0.0, 3.0),
                grip(5.3, to, inside, OPEN, 0.0, 3.0),
                grip(6.2, from, inside, OPEN, 0.0, 3.0),
            ]
        }
        Side::Left => {
            let (at, up) = (0.035 + REACH, 0.045);
            vec![
                grip(0.0, at + 0.06, up, OPEN, 0.0, 2.0),
                grip(0.8, at, up, OPEN, 0.0, 2.0),
                grip(1.2, at, up, BOX + 0.002, 0.0, 2.0),
                grip(1.5, at, up, BOX, SQUEEZE, 2.0),
                grip(5.2, at, up, BOX, SQUEEZE, 2.0),
                grip(5.6, at, up, OPEN, 0.0, 2.0),
                grip(6.2, at + 0.06, up, OPEN, 0.0, 2.0),
            ]
        }
    }
}

/// A number with as many digits as it has, to a tenth of a micrometre.
fn number(value: f64) -> String {
    let text = format!("{value:.7}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text.is_empty() || text == "-0" { "0".to_owned() } else { text.to_owned() }
}

fn list(values: &[f64]) -> String {
    format!("[{}]", values.iter().map(|v| number(*v)).collect::<Vec<_>>().join(", "))
}

/// Text of the scene under construction; writing to a string cannot fail.
struct Page {
    text: String,
    stiffness: &'static str,
}

impl Page {
    fn link(&mut self, side: Side, name: &str, shape: &str, at: V, turn: [f64; 4]) {
        let _ = writeln!(
            self.text,
            "[[body]]\nname = \"{} {name}\"\nshape = {{ {shape} }}\nmass = \"1 g\"\n\
             inertia = [1e-3, 1e-3, 1e-3]\ndamping.angular = \"5 mN m s/rad\"\n\
             material = {{ friction = 1.5 }}\nposition = {}\norientation = {}\n",
            side.name(),
            list(&at),
            list(&turn)
        );
    }

    /// A link of a finger, round, of this length [m].
    fn finger(&mut self, side: Side, name: &str, length: f64, place: Place, palm: V) {
        let half = number(0.5 * length - PAD);
        let shape = format!("capsule = {{ radius = {}, half_length = {half} }}", number(PAD));
        let (at, turn) = (side.world(palm, place.at), side.quaternion(place.angle()));
        self.link(side, name, &shape, at, turn);
    }

    fn joint(&mut self, side: Side, name: &str, a: (&str, V), b: (&str, V)) {
        let side = side.name();
        let _ = writeln!(
            self.text,
            "[[joint]]\nname = \"{side} {name}\"\nkind = \"ball\"\n\
             a = {{ body = \"{side} {}\", point = {} }}\n\
             b = {{ body = \"{side} {}\", point = {} }}\n{}",
            a.0,
            list(&a.1),
            b.0,
            list(&b.1),
            self.stiffness
        );
    }

    /// Two points 8 mm apart make a hinge.
    fn hinge(&mut self, side: Side, name: &str, a: (&str, V), b: (&str, V)) {
        for (which, y) in [("upper", 0.004), ("lower", -0.004)] {
            let shift = |[x, across, z]: V| [x, across + y, z];
            self.joint(side, &format!("{name} {which}"), (a.0, shift(a.1)), (b.0, shift(b.1)));
        }
    }

    fn hand(&mut self, side: Side) {
        let start = task(side)[0];
        let (near, tips, palm) = (near(&start), tips(&start), start.palm);
        let shape = "box = { size = [0.08, 0.07, 0.02] }";
        self.link(side, "palm", shape, palm, side.quaternion(0.0));
        for i in 0..3 {
            let name = FINGERS[i];
            let (close, far) = (format!("{name} near"), format!("{name} far"));
            self.finger(side, &close, 0.038, near[i], palm);
            self.finger(side, &far, 0.028, tips[i], palm);
        }
        self.finger(side, "little", 0.038, tips[3], palm);
        self.finger(side, "thumb near", 0.042, near[3], palm);
        self.finger(side, "thumb far", 0.038, tips[4], palm);
        for i in 0..3 {
            let name = FINGERS[i];
            let (close, far) = (format!("{name} near"), format!("{name} far"));
            let (root, knuckle) = ([0.040, ACROSS[i], 0.0], format!("{name} knuckle"));
            self.hinge(side, &knuckle, (&close, [0.0, 0.0, -0.020]), ("palm", root));
            let (end, start) = ([0.0, 0.0, 0.020], [0.0, 0.0, -0.015]);
            self.hinge(side, &format!("{name} middle"), (&far, start), (&close, end));
        }
        let (root, half) = ([0.040, ACROSS[3], 0.0], 0.5 * THUMB_NEAR);
        self.joint(side, "little knuckle", ("little", [0.0, 0.0, -0.020]), ("palm", root));
        self.joint(side, "thumb root", ("thumb near", [0.0, 0.0, -half]), ("palm", THUMB));
        let (end, start) = ([0.0, 0.0, half], [0.0, 0.0, -0.020]);
        self.hinge(side, "thumb middle", ("thumb far", start), ("thumb near", end));
    }

    /// A reference with six springs on a link, led through poses: those of the palm in the world,
    /// those of finger tips in the axes of the palm's.
    fn port(&mut self, side: Side, body: &str, keys: &[(f64, V, [f64; 4])]) {
        let side = side.name();
        let frame = match body {
            "palm" => String::new(),
            _ => format!("input.path.frame = \"{side} palm\"\n"),
        };
        let _ = writeln!(
            self.text,
            "[[port]]\nname = \"{side} {body}\"\nbody = \"{side} {body}\"\nkind = \"reference\"\n\
             stiffness = {{ linear = \"400 N/m\", angular = \"2 N m/rad\" }}\n\
             damping = {{ linear = \"1.2 N s/m\", angular = \"0.08 N m s/rad\" }}\n\
             {frame}input.path.keys = ["
        );
        for (i, (time, position, turn)) in keys.iter().enumerate() {
            let before = (i > 0).then(|| &keys[i - 1]);
            let mut key = format!("time = {}", number(*time));
            // what is left out stays as it was
            if before.is_none_or(|(_, old, _)| old != position) {
                let _ = write!(key, ", position = {}", list(position));
            }
            if before.is_none_or(|(_, _, old)| old != turn) {
                let _ = write!(key, ", orientation = {}", list(turn));
            }
            let _ = writeln!(self.text, "    {{ {key} }},");
        }
        self.text.push_str("]\n\n");
    }

    fn ports(&mut self, side: Side) {
        let task = task(side);
        let palm: Vec<_> =
            task.iter().map(|grip| (grip.time, grip.palm, side.quaternion(0.0))).collect();
        self.port(side, "palm", &palm);
        for (i, name) in
            ["index far", "middle far", "ring far", "little", "thumb far"].into_iter().enumerate()
        {
            let key = |grip: &Grip| {
                let place = tips(grip)[i];
                let (s, c) = (0.5 * place.angle()).sin_cos();
                (grip.time, place.at, [c, 0.0, s, 0.0])
            };
            self.port(side, name, &task.iter().map(key).collect::<Vec<_>>());
        }
    }
}

const HEAD: &str = r#"#:schema ../crates/palpable-scene/scene.schema.json
# Two hands put a peg into a box, after [Kim2017 sec. 5.1]: ten links a hand, held together at
# sixteen points (fig. 4), 1 g and 1e-3 kg m^2 each as printed; what holds them is said below at the
# joints. Springs in all six directions lead palm and finger tips through the task, as there; the
# tips follow the palm's reference, so whoever takes that over leads the hand. Their stiffness, the
# layout of the hand, its dampers, peg, box and the motion are ours. The peg is 20 mm wide, the
# holes are 21 mm. Written by `cargo run -p palpable-scene --example 02_two_hands scenes`.
version = 1
gravity = [0, 0, "-9.81 m/s^2"]
contact = {}
"#;

const OBJECTS: &str = r#"[[body]]
name = "table"
shape = { half_space = {} }

[[body]]
name = "peg"
shape.hull.points = [
    [-0.01, -0.01, 0.06], [0.01, -0.01, 0.06], [-0.01, 0.01, 0.06], [0.01, 0.01, 0.06],
    [-0.01, -0.01, -0.054], [0.01, -0.01, -0.054], [-0.01, 0.01, -0.054], [0.01, 0.01, -0.054],
    [-0.008, -0.008, -0.06], [0.008, -0.008, -0.06], [-0.008, 0.008, -0.06], [0.008, 0.008, -0.06],
]
mass = "50 g"
material = { friction = 0.3 }
position = ["-21 cm", 0, "6 cm"]

# a plate, two walls and three blocks leave two holes of 21 mm, 40 mm deep
[[body]]
name = "box"
mass = "300 g"
material = { friction = 0.3 }
parts = [
    { shape.box.size = [0.1, 0.036, 0.01], position = [0, 0, 0.005] },
    { shape.box.size = [0.1, 0.0075, 0.04], position = [0, -0.01425, 0.03] },
    { shape.box.size = [0.1, 0.0075, 0.04], position = [0, 0.01425, 0.03] },
    { shape.box.size = [0.0195, 0.021, 0.04], position = [-0.04025, 0, 0.03] },
    { shape.box.size = [0.019, 0.021, 0.04], position = [0, 0, 0.03] },
    { shape.box.size = [0.0195, 0.021, 0.04], position = [0.04025, 0, 0.03] },
]

"#;

const TAIL: &str = r#"[step]
length = "1 ms"

[run]
duration = "6.5 s"

[record]
bodies = ["peg", "box"]
springs = false
every = 5

[studio]
eye = ["-5 cm", "-55 cm", "38 cm"]
look_at = ["-6 cm", 0, "6 cm"]
end = "loop"
after = "8 s"
hand = { stiffness = "400 N/m", damping = "2 N s/m" }
"#;

/// The text of the scene; with hard joints, or with springs of 100 N/m as printed.
pub fn scene(is_hard: bool) -> String {
    let (name, description, stiffness) = if is_hard {
        ("two hands, hard joints", "The same two hands with joints that do not yield", "")
    } else {
        (
            "two hands, peg in hole",
            "Two hands of ten 1 g links, held together by springs of 100 N/m, put a peg into a \
             box; take over either hand",
            "stiffness = \"100 N/m\"\ndamping = \"0.1 N s/m\"\n",
        )
    };
    let title = format!("scene = {{ name = \"{name}\", description = \"{description}\" }}\n\n");
    let mut page = Page { text: HEAD.to_owned() + &title + OBJECTS, stiffness };
    for side in [Side::Right, Side::Left] {
        page.hand(side);
    }
    for side in [Side::Right, Side::Left] {
        page.ports(side);
    }
    page.text + TAIL
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let files = [("peg-two-hands.toml", scene(false)), ("peg-two-hands-hard.toml", scene(true))];
    if let Some(folder) = std::env::args().nth(1) {
        for (name, text) in files {
            std::fs::write(std::path::Path::new(&folder).join(name), text)?;
        }
        return Ok(());
    }
    let built = palpable_scene::Scene::parse(scene(false), "peg-two-hands.toml")?.build()?;
    let mut world = built.world();
    let mut inputs = world.inputs();
    for _ in 0..1000 {
        built.script.inputs(world.time(), &mut inputs);
        assert!(world.step(1e-3, &inputs).status.is_taken());
    }
    println!("{}", world.audit());
    Ok(())
}
