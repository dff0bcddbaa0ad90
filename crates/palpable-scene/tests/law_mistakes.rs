//! Every kind of mistake is found at its line and field, with a cure; all of them at once.

use palpable_scene::{Scene, SceneError, SceneErrors};
use std::path::{Path, PathBuf};

/// A scene without mistakes; each case replaces one line of it.
const GOOD: &str = r#"version = 1
gravity = [0, 0, -9.81]
[[body]]
name = "ball"
shape = { sphere = { radius = 0.05 } }
mass = 0.2
position = [0, 0, 1]
[[body]]
name = "wall"
fixed = true
[[spring]]
name = "rope"
kind = "point"
a = { body = "ball" }
b = { world = [0, 0, 2] }
stiffness = 100
[[port]]
name = "hand"
body = "ball"
input = { constant = { force = [1, 0, 0] } }
[step]
length = "1 ms"
[run]
duration = 2
scheme = "passive-midpoint"
[record]
every = 1
[[joint]]
name = "rod"
kind = "distance"
length = 0.5
a = { body = "ball" }
b = { world = [0, 0, 1.5] }
stiffness = "2 kN/m"
damping = 0.1
"#;

struct Case {
    /// Line of `GOOD` to replace, from 1, and its text.
    line: usize,
    text: &'static str,
    /// Line where it is found.
    at: usize,
    /// Expected field, and words of message and cure.
    field: &'static str,
    message: &'static str,
    cure: &'static str,
}

const fn case(
    line: usize,
    text: &'static str,
    field: &'static str,
    message: &'static str,
    cure: &'static str,
) -> Case {
    Case { line, text, at: line, field, message, cure }
}

impl Case {
    /// What is missing, or concerns a whole part, is found where the part begins.
    const fn at(self, at: usize) -> Self {
        Self { at, ..self }
    }
}

