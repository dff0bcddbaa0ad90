//! No file is larger than what it says: mistakes are counted and not all listed, files are regular
//! and of a size, meshes have so many triangles, steps have a shortest length, and a scene that is
//! not trusted reads inside its own folder.

use palpable_scene::Scene;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// An empty folder of this name.
fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("a folder for the test");
    path
}

/// The words of a scene with mistakes: at most a hundred of them and how many more there are.
fn words(text: String, more: usize) -> String {
    let errors = match Scene::parse(text, "x.toml").and_then(|scene| scene.build().map(drop)) {
        Ok(()) => panic!("there are mistakes"),
        Err(errors) => errors,
    };
    assert_eq!(errors.0.len(), 101);
    let last = errors.0.last().expect("one").to_string();
    assert!(last.contains(&format!("there are {more} more mistakes")), "{last}");
    errors.to_string()
}

#[test]
fn a_hundred_mistakes_are_listed_and_the_others_counted() {
    // one for each body, a hundred thousand of them: they took 145 s
    let mut text = "version = 1\n".to_owned();
    for i in 0..100_000 {
        let _ = writeln!(text, "[[body]]\nnmae = \"b{i}\"");
    }
    // each lacks a mass or a shape too, which is found only where the name was
    let errors = Scene::parse(text, "x.toml").expect_err("mistakes");
    assert_eq!(errors.0.len(), 101);
    assert!(errors.to_string().len() < 100_000);
    // unknown fields, in both languages
    let keys: Vec<String> = (0..200_000).map(|i| format!("k{i}")).collect();
    let toml: String = keys.iter().map(|k| format!("{k} = 1\n")).collect();
    assert!(words(format!("version = 1\n{toml}"), 199_900).len() < 100_000);
    let json: String = keys.iter().map(|k| format!(", \"{k}\": 1")).collect();
    assert!(words(format!("{{\"version\": 1{json}}}"), 199_900).len() < 100_000);
}

#[test]
fn known_words_are_not_all_repeated() {
    let mut text = "version = 1\n".to_owned();
    for i in 0..5000 {
        let ball = "mass = 1\nshape = { sphere = { radius = 0.1 } }";
        let _ = writeln!(text, "[[body]]\nname = \"a body of number {i}\"\n{ball}");
        let ends = "a = { body = \"x\" }\nb = { world = [0, 0, 0] }";
        let _ = writeln!(text, "[[spring]]\n{ends}\nstiffness = 1");
    }
    let said = words(text, 4900);
    // it was 170 MB
    assert!(said.len() < 300_000, "{} bytes", said.len());
    assert!(said.contains("and others"));
}

#[test]
fn a_table_of_nonsense_is_told_in_few_words() {
    let folder = folder("bounds-table");
    std::fs::write(folder.join("t.csv"), format!("length\n{}", "x\n".repeat(1_000_000)))
        .expect("a file");
    std::fs::write(folder.join("h.csv"), format!("{}\n1\n", "y".repeat(1 << 20))).expect("a file");
    for (file, most) in [("t.csv", 20_000), ("h.csv", 2_000)] {
        let text = format!("version = 1\nstep = {{ table = {{ file = \"{file}\" }} }}\n");
        let scene = Scene::parse(text, folder.join("s.toml")).expect("a scene");
        let said = scene.build().expect_err("mistakes").to_string();
        assert!(said.len() < most, "{file}: {} bytes", said.len());
    }
}

#[test]
fn steps_shorter_than_a_nanosecond_are_refused() {
    let folder = folder("bounds-steps");
    std::fs::write(folder.join("t.csv"), "length\n1e-3\n1e-12\n").expect("a file");
    for step in [
        "length = \"1e-30 ms\"",
        "length = \"1e-9 ms\"",
        "random = { min = 1e-12, max = 1e-3 }",
        "table = { lengths = [1e-3, 1e-10] }",
        "table = { file = \"t.csv\" }",
    ] {
        let text = format!("version = 1\n[step]\n{step}\n");
        let built = Scene::parse(text, folder.join("s.toml")).and_then(|scene| scene.build());
        let said = built.map(drop).expect_err("refused").to_string();
        assert!(said.contains("1 ns"), "{step}: {said}");
    }
    let good = "version = 1\nstep = { length = \"1 ns\" }\n";
    assert!(Scene::parse(good, "s.toml").and_then(|scene| scene.build()).is_ok());
}

