//! A robot means what its file says: frames, masses, joints and dampers against closed forms and
//! against the same thing said in another way.

use palpable::{Mat3, Model, Pose, Rotation, Vec3, World};
use palpable_scene::urdf::{Base, Mount};
use palpable_scene::{Built, Robot, Scene};
use std::path::{Path, PathBuf};

type Matrix = [[f64; 3]; 3];

/// A folder of this test for robots and scenes.
fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("oracle_urdf").join(name);
    std::fs::create_dir_all(&path).expect("a folder");
    path
}

fn robot(inside: &str) -> Robot {
    let text = format!("<robot name=\"r\">{inside}</robot>");
    Robot::parse(text, "r.urdf").unwrap_or_else(|e| panic!("{e}"))
}

/// A scene beside the robot that it includes.
fn scene(name: &str, inside: &str, scene: &str) -> Built {
    let folder = folder(name);
    let text = format!("<robot name=\"r\">{inside}</robot>");
    std::fs::write(folder.join("r.urdf"), text).expect("written");
    let built = Scene::parse(scene, folder.join("scene.toml")).and_then(|s| s.build());
    built.unwrap_or_else(|e| panic!("{e}"))
}

fn run(built: &Built) -> World {
    let (mut world, mut steps) = (built.world(), built.steps.clone());
    let mut inputs = world.inputs();
    while !built.is_over(world.time()) {
        built.script.inputs(world.time(), &mut inputs);
        let report = world.step(steps.next_length(), &inputs);
        assert!(report.status.is_taken());
    }
    assert!(world.audit().is_clean(), "{}", world.audit());
    world
}

fn inertial(mass: f64, moments: [f64; 3], more: &str) -> String {
    let [x, y, z] = moments;
    format!(
        "<inertial>{more}<mass value=\"{mass}\"/>\
         <inertia ixx=\"{x}\" iyy=\"{y}\" izz=\"{z}\"/></inertial>"
    )
}

/// A base and one link below a joint.
fn two_links(kind: &str, link: &str, joint: &str) -> String {
    format!(
        "<link name=\"base\"/><link name=\"rod\">{link}</link>\
         <joint name=\"pin\" type=\"{kind}\"><parent link=\"base\"/><child link=\"rod\"/>{joint}\
         </joint>"
    )
}

fn times(a: &Matrix, b: &Matrix) -> Matrix {
    [0, 1, 2].map(|i| [0, 1, 2].map(|j| (0..3).map(|k| a[i][k] * b[k][j]).sum()))
}

/// Rotation about a coordinate axis.
fn about(axis: usize, angle: f64) -> Matrix {
    let (s, c) = angle.sin_cos();
    let (y, z) = ((axis + 1) % 3, (axis + 2) % 3);
    let mut m = [[0.0; 3]; 3];
    m[axis][axis] = 1.0;
    (m[y][y], m[y][z], m[z][y], m[z][z]) = (c, -s, s, c);
    m
}

fn roll_pitch_yaw([roll, pitch, yaw]: [f64; 3]) -> Matrix {
    times(&times(&about(2, yaw), &about(1, pitch)), &about(0, roll))
}

fn difference(a: &Mat3, b: &Matrix) -> f64 {
    (0..9).map(|i| (a[(i / 3, i % 3)] - b[i / 3][i % 3]).abs()).fold(0.0, f64::max)
}

const ANGLES: [[f64; 3]; 5] = [
    [0.3, 0.0, 0.0],
    [0.0, -0.4, 0.9],
    [1.1, 0.7, -2.5],
    [0.4, std::f64::consts::FRAC_PI_2, 0.3],
    [-3.0, 5.0, 20.0],
];

