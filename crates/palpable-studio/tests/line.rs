//! The line between hand and world, and live surfaces: late, lossy or changed, nothing is created.

use palpable::{Payment, Rotation, Vec3};
use palpable_scene::Scene;
use palpable_studio::stage::{Change, Coupling, Line, Notice, Order, Show, Stage, Target};

const BALL: &str = "version = 1\n\
    [[body]]\nname = \"ball\"\nmass = 0.2\nshape = { sphere = { radius = 0.05 } }\n\
    [[spring]]\nname = \"tether\"\na = { body = \"ball\" }\nb = { world = [0, 0, 0] }\n\
    stiffness = 20\n";

const BLOCK: &str = "version = 1\ngravity = [0, 0, -9.81]\ncontact = {}\n\
    [[body]]\nname = \"floor\"\nshape.half_space = {}\nmaterial.friction = 0.1\n\
    [[body]]\nname = \"block\"\nmass = 1\nshape.box.size = [0.1, 0.1, 0.1]\n\
    position = [0, 0, 0.05]\nmaterial = { friction = 0.1, restitution = 0.2 }\n";

fn stage(text: &str) -> Stage {
    let built = Scene::parse(text, "test.toml").expect("a scene").build().expect("built");
    Stage::new(Box::new(Show::new("test", built)))
}

fn ticks(stage: &mut Stage, count: usize) {
    (0..count).for_each(|_| {
        stage.tick();
    });
}

fn set(stage: &mut Stage, change: Change) {
    let said = stage.give(Order::Set(change, Payment::Supply));
    assert!(matches!(said, Some(Notice::Changed(_))), "{said:?}");
}

fn go(stage: &mut Stage, target: Vec3) {
    stage.give(Order::Move { target, turn: Rotation::identity() });
}

/// A hand with moods: rests, jumps, waves; reproducible.
struct Mood(u64);

impl Mood {
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / 2f64.powi(53)
    }
}

#[test]
fn whatever_the_line_does_hand_and_world_get_no_more_than_was_put_in() {
    for (round, (delay, loss)) in
        [(0.005, 0.0), (0.05, 0.0), (0.0, 0.5), (0.03, 0.3), (0.2, 0.9)].into_iter().enumerate()
    {
        let (mut stage, mut mood) = (stage(BALL), Mood(round as u64));
        let line = Line { damping: 3.0, delay, loss };
        set(&mut stage, Change::Line(line));
        let (k, b) = (400.0, 2.0);
        set(&mut stage, Change::Coupling(Coupling { stiffness: k, damping: b, turning: 0.0 }));
        stage.give(Order::Grab { body: 0, point: Vec3::zeros() });
        let grants: f64 = stage.lanes()[0].link().expect("a line").reserves().iter().sum();
        let mut largest: f64 = 0.0;
        for tick in 0..4000 {
            if tick % 50 == 0 {
                let place = Vec3::from_fn(|_, _| 0.2 * (mood.unit() - 0.5));
                go(&mut stage, place * (mood.unit() * 2.0).floor());
            }
            stage.tick();
            let link = stage.lanes()[0].link().expect("a line");
            let [to_hand, to_world, damped] = link.account();
            // the world's tank keeps what its damper takes, so that pays for nothing here
            let most = grants + damped;
            assert!(to_hand + to_world <= most * (1.0 + 1e-9), "{line:?}: {to_hand} {to_world}");
            largest = largest.max(stage.lanes()[0].force().norm());
        }
        assert!(largest > 0.1, "{line:?}: the hand feels the ball: {largest} N");
        let closure = stage.world().ledger().closure().abs();
        assert!(closure <= 1e-11 * stage.world().ledger().totals().supplied.abs().max(1e-3));
    }
}

#[test]
fn a_late_hand_still_carries_the_ball_there() {
    for line in [
        Line { damping: 3.0, delay: 0.02, loss: 0.0 },
        Line { damping: 3.0, delay: 0.01, loss: 0.4 },
    ] {
        let mut stage = stage(BALL);
        set(&mut stage, Change::Line(line));
        let coupling = Coupling { stiffness: 400.0, damping: 2.0, turning: 0.0 };
        set(&mut stage, Change::Coupling(coupling));
        stage.give(Order::Grab { body: 0, point: Vec3::zeros() });
        let goal = Vec3::new(0.08, 0.0, 0.03);
        go(&mut stage, goal);
        ticks(&mut stage, 6000);
        let held = stage.world().port(stage.lanes()[0].port().expect("held")).position;
        // the tether pulls back by 20/(20 + 400) of the way
        assert!((held - goal * (400.0 / 420.0)).norm() < 0.1 * goal.norm(), "{line:?}: {held}");
    }
}

