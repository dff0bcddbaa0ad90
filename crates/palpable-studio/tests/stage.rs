//! The stage without threads or sockets: hand, time, comparison, live changes.

use palpable::{ContactLaw, Payment, Rotation, Scheme, Vec3};
use palpable_scene::Scene;
use palpable_studio::GALLERY;
use palpable_studio::stage::{Change, Fate, Notice, Order, Rival, Show, Stage, Target, rival};

fn scene(id: &str) -> Stage {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenes/");
    let exhibit = GALLERY.iter().find(|e| e.id == id).expect("in the gallery");
    let built = Scene::parse(exhibit.text, format!("{root}{id}.toml")).expect("a scene");
    Stage::new(Box::new(Show::new(id, built.build().expect("built"))))
}

fn ticks(stage: &mut Stage, count: usize) {
    (0..count).for_each(|_| {
        stage.tick();
    });
}

fn first_moving(stage: &Stage) -> usize {
    let bodies = stage.show().model.bodies();
    bodies.iter().position(|b| b.moving.is_some()).expect("something moves")
}

/// Takes hold of the first moving body and pulls it by `by` [m] for `count` steps.
fn pull(stage: &mut Stage, by: Vec3, count: usize) {
    let body = first_moving(stage);
    stage.give(Order::Grab { body, point: Vec3::zeros() });
    let target = stage.hand().target + by;
    stage.give(Order::Move { target, turn: Rotation::identity() });
    ticks(stage, count);
}

#[test]
fn every_scene_answers_a_pull_with_a_force_and_keeps_its_books() {
    for exhibit in GALLERY {
        let mut stage = scene(exhibit.id);
        ticks(&mut stage, 50);
        pull(&mut stage, Vec3::new(0.02, 0.01, 0.03), 20);
        let force = stage.lanes()[0].force().norm();
        assert!(force > 0.0 && force.is_finite(), "{}: {force} N", exhibit.id);
        ticks(&mut stage, 200);
        stage.give(Order::Release);
        assert_eq!(stage.lanes()[0].force().norm(), 0.0, "{}", exhibit.id);
        ticks(&mut stage, 50);
        let ledger = stage.world().ledger();
        let scale = ledger.now().total().abs() + ledger.totals().supplied.abs() + ledger.booked();
        // rounding of some three hundred steps, each closed to 1e-15 of its energy in play
        assert!(ledger.closure().abs() <= 1e-11 * scale.max(1e-9), "{}", exhibit.id);
    }
}

#[test]
fn a_take_replays_to_the_same_bits() {
    let mut stage = scene("demo");
    ticks(&mut stage, 37);
    stage.give(Order::Record(true));
    pull(&mut stage, Vec3::new(0.05, 0.0, 0.02), 60);
    let change = Change::Mass(Target::One(first_moving(&stage)), 1e-4);
    stage.give(Order::Set(change, Payment::Supply));
    ticks(&mut stage, 50);
    stage.give(Order::Release);
    ticks(&mut stage, 40);
    stage.give(Order::Record(false));
    let hash = stage.world().state_hash();
    ticks(&mut stage, 100);
    stage.give(Order::Replay(true));
    let mut ended = None;
    for _ in 0..200 {
        stage.tick();
        ended = ended.or(stage.end_of_replay());
        if ended.is_some() {
            break;
        }
    }
    assert!(matches!(ended, Some(Notice::Replayed(true))), "{ended:?}");
    assert_eq!(stage.world().state_hash(), hash);
}

#[test]
fn rewinding_returns_to_a_state_that_was() {
    let mut stage = scene("double-pendulum");
    let mut seen = Vec::new();
    for _ in 0..600 {
        stage.tick();
        seen.push((stage.world().time(), stage.world().state_hash()));
    }
    pull(&mut stage, Vec3::new(0.0, 0.1, 0.0), 300);
    let now = stage.world().time();
    stage.give(Order::Rewind(0.5));
    let time = stage.world().time();
    assert!((now - 0.5 - time).abs() < 0.051, "{time}");
    let hash = stage.world().state_hash();
    assert!(seen.contains(&(time, hash)), "a state of before");
    assert!(stage.is_paused() && stage.hand().grip.is_none(), "nothing was held then");
    // into the time when the hand held the body, and on from there
    stage.give(Order::Pause(false));
    pull(&mut stage, Vec3::new(0.0, 0.1, 0.0), 300);
    stage.give(Order::Release);
    ticks(&mut stage, 100);
    stage.give(Order::Rewind(0.2));
    assert!(stage.hand().grip.is_some());
    ticks(&mut stage, 50);
    assert!(stage.lanes()[0].force().norm() > 0.0);
}