/// A geometry of many triangles, placed over and over by a file of a megabyte.
#[test]
fn a_mesh_that_places_itself_over_and_over_is_refused() {
    let folder = folder("bounds-mesh");
    let corners = "0 1 2 ".repeat(30_000);
    let nodes = "<instance_geometry url=\"#g\"/>".repeat(19_000);
    let text = format!(
        "<COLLADA><library_geometries><geometry id=\"g\"><mesh>\
         <source id=\"s\"><float_array count=\"9\">0 0 0 1 0 0 0 1 0</float_array></source>\
         <vertices id=\"v\"><input semantic=\"POSITION\" source=\"#s\"/></vertices>\
         <triangles count=\"30000\"><input semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/>\
         <p>{corners}</p></triangles></mesh></geometry></library_geometries>\
         <library_visual_scenes><visual_scene id=\"x\"><node>{nodes}</node></visual_scene>\
         </library_visual_scenes></COLLADA>"
    );
    std::fs::write(folder.join("bomb.dae"), text).expect("a file");
    let scene = "version = 1\n[[body]]\nname = \"b\"\nmass = 1\n\
                 shape = { mesh = { file = \"bomb.dae\" } }\n";
    let scene = Scene::parse(scene, folder.join("s.toml")).expect("a scene");
    let said = scene.build().expect_err("refused").to_string();
    assert!(said.contains("more than 1000000 triangles"), "{said}");
}

#[test]
fn stations_beyond_a_thousand_are_refused_and_not_cut() {
    let text = "version = 1\n[[beam]]\nname = \"b\"\nsize = [1, 0.05, 0.01]\ndensity = 2700\n\
                young = 7e10\nmount = \"clamped\"\nstations = 1000000000\n";
    let built = Scene::parse(text, "s.toml").and_then(|scene| scene.build());
    let said = built.map(drop).expect_err("refused").to_string();
    assert!(said.contains("at most 1000"), "{said}");
}

#[cfg(unix)]
#[test]
fn pipes_devices_and_folders_are_not_read() {
    let folder = folder("bounds-kinds");
    let pipe = folder.join("pipe.csv");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("mkfifo").success());
    for file in [pipe.to_str().expect("a path"), "/dev/zero", "/"] {
        let texts = [
            format!("version = 1\nstep = {{ table = {{ file = \"{file}\" }} }}\n"),
            format!("version = 1\n[[include]]\nfile = \"{file}\"\n"),
        ];
        for text in texts {
            let built = Scene::parse(text, folder.join("s.toml")).and_then(|scene| scene.build());
            let said = built.map(drop).expect_err("refused").to_string();
            assert!(said.contains("not a regular file"), "{said}");
        }
        let said = Scene::load(file).map(drop).expect_err("refused").to_string();
        assert!(said.contains("not a regular file"), "{said}");
    }
}

