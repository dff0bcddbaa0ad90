//! Every mistake in a robot is found at once, on its line, with a cure; what is ignored is said.

use palpable_scene::{RemarkKind, Robot, Scene, SceneErrors};

/// Where and what: line, part of the message, part of the cure.
type Expected<'e> = (usize, &'e str, &'e str);

fn mistakes(text: &str) -> SceneErrors {
    Robot::parse(text, "r.urdf").expect_err("mistakes")
}

/// Exactly these mistakes, in this order.
fn assert_mistakes(text: &str, expected: &[Expected]) {
    let errors = mistakes(text);
    let seen = errors.to_string();
    assert_eq!(errors.0.len(), expected.len(), "{seen}");
    for (error, (line, message, cure)) in errors.0.iter().zip(expected) {
        assert_eq!(error.line, *line, "{error}\nall:\n{seen}");
        assert!(error.message.contains(message), "`{message}` in {error}");
        assert!(error.cure.contains(cure), "`{cure}` in {error}");
        assert!(error.column > 0 && !error.field.is_empty(), "{error}");
    }
}

const WRONG: &str = r#"<robot name="wrong">
  <link name="base"/>
  <link name="heavy"><inertial><mass value="-2"/>
    <inertia ixx="1" iyy="1" izz="1"/></inertial></link>
  <link name="odd"><inertial><mass value="1"/>
    <inertia ixx="1" iyy="1" izz="3"/></inertial></link>
  <link name="imaginary"><inertial><mass value="1"/>
    <inertia ixx="1" iyy="1" izz="1" ixy="2"/></inertial></link>
  <link name="point"><inertial><mass value="1"/></inertial></link>
  <link name="nothing"/>
  <link name="seen"><visual><geometry>
    <mesh filename="missing.stl"/></geometry></visual></link>
  <link name="base"/>
  <link name="p"/> <link name="q"/> <link name="s"/>
  <joint name="j1" type="revolute"><parent link="base"/><child link="heavy"/>
    <limit lower="1" upper="-1" effort="-5" velocity="1"/></joint>
  <joint name="j2" type="prismatic"><parent link="base"/><child link="odd"/>
    <axis xyz="0 0 0"/><limit lower="0" upper="1"/></joint>
  <joint name="j3" type="continuous"><parent link="base"/><child link="imaginary"/></joint>
  <joint name="j4" type="continuous"><parent link="base"/><child link="point"/></joint>
  <joint name="j4" type="continuous"><parent link="base"/><child link="nothing"/>
    <dynamics damping="-1"/></joint>
  <joint name="j5" type="fixed"><parent link="base"/><child link="sene"/></joint>
  <joint name="j6" type="fixed"><parent link="p"/><child link="q"/></joint>
  <joint name="j7" type="fixed"><parent link="q"/><child link="s"/></joint>
  <joint name="j8" type="fixed"><parent link="s"/><child link="p"/></joint>
  <joint name="j9" type="fixed"><parent link="base"/><child link="point"/></joint>
  <joint name="j10" type="revolut"><parent link="base"/><child link="seen"/></joint>
  <joint name="j11" type="fixed"><parent link="base"/><child link="base"/></joint>
  <joint name="j12" type="fixed"><child link="seen"/><mimic joint="nobody"/></joint>
</robot>"#;

#[test]
fn every_mistake_is_found_at_once_on_its_line_with_a_cure() {
    assert_mistakes(
        WRONG,
        &[
            (3, "the mass is -2 kg", "greater than 0"),
            (6, "1 + 1 < 3", "centre of mass"),
            (8, "principal moment -1", "signs of ixy"),
            (9, "inertia has the principal moment 0", "small radius"),
            (10, "`nothing` moves by the continuous joint `j4` and has no mass", "<inertial>"),
            (12, "cannot read `missing.stl`", "check the path"),
            (13, "two links are named `base`", "line 2"),
            (16, "lower limit 1 is above the upper limit -1", "exchange"),
            (16, "effort is -5", "0 or more"),
            (18, "the axis is zero", "0 0 1"),
            (21, "two joints are named `j4`", "line 20"),
            (22, "damping is -1", "0 or more"),
            (23, "there is no link `sene`", "did you mean `seen`?"),
            (26, "cycle: p → q → s → p", "a tree"),
            (27, "`point` has a parent already: joint `j4` in line 20", "[[joint]]"),
            (28, "no joint type `revolut`", "did you mean `revolute`?"),
            (29, "joins a link to itself", "two different links"),
            (30, "the joint has no <parent>", "add <parent link"),
        ],
    );
}

