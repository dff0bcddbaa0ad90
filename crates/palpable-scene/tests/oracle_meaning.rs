//! What a scene says is what the engine gets: numbers, frames, rows, scripts, defaults.

use palpable::{ContactLaw, PortInput, Scheme, Vec3, Vec6};
use palpable_scene::{Built, Scene, SceneError};

fn build(text: &str) -> Built {
    let scene = Scene::parse(format!("version = 1\n{text}"), "scene.toml");
    scene.and_then(|s| s.build()).unwrap_or_else(|errors| panic!("{errors}"))
}

const BALL: &str = "[[body]]\nname = \"ball\"\nshape = { sphere = { radius = 0.1 } }\nmass = 2\n";

fn spring(rows: &str) -> (Vec6, Vec6) {
    let ends = "a = { body = \"ball\" }\nb = { world = [0, 0, 1] }";
    let built = build(&format!("{BALL}[[spring]]\n{ends}\n{rows}"));
    let element = built.model.params().elements[0];
    (element.stiffness, element.damping)
}

#[test]
fn a_scene_that_says_little_gets_the_defaults() {
    let mut built = build(BALL);
    assert_eq!((built.name.as_str(), built.description.as_str()), ("scene", ""));
    assert_eq!((built.duration, built.steps.next_length()), (1.0, 1e-3));
    assert_eq!(built.options, palpable::Options::default());
    assert_eq!(built.model.params().gravity, Vec3::zeros());
    assert_eq!((built.record.every, built.record.energy), (1, true));
    assert_eq!(built.record.bodies[0].name, "ball");
    assert_eq!(built.expected_steps(), 1000);
}

#[test]
fn mass_comes_from_mass_density_or_inertia() {
    let of =
        |text: &str| build(&format!("[[body]]\nname = \"b\"\n{text}")).model.params().bodies[0];
    let cube = "shape = { box = { size = [2, 2, 2] } }";
    assert_eq!(of(cube).mass, 8000.0);
    assert_eq!(of(&format!("{cube}\ndensity = \"2 g/cm^3\"")).mass, 16000.0);
    // a cube of mass m and edge a: m a²/6
    assert!((of(&format!("{cube}\nmass = \"3 kg\"")).inertia - Vec3::repeat(2.0)).norm() < 1e-15);
    let moments = Vec3::new(3.0, 4.0, 5.0);
    assert_eq!(of("mass = 1\ninertia = [3, 4, 5]").inertia, moments);
    assert_eq!(of("mass = 1\ninertia = [[3, 0, 0], [0, 4, 0], [0, 0, 5]]").inertia, moments);
    assert_eq!(of("mass = 1\ninertia = { diagonal = [3, 4, 5] }").inertia, moments);
    // the products turn the axes; the trace stays
    let turned = of("mass = 1\ninertia = { diagonal = [3, 4, 5], products = [0.5, 0, -0.2] }");
    assert!((turned.inertia.sum() - 12.0).abs() < 1e-14 && turned.inertia != moments);
}

#[test]
fn orientations_agree_however_they_are_written() {
    let pose = |text: &str| {
        let built = build(&format!("{BALL}orientation = {text}"));
        built.model.bodies()[0].start.rotation
    };
    let quarter = pose("{ axis = [0, 0, 2], angle = \"90 deg\" }");
    assert!((quarter * Vec3::x() - Vec3::y()).norm() < 1e-15);
    for same in ["[1, 0, 0, 1]", "[1e200, 0, 0, 1e200]", "{ euler_xyz = [0, 0, \"90 deg\"] }"] {
        assert!(pose(same).angle_to(&quarter) < 1e-15, "{same}");
    }
    // about fixed axes: x first, then y; y goes to z and on to x
    let both = pose("{ euler_xyz = [\"90 deg\", \"90 deg\", 0] }");
    assert!((both * Vec3::y() - Vec3::x()).norm() < 1e-15);
}