#[test]
fn roll_pitch_and_yaw_turn_about_fixed_axes_in_this_order() {
    for rpy in ANGLES {
        let [r, p, y] = rpy;
        let joint = format!("<origin xyz=\"1 2 3\" rpy=\"{r} {p} {y}\"/><axis xyz=\"0 1 0\"/>");
        let link = inertial(1.0, [1.0; 3], "");
        let robot = robot(&two_links("continuous", &link, &joint));
        let origin = robot.joints[0].origin;
        let turned = origin.rotation.to_rotation_matrix().into_inner();
        // sums of three products of numbers up to 1
        assert!(difference(&turned, &roll_pitch_yaw(rpy)) < 1e-15 * 8.0, "{rpy:?}");
        assert_eq!(origin.position, Vec3::new(1.0, 2.0, 3.0));
        let poses = robot.poses(&Pose::default(), &[0.8]);
        let expected = times(&roll_pitch_yaw(rpy), &about(1, 0.8));
        let rotation = poses[1].rotation.to_rotation_matrix().into_inner();
        assert!(difference(&rotation, &expected) < 1e-15 * 8.0, "{rpy:?}");
    }
}

/// Point masses `(m, x)` that stand for a body with principal moments along its axes.
fn cloud(mass: f64, reach: [f64; 3]) -> Vec<(f64, Vec3)> {
    let points = (0..3).flat_map(|i| [-1.0, 1.0].map(|s| Vec3::ith(i, s * reach[i])));
    points.map(|x| (mass / 6.0, x)).collect()
}

/// Moments of that cloud: `m/3 (b² + c²)`.
fn moments(mass: f64, [a, b, c]: [f64; 3]) -> [f64; 3] {
    [b * b + c * c, a * a + c * c, a * a + b * b].map(|sum| mass / 3.0 * sum)
}

/// Mass, centre and inertia of points, by their definitions.
fn sums(points: &[(f64, Vec3)]) -> (f64, Vec3, Mat3) {
    let mass: f64 = points.iter().map(|(m, _)| m).sum();
    let center = points.iter().map(|(m, x)| x * *m).sum::<Vec3>() / mass;
    let about_center = |(m, x): &(f64, Vec3)| {
        let d = x - center;
        (Mat3::from_diagonal_element(d.dot(&d)) - d * d.transpose()) * *m
    };
    (mass, center, points.iter().map(about_center).sum())
}

fn placed(points: &[(f64, Vec3)], xyz: [f64; 3], rpy: [f64; 3]) -> Vec<(f64, Vec3)> {
    let r = roll_pitch_yaw(rpy);
    let turned = |x: &Vec3| Vec3::from_fn(|i, _| (0..3).map(|j| r[i][j] * x[j]).sum());
    points.iter().map(|(m, x)| (*m, Vec3::from(xyz) + turned(x))).collect()
}

fn origin([x, y, z]: [f64; 3], [r, p, w]: [f64; 3]) -> String {
    format!("<origin xyz=\"{x} {y} {z}\" rpy=\"{r} {p} {w}\"/>")
}

#[test]
fn a_turned_inertia_is_that_of_the_turned_matter() {
    for rpy in ANGLES {
        let (reach, xyz) = ([0.1, 0.2, 0.35], [0.4, -0.2, 0.7]);
        let link = inertial(3.0, moments(3.0, reach), &origin(xyz, rpy));
        let robot = robot(&two_links("continuous", &link, ""));
        let found = robot.links[1].inertial.expect("a mass");
        let (mass, center, inertia) = sums(&placed(&cloud(3.0, reach), xyz, rpy));
        assert!((found.mass - mass).abs() < 1e-14);
        assert!((found.center_of_mass - center).norm() < 1e-14);
        // moments up to 0.2 kg·m² seen from 0.8 m away: cancellation of about 3 in 0.2
        assert!((found.inertia - inertia).amax() < 1e-14, "{}", found.inertia - inertia);
    }
}

