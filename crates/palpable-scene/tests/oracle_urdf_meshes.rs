//! Meshes of robots: volumes, scales, packages, and what becomes of bad ones.

use palpable::{Model, Shape};
use palpable_scene::urdf::{Form, Mount};
use palpable_scene::{RemarkKind, Robot, SceneErrors};
use std::path::{Path, PathBuf};

/// Corners of a cube of edge 2, by the bits of their number.
fn corner(i: usize) -> [f32; 3] {
    [0, 1, 2].map(|bit| if i >> bit & 1 == 0 { -1.0 } else { 1.0 })
}

/// Faces of the cube, wound outward.
const FACES: [[usize; 4]; 6] =
    [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];

fn triangles() -> Vec<[usize; 3]> {
    FACES.iter().flat_map(|[a, b, c, d]| [[*a, *b, *c], [*a, *c, *d]]).collect()
}

/// The cube as a binary STL file; `change` may spoil a corner.
fn stl(triangles: &[[usize; 3]], change: impl Fn(usize) -> [f32; 3]) -> Vec<u8> {
    let mut bytes = vec![b' '; 80];
    bytes.extend((triangles.len() as u32).to_le_bytes());
    for triangle in triangles {
        bytes.extend([0; 12]);
        let coordinates = triangle.iter().flat_map(|i| change(*i));
        bytes.extend(coordinates.flat_map(f32::to_le_bytes));
        bytes.extend([0; 2]);
    }
    bytes
}

fn ascii() -> String {
    let mut text = "solid\n".to_owned();
    for triangle in triangles() {
        text.push_str("facet normal 0 0 0\nouter loop\n");
        for [x, y, z] in triangle.map(corner) {
            text.push_str(&format!("vertex {x} {y} {z}\n"));
        }
        text.push_str("endloop\nendfacet\n");
    }
    text + "endsolid\n"
}

fn obj() -> String {
    let corners = (0..8).map(corner).map(|[x, y, z]| format!("v {x} {y} {z}\n"));
    let faces = FACES.map(|f| f.map(|i| (i + 1).to_string()).join(" "));
    corners.collect::<String>() + &faces.map(|f| format!("f {f}\n")).concat()
}

/// A folder as a package has it: robots and meshes apart.
fn folder() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("oracle_urdf_meshes").join("my_robot")
}

fn write(name: &str, bytes: impl AsRef<[u8]>) {
    let path = folder().join("meshes").join(name);
    std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
    std::fs::write(path, bytes).expect("written");
}

fn read(tag: &str, file: &str, scale: &str) -> Result<Robot, SceneErrors> {
    let text = format!(
        "<robot name=\"r\"><link name=\"a\"><{tag}><geometry>\n\
         <mesh filename=\"{file}\"{scale}/></geometry></{tag}></link></robot>"
    );
    std::fs::create_dir_all(folder().join("urdf")).expect("made");
    Robot::parse(text, folder().join("urdf/r.urdf"))
}

fn shape(robot: &Robot) -> &Shape {
    match &robot.links[0].collisions[0].form {
        Form::Solid(shape) => shape,
        Form::Surface(_) => panic!("not solid"),
    }
}

#[test]
fn a_cube_has_its_volume_in_every_format_and_scale() {
    write("cube.stl", stl(&triangles(), corner));
    write("ascii.STL", ascii());
    write("cube.obj", obj());
    for file in ["cube.stl", "ascii.STL", "cube.obj"] {
        for (scale, factor) in [
            ("", 1.0),
            (" scale=\"0.1 0.2 0.3\"", 0.006),
            // mirrored, as left hands are made of right ones
            (" scale=\"1 -1 1\"", 1.0),
            (" scale=\"-1 -1 0.5\"", 0.5),
        ] {
            let robot = read("collision", &format!("../meshes/{file}"), scale);
            let robot = robot.unwrap_or_else(|e| panic!("{e}"));
            assert!(matches!(shape(&robot), Shape::Mesh { .. }));
            let volume = shape(&robot).volume();
            assert!((volume - 8.0 * factor).abs() < 1e-14, "{file}{scale}: {volume}");
            assert!(robot.remarks.is_empty(), "{:?}", robot.remarks);
        }
    }
}

#[test]
fn packages_are_found_by_folder_and_by_declaration() {
    write("cube.stl", stl(&triangles(), corner));
    for file in ["package://my_robot/meshes/cube.stl", "model://my_robot/meshes/cube.stl"] {
        assert!(read("collision", file, "").is_ok(), "{file}");
    }
    let absolute = format!("file://{}", folder().join("meshes/cube.stl").display());
    assert!(read("collision", &absolute, "").is_ok());
    let declared = "<package><name>other_name</name></package>";
    std::fs::write(folder().join("package.xml"), declared).expect("written");
    assert!(read("collision", "package://other_name/meshes/cube.stl", "").is_ok());
    let shown = read("visual", "package://nobody/cube.stl", "").unwrap_err().to_string();
    assert!(shown.contains("no file `cube.stl` of a package `nobody`"), "{shown}");
    assert!(shown.contains("packages") && shown.contains("r.urdf:2:17"), "{shown}");
    let packages = [folder().parent().expect("a folder").to_owned()];
    let text = "<robot name=\"r\"><link name=\"a\"><visual><geometry><mesh filename=\
                \"package://my_robot/meshes/cube.stl\"/></geometry></visual></link></robot>";
    assert!(Robot::parse(text, "/r.urdf").is_err());
    assert!(Robot::parse_with_packages(text, "/r.urdf", &packages).is_ok());
}