/// The law of looking back: what is shown is a state that was, nothing is forgotten, and only an
/// act begins another future.
#[test]
fn looking_back_forgets_nothing_until_the_hand_acts() {
    let mut stage = scene("double-pendulum");
    ticks(&mut stage, 900);
    let (now, end) = (stage.world().time(), stage.world().state_hash());
    let deep = stage.rewindable();
    stage.give(Order::Peek(0.5));
    let past = stage.world().time();
    assert!((now - 0.5 - past).abs() < 0.051 && stage.is_paused(), "{past}");
    assert!((stage.looking_back().expect("the past") - (now - past)).abs() < 1e-12);
    stage.give(Order::Peek(0.2));
    assert!(stage.world().time() > past);
    stage.give(Order::Peek(0.0));
    assert_eq!(stage.world().state_hash(), end, "the present, bit for bit");
    assert_eq!((stage.rewindable(), stage.looking_back()), (deep, None));
    // running goes on from the present
    stage.give(Order::Peek(0.5));
    stage.give(Order::Pause(false));
    assert_eq!(stage.world().state_hash(), end);
    // a pull in the past begins another future there
    stage.give(Order::Peek(0.5));
    let there = stage.world().time();
    stage.give(Order::Grab { body: 0, point: Vec3::zeros() });
    assert_eq!(stage.looking_back(), None);
    stage.give(Order::Pause(false));
    assert_eq!(stage.world().time(), there);
}

#[test]
fn a_scene_that_is_over_begins_again_as_it_began_with_the_parameters_chosen_since() {
    let mut stage = scene("pose-spring");
    let start = stage.world().state_hash();
    let mut again = false;
    for _ in 0..5200 {
        stage.tick();
        if stage.end_of_scene().is_some() {
            assert_eq!(stage.world().time(), 0.0);
            assert_eq!(stage.world().state_hash(), start);
            again = true;
        }
    }
    assert!(again, "it lasts 5 s");
    let change = Change::Stiffness(Target::All, 300.0);
    stage.give(Order::Set(change, Payment::Supply));
    let before = stage.world().time();
    while stage.world().time() >= before.min(0.5) && stage.world().time() < 20.0 {
        stage.tick();
        stage.end_of_scene();
    }
    let k = stage.parameters().params.elements[0].stiffness[0];
    assert_eq!(k, 300.0, "the change stays");
    // what the hand holds is not taken from it
    pull(&mut stage, Vec3::new(0.0, 0.1, 0.0), 6000);
    assert!(stage.end_of_scene().is_none());
}

/// Energy that was supplied is no explosion, however much it is.
#[test]
fn only_created_energy_is_an_explosion() {
    let mut stage = scene("box-drop");
    for mass in [1e6, 1e-9, 1.0] {
        stage.give(Order::Set(Change::Mass(Target::All, mass), Payment::Supply));
        ticks(&mut stage, 50);
        assert_eq!(stage.lanes()[0].fate, Fate::Well, "{mass} kg");
    }
    let refused = stage.give(Order::Set(Change::Mass(Target::All, 1e15), Payment::Supply));
    assert!(matches!(refused, Some(Notice::Refused(_))));
}

/// What is shown of a world that exploded is a state before it did.
#[test]
fn an_exploded_world_shows_its_last_sane_state() {
    let mut stage = scene("oscillator");
    stage.give(Order::Compare(Some(Rival::Scheme(Scheme::ExplicitEuler))));
    ticks(&mut stage, 500);
    let lane = &stage.lanes()[1];
    assert_eq!(lane.fate, Fate::Exploded);
    assert!(lane.ended > 0.0 && lane.world.time() <= lane.ended);
    // half a joule at the start, up to ten times as much created
    assert!(lane.world.energy().total() < 6.0, "{}", lane.world.energy().total());
}

#[test]
fn symplectic_euler_explodes_beside_ours_when_the_mass_is_dragged_to_a_milligram() {
    let mut stage = scene("oscillator");
    stage.give(Order::Compare(Some(Rival::Scheme(Scheme::SymplecticEuler))));
    let change = Change::Mass(Target::All, 1e-6);
    stage.give(Order::Set(change, Payment::Supply));
    let start = stage.world().energy().total();
    ticks(&mut stage, 400);
    assert_eq!(stage.lanes()[1].fate, Fate::Exploded);
    assert_eq!(stage.lanes()[0].fate, Fate::Well);
    let end = stage.world().energy().total();
    assert!((end / start - 1.0).abs() < 1e-10, "ours keeps its energy: {start} {end}");
}

