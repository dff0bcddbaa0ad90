//! Bodies come and go while the worlds on show run: takes, the past and saved scenes know of it.

use palpable_scene::{End, Scene};
use palpable_studio::GALLERY;
use palpable_studio::stage::{Edit, Fate, Newcomer, Notice, Order, Rival, Show, Stage, rewritten};
use serde_json::{Value, json};

fn text(id: &str) -> Scene {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenes/");
    let exhibit = GALLERY.iter().find(|e| e.id == id).expect("in the gallery");
    Scene::parse(exhibit.text, format!("{root}{id}.toml")).expect("a scene")
}

fn stage(id: &str) -> Stage {
    Stage::new(Box::new(Show::of_scene(id, text(id)).expect("built")))
}

fn ticks(stage: &mut Stage, count: usize) {
    (0..count).for_each(|_| {
        stage.tick();
    });
}

/// A ball of 4 cm at a place, on its way.
fn ball(name: &str, position: [f64; 3], velocity: [f64; 3]) -> Order {
    let entry = json!({
        "name": name, "shape": { "sphere": { "radius": 0.02 } }, "density": 500.0,
        "position": position, "velocity": velocity,
        "material": { "friction": 0.4, "restitution": 0.5 },
    });
    let scene = json!({ "version": 1, "body": [entry] }).to_string();
    let scene = Scene::parse(scene, "newcomer.json").expect("a scene");
    Order::Edit(Edit::Add(Box::new(Newcomer::of_scene(&scene, entry).expect("a body"))))
}

fn index(stage: &Stage, name: &str) -> Option<usize> {
    stage.show().model.bodies().iter().position(|b| b.name == name && !b.gone)
}

fn is_fine(notice: Option<Notice>) -> bool {
    notice.is_none()
}

/// A scene with contact, some of which is thrown at and some taken away, and books that close.
#[test]
fn what_comes_is_supplied_what_leaves_is_discarded_and_the_books_close() {
    let mut stage = stage("stack-3");
    ticks(&mut stage, 100);
    let before = stage.world().ledger().totals();
    assert!(is_fine(stage.give(ball("thrown", [-0.4, 0.0, 0.3], [3.0, 0.0, 1.0]))));
    let mass = 500.0 * 4.0 / 3.0 * std::f64::consts::PI * 0.02f64.powi(3);
    let came = stage.world().ledger().totals().supplied - before.supplied;
    let wanted = mass * (0.5 * 10.0 + 9.81 * 0.3);
    assert!((came / wanted - 1.0).abs() < 1e-9, "{came} for {wanted}");
    ticks(&mut stage, 500);
    let thrown = index(&stage, "thrown").expect("there");
    assert!(is_fine(stage.give(Order::Edit(Edit::Remove(thrown)))));
    assert_eq!(index(&stage, "thrown"), None);
    ticks(&mut stage, 500);
    let ledger = stage.world().ledger();
    let scale = ledger.now().total().abs() + ledger.totals().supplied.abs();
    // rounding of eleven hundred steps
    assert!(ledger.closure().abs() <= 1e-11 * scale.max(1e-3), "{}", ledger.closure());
}

#[test]
fn a_take_with_edits_replays_to_the_same_bits() {
    let mut stage = stage("stack-3");
    ticks(&mut stage, 50);
    stage.give(Order::Record(true));
    ticks(&mut stage, 20);
    stage.give(ball("one", [-0.3, 0.0, 0.2], [2.0, 0.0, 0.5]));
    ticks(&mut stage, 200);
    stage.give(ball("two", [0.3, 0.05, 0.3], [-2.0, 0.0, 0.5]));
    let first = index(&stage, "one").expect("there");
    stage.give(Order::Grab { body: first, point: palpable::Vec3::zeros() });
    ticks(&mut stage, 50);
    stage.give(Order::Edit(Edit::Remove(first)));
    ticks(&mut stage, 200);
    stage.give(Order::Record(false));
    let (hash, count) = (stage.world().state_hash(), stage.show().made.len());
    assert_eq!(count, 3);
    ticks(&mut stage, 77);
    stage.give(Order::Replay(true));
    assert_eq!(stage.show().made.len(), 0, "the take began before the edits");
    let ended = (0..1000).find_map(|_| {
        stage.tick();
        stage.end_of_replay()
    });
    assert!(matches!(ended, Some(Notice::Replayed(true))), "{ended:?}");
    assert_eq!(stage.world().state_hash(), hash);
    assert!(index(&stage, "two").is_some() && index(&stage, "one").is_none());
}

/// Looking back over an edit shows who was there; the present comes back; acting in the past
/// makes another future.
#[test]
fn the_past_knows_who_was_there() {
    let mut stage = stage("stack-3");
    // half a second before and after
    let half = (0.5 / stage.show().steps.mean_length()).ceil() as usize;
    ticks(&mut stage, half);
    stage.give(ball("new", [0.0, 0.0, 0.8], [0.0; 3]));
    assert!(matches!(stage.recast(), Some(Notice::Recast { .. })) && stage.recast().is_none());
    let generation = stage.generation();
    ticks(&mut stage, half);
    let hash = stage.world().state_hash();
    stage.give(Order::Peek(0.7));
    assert_eq!(index(&stage, "new"), None);
    assert!(stage.generation() > generation && stage.recast().is_some());
    stage.give(Order::Peek(0.1));
    assert!(index(&stage, "new").is_some() && stage.recast().is_some());
    stage.give(Order::Peek(0.0));
    assert_eq!(stage.world().state_hash(), hash);
    stage.give(Order::Peek(0.7));
    stage.give(ball("other", [0.1, 0.0, 0.8], [0.0; 3]));
    assert!(stage.looking_back().is_none(), "it is the present now");
    assert!(index(&stage, "new").is_none() && index(&stage, "other").is_some());
    stage.give(Order::Rewind(100.0));
    assert_eq!(stage.show().made.len(), 0, "back at the start");
}