#[test]
fn welded_links_weigh_as_much_as_their_matter_does() {
    let (palm, finger) = ([0.1, 0.02, 0.05], [0.01, 0.03, 0.02]);
    let (at_palm, rpy_palm) = ([0.0, 0.1, 0.2], [0.3, -0.2, 0.5]);
    let (at_joint, rpy_joint) = ([0.5, 0.0, -0.1], [1.0, 2.0, 3.0]);
    let (at_finger, rpy_finger) = ([0.0, 0.0, 0.3], [-0.4, 0.1, 0.0]);
    let text = format!(
        "<link name=\"base\"/><link name=\"palm\">{}</link><link name=\"frame\"/>\
         <link name=\"finger\">{}</link>\
         <joint name=\"a\" type=\"continuous\"><parent link=\"base\"/>\
         <child link=\"palm\"/></joint>\
         <joint name=\"b\" type=\"fixed\"><parent link=\"palm\"/><child link=\"frame\"/>{}</joint>\
         <joint name=\"c\" type=\"fixed\"><parent link=\"frame\"/><child link=\"finger\"/></joint>",
        inertial(2.0, moments(2.0, palm), &origin(at_palm, rpy_palm)),
        inertial(0.5, moments(0.5, finger), &origin(at_finger, rpy_finger)),
        origin(at_joint, rpy_joint),
    );
    let robot = robot(&text);
    assert_eq!(robot.parts.len(), 2);
    assert_eq!((robot.mass(), robot.parts[1].links.len()), (2.5, 3));
    let mut points = placed(&cloud(2.0, palm), at_palm, rpy_palm);
    let tip = placed(&cloud(0.5, finger), at_finger, rpy_finger);
    points.extend(placed(&tip, at_joint, rpy_joint));
    let (mass, center, inertia) = sums(&points);
    let found = robot.parts[1].inertial.expect("a mass");
    assert!((found.mass - mass).abs() < 1e-14);
    assert!((found.center_of_mass - center).norm() < 1e-14);
    assert!((found.inertia - inertia).amax() < 1e-14);
    // both are said to have become part of the palm
    assert_eq!(robot.remarks.iter().filter(|r| r.message.contains("`palm`")).count(), 2);
}

#[test]
fn a_pendulum_from_urdf_moves_as_the_same_scene_does() {
    let link = inertial(2.0, [0.25, 0.2, 0.1], "<origin xyz=\"0 -0.5 0\"/>");
    for (name, axis, turn, bound) in [
        // the same frames, bit by bit
        ("z", [0, 0, 1], "[1, 0, 0, 0]", 0.0),
        // a hinge axis found by two formulas, differences of 1e-16 over 500 steps
        ("x", [1, 0, 0], "{ axis = [0, 1, 0], angle = \"90 deg\" }", 1e-12),
    ] {
        let [x, y, z] = axis;
        let joint = format!("<origin xyz=\"0.1 0.2 0.3\"/><axis xyz=\"{x} {y} {z}\"/>");
        let head = "version = 1\ngravity = [0, -9.81, 0]\n[run]\nduration = 0.5\n";
        let included = format!("{head}[[include]]\nfile = \"r.urdf\"\npositions = {{ pin = 1 }}");
        let urdf = scene(name, &two_links("continuous", &link, &joint), &included);
        let toml = format!(
            "{head}[[body]]\nname = \"base\"\nfixed = true\n\
             [[body]]\nname = \"rod\"\nmass = 2\ninertia = [0.25, 0.2, 0.1]\n\
             center_of_mass = [0, -0.5, 0]\nposition = [0.1, 0.2, 0.3]\n\
             orientation = {{ axis = [{x}, {y}, {z}], angle = 1 }}\n\
             [[joint]]\nkind = \"hinge\"\na = {{ body = \"rod\", orientation = {turn} }}\n\
             b = {{ body = \"base\", point = [0.1, 0.2, 0.3], orientation = {turn} }}\n"
        );
        let toml = Scene::parse(toml, "x.toml").and_then(|s| s.build()).expect("a scene");
        let worlds = [run(&urdf), run(&toml)];
        let [a, b] = worlds.each_ref().map(|w| w.pose(w.body_named("rod").expect("a rod")));
        let gap = (a.position - b.position).norm() + a.rotation.angle_to(&b.rotation);
        assert!(gap <= bound, "{name}: {gap:e}");
        if bound == 0.0 {
            assert_eq!(worlds[0].state_hash(), worlds[1].state_hash());
        }
        // it has swung: the test says something
        assert!(a.rotation.angle() > 1.1 || a.rotation.angle() < 0.9);
    }
}