#[test]
fn the_cone_stays_calm_beside_the_printed_law_that_creates_energy() {
    let mut stage = scene("printed-plastic");
    stage.give(Order::Compare(Some(Rival::Law(ContactLaw::Cone))));
    let laws = stage.parameters().laws;
    assert_eq!(laws, [ContactLaw::PrintedPlastic { sides: 8 }, ContactLaw::Cone]);
    ticks(&mut stage, 1500);
    let created = |lane: usize| stage.lanes()[lane].world.ledger().totals().created;
    assert!(created(0) > 1e-6 && created(1) == 0.0, "{} J, {} J", created(0), created(1));
    assert!(stage.lanes()[1].world.audit().is_clean());
}

#[test]
fn a_contact_law_changes_live_and_replays_bit_for_bit() {
    let mut stage = scene("box-drop");
    ticks(&mut stage, 300);
    let set = |change| Order::Set(change, Payment::Supply);
    stage.give(Order::Record(true));
    ticks(&mut stage, 50);
    stage.give(set(Change::Law(0, ContactLaw::PrintedPlastic { sides: 8 })));
    stage.give(set(Change::Sides(0, 4)));
    ticks(&mut stage, 300);
    stage.give(Order::Record(false));
    assert_eq!(stage.lanes()[0].law(), ContactLaw::PrintedPlastic { sides: 4 });
    let end = stage.world().state_hash();
    stage.give(Order::Replay(true));
    assert_eq!(stage.lanes()[0].law(), ContactLaw::Cone, "as it was when the take began");
    let mut done = None;
    for _ in 0..400 {
        ticks(&mut stage, 1);
        done = done.or(stage.end_of_replay());
        if done.is_some() {
            break;
        }
    }
    assert!(matches!(done, Some(Notice::Replayed(true))), "{done:?}");
    assert_eq!(stage.world().state_hash(), end);
    for refused in [set(Change::Sides(0, 3)), set(Change::Law(1, ContactLaw::Cone))] {
        assert!(matches!(stage.give(refused), Some(Notice::Refused(_))));
    }
}

#[test]
fn schemes_without_hard_joints_or_contact_hold_them_by_springs() {
    for id in ["double-pendulum", "stack-3"] {
        for scheme in [Scheme::ExplicitEuler, Scheme::SymplecticEuler, Scheme::ImplicitEuler] {
            let mut stage = scene(id);
            stage.give(Order::Compare(Some(Rival::Scheme(scheme))));
            ticks(&mut stage, 500);
            assert_eq!(stage.lanes()[1].fate, Fate::Well, "{id} {scheme:?}");
        }
    }
}

/// What the page greys out cannot run, and what it offers can.
#[test]
fn a_rival_runs_exactly_where_nothing_is_said_against_it() {
    for exhibit in GALLERY {
        for scheme in Scheme::ALL {
            let mut stage = scene(exhibit.id);
            let against = rival::obstacle(&stage.show().model, scheme);
            stage.give(Order::Compare(Some(Rival::Scheme(scheme))));
            ticks(&mut stage, 5);
            let refused = stage.lanes()[1].fate == Fate::Unsupported;
            assert_eq!(refused, against.is_some(), "{} {scheme:?}: {against:?}", exhibit.id);
        }
    }
}

#[test]
fn a_hand_that_falls_silent_lets_go() {
    let mut stage = scene("demo");
    pull(&mut stage, Vec3::new(0.05, 0.0, 0.0), 10);
    assert!(stage.hush(1.9).is_none());
    stage.give(Order::Move { target: Vec3::zeros(), turn: Rotation::identity() });
    assert!(stage.hush(1.9).is_none(), "a word keeps the grip");
    assert!(matches!(stage.hush(0.2), Some(Notice::LetGo(_))));
    assert_eq!(stage.lanes()[0].force().norm(), 0.0);
}

#[test]
fn senseless_orders_are_refused_and_change_nothing() {
    let mut stage = scene("demo");
    ticks(&mut stage, 5);
    let before = stage.world().snapshot();
    let set = |change| Order::Set(change, Payment::Supply);
    for order in [
        Order::Grab { body: 9999, point: Vec3::zeros() },
        set(Change::Mass(Target::One(9999), 1.0)),
        set(Change::Mass(Target::All, -1.0)),
        set(Change::Stiffness(Target::One(9999), 1.0)),
        set(Change::Stiffness(Target::All, f64::NAN)),
        set(Change::Step(0.0)),
        set(Change::Step(f64::NAN)),
        set(Change::Scheme(5, Scheme::ImplicitEuler)),
        set(Change::Gravity(Vec3::new(f64::INFINITY, 0.0, 0.0))),
        Order::Replay(true),
    ] {
        let said = stage.give(order.clone());
        assert!(matches!(said, Some(Notice::Refused(_))), "{order:?}");
    }
    assert_eq!(stage.world().snapshot(), before);
}