#[test]
fn an_edit_reaches_both_worlds_of_a_comparison_and_ends_the_loop() {
    let mut stage = stage("box-drop");
    stage.give(Order::Compare(Some(Rival::Scheme(palpable::Scheme::SymplecticEuler))));
    stage.give(Order::End(End::Loop));
    ticks(&mut stage, 200);
    stage.give(ball("new", [0.0, 0.0, 0.6], [0.0; 3]));
    ticks(&mut stage, 800);
    assert_eq!(stage.lanes().len(), 2);
    for lane in stage.lanes() {
        assert_eq!(lane.fate, Fate::Well);
        let new = lane.world.body_named("new").expect("in both");
        let z = lane.world.pose(new).position.z;
        assert!((0.0..0.6).contains(&z), "{z}");
    }
    assert_eq!(stage.show().staging.end, End::GoOn);
}

#[test]
fn what_cannot_be_is_refused_and_changes_nothing() {
    let mut stage = stage("stack-3");
    ticks(&mut stage, 10);
    let hash = stage.world().state_hash();
    let taken = stage.show().model.bodies()[1].name.clone();
    for order in [ball(&taken, [0.0; 3], [0.0; 3]), Order::Edit(Edit::Remove(999))] {
        assert!(matches!(stage.give(order), Some(Notice::Refused(_))));
    }
    assert_eq!((stage.world().state_hash(), stage.show().made.len()), (hash, 0));
    assert!(stage.recast().is_none());
    let mut arm = self::stage("arm");
    let link = arm.show().model.bodies().iter().position(|b| b.owner.is_some());
    if let Some(link) = link {
        let refused = arm.give(Order::Edit(Edit::Remove(link)));
        assert!(matches!(refused, Some(Notice::Refused(why)) if why.contains("link")));
    }
}

/// What was added, removed, moved and changed is in the file, and the file opens again.
#[test]
fn a_changed_world_is_saved_and_opens_as_it_was() {
    use palpable::Payment;
    use palpable_studio::stage::{Change, Target};
    let mut stage = stage("stack-3");
    stage.give(ball("new", [0.5, 0.0, 0.4], [1.0, 0.0, 0.0]));
    ticks(&mut stage, 100);
    let gone = stage.show().model.bodies().iter().rposition(|b| b.moving.is_some());
    let gone = gone.filter(|i| stage.show().model.bodies()[*i].name != "new").unwrap_or(1);
    let name = stage.show().model.bodies()[gone].name.clone();
    stage.give(Order::Edit(Edit::Remove(gone)));
    let new = index(&stage, "new").expect("there");
    stage.give(Order::Set(Change::Friction(Target::One(new), 0.123), Payment::Supply));
    stage.give(Order::Set(Change::Restitution(Target::One(0), 0.75), Payment::Supply));
    ticks(&mut stage, 100);
    let Some(Notice::Copied(world, made)) = stage.give(Order::Copy) else { panic!("a copy") };
    let scene = stage.show().scene.clone().expect("a scene");
    let saved = rewritten(&scene, &made).expect("it fits").at(&world, &stage.show().systems);
    let again = Scene::parse(saved, "again.toml").expect("a scene").build().expect("it builds");
    let copy = again.world();
    assert!(copy.body_named(&name).is_none());
    for info in stage.show().model.bodies().iter().filter(|b| !b.gone) {
        let id = copy.body_named(&info.name).expect("there");
        let was = world.body_named(&info.name).expect("there");
        assert!((copy.pose(id).position - world.pose(was).position).norm() < 1e-12);
        assert!((copy.velocity(id) - world.velocity(was)).norm() < 1e-12);
        assert_eq!(copy.material(id), world.material(was), "{}", info.name);
    }
}

/// A body leaves the file with all that is on it.
#[test]
fn springs_joints_and_ports_leave_with_their_body() {
    for (id, expected) in [("double-pendulum", 1), ("chain", 1), ("four-bar", 1)] {
        let scene = text(id);
        let document = scene.to_json();
        let all = document["body"].as_array().map_or(0, Vec::len);
        let mut stage = stage(id);
        let last = stage.show().model.bodies().iter().rposition(|b| b.moving.is_some());
        let Some(last) = last else { continue };
        if let Some(Notice::Refused(_)) = stage.give(Order::Edit(Edit::Remove(last))) {
            continue;
        }
        ticks(&mut stage, 50);
        let saved = rewritten(&scene, &stage.show().made).expect("it fits");
        let left = saved.to_json()["body"].as_array().map_or(0, Vec::len);
        assert_eq!(left + expected, all, "{id}");
        let built = saved.build().expect(id);
        let count = |v: &Value| v.as_array().map_or(0, Vec::len);
        assert!(count(&saved.to_json()["joint"]) <= count(&document["joint"]));
        let there = stage.world().model().elements().iter().filter(|e| e.kind.rows() > 0).count();
        assert_eq!(built.model.elements().len(), there, "{id}");
    }
}