#[test]
fn sliders_planes_and_free_links_fall_as_their_joints_let_them() {
    let link = inertial(2.0, [0.1; 3], "");
    let (g, t) = (Vec3::new(1.0, -2.0, -9.0), 0.3);
    let axis = Vec3::new(0.6, 0.0, 0.8);
    type Along = fn(Vec3, Vec3) -> Vec3;
    let cases: [(&str, Along); 3] = [
        ("prismatic", |g, n| n * n.dot(&g)),
        ("planar", |g, n| g - n * n.dot(&g)),
        ("floating", |g, _| g),
    ];
    for (kind, along) in cases {
        let joint = "<origin xyz=\"0 0 1\"/><axis xyz=\"0.6 0 0.8\"/>";
        let text = "version = 1\ngravity = [1, -2, -9]\n[run]\nduration = 0.3\n\
                    [[include]]\nfile = \"r.urdf\"";
        let world = run(&scene(kind, &two_links(kind, &link, joint), text));
        let at = world.pose(world.body_named("rod").expect("a rod")).position;
        // the midpoint rule is exact for a constant force
        let expected = Vec3::z() + along(g, axis) * (0.5 * t * t);
        assert!((at - expected).norm() < 1e-12, "{kind}: {at:?} {expected:?}");
    }
}

#[test]
fn damping_slows_sliders_and_hinges_as_it_should() {
    // m v' = m g - b v: v = m g / b (1 - exp(-b t / m))
    let (m, b, t) = (2.0, 3.0, 1.0);
    let link = inertial(m, [0.1, 0.2, 0.25], "");
    let joint = format!("<axis xyz=\"0 0 -1\"/><dynamics damping=\"{b}\"/>");
    let text = "version = 1\ngravity = [0, 0, -9]\n[[include]]\nfile = \"r.urdf\"";
    let world = run(&scene("slide", &two_links("prismatic", &link, &joint), text));
    let v = -world.velocity(world.body_named("rod").expect("a rod")).z;
    let expected = m * 9.0 / b * (1.0 - (-b * t / m).exp());
    // second order: (b h / m)² / 12 of it, 2e-7
    assert!((v - expected).abs() < 2e-6 * expected, "{v} {expected}");
    // I ω' = τ - b ω about an axis that is not principal to the joint frame
    let joint = "<origin rpy=\"0.3 0.2 0.1\"/><axis xyz=\"0 1 0\"/><dynamics damping=\"0.5\"/>";
    let text = "version = 1\n[[include]]\nfile = \"r.urdf\"\nname = \"x\"\n\
                [[port]]\nname = \"p\"\nbody = \"x/rod\"\n\
                input = { constant = { torque = [0.1, 0.7, -0.2] } }";
    let world = run(&scene("turn", &two_links("continuous", &link, joint), text));
    let r = roll_pitch_yaw([0.3, 0.2, 0.1]);
    let torque: f64 = (0..3).map(|i| r[i][1] * [0.1, 0.7, -0.2][i]).sum();
    let omega = world.angular_velocity(world.body_named("x/rod").expect("a rod"));
    let expected = torque / 0.5 * (1.0 - (-0.5f64 / 0.2).exp());
    assert!((omega - Vec3::y() * expected).norm() < 2e-6, "{omega:?} {expected}");
}