/// Another scheme, another law and a comparison take over the port of the hand.
#[test]
fn what_is_held_may_be_shown_under_another_scheme_or_law() {
    let rivals = [
        Order::Compare(Some(Rival::Scheme(Scheme::SymplecticEuler))),
        Order::Compare(Some(Rival::Law(ContactLaw::named("printed-plastic", 4).expect("a law")))),
        Order::Set(Change::Scheme(0, Scheme::ImplicitEuler), Payment::Supply),
    ];
    for id in ["demo", "box-drop", "chain"] {
        for rival in &rivals {
            let mut stage = scene(id);
            pull(&mut stage, Vec3::new(0.01, 0.0, 0.02), 20);
            stage.give(rival.clone());
            ticks(&mut stage, 50);
            assert!(stage.hand().grip.is_some(), "{id}: still held");
            // a scheme that cannot run a scene says so instead
            let well = stage.lanes()[0].fate == Fate::Well;
            assert!(!well || stage.world().tick() > 60, "{id}: and time goes on");
            stage.give(Order::Release);
            ticks(&mut stage, 10);
            stage.give(rival.clone());
            ticks(&mut stage, 10);
        }
    }
}

#[test]
fn a_comparison_may_begin_while_a_take_with_a_grip_is_replayed() {
    let mut stage = scene("demo");
    stage.give(Order::Record(true));
    pull(&mut stage, Vec3::new(0.05, 0.0, 0.02), 60);
    stage.give(Order::Release);
    ticks(&mut stage, 20);
    stage.give(Order::Record(false));
    stage.give(Order::Replay(true));
    ticks(&mut stage, 30);
    stage.give(Order::Compare(Some(Rival::Scheme(Scheme::SymplecticEuler))));
    ticks(&mut stage, 40);
    assert_eq!(stage.lanes().len(), 2);
}

/// Twenty thousand bodies: two minutes of them would take 24 gigabytes.
#[test]
fn the_past_of_a_large_scene_is_kept_in_little_room() {
    let mut model = palpable::Model::ghosts();
    for i in 0..20_000 {
        let at = [f64::from(i), 0.0, 0.0];
        model.body(palpable::Body::sphere(format!("b{i}"), 0.1).mass(1.0).position(at));
    }
    let mut show = scene("free-tumble").show().clone();
    show.model = model.build().expect("a model");
    (show.bodies, show.lines, show.steps) = (vec![], vec![], palpable_scene::Steps::fixed(0.05));
    let mut stage = Stage::new(Box::new(show));
    ticks(&mut stage, 80);
    let deep = stage.rewindable();
    // 26 moments, which are one or two steps of 50 ms apart
    assert!(deep > 0.5 && deep < 2.7, "{deep} s");
    stage.give(Order::Rewind(1.0));
    // to the nearest of them
    assert!((stage.world().time() - 3.0).abs() < 0.11, "{}", stage.world().time());
    let mut small = scene("oscillator");
    ticks(&mut small, 5000);
    assert!(small.rewindable() > 4.0, "a small one is kept for minutes");
}

/// The mouse takes the palm of a scripted hand: the finger tips come along, and stay when it lets
/// go; from the beginning the script leads again.
#[test]
fn a_hand_that_takes_the_palm_leads_its_fingers() {
    let mut stage = scene("peg-two-hands");
    let place = |stage: &Stage, name: &str| {
        let world = stage.world();
        world.pose(world.body_named(name).expect("a body")).position
    };
    ticks(&mut stage, 50);
    let index = stage.world().model().bodies().iter().position(|b| b.name == "left palm");
    let before = place(&stage, "left thumb far") - place(&stage, "left palm");
    stage.give(Order::Grab { body: index.expect("a palm"), point: Vec3::zeros() });
    let target = stage.hand().target + Vec3::new(0.15, 0.1, 0.1);
    stage.give(Order::Move { target, turn: Rotation::identity() });
    ticks(&mut stage, 700);
    let off = place(&stage, "left palm") - target;
    let after = place(&stage, "left thumb far") - place(&stage, "left palm");
    // the palm's own weight and its dampers hang on 800 N/m
    assert!(off.norm() < 5e-3, "the palm did not follow: {off}");
    assert!((after - before).norm() < 5e-3, "the thumb did not follow: {before} {after}");
    stage.give(Order::Release);
    ticks(&mut stage, 100);
    assert!((place(&stage, "left palm") - target).norm() < 5e-3, "the palm did not stay");
    // the other hand went on by itself
    assert!((place(&stage, "right palm").x + 0.305).abs() < 5e-3);
}