#[test]
fn rows_are_offsets_first_and_fit_the_kind_of_spring() {
    let rows = |v: [f64; 6]| Vec6::from(v);
    assert_eq!(spring("stiffness = 5").0, rows([5.0, 5.0, 5.0, 0.0, 0.0, 0.0]));
    assert_eq!(spring("stiffness = [1, \"2 N/m\", 3]").0, rows([1.0, 2.0, 3.0, 0.0, 0.0, 0.0]));
    let turned = spring("kind = \"rotation\"\nstiffness = \"2 N m/rad\"\ndamping = \"3 N m s\"");
    assert_eq!(turned.0, rows([2.0, 2.0, 2.0, 0.0, 0.0, 0.0]));
    assert_eq!(turned.1, rows([3.0, 3.0, 3.0, 0.0, 0.0, 0.0]));
    let split = spring("kind = \"rotation\"\nstiffness = { angular = [1, 2, 3] }");
    assert_eq!(split.0, rows([1.0, 2.0, 3.0, 0.0, 0.0, 0.0]));
    let pose = "kind = \"pose\"\nstiffness = { linear = [1, 2, 3], angular = 4 }\n\
                damping = [1, 2, 3, 4, 5, 6]";
    assert_eq!(spring(pose).0, rows([1.0, 2.0, 3.0, 4.0, 4.0, 4.0]));
    assert_eq!(spring(pose).1, rows([1.0, 2.0, 3.0, 4.0, 5.0, 6.0]));
}

#[test]
fn the_second_body_of_a_spring_is_the_one_named() {
    let two = format!("{BALL}[[body]]\nname = \"end\"\nmass = 1\ninertia = [1, 1, 1]\n");
    let ends = "[[damper]]\na = { body = \"end\", point = [0, 0, 1] }\nb = { body = \"ball\" }";
    let built = build(&format!("{two}{ends}\ndamping = 4"));
    assert_eq!(built.model.elements()[0].ends, [Some(1), Some(0)]);
    let element = built.model.params().elements[0];
    assert_eq!((element.stiffness.amax(), element.damping[0]), (0.0, 4.0));
    assert_eq!(element.points[0], Vec3::z());
    assert_eq!(built.record.springs[0].name, "damper 1");
}

fn port(text: &str) -> Built {
    let place = "position = [1, 0, 0]\n[[port]]\nname = \"hand\"\nbody = \"ball\"\n";
    build(&format!("{BALL}{place}{text}"))
}

fn at(built: &Built, time: f64) -> PortInput {
    let world = built.world();
    let mut inputs = world.inputs();
    built.script.inputs(time, &mut inputs);
    inputs.get(world.port_named("hand").expect("the port"))
}

#[test]
fn a_sine_is_offset_and_amplitude_at_its_phase() {
    let built = port(
        "input = { sine = { amplitude = [\"2 N\", 0, 0], offset = [0, 1, 0], frequency = 0.25, \
         phase = \"90 deg\", torque_amplitude = [0, 0, 3] } }",
    );
    for (time, swing) in [(0.0, 1.0), (1.0, 0.0), (2.0, -1.0), (4e6, 1.0)] {
        let PortInput::Wrench { force, torque } = at(&built, time) else { panic!("a wrench") };
        assert!((force - Vec3::new(2.0 * swing, 1.0, 0.0)).norm() < 1e-15, "{time}");
        assert!((torque - Vec3::new(0.0, 0.0, 3.0 * swing)).norm() < 1e-15, "{time}");
    }
}

