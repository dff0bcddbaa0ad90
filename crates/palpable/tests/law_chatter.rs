//! Laws of stiff joints: a sudden force leaves no joint velocity that flips from step to step; what
//! a step can resolve goes on for ever.

use palpable::*;

const H: f64 = 1e-3;

/// Rods of 0.1 m and 1 g on ball joints, level along x, the ends of neighbours together.
fn rods(model: &mut ModelBuilder, speeds: &[f64], k: f64) -> Vec<BodyId> {
    let turn = Rotation::from_scaled_axis(Vec3::y() * std::f64::consts::FRAC_PI_2);
    let mut ids: Vec<BodyId> = Vec::new();
    for (i, &v) in speeds.iter().enumerate() {
        let at = [0.05 + 0.1 * i as f64, 0.0, 0.0];
        let rod = Body::capsule(format!("rod{i}"), 0.05, 1e-3).mass(1e-3).velocity([v, 0.0, 0.0]);
        let id = model.body(rod.position(at).rotation(turn));
        if let Some(last) = ids.last() {
            let (a, b) = (id.at([0.0, 0.0, -0.05]), last.at([0.0, 0.0, 0.05]));
            model.joint(Joint::ball(a, b).stiffness(k));
        }
        ids.push(id);
    }
    ids
}

/// Largest velocity at which the two ends of a joint part [m/s].
fn parting(world: &World, ids: &[BodyId]) -> f64 {
    let end = |id: BodyId, z: f64| {
        let turn = world.pose(id).rotation;
        let omega = world.angular_velocity(id);
        world.velocity(id) + turn * omega.cross(&Vec3::new(0.0, 0.0, z))
    };
    ids.windows(2).map(|p| (end(p[1], -0.05) - end(p[0], 0.05)).norm()).fold(0.0, f64::max)
}

/// Five rods, one of them pushed in one step of many; returns the world and the rods.
fn kicked(rod: usize, push: f64, k: f64, options: Options) -> (World, Vec<BodyId>) {
    let mut model = Model::ghosts();
    let ids = rods(&mut model, &[0.0; 5], k);
    let port = model.port(Port::force("kick", ids[rod].at([0.0, 0.0, 0.02])));
    let mut world =
        World::with_options(model.build().expect("a chain"), options).expect("options that fit");
    let mut inputs = world.inputs();
    (0..5).for_each(|_| {
        let _ = world.step(H, &inputs);
    });
    inputs.force(port, [0.0, 0.3 * push / H, -push / H]);
    let _ = world.step(H, &inputs);
    (world, ids)
}

#[test]
fn a_push_on_one_link_leaves_no_chatter() {
    for k in [1e9, f64::INFINITY] {
        for (rod, push) in (0..5).flat_map(|i| [1e-4, 3e-4, 1e-3].map(|p| (i, p))) {
            let (mut world, ids) = kicked(rod, push, k, Options::default());
            let (start, mut rise) = (world.energy().total(), 0.0f64);
            let first = parting(&world, &ids);
            for _ in 0..400 {
                let before = world.energy().total();
                let report = world.step(H, &Inputs::none());
                assert!(report.entry.closure().abs() < 1e-13 * start, "{:?}", report.entry);
                rise = rise.max(world.energy().total() - before);
            }
            let left = parting(&world, &ids);
            println!("rod {rod}, {push} N s, k {k:e}: {first:.1e} to {left:.1e} m/s, {rise:e} J");
            assert!(left < 1e-4 && rise < 1e-13 * start, "{rod} {push}: {left:e} {rise:e}");
            // what is left belongs to the motion: its rods turn and the smooth part is ω³ l h²/12
            let lost = world.energy().tank + world.ledger().totals().lost();
            assert!(lost < 1e-3 * start, "only the chatter was taken: {lost:e} of {start:e}");
        }
    }
}

#[test]
fn without_a_loss_of_joints_the_chatter_stays() {
    let (mut world, ids) = kicked(1, 1e-3, 1e9, Options { joint_loss: 0.0, ..Options::default() });
    let start = world.energy().total();
    (0..400).for_each(|_| {
        let _ = world.step(H, &Inputs::none());
    });
    let (left, lost) = (parting(&world, &ids), world.ledger().totals().lost());
    assert!(left > 1e-3 && lost == 0.0, "{left:e} {lost:e}");
    assert!((world.energy().total() / start - 1.0).abs() < 1e-12);
}

#[test]
fn ends_that_start_apart_in_speed_meet_like_clay() {
    for k in [1e9, f64::INFINITY] {
        // two equal rods along their axis: half the energy is that of their centre
        let mut model = Model::ghosts();
        let ids = rods(&mut model, &[0.0, 0.1], k);
        let mut world = World::new(model.build().expect("two rods"));
        let start = world.energy().total();
        (0..20).for_each(|_| {
            let _ = world.step(H, &Inputs::none());
        });
        let (left, kinetic) = (parting(&world, &ids), world.energy().kinetic);
        println!("k {k:e}: {left:e} m/s, {} of the energy", kinetic / start);
        // a stiff joint keeps a little of it as strain: k g² of about m e²/(ωh)², 1e-7 of it
        assert!(left < 1e-6 && (kinetic / start - 0.5).abs() < 1e-6, "{left:e} {kinetic:e}");
        assert!((world.energy().total() + world.ledger().totals().lost() - start).abs() < 1e-13);
        assert!(world.velocity(ids[0]).x > 0.0499);
    }
}

#[test]
fn a_joint_that_the_step_resolves_vibrates_for_ever() {
    // k h²/m = 3: a third of a turn in each step, and no loss
    let mut model = Model::ghosts();
    let ball = Body::sphere("ball", 1e-2).mass(1e-3).velocity([0.1, 0.0, 0.0]);
    let ball = model.body(ball);
    model.joint(Joint::ball(ball.origin(), Anchor::world([0.0; 3])).stiffness(3e3));
    let mut world = World::new(model.build().expect("a ball"));
    let start = world.energy().total();
    let mut fastest = 0.0f64;
    for step in 0..4000 {
        let _ = world.step(H, &Inputs::none());
        if step >= 3900 {
            fastest = fastest.max(world.velocity(ball).norm());
        }
    }
    let total = world.energy().total() - world.energy().tank;
    assert!(fastest > 0.09 && (total / start - 1.0).abs() < 1e-12, "{fastest} {total:e}");
}