#[test]
fn a_mistake_is_shown_with_file_line_column_field_and_caret() {
    let text = "<robot name=\"r\">\n  <link name=\"a\">\n    <inertial><mass value=\"x\"/>\
                </inertial></link></robot>";
    let shown = mistakes(text).to_string();
    let expected = "r.urdf:3:28: link[a].inertial.mass.value: `x` is not a finite number; write \
                    value=\"1\", plain numbers in SI units\n  \
                    3 |     <inertial><mass value=\"x\"/></inertial></link></robot>\n    \
                    |                            ^";
    assert_eq!(shown, expected, "\n{shown}\n{expected}");
}

#[test]
fn what_is_missing_or_misspelt_is_named() {
    let cases: [(&str, &str, &str); 17] = [
        ("<robot/>", "no attribute `name`", "add name"),
        ("<robot name=\"r\"/>", "no links", "<link"),
        ("<robt name=\"r\"><link name=\"a\"/></robt>", "<robt> is not a robot", "one <robot"),
        (
            "<robot name=\"r\"><link nmae=\"a\"/><link name=\"b\"/></robot>",
            "`name`",
            "rename `nmae`",
        ),
        ("<robot name=\"r\"><link name=\"\"/><link name=\"b\"/></robot>", "empty", "letter"),
        ("<robot name=\"r\"><link name=\"a\"/><link name=\"b\"/></robot>", "has no parent", "join"),
        ("AXIS 1 0", "axis.xyz", "numbers, not 3"),
        ("AXIS 1 0 nan", "finite", "SI"),
        ("AXIS ${x} 0 0", "finite", "xacro"),
        ("IN <inertial/>", "no <mass>", "add <mass"),
        (
            "IN <inertial><mass value=\"0\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\"/></inertial>",
            "without a mass",
            "give the mass",
        ),
        (
            "IN <inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\"/></inertial>",
            "`izz`",
            "add",
        ),
        ("IN <collision/>", "no <geometry>", "<sphere"),
        ("IN <collision><geometry/></collision>", "empty", "box, cylinder"),
        (
            "IN <collision><geometry><shpere radius=\"1\"/></geometry></collision>",
            "not a shape",
            "did you mean `sphere`",
        ),
        (
            "IN <collision><geometry><box size=\"1 1 0\"/></geometry></collision>",
            "half_extents.z is 0",
            "greater than zero",
        ),
        ("MIMIC", "follows itself", "follows no other"),
    ];
    for (text, message, cure) in cases {
        let text = match text.split_once(' ') {
            Some(("AXIS", xyz)) => hinge("", &format!("<axis xyz=\"{xyz}\"/>")),
            Some(("IN", inside)) => {
                format!("<robot name=\"r\"><link name=\"a\">{inside}</link></robot>")
            }
            _ if text == "MIMIC" => hinge(MASS, "<mimic joint=\"j\"/>"),
            _ => text.to_owned(),
        };
        let shown = mistakes(&text).to_string();
        assert!(shown.contains(message) && shown.contains(cure), "{text}\n{shown}");
    }
}

const MASS: &str =
    "<inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\"/></inertial>";

/// Two links with a hinge between them.
fn hinge(link: &str, joint: &str) -> String {
    format!(
        "<robot name=\"r\"><link name=\"a\"/><link name=\"b\">{link}</link>\n\
         <joint name=\"j\" type=\"continuous\"><parent link=\"a\"/><child link=\"b\"/>\
         {joint}</joint></robot>"
    )
}

#[test]
fn what_is_not_xml_is_refused_on_its_line() {
    let cases: [(&str, usize, &str); 8] = [
        ("<robot name=\"r\">\n<link name=\"a\">\n</robot>", 3, "correct"),
        ("<robot name=\"r\">\n<link name=\"a\"/>\n", 2, "close every tag"),
        ("<robot name=\"r\">\n<link name=\"a\"", 2, "close every tag"),
        ("<robot name=\"r\">\n\n<link name=a/></robot>", 3, "correct"),
        ("<robot name=\"r\">\n<xacro:property name=\"x\" value=\"1\"/></robot>", 2, "xacro FILE"),
        ("<robot name=\"r\" name=\"s\"/>", 1, "correct"),
        ("<robot name=\"r\">\n&nope;</robot>", 2, "correct"),
        ("<!-- nothing -->\n", 1, "<robot"),
    ];
    for (text, line, cure) in cases {
        let errors = mistakes(text);
        assert_eq!((errors.0.len(), errors.0[0].line), (1, line), "{errors}");
        assert!(errors.0[0].cure.contains(cure), "{errors}");
    }
}

