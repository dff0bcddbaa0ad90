//! The checks see what they are for: each is shown a step that breaks its law.

use palpable::{Anchor, Body, BodyId, Inputs, Model, Port, StepReport, World};
use palpable_soak::check::books::{Books, OwnStep, judge_books, judge_own};
use palpable_soak::check::checker::Checker;
use palpable_soak::check::finding::{Findings, Kind};
use palpable_soak::check::own::Own;
use palpable_soak::check::same::Taken;
use palpable_soak::check::watch::{Closed, Watch};

const H: f64 = 1e-3;

/// A ball that falls, and slides into nothing.
fn falling(velocity: [f64; 3], height: f64) -> (World, BodyId) {
    let mut model = Model::builder();
    model.gravity([0.0, 0.0, -9.81]);
    let ball =
        model.body(Body::sphere("ball", 0.1).position([0.0, 0.0, height]).velocity(velocity));
    (World::new(model.build().expect("a ball")), ball)
}

/// An honest step of it.
fn honest() -> (Books, OwnStep) {
    let (mut world, _) = falling([1.0, 0.0, 0.0], 1.0);
    let (stored, before) = (world.energy(), Own::of(&world));
    let report = world.step(H, &Inputs::none());
    let books = Books { before: stored, after: world.energy(), entry: report.entry };
    let zero = stored.gravity - before.gravity;
    let (after, blurred) = (Own::of(&world), world.blurred());
    (books, OwnStep { before, after, zero, chains: false, blurred })
}

fn kinds(judge: impl FnOnce(&mut Findings)) -> Vec<Kind> {
    let mut findings = Findings::default();
    judge(&mut findings);
    findings.found.into_keys().collect()
}

#[test]
fn an_honest_step_breaks_no_law() {
    let (books, own) = honest();
    assert_eq!(kinds(|findings| judge_books(&books, findings)), []);
    assert_eq!(kinds(|findings| judge_own(&books, &own, findings)), []);
}

#[test]
fn a_rise_of_a_trillionth_of_the_energy_in_play_is_seen() {
    let (mut books, _) = honest();
    books.after.kinetic += 1e-12 * books.in_play();
    assert_eq!(kinds(|findings| judge_books(&books, findings)), [Kind::Rise]);
    books.after.kinetic = f64::NAN;
    assert!(kinds(|findings| judge_books(&books, findings)).contains(&Kind::Rise));
}

#[test]
fn a_negative_loss_is_seen_even_where_another_loss_hides_the_gain() {
    let (mut books, _) = honest();
    let energy = 1e-3 * books.in_play();
    (books.entry.flows.impact, books.entry.flows.damped) = (-energy, energy);
    assert_eq!(kinds(|findings| judge_books(&books, findings)), [Kind::NegativeImpact]);
}

#[test]
fn what_was_created_and_an_open_account_are_seen() {
    let (mut books, _) = honest();
    books.entry.flows.created = 1e-3 * books.in_play();
    let found = kinds(|findings| judge_books(&books, findings));
    assert_eq!(found, [Kind::Created, Kind::Closure]);
}

#[test]
fn accounts_that_are_not_those_of_poses_and_velocities_are_seen() {
    let (books, own) = honest();
    let mut faster = own;
    faster.after.kinetic *= 1.001;
    let found = kinds(|findings| judge_own(&books, &faster, findings));
    assert_eq!(found, [Kind::OwnRise, Kind::OwnKinetic]);
    let mut higher = own;
    higher.after.gravity += 1e-3;
    higher.chains = true;
    let found = kinds(|findings| judge_own(&books, &higher, findings));
    assert_eq!(found, [Kind::OwnRiseChain, Kind::OwnGravityChain]);
    let mut strained = own;
    (strained.after.elastic, strained.after.gravity) = (1e-3, own.after.gravity - 1e-3);
    let found = kinds(|findings| judge_own(&books, &strained, findings));
    assert_eq!(found, [Kind::OwnElastic, Kind::OwnGravity]);
}