#[test]
fn a_scene_that_is_not_trusted_reads_inside_its_own_folder_and_learns_nothing_of_others() {
    let outside = folder("bounds-trust");
    let inside = outside.join("dropped");
    std::fs::create_dir_all(inside.join("sub")).expect("a folder");
    std::fs::write(outside.join("secret.csv"), "a secret\n1\n").expect("a file");
    std::fs::write(outside.join("robot.urdf"), "<robot name=\"r\"/>").expect("a file");
    std::fs::write(inside.join("sub/own.csv"), "length\n1e-3\n").expect("a file");
    let said = |text: &str| {
        let scene = Scene::parse_within(text, inside.join("s.toml"), &inside);
        scene.and_then(|scene| scene.build().map(drop)).map_err(|errors| errors.to_string())
    };
    let step =
        |file: &str| said(&format!("version = 1\nstep = {{ table = {{ file = \"{file}\" }} }}\n"));
    assert_eq!(step("sub/own.csv"), Ok(()));
    let secret = outside.join("secret.csv");
    for file in ["../secret.csv", "../nothing.csv", "sub/../../secret.csv", "/etc/passwd"] {
        let said = step(file).expect_err("refused");
        assert!(said.contains("outside the folder") && !said.contains("a secret"), "{said}");
    }
    assert!(step(secret.to_str().expect("a path")).is_err_and(|said| said.contains("outside")));
    // also when other mistakes are found first, and from robots and their packages
    let said_of = said("version = 1\nwhat = 1\nstep = { table = { file = \"../secret.csv\" } }\n");
    assert!(said_of.is_err_and(|said| said.contains("outside")));
    let robot = said("version = 1\n[[include]]\nfile = \"../robot.urdf\"\n");
    assert!(robot.is_err_and(|said| said.contains("outside")));
    let mesh = |name: &str| {
        let urdf = format!(
            "<robot name=\"r\"><link name=\"l\"><visual><geometry><mesh filename=\"{name}\"/>\
             </geometry></visual></link></robot>"
        );
        said(&urdf).expect_err("refused")
    };
    assert!(mesh("../../x.stl").contains("outside"));
    let (there, not) = (mesh("package://bounds-trust/robot.urdf"), mesh("package://no/x.stl"));
    assert!(there.contains("there is no file") && not.contains("there is no file"), "{there}");
}

/// Ten thousand joints in generalized coordinates took more than five gigabytes.
#[test]
fn a_robot_of_more_joints_than_a_dense_matrix_bears_is_refused() {
    let folder = folder("bounds-joints");
    let mut urdf = "<robot name=\"r\"><link name=\"l0\"/>".to_owned();
    let mut chain = "version = 1\n[[chain]]\nname = \"c\"\n".to_owned();
    for i in 1..=1001 {
        let _ = write!(
            urdf,
            "<link name=\"l{i}\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" \
             izz=\"1\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial></link><joint name=\"j{i}\" \
             type=\"continuous\"><parent link=\"l{}\"/><child link=\"l{i}\"/></joint>",
            i - 1
        );
        let _ = write!(chain, "[[chain.link]]\nname = \"l{i}\"\nmass = 1\n");
    }
    urdf.push_str("</robot>");
    std::fs::write(folder.join("r.urdf"), urdf).expect("a file");
    let robot = "version = 1\n[[include]]\nfile = \"r.urdf\"\ncoordinates = \"generalized\"\n";
    for (text, words) in [(robot, "1001 joints"), (chain.as_str(), "1001 links")] {
        let built = Scene::parse(text, folder.join("s.toml")).and_then(|scene| scene.build());
        let said = built.map(drop).expect_err("refused").to_string();
        assert!(said.contains(words), "{}", &said[..said.len().min(500)]);
    }
}

#[test]
fn a_robot_of_more_links_than_can_be_joined_in_time_is_refused() {
    let links: String = (0..20_001).map(|i| format!("<link name=\"l{i}\"/>")).collect();
    let scene = Scene::parse(format!("<robot name=\"r\">{links}</robot>"), "r.urdf");
    let said = scene.and_then(|scene| scene.build().map(drop)).expect_err("refused").to_string();
    assert!(said.contains("20001 links") && said.contains("at most 20000"), "{said}");
}

#[test]
fn a_scene_in_place_of_a_robot_and_a_bad_face_are_told_with_their_place() {
    let folder = folder("bounds-words");
    std::fs::write(folder.join("x.toml"), "version = 1\n").expect("a file");
    std::fs::write(folder.join("x.obj"), "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 x\n").expect("a file");
    let include = "version = 1\n[[include]]\nfile = \"x.toml\"\n";
    let mesh = "version = 1\n[[body]]\nname = \"b\"\nmass = 1\n\
                shape = { mesh = { file = \"x.obj\" } }\n";
    for (text, words) in [(include, "is not a URDF file"), (mesh, "line 4:")] {
        let built = Scene::parse(text, folder.join("s.toml")).and_then(|scene| scene.build());
        let said = built.map(drop).expect_err("refused").to_string();
        assert!(said.contains(words), "{said}");
    }
}