/// What can be wrong with fields, types and units.
const READING: &[Case] = &[
    case(1, "version = 2", "version", "version 2 is not known", "version = 1"),
    case(1, "version = \"1\"", "version", "a string", "whole number"),
    case(1, "verison = 1", "verison", "no field", "did you mean `version`"),
    case(2, "gravity = -9.81", "gravity", "not a list of 3", "list of 3"),
    case(2, "gravity = [0, -9.81]", "gravity", "2 entries", "list of 3"),
    case(2, "gravity = [0, 0, nan]", "gravity[2]", "finite", "acceleration"),
    case(2, "gravity = [0, 0, inf]", "gravity[2]", "finite", "acceleration"),
    case(2, "gravity = [0, 0, 1e999]", "gravity[2]", "finite", "acceleration"),
    case(2, "gravity = [0, 0, \"9.81 m/s\"]", "gravity[2]", "m s^-1, not m/s^2", "9.81 m/s^2"),
    case(2, "gravity = [0, 0, \"9.81\"]", "gravity[2]", "without a unit", "plain number of m/s^2"),
    case(2, "gravity = [0, 0, \"a lot\"]", "gravity[2]", "does not begin with a number", "9.81"),
    case(2, "gravity = 2026-01-01", "gravity", "a date", "list of 3"),
    case(2, "damper = 3", "damper", "a number, not a list", "[[damper]]"),
    case(4, "name = 3", "body.name", "a number, not a text", "quotes"),
    case(4, "nmae = \"ball\"", "body.nmae", "no field", "did you mean `name`"),
    case(4, "velocity = [0, 0, 0]", "body.name", "missing", "add `name").at(3),
    case(4, "name = \"\"", "body.name", "empty", "letter"),
    case(5, "shape = \"sphere\"", "body.shape", "a string, not a table", "{ sphere ="),
    case(5, "shape = {}", "body.shape", "empty", "give one of sphere"),
    case(5, "shape = { shpere = { radius = 1 } }", "body.shape.shpere", "no kind", "`sphere`"),
    case(5, "shape = { sphere = { radius = 0 } }", "body.shape.sphere.radius", "0", "greater"),
    case(
        5,
        "shape = { sphere = { diameter = 1 } }",
        "body.shape.sphere.diameter",
        "no f",
        "radius",
    ),
    case(5, "shape = { sphere = {} }", "body.shape.sphere.radius", "missing", "add `radius"),
    case(
        5,
        "shape = { sphere = { radius = 1 }, box = { size = [1, 1, 1] } }",
        "body.shape.box",
        "only one",
        "keep one",
    ),
    case(6, "mass = -0.2", "body.mass", "-0.2 is not allowed", "greater than zero"),
    case(6, "mass = 0", "body.mass", "0 is not allowed", "200 g"),
    case(6, "mass = true", "body.mass", "a boolean, not a number", "mass"),
    case(6, "mass = \"2 N\"", "body.mass", "m kg s^-2, not kg", "200 g"),
    case(6, "mass = \"2 stone\"", "body.mass", "unknown unit `stone`", "200 g"),
    case(6, "density = -1", "body.density", "-1", "1000 kg/m^3"),
    case(10, "fixed = \"yes\"", "body.fixed", "a string", "true or false"),
    case(13, "kind = \"pont\"", "spring.kind", "`pont` is not known", "did you mean `point`"),
    case(14, "a = \"ball\"", "spring.a", "a string, not a table", "field = value"),
    case(16, "stiffness = [1, 2, nan]", "spring.stiffness[2]", "finite", "number"),
    case(16, "damping = 1", "spring.stiffness", "missing", "add `stiffness").at(11),
    case(20, "input = { square = {} }", "port.input.square", "no kind", "constant, sine, table"),
    case(20, "input = { sine = { frequency = -1 } }", "port.input.sine.frequency", "-1", "2 Hz"),
    case(
        20,
        "input = { sine = { frequency = \"1 rad/s\" } }",
        "port.input.sine.frequency",
        "s^-1 rad, not Hz",
        "2 Hz",
    ),
    case(22, "length = \"1 kHz\"", "step.length", "s^-1, not s", "10 ms"),
    case(22, "length = 0", "step.length", "0", "greater than zero"),
    case(24, "duration = -1", "run.duration", "-1", "greater than zero"),
    case(25, "scheme = \"midpoint\"", "run.scheme", "not known", "passive-midpoint"),
    case(25, "max_substeps = 1.5", "run.max_substeps", "whole number", "such as 1"),
    case(27, "every = -1", "record.every", "whole number", "such as 1"),
    case(27, "bodies = \"ball\"", "record.bodies", "not a selection", "list of names"),
    case(25, "joint_loss = -0.1", "run.joint_loss", "-0.1 is not allowed", "0.1"),
    case(30, "kind = \"hige\"", "joint.kind", "`hige` is not known", "did you mean `hinge`"),
    case(30, "", "joint.kind", "missing", "add `kind").at(28),
    case(31, "lenght = 0.5", "joint.lenght", "no field", "did you mean `length`"),
    case(31, "length = 0", "joint.length", "0 is not allowed", "greater than zero"),
    case(32, "", "joint.a", "missing", "add `a").at(28),
    case(34, "stiffness = \"soft\"", "joint.stiffness", "does not begin", "give \"hard\""),
    case(34, "stiffness = inf", "joint.stiffness", "finite", "give \"hard\""),
    case(34, "stiffness = [1, 2]", "joint.stiffness", "not a number", "2 kN/m"),
    case(34, "stiffness = { liner = 1 }", "joint.stiffness.liner", "no field", "`linear`"),
    case(35, "damping = \"hard\"", "joint.damping", "does not begin", "finite number"),
];