/// What a checker finds if the world after the step is another one than before it.
fn swapped(before: &World, mut after: World, watch: Watch) -> Vec<Kind> {
    let mut checker = Checker::new(before, watch);
    checker.before(before);
    let taken = Taken { h: H, inputs: Inputs::none() };
    let report = after.step(H, &taken.inputs);
    for _ in 0..30 {
        checker.after_step(&mut after, &report, &taken);
    }
    checker.findings.found.into_keys().collect()
}

#[test]
fn a_world_that_is_exchanged_for_a_faster_one_is_seen() {
    let ((slow, _), (fast, _)) = (falling([1.0, 0.0, 0.0], 1.0), falling([1.1, 0.0, 0.0], 1.0));
    assert_eq!(swapped(&slow, fast.clone(), Watch::default()), [Kind::Rise]);
    let free = Watch { free: Some(0.1), ..Default::default() };
    let found = swapped(&slow, fast, free);
    assert_eq!(found, [Kind::Rise, Kind::Momentum, Kind::AngularMomentum]);
}

#[test]
fn bodies_below_the_floor_and_open_joints_are_seen() {
    let (world, ball) = falling([0.0; 3], -0.5);
    let above = vec![(ball, 0.1)];
    let below = swapped(&world, world.clone(), Watch { above, ..Default::default() });
    assert!(below.contains(&Kind::ThroughFloor), "{below:?}");
    let ends = [ball.origin(), Anchor::world([0.0, 0.0, -0.4])];
    let closed = vec![Closed { name: "pin".into(), ends, offset: 0.0 }];
    let open = swapped(&world, world.clone(), Watch { closed, ..Default::default() });
    assert!(open.contains(&Kind::JointGap), "{open:?}");
}

#[test]
fn refused_steps_and_a_stuck_world_are_seen() {
    let (mut world, _) = falling([0.0; 3], 1.0);
    let mut checker = Checker::new(&world, Watch::default());
    let taken = Taken { h: f64::NAN, inputs: Inputs::none() };
    while !checker.is_over() {
        checker.before(&world);
        let report = world.step(taken.h, &taken.inputs);
        checker.after_step(&mut world, &report, &taken);
    }
    let found: Vec<_> = checker.findings.found.into_keys().collect();
    assert_eq!(found, [Kind::Refused, Kind::Stuck]);
}

#[test]
fn work_that_no_port_did_is_seen() {
    let mut model = Model::builder();
    let ball = model.body(Body::sphere("ball", 0.1));
    let port = model.port(Port::force("hand", ball.origin()));
    let mut world = World::new(model.build().expect("a ball with a port"));
    let mut inputs = world.inputs();
    inputs.force(port, [1.0, 0.0, 0.0]);
    let taken = Taken { h: H, inputs };
    let mut step = |ports| {
        let mut checker = Checker::new(&world, Watch { ports, ..Default::default() });
        checker.before(&world);
        let report: StepReport = world.step(H, &taken.inputs);
        checker.after_step(&mut world, &report, &taken);
        checker.findings.found.into_keys().collect::<Vec<_>>()
    };
    assert_eq!(step(vec![port]), []);
    assert_eq!(step(Vec::new()), [Kind::PortWork]);
}

#[test]
fn a_clone_or_a_replay_that_goes_another_way_is_seen() {
    let (mut world, _) = falling([0.0; 3], 1.0);
    let mut checker = Checker::new(&world, Watch::default());
    checker.begin_replay(&world);
    for step in 0..12 {
        let h = if step == 5 { 2.0 * H } else { H };
        let report = world.step(h, &Inputs::none());
        // the checker is told another step length than was taken
        checker.after_step(&mut world, &report, &Taken { h: H, inputs: Inputs::none() });
    }
    let found = checker.findings.found;
    assert!(found.contains_key(&Kind::CloneDiffers), "{found:?}");
    assert!(found.contains_key(&Kind::ReplayDiffers), "{found:?}");
}