#[test]
fn a_scene_shows_mistakes_of_its_own_and_of_the_robot_together() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("urdf_mistakes");
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join("wrong.urdf"), WRONG).expect("written");
    std::fs::write(folder.join("good.urdf"), hinge(MASS, "")).expect("written");
    let parse = |text: &str| Scene::parse(text, folder.join("s.toml")).and_then(|s| s.build());
    let errors = parse("version = 1\nblah = 1\n[[include]]\nfile = \"wrong.urdf\"").unwrap_err();
    assert_eq!(errors.0.len(), 19, "{errors}");
    assert!(errors.0[0].file.ends_with("s.toml") && errors.0[0].line == 2);
    assert!(errors.0[1].file.ends_with("wrong.urdf") && errors.0[1].line == 3);
    let shown = errors.to_string();
    assert!(shown.contains("wrong.urdf:3:45: link[heavy].inertial.mass.value"), "{shown}");
    let text = "version = 1\n[[include]]\nfile = \"good.urdf\"\n\
                positions = { k = 1, j = \"1 m\" }\n\
                coordinates = \"general\"\n[[include]]\nfile = \"good.urdf\"\n[[include]]\n\
                file = \"no.urdf\"\n[[include]]\nfile = \"good.urdf\"\nname = \"x\"\n\
                base = \"free\"\n[[body]]\nname = \"a\"\nshape = { sphere = { radius = 1 } }";
    let shown = parse(text).unwrap_err().to_string();
    for part in [
        "s.toml:4:15: include.positions.k: there is no joint `k`",
        "include.positions.j: the unit is m, not rad",
        "include.coordinates: `general` is not known",
        "two links of robots are named `a`; give this robot another `name`",
        "include.file: cannot read",
        "include.base: the root link `a` has no mass",
        "two bodies are named `a`",
    ] {
        assert!(shown.contains(part), "{part}\nin\n{shown}");
    }
}

#[test]
fn a_robot_by_itself_is_a_scene_with_gravity() {
    let scene = Scene::parse(hinge(MASS, ""), "dir/some robot.urdf").expect("a scene");
    assert!(scene.to_toml().contains("file = \"some robot.urdf\""), "{}", scene.to_toml());
    let built = scene.build().expect("built");
    assert_eq!((built.name.as_str(), built.robots.len()), ("some robot", 1));
    assert_eq!(built.model.params().gravity.z, -9.81);
    let errors = Scene::parse(WRONG, "w.urdf").and_then(|s| s.build()).unwrap_err();
    assert_eq!(errors.0.len(), 18, "{errors}");
    assert!(errors.to_string().starts_with("w.urdf:3:45: link[heavy]"), "{errors}");
}

#[test]
fn every_tag_that_is_ignored_is_reported_with_its_line() {
    let text = r#"<robot name="r" version="1.0">
  <transmission name="t"><type>x</type><joint name="j"><hardwareInterface/></joint></transmission>
  <gazebo reference="a"/>
  <link name="a" colour="red">
    <visual><geometry><sphere radius="1"/><box size="1 1 1"/></geometry>
      <material name="m"><texture filename="x.png"/></material></visual>
    <inertial><mass value="1" unit="kg"/><inertia ixx="1" iyy="1" izz="1"/></inertial>
    <inertial/>
  </link>
  <link name="b"/>
  <joint name="j" type="fixed">
    <parent link="a"/><child link="b"/><safety_controller k_velocity="1"/>
    <calibration rising="0"/>
  </joint>
</robot>"#;
    let robot = Robot::parse(text, "r.urdf").unwrap_or_else(|e| panic!("{e}"));
    let remarks: Vec<_> = robot.remarks.iter().map(|r| (r.line, r.about.as_str())).collect();
    let expected = [
        (2, "<transmission[t]>"),
        (3, "<gazebo>"),
        (4, "<link colour=\"red\">"),
        (5, "<link[a].visual.geometry.box>"),
        (6, "<link[a].visual.material.texture>"),
        (7, "<mass unit=\"kg\">"),
        (8, "<link[a].inertial>"),
        (10, "link[b]"),
        (12, "<joint[j].safety_controller>"),
        (13, "<joint[j].calibration>"),
    ];
    assert_eq!(remarks, expected);
    assert!(robot.remarks[0].message.contains("the 3 tags inside"), "{}", robot.remarks[0]);
    let kinds: Vec<_> = robot.remarks.iter().filter(|r| r.kind == RemarkKind::Ignored).collect();
    assert_eq!(kinds.len(), 9);
}