/// What is found when the parts are put together.
const BUILDING: &[Case] = &[
    case(5, "velocity = [0, 0, 0]", "body", "no shape and no inertia", "give it a shape").at(3),
    case(5, "inertia = [1, 1, 9]", "body.inertia", "impossible for matter", "check units"),
    case(5, "inertia = [1, 1, -1]", "body.inertia", "principal moment", "greater than zero"),
    case(5, "center_of_mass = [1, 0, 0]", "body.center_of_mass", "without an inertia", "inertia"),
    case(
        5,
        "shape = { sphere = { radius = 1e13 } }",
        "body.shape",
        "10000000000000",
        "convert to metres",
    ),
    case(5, "shape = { box = {} }", "body.shape", "neither size", "size ="),
    case(5, "shape = { hull = { points = [[0, 0, 0]] } }", "body.shape", "distinct", "at least 4"),
    case(5, "shape = { hull = {} }", "body.shape", "neither points nor file", "one of them"),
    case(5, "shape = { mesh = { file = \"x.ply\" } }", "body.shape.mesh.file", "neither", ".obj"),
    case(5, "shape = { mesh = { file = \"x.obj\" } }", "body.shape.mesh.file", "cannot", "path"),
    case(7, "density = 1000", "body.density", "both mass and density", "keep one"),
    case(7, "orientation = [0, 0, 0, 0]", "body.orientation", "zero", "[1, 0, 0, 0]"),
    case(7, "orientation = { axis = [0, 0, 1] }", "body.orientation", "neither", "axis and angle"),
    case(7, "orientation = { axis = [0,0,0], angle = 1 }", "body.orientation", "axis is", "[0, 0"),
    case(9, "name = \"ball\"", "body.name", "two bodies are named `ball`", "rename"),
    case(14, "a = { body = \"bal\" }", "spring.a.body", "no body `bal`", "did you mean `ball`"),
    case(14, "a = { body = \"wall\" }", "spring.a", "can move", "not fixed"),
    case(14, "a = {}", "spring.a", "needs a body", "world = [x, y, z]"),
    case(14, "a = { body = \"ball\", world = [0,0,0] }", "spring.a", "not both", "{ world ="),
    case(14, "a = { world = [0,0,0], point = [0,0,0] }", "spring.a.point", "no `point`", "world"),
    case(15, "b = { body = \"ball\" }", "spring.b", "same body", "elsewhere"),
    case(16, "stiffness = -1", "spring.stiffness", "-1", "zero or more"),
    case(16, "stiffness = \"2 N\"", "spring.stiffness", "not N/m", "2 kN/m"),
    case(16, "stiffness = [1, 2]", "spring.stiffness", "2 rows", "three"),
    case(16, "stiffness = { angular = 1 }", "spring.stiffness.angular", "no angular", "pose"),
    case(19, "body = \"wall\"", "port.body", "can move", "not fixed"),
    case(19, "body = \"table\"", "port.body", "no body `table`", "known bodies: ball, wall"),
    case(20, "stiffness = 3", "port.stiffness", "force port", "kind = \"reference\""),
    case(20, "kind = \"reference\"", "port", "without stiffness", "add `stiffness").at(17),
    case(
        20,
        "input = { constant = { position = [0, 0, 0] } }",
        "port.input.constant.position",
        "does not take this",
        "reference",
    ),
    case(
        20,
        "input = { sine = { amplitude = [\"1 m\", 0, 0], frequency = 1 } }",
        "port.input.sine.amplitude",
        "m, not N",
        "200 mN",
    ),
    case(20, "input = { table = { file = \"x.csv\" } }", "port.input.table.file", "cannot", "path"),
    case(22, "random = { min = 2, max = 1 }", "step.random.min", "longer", "exchange"),
    case(22, "table = { lengths = [] }", "step.table", "no step lengths", "at least one"),
    case(25, "max_substeps = 0", "run.max_substeps", "not allowed", "1 to 1000"),
    case(25, "tank = { grant = 5, cap = 1 }", "run.tank.grant", "at most", "raise `cap`"),
    case(25, "joint_loss = 1.5", "run.joint_loss", "1.5 is not allowed", "0 to 1"),
    case(27, "every = 0", "record.every", "never", "1 for each step"),
    case(27, "bodies = [\"bull\"]", "record.bodies[0]", "`bull`", "did you mean `ball`"),
    case(29, "name = \"rope\"", "joint.name", "are named `rope`", "rename"),
    case(30, "kind = \"ball\"", "joint.length", "no length", "kind = \"distance\"").at(31),
    case(30, "kind = \"hinge\"", "joint.stiffness", "a unit cannot serve", "angular =").at(34),
    case(31, "", "joint.length", "`length` is missing", "distance of the two points").at(28),
    case(32, "a = { body = \"bell\" }", "joint.a.body", "no body `bell`", "did you mean `ball`"),
    case(32, "a = { body = \"wall\" }", "joint.a", "can move", "not fixed"),
    case(32, "a = {}", "joint.a", "needs a body", "world = [x, y, z]"),
    case(33, "b = { body = \"ball\" }", "joint.b", "same body", "elsewhere"),
    case(34, "stiffness = -1", "joint.stiffness", "-1 is not allowed", "zero or more"),
    case(34, "stiffness = \"2 N m/rad\"", "joint.stiffness", "not N/m", "2 kN/m"),
    case(34, "stiffness = { linear = -1 }", "joint.stiffness.linear", "-1", "zero or more"),
    case(34, "stiffness = { angular = 1 }", "joint.stiffness.angular", "no angular", "another"),
    case(34, "stiffness = \"hard\"", "joint.damping", "nothing to damp", "[[damper]]").at(35),
    case(6, "material = { restitution = 1.5 }", "body.material.restitution", "create", "0 to 1"),
    case(6, "material = { friction = -1 }", "body.material.friction", "-1", "zero or more"),
    case(
        6,
        "material = { friction = 0.5, static_friction = 0.4 }",
        "body.material.static_friction",
        "less than in motion",
        "at least 0.5",
    ),
    case(6, "material = { restitution = -1 }", "body.material.restitution", "no layer", "impulse"),
    case(
        6,
        "material = { law = \"impulse\", modulus = 1e6, restitution = -2 }",
        "body.material.restitution",
        "create",
        "-1 to 1",
    ),
    case(
        6,
        "material = { law = \"impluse\", modulus = 1 }",
        "body.material.law",
        "impluse",
        "`impulse`",
    ),
    case(6, "material = { law = \"impulse\" }", "body.material", "`modulus`", "greater than zero"),
    case(
        6,
        "material = { law = \"impulse\", modulus = 0 }",
        "body.material.modulus",
        "0 is not allowed",
        "greater than zero",
    ),
    case(
        6,
        "material = { law = \"impulse\", modulus = nan }",
        "body.material.modulus",
        "finite",
        "finite",
    ),
    case(2, "contact = { capacity = 9000000 }", "contact.capacity", "too much", "1000000"),
    case(2, "contact = { capacity = 0 }", "contact.capacity", "without room", "1 or more"),
    case(
        2,
        "contact = { law = \"printed-elastic\", collision = \"sequential\" }",
        "contact.collision",
        "no impulses",
        "cone",
    ),
    case(2, "contact = { capcity = 9 }", "contact.capcity", "no field", "`capacity`"),
    case(2, "contact = { law = \"cones\" }", "contact.law", "cones", "`cone`"),
    case(2, "contact = { sides = 4 }", "contact.sides", "no sides", "printed-elastic"),
    case(
        2,
        "contact = { law = \"printed-plastic\", sides = 3 }",
        "contact.sides",
        "3 sides",
        "4 to 64",
    ),
    case(35, "stops = [-1, 1]", "joint.stops", "no stops", "hinge"),
    case(35, "friction = 1", "joint.friction", "no friction", "hinge"),
    case(35, "reach = [1, 1]", "joint.reach", "no reach", "elliptic"),
    case(35, "damping = -1", "joint.damping", "-1 is not allowed", "zero or more"),
    case(35, "damping = { angular = 1 }", "joint.damping.angular", "no angular", "remove"),
];