#[test]
fn welded_links_can_be_held_where_they_are() {
    let text = format!(
        "<link name=\"base\"/><link name=\"arm\">{}</link><link name=\"tool\"/>\
         <joint name=\"a\" type=\"continuous\"><parent link=\"base\"/><child link=\"arm\"/>\
         <axis xyz=\"0 1 0\"/></joint>\
         <joint name=\"b\" type=\"fixed\"><parent link=\"arm\"/><child link=\"tool\"/>\
         <origin xyz=\"1 0 0\" rpy=\"0 0 1.5707963267948966\"/></joint>",
        inertial(1.0, [0.1; 3], "")
    );
    let held = "version = 1\n[run]\nduration = 0.01\n[[include]]\nfile = \"r.urdf\"\n\
                position = [0, 0, 5]\npositions = { a = \"90 deg\" }\n\
                [[port]]\nname = \"p\"\nbody = \"tool\"\npoint = [0.5, 0, 0]\n\
                [[spring]]\nname = \"s\"\nkind = \"pose\"\n\
                a = { body = \"tool\", point = [0.5, 0, 0] }\n\
                b = { world = [0, 0.5, 4], orientation = [1, 1, 1, 1] }\nstiffness = 100";
    let built = scene("weld", &text, held);
    // half a metre along x of the tool, which is y of the arm; x of the arm points down, and a
    // quarter turn about y after one about z is a third of a turn about the diagonal
    assert!(built.world().energy().elastic < 1e-28);
    let world = run(&built);
    let tool = world.pose(world.body_named("arm").expect("an arm"));
    assert!((tool.rotation * Vec3::x() + Vec3::z()).norm() < 1e-12);
    assert_eq!(built.robots[0].mounted.positions[0], std::f64::consts::FRAC_PI_2);
}

#[test]
fn a_free_base_falls_and_a_fixed_one_stays() {
    let text = format!("<link name=\"base\">{}</link>", inertial(1.0, [0.1; 3], ""));
    let robot = robot(&text);
    for (base, fallen) in [(Base::Fixed, 0.0), (Base::Free, 4.5)] {
        let mut model = Model::ghosts();
        model.gravity([0.0, 0.0, -9.0]);
        let pose = Pose { position: Vec3::y(), rotation: Rotation::identity() };
        let mount = Mount { base, pose, name: "x".to_owned(), ..Mount::default() };
        let mounted = robot.mount(&mut model, &mount).expect("mounted");
        let mut world = World::new(model.build().expect("a model"));
        let inputs = world.inputs();
        for _ in 0..100 {
            let _ = world.step(0.01, &inputs);
        }
        let at = world.pose(mounted.bodies[0]).position;
        assert!((at - Vec3::new(0.0, 1.0, -fallen)).norm() < 1e-12, "{at:?}");
        assert_eq!(world.body_named("x/base"), Some(mounted.bodies[0]));
    }
}

#[test]
fn joints_start_inside_their_limits_and_followers_where_they_are_led() {
    let link = |name: &str| format!("<link name=\"{name}\">{}</link>", inertial(1.0, [1.0; 3], ""));
    let joint = |name: &str, child: &str, inside: &str| {
        format!(
            "<joint name=\"{name}\" type=\"revolute\"><parent link=\"base\"/>\
             <child link=\"{child}\"/>{inside}</joint>"
        )
    };
    let wide = "<limit lower=\"-3\" upper=\"3\"/>";
    let text = [
        link("base"),
        link("a"),
        link("b"),
        link("c"),
        joint("high", "a", "<limit lower=\"1\" upper=\"2\"/>"),
        joint("second", "b", &format!("{wide}<mimic joint=\"third\" multiplier=\"2\"/>")),
        joint(
            "third",
            "c",
            &format!("{wide}<mimic joint=\"high\" multiplier=\"-1\" offset=\"1\"/>"),
        ),
    ]
    .concat();
    let robot = robot(&text);
    let mounted = robot.mount(&mut Model::ghosts(), &Mount::default()).expect("mounted");
    assert_eq!(mounted.positions, [1.5, -1.0, -0.5]);
    let positions = vec![(0, 1.25)];
    let mount = Mount { positions, ..Mount::default() };
    let mounted = robot.mount(&mut Model::ghosts(), &mount).expect("mounted");
    assert_eq!(mounted.positions, [1.25, -0.5, -0.25]);
    for positions in [vec![(0, 0.5)], vec![(1, 0.0)], vec![(7, 0.0)], vec![(0, f64::NAN)]] {
        let mount = Mount { positions, ..Mount::default() };
        assert!(robot.mount(&mut Model::ghosts(), &mount).is_err());
    }
}