#[test]
fn an_answer_comes_no_earlier_than_the_line_allows() {
    let mut stage = stage(BALL);
    set(&mut stage, Change::Line(Line { damping: 3.0, delay: 0.04, loss: 0.0 }));
    stage.give(Order::Grab { body: 0, point: Vec3::zeros() });
    ticks(&mut stage, 100);
    go(&mut stage, Vec3::new(0.05, 0.0, 0.0));
    let start = stage.world().energy().total();
    ticks(&mut stage, 39);
    assert_eq!(stage.world().energy().total(), start, "the world does not know yet");
    ticks(&mut stage, 10);
    assert!(stage.world().energy().total() > start);
}

#[test]
fn changing_the_line_in_mid_drag_creates_nothing_and_replays_bit_for_bit() {
    let mut stage = stage(BALL);
    set(&mut stage, Change::Line(Line { damping: 3.0, delay: 0.01, loss: 0.2 }));
    ticks(&mut stage, 20);
    stage.give(Order::Record(true));
    stage.give(Order::Grab { body: 0, point: Vec3::zeros() });
    let before: f64 = stage.lanes()[0].link().expect("a line").reserves().iter().sum();
    for i in 0..8 {
        go(&mut stage, Vec3::new(0.0, 0.0, 0.02 * f64::from(i)));
        ticks(&mut stage, 30);
        let kept: f64 = stage.lanes()[0].link().expect("a line").reserves().iter().sum();
        set(&mut stage, Change::Line(Line { damping: 3.0, delay: 0.01, loss: 0.3 }));
        let link = stage.lanes()[0].link().expect("a line");
        assert_eq!(link.reserves().iter().sum::<f64>(), kept, "no new grant, first {before} J");
    }
    stage.give(Order::Release);
    stage.give(Order::Record(false));
    let hash = stage.world().state_hash();
    ticks(&mut stage, 30);
    stage.give(Order::Replay(true));
    let ended = (0..400).find_map(|_| {
        stage.tick();
        stage.end_of_replay()
    });
    assert!(matches!(ended, Some(Notice::Replayed(true))), "{ended:?}");
    assert_eq!(stage.world().state_hash(), hash);
    set(&mut stage, Change::Line(Line::default()));
    stage.give(Order::Grab { body: 0, point: Vec3::zeros() });
    assert!(stage.lanes()[0].link().is_none(), "a direct hand needs no line");
}

#[test]
fn friction_and_bounce_change_live_and_cost_nothing() {
    let mut stage = stage(BLOCK);
    ticks(&mut stage, 50);
    let before = stage.world().energy().total();
    set(&mut stage, Change::Friction(Target::All, 0.8));
    set(&mut stage, Change::Restitution(Target::One(1), 0.9));
    assert_eq!(stage.world().energy().total(), before);
    let surfaces = &stage.parameters().params.surfaces.bodies;
    assert_eq!((surfaces[0].friction, surfaces[0].restitution), (0.8, 0.0));
    assert_eq!((surfaces[1].friction, surfaces[1].restitution), (0.8, 0.9));
    // 5 N do not move it now, and did before: 0.1 g < 5 N < 0.8 g
    let slid = |stage: &mut Stage| {
        set(stage, Change::Coupling(Coupling { stiffness: 100.0, damping: 5.0, turning: 0.0 }));
        stage.give(Order::Grab { body: 1, point: Vec3::new(0.0, 0.0, -0.05) });
        go(stage, stage.hand().target + Vec3::new(0.05, 0.0, 0.0));
        ticks(stage, 400);
        let place = stage.world().pose(stage.show().bodies[1]).position.x;
        stage.give(Order::Release);
        place
    };
    assert!(slid(&mut stage).abs() < 1e-6, "it sticks");
    set(&mut stage, Change::Friction(Target::All, 0.1));
    assert!(slid(&mut stage) > 0.03, "it slides");
    let ledger = stage.world().ledger();
    assert!(ledger.closure().abs() <= 1e-11 * ledger.now().total().abs().max(1.0));
}

#[test]
fn senseless_lines_and_surfaces_are_refused() {
    let mut stage = stage(BLOCK);
    let line = |damping, delay, loss| Change::Line(Line { damping, delay, loss });
    for change in [
        line(0.0, 0.0, 0.0),
        line(f64::NAN, 0.0, 0.0),
        line(1.0, -1.0, 0.0),
        line(1.0, 2.0, 0.0),
        line(1.0, 0.0, 1.0),
        Change::Friction(Target::All, -0.1),
        Change::Friction(Target::One(9), 0.1),
        Change::Restitution(Target::All, 1.1),
        Change::Restitution(Target::One(0), f64::NAN),
    ] {
        let said = stage.give(Order::Set(change, Payment::Supply));
        assert!(matches!(said, Some(Notice::Refused(_))), "{change:?}");
    }
    let mut free = self::stage(BALL);
    let said = free.give(Order::Set(Change::Friction(Target::All, 0.1), Payment::Supply));
    assert!(matches!(said, Some(Notice::Refused(_))), "nothing can touch there");
}