#[test]
fn a_reference_starts_where_its_port_is() {
    let coupling = "kind = \"reference\"\nstiffness = 100\npoint = [0, 0, 0.5]\n";
    let sine = "input = { sine = { amplitude = [0, 0.1, 0], frequency = 1 } }";
    let built = port(&format!("{coupling}{sine}"));
    let PortInput::Reference { position, .. } = at(&built, 0.0) else { panic!("a reference") };
    assert_eq!(position, Vec3::new(1.0, 0.0, 0.5));
    // so the first step finds nothing stretched
    let mut world = built.world();
    let mut inputs = world.inputs();
    built.script.inputs(0.0, &mut inputs);
    assert_eq!(world.step(1e-3, &inputs).entry.after.total(), 0.0);
    let built = port(&format!("{coupling}input = {{ constant = {{ position = [3, 2, 1] }} }}"));
    let PortInput::Reference { position, .. } = at(&built, 9.0) else { panic!("a reference") };
    assert_eq!(position, Vec3::new(3.0, 2.0, 1.0));
}

#[test]
fn settings_of_the_run_reach_the_world() {
    let built = build(&format!(
        "{BALL}[run]\nduration = \"3 min\"\nscheme = \"implicit-euler\"\nmax_substeps = 3\n\
         resolve_tolerance = 1e-5\nsubstep_tolerance = 2e-5\njoint_loss = 0.25\n\
         tank = {{ cap = \"1 J\", grant = \"2 mJ\", surplus = \"return\" }}\n\
         [record]\nevery = 4\nbodies = false\nenergy = false\n\
         [step]\nrandom = {{ min = 1, max = 1, seed = 3 }}"
    ));
    assert_eq!((built.duration, built.options.max_substeps), (180.0, 3));
    assert_eq!(built.options.scheme, Scheme::ImplicitEuler);
    let tolerances = (built.options.resolve_tolerance, built.options.substep_tolerance);
    assert_eq!(tolerances, (1e-5, 2e-5));
    assert_eq!(built.options.joint_loss, 0.25);
    let tank = built.options.tank;
    assert_eq!((tank.cap, tank.grant, tank.surplus), (1.0, 2e-3, palpable::Surplus::Return));
    assert!(built.record.bodies.is_empty() && !built.record.energy);
    assert!(built.record.is_due(0) && built.record.is_due(8) && !built.record.is_due(9));
    assert_eq!(built.steps.clone().take(3).sum::<f64>(), 3.0);
}

#[test]
fn every_scheme_has_its_name() {
    for scheme in Scheme::ALL {
        let built = build(&format!("{BALL}[run]\nscheme = \"{}\"", scheme.name()));
        assert_eq!(built.options.scheme, scheme);
    }
}

#[test]
fn a_scene_written_out_again_means_the_same() {
    let text = format!(
        "version = 1\n{BALL}orientation = {{ axis = [0, 0, 1], angle = \"30 deg\" }}\n\
         [[spring]]\na = {{ body = \"ball\" }}\nb = {{ world = [0, 0, 1] }}\n\
         kind = \"pose\"\nstiffness = {{ linear = \"2 kN/m\", angular = 3 }}"
    );
    let scene = Scene::parse(text, "scene.toml").expect("good");
    let again = Scene::parse(scene.to_toml(), "scene.toml").unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(again.to_json(), scene.to_json());
    let [first, second] = [&scene, &again].map(|s| s.build().expect("good").world().state_hash());
    assert_eq!(first, second);
}

#[test]
fn meshes_have_the_mass_of_their_volume_at_scale() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes");
    let scene = Scene::load(path.join("falling-shapes.toml")).and_then(|s| s.build());
    let built = scene.unwrap_or_else(|errors| panic!("{errors}"));
    let mass = |name: &str| {
        let body = built.model.bodies().iter().find(|b| b.name == name).expect("a body");
        built.model.params().bodies[body.moving.expect("moving")].mass
    };
    // an L of 12 + 4 cm² and 3 cm depth at 1.5 g/cm³; an octahedron has 4/3 of its half axes
    assert!((mass("mesh") - 48e-6 * 1500.0).abs() < 1e-15);
    assert!((mass("printed") - 4.0 / 3.0 * 0.04 * 0.04 * 0.06 * 1250.0).abs() < 1e-15);
    // a tetrahedron of a third of base times height, a²/2 by a, and a flat one on its long face,
    // which rises from x + y + z = 8 cm to 9 cm
    assert!((mass("hull") - 0.08 * 0.08 * 0.09 / 6.0 * 1200.0).abs() < 1e-15);
}