#[test]
fn collisions_are_told_with_their_momentum_and_never_more_than_32() {
    let mut stage = scene("crisp-corner");
    while stage.lanes()[0].strikes.list().is_empty() {
        assert!(stage.world().time() < 1.0, "nothing strikes");
        stage.tick();
    }
    // the left wall takes all that 0.32 N gave until then, but for two steps of 1 ms
    let strike = stage.lanes()[0].strikes.list()[0];
    let given = 0.32 * stage.world().time();
    assert!((strike.impulse.norm() - given).abs() <= 2e-3 * 0.32, "{strike:?}, {given} N·s");
    // told in a few pictures, and then no more
    (0..8).for_each(|_| stage.take_peaks());
    assert!(stage.lanes()[0].strikes.list().is_empty());

    // many balls that strike at once: the strongest are told
    let mut text = String::from("version = 1\ncontact = {}\n");
    text += "[[body]]\nname = \"floor\"\nshape = { half_space = {} }\n";
    for i in 0..60 {
        let (x, height) = (0.05 * f64::from(i), 0.011 + 1e-6 * f64::from(i));
        text += &format!(
            "[[body]]\nname = \"b{i}\"\nshape.sphere.radius = 0.01\nmass = {}\n\
             material = {{ law = \"impulse\", modulus = 1e7, damping = 1e4 }}\n\
             position = [{x}, 0, {height}]\nvelocity = [0, 0, -1]\n",
            0.01 * f64::from(i + 1)
        );
    }
    let built = Scene::parse(&text, "balls.toml").expect("a scene").build().expect("built");
    let mut stage = Stage::new(Box::new(Show::new("balls", built)));
    ticks(&mut stage, 30);
    let list = stage.lanes()[0].strikes.list();
    assert_eq!(list.len(), 32);
    let least = list.iter().map(|s| s.impulse.norm()).fold(f64::INFINITY, f64::min);
    assert!((least / 0.29 - 1.0).abs() < 1e-9, "the weakest told has {least} N·s");
}

/// A program steps a world of its own and shows it: the studio is where the program is, goes on
/// from there to the same bits, and can look back at what was shown.
#[test]
fn a_state_from_elsewhere_is_shown_and_goes_on_to_the_same_bits() {
    let mut stage = scene("stack-3");
    stage.give(Order::Pause(true));
    let mut world = stage.show().world();
    let h = 1e-3;
    let none = world.inputs();
    for shown in 1..=20 {
        (0..60).for_each(|_| assert!(world.step(h, &none).status.is_taken()));
        let told = stage.give(Order::Place(Box::new(world.snapshot())));
        assert!(matches!(told, Some(Notice::Placed(_))), "{told:?}");
        assert_eq!(stage.world().state_hash(), world.state_hash(), "shown {shown}");
    }
    assert!(stage.is_paused() && stage.rewindable() > 1.0, "{} s", stage.rewindable());
    stage.give(Order::Peek(0.6));
    assert!((stage.world().time() - (world.time() - 0.6)).abs() < 0.05);
    stage.give(Order::Peek(0.0));
    assert_eq!(stage.world().state_hash(), world.state_hash());
    // rivals still hold contact by springs
    let rival = Some(Rival::Scheme(Scheme::SymplecticEuler));
    stage.give(Order::Compare(rival));
    ticks(&mut stage, 10);
    (0..10).for_each(|_| assert!(world.step(stage.parameters().step, &none).status.is_taken()));
    assert_eq!(stage.world().state_hash(), world.state_hash());
    assert_eq!(stage.lanes()[1].fate, Fate::Well);
    // what is held is let go, and another world's state is refused and changes nothing
    stage.give(Order::Grab { body: first_moving(&stage), point: Vec3::zeros() });
    stage.give(Order::Place(Box::new(world.snapshot())));
    assert!(stage.hand().grip.is_none());
    let other = scene("oscillator").world().snapshot();
    let told = stage.give(Order::Place(Box::new(other)));
    assert!(matches!(told, Some(Notice::Refused(_))), "{told:?}");
    assert_eq!(stage.world().state_hash(), world.state_hash());
}