#[test]
fn meshes_that_are_not_solid_are_mended_for_touching_and_kept_for_seeing() {
    let inside_out: Vec<_> = triangles().into_iter().map(|[a, b, c]| [a, c, b]).collect();
    write("inside-out.stl", stl(&inside_out, corner));
    write("open.stl", stl(&triangles()[1..], corner));
    let mut mixed = triangles();
    mixed[0].reverse();
    write("mixed.stl", stl(&mixed, corner));
    for (file, words) in
        [("inside-out", "turned over"), ("open", "convex hull"), ("mixed", "convex hull")]
    {
        let file = format!("../meshes/{file}.stl");
        let robot = read("collision", &file, "").unwrap_or_else(|e| panic!("{e}"));
        assert!((shape(&robot).volume() - 8.0).abs() < 1e-14, "{file}");
        let [remark] = &robot.remarks[..] else { panic!("{:?}", robot.remarks) };
        assert!(remark.message.contains(words) && remark.line == 2, "{remark}");
        assert_eq!(remark.kind, RemarkKind::Changed);
        let robot = read("visual", &file, "").unwrap_or_else(|e| panic!("{e}"));
        assert!(robot.remarks.is_empty());
        let Form::Surface(mesh) = &robot.links[0].visuals[0].form else { panic!("a surface") };
        assert_eq!(mesh.vertices.len(), 8);
    }
}

#[test]
fn bad_meshes_are_refused_with_reason_and_cure() {
    let nan = |i: usize| if i == 3 { [f32::NAN; 3] } else { corner(i) };
    let flat = |i: usize| [corner(i)[0], corner(i)[1], 0.0];
    write("nan.stl", stl(&triangles(), nan));
    write("flat.stl", stl(&triangles(), flat));
    write("empty.stl", "");
    write("no-faces.stl", "solid x\nendsolid x\n");
    write("no-faces.obj", "v 0 0 0\n");
    write("cut.stl", &stl(&triangles(), corner)[..300]);
    write("word.stl", "solid x\nfacet normal 0 0 1\nouter loop\nvertex 1 2 zebra\n");
    write("quad.stl", "solid x\nfacet\nouter loop\nvertex 1 2 3\nendloop\n");
    write("text.dae", "<COLLADA><library_geometries>");
    write("mesh.ply", "ply");
    // the header promises more triangles than any machine could hold
    let mut huge = vec![0u8; 84];
    huge[80..84].copy_from_slice(&u32::MAX.to_le_bytes());
    write("huge.stl", huge);
    for (file, words) in [
        ("nan.stl", "NaN"),
        ("flat.stl", "flat"),
        ("empty.stl", "the file is empty"),
        ("no-faces.stl", "no triangles"),
        ("no-faces.obj", "no triangles"),
        ("cut.stl", "12 triangles do not fit its 300 bytes"),
        ("word.stl", "line 4: a vertex needs three numbers"),
        ("quad.stl", "line 5: a loop of 1 vertices"),
        ("text.dae", "text.dae"),
        ("mesh.ply", "neither an OBJ, an STL nor a DAE file"),
        ("huge.stl", "4294967295 triangles do not fit"),
        ("none.stl", "cannot read"),
    ] {
        let errors = read("collision", &format!("../meshes/{file}"), "").unwrap_err();
        let shown = errors.to_string();
        assert!(shown.contains(words) && errors.0.len() == 1, "{file}: {shown}");
        assert_eq!(errors.0[0].line, 2, "{shown}");
        assert!(!errors.0[0].cure.is_empty());
    }
    // what is only seen may be of a kind that cannot be read, but must be there
    let robot = read("visual", "../meshes/mesh.ply", "").expect("read");
    assert!(robot.remarks[0].message.contains("not drawn"), "{}", robot.remarks[0]);
    assert!(read("visual", "../meshes/none.ply", "").is_err());
    assert!(read("collision", "../meshes/cube.stl", " scale=\"1 0 1\"").is_err());
}

#[test]
fn shapes_stand_where_their_links_and_welds_put_them() {
    let text = "<robot name=\"r\"><link name=\"a\"/><link name=\"b\"><collision>\
                <origin xyz=\"1 0 0\" rpy=\"0 0 0.7853981633974483\"/>\
                <geometry><box size=\"2 2 4\"/></geometry></collision></link>\
                <joint name=\"j\" type=\"fixed\"><parent link=\"a\"/><child link=\"b\"/>\
                <origin xyz=\"0 0 5\"/></joint></robot>";
    let robot = Robot::parse(text, "r.urdf").expect("a robot");
    let mut model = Model::ghosts();
    robot.mount(&mut model, &Mount::default()).expect("mounted");
    let model = model.build().expect("a model");
    let shape = model.bodies()[0].shape.as_ref().expect("a shape");
    let mass = shape.mass_properties(1.0);
    assert!((mass.mass - 16.0).abs() < 1e-13);
    assert!((mass.center_of_mass - palpable::Vec3::new(1.0, 0.0, 5.0)).norm() < 1e-14);
}