#[test]
fn a_mesh_that_is_inside_out_can_be_turned() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes/scene.toml");
    let text = |flip: bool| {
        let mesh = format!("{{ file = \"meshes/bracket.obj\", flip = {flip} }}");
        format!("version = 1\n[[body]]\nname = \"b\"\nshape = {{ mesh = {mesh} }}")
    };
    assert!(Scene::parse(text(false), &path).and_then(|s| s.build()).is_ok());
    let errors = Scene::parse(text(true), &path).and_then(|s| s.build()).map(|_| ()).unwrap_err();
    assert!(errors.0[0].message.contains("inside out"), "{errors}");
}

#[test]
fn contact_materials_and_stops_reach_the_engine() {
    let bodies = "[[body]]\nname = \"floor\"\nshape = { half_space = {} }\n\
        material = { friction = 0.36 }\n[[body]]\nname = \"arm\"\nmass = 1\n\
        shape = { box = { size = [0.2, 0.1, 0.1] } }\nposition = [0, 0, 1]\n\
        material = { friction = 0.25, static_friction = 0.49, \
        restitution = 0.5, roll_radius = \"1 mm\" }\n";
    let joint = "[[joint]]\nname = \"pivot\"\nkind = \"hinge\"\na = { body = \"arm\" }\n\
        b = { world = [0, 0, 1] }\nstops = [\"-30 deg\", \"90 deg\"]\n";
    let built = build(&format!("{bodies}{joint}[contact]\ncapacity = 20\n"));
    let stops = built.model.elements()[1].stops.expect("stops");
    assert!((stops[0] + 30f64.to_radians()).abs() < 1e-15 && stops[1] > 1.57);
    assert_eq!(built.record.springs[1].name, "pivot stops");
    assert_eq!(built.options.contact_law, ContactLaw::Cone);
    // a law and its sides reach the engine, and what it does not know is refused
    let smooth = bodies.replace(", roll_radius = \"1 mm\"", "");
    let law = "[contact]\nlaw = \"printed-plastic\"\n";
    let built = build(&format!("{smooth}{law}sides = 6\n"));
    assert_eq!(built.options.contact_law, ContactLaw::PrintedPlastic { sides: 6 });
    for name in ContactLaw::NAMES {
        let built = build(&format!("{smooth}[contact]\nlaw = \"{name}\"\n"));
        assert_eq!(built.options.contact_law.name(), name);
    }
    let text = format!("version = 1\n{bodies}{law}");
    let refused = Scene::parse(text, "x.toml").and_then(|s| s.build()).expect_err("it rolls");
    let SceneError { field, cure, .. } = &refused.0[0];
    assert!(field == "contact.law" && cure.contains("`cone`"), "{refused}");
    // a surface may have a law of its own
    for name in ContactLaw::NAMES {
        let own = format!("friction = 0.36, law = \"{name}\"");
        let built = build(&smooth.replace("friction = 0.36", &own));
        let floor = built.world().body_named("floor").and_then(|b| built.world().material(b));
        assert_eq!(floor.and_then(|m| m.law).map(ContactLaw::name), Some(name));
    }
    // shapes touch, with the table and without; one switch turns it off
    let touches =
        |table: &str| build(&format!("{bodies}{table}")).world().contact_settings().is_some();
    assert!(touches("") && touches("[contact]\n") && !touches("[contact]\nenabled = false\n"));
    let mut ghost = build(&format!("{bodies}ghost = true\n[contact]\n")).world();
    for _ in 0..5 {
        let _ = ghost.step(0.1, &palpable::Inputs::none());
    }
    assert!(ghost.contacts().is_empty());
}