fn check(text: &str) -> Result<(), SceneErrors> {
    Scene::parse(text, "scene.toml").and_then(|scene| scene.build()).map(|_| ())
}

fn replaced(line: usize, text: &str) -> String {
    let mut lines: Vec<&str> = GOOD.lines().collect();
    lines[line - 1] = text;
    lines.join("\n")
}

#[test]
fn the_scene_to_be_spoiled_is_good() {
    check(GOOD).unwrap_or_else(|errors| panic!("{errors}"));
}

#[test]
fn every_mistake_is_found_at_its_line_and_field_with_its_cure() {
    let mut failed = Vec::new();
    for case in READING.iter().chain(BUILDING) {
        let errors = check(&replaced(case.line, case.text)).map_or_else(|e| e.0, |()| Vec::new());
        let is_it = |e: &SceneError| {
            (e.field == case.field && e.line == case.at && e.column > 0)
                && (e.message.contains(case.message) && e.cure.contains(case.cure))
                && e.file == Path::new("scene.toml")
        };
        // a mistake may have consequences, but not many
        if !errors.iter().any(is_it) || errors.len() > 4 {
            failed.push(format!("{}\n{}", case.text, SceneErrors(errors)));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n\n"));
}

#[test]
fn a_mistake_prints_as_file_line_column_field_message_cure_and_a_caret() {
    let errors = check(&replaced(6, "mass = -0.2")).expect_err("negative mass");
    let expected = "scene.toml:6:8: body.mass: -0.2 is not allowed here; give a mass greater than \
                    zero, such as \"200 g\" or a plain number of kg\n  6 | mass = -0.2\n\
                    \x20   |        ^^^^";
    assert_eq!(errors.to_string(), expected);
}

#[test]
fn all_mistakes_are_listed_at_once_in_the_order_of_the_file() {
    let text = GOOD
        .replace("mass = 0.2", "mass = -1")
        .replace("a = { body = \"ball\" }", "a = { body = \"boll\" }")
        .replace("stiffness = 100", "stifness = 100")
        .replace("length = \"1 ms\"", "length = \"1 mm\"")
        .replace("every = 1", "bodies = [\"nobody\"]")
        .replace("radius = 0.05", "radius = inf");
    let errors = check(&text).expect_err("seven mistakes");
    let found: Vec<(usize, &str)> = errors.0.iter().map(|e| (e.line, e.field.as_str())).collect();
    let expected = [
        (5, "body.shape.sphere.radius"),
        (6, "body.mass"),
        (14, "spring.a.body"),
        (16, "spring.stifness"),
        (22, "step.length"),
        (27, "record.bodies[0]"),
        (32, "joint.a.body"),
    ];
    assert_eq!(found, expected, "{errors}");
}

#[test]
fn a_syntax_error_stops_at_the_first() {
    for (text, line) in [("version = 1\nmass = = 3\nx = [", 2), ("version = 1\nversion = 1\n", 2)] {
        let errors = check(text).expect_err("syntax");
        assert_eq!(errors.0.len(), 1, "{errors}");
        assert_eq!(errors.0[0].line, line, "{errors}");
        assert!(!errors.0[0].cure.is_empty());
    }
    let errors = check("{ \"version\": 1,\n \"gravity\": [1, 2,] }").expect_err("JSON syntax");
    assert_eq!((errors.0.len(), errors.0[0].line), (1, 2), "{errors}");
}

#[test]
fn json_is_read_with_the_same_fields_and_places() {
    let text = "{\n \"version\": 1,\n \"body\": [\n  {\"name\": \"a\", \"mass\": -1}\n ]\n}";
    let errors = check(text).expect_err("negative mass");
    let error = &errors.0[0];
    assert_eq!((error.line, error.column, error.field.as_str()), (4, 25, "body.mass"));
    let good = Scene::parse(GOOD, "scene.toml").expect("good");
    let json = Scene::parse(good.to_json().to_string(), "scene.json").expect("the same in JSON");
    assert_eq!(json.to_toml(), good.to_toml());
}

#[test]
fn a_file_that_cannot_be_read_is_named() {
    let errors = Scene::load("no/such/scene.toml").expect_err("not there");
    assert_eq!(errors.0[0].file, PathBuf::from("no/such/scene.toml"));
    assert!(errors.to_string().starts_with("no/such/scene.toml: cannot be read"));
}

/// A folder with one file of the given name and text.
fn folder_with(name: &str, text: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("palpable-scene-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("folder");
    std::fs::write(folder.join(name), text).expect("file");
    folder
}

#[test]
fn mistakes_in_a_csv_file_are_placed_in_that_file() {
    for (name, csv, line, field, cure) in [
        ("order.csv", "time,fx,fy,fz\n0,0,0,0\n1,0,0,0\n1,0,0,0\n", 4, "time", "sort"),
        ("text.csv", "time,fx,fy,fz\n0,0,0,0\n1,0,lots,0\n", 3, "fy", "plain number"),
        ("nan.csv", "# note\ntime,fx,fy,fz\n0,0,0,nan\n", 3, "fz", "plain number"),
        ("column.csv", "time,fx,fy\n0,0,0\n", 1, "fz", "time, fx, fy, fz"),
        ("extra.csv", "time,fx,fy,fz,fw\n0,0,0,0,0\n", 1, "fw", "known columns"),
        ("empty.csv", "time,fx,fy,fz\n", 0, "rows", "at least one row"),
        ("ragged.csv", "time,fx,fy,fz\n0,0,0,0\n1,0\n", 3, "port.input.table.file", "every row"),
    ] {
        let folder = folder_with(name, csv);
        let input = format!("input = {{ table = {{ file = \"{name}\" }} }}");
        let scene = Scene::parse(replaced(20, &input), folder.join("scene.toml")).expect("read");
        let errors = scene.build().map(|_| ()).expect_err(name);
        let error = &errors.0[0];
        assert_eq!((error.line, error.field.as_str()), (line, field), "{errors}");
        assert_eq!(error.file, folder.join(name));
        assert!(error.cure.contains(cure), "{errors}");
        std::fs::remove_dir_all(folder).expect("removed");
    }
}

#[test]
fn meshes_that_are_no_solids_are_refused_with_a_cure() {
    let corners = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n";
    for (name, mesh, cure) in [
        ("open.obj", format!("{corners}f 1 3 2\nf 1 2 4\nf 2 3 4\n"), "at least 4"),
        ("inside.obj", format!("{corners}f 1 2 3\nf 1 4 2\nf 2 4 3\nf 1 3 4\n"), "flip = true"),
        ("empty.obj", corners.to_owned(), "faces"),
        ("index.obj", format!("{corners}f 1 2 9\n"), "export the mesh again"),
        ("junk.stl", "solid\nfacet normal x\n".to_owned(), "export the mesh again"),
        ("short.stl", "binary?".to_owned(), "export the mesh again"),
    ] {
        let folder = folder_with(name, &mesh);
        let shape = format!("shape = {{ mesh = {{ file = \"{name}\" }} }}");
        let scene = Scene::parse(replaced(5, &shape), folder.join("scene.toml")).expect("read");
        let errors = scene.build().map(|_| ()).expect_err(name);
        assert!(errors.0[0].field.starts_with("body.shape"), "{errors}");
        assert!(errors.0[0].cure.contains(cure), "{name}: {errors}");
        std::fs::remove_dir_all(folder).expect("removed");
    }
}
