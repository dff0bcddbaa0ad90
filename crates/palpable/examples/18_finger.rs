//! A tendon-driven finger on a free palm, after [Kim2017 sec. 5.3]: shorten a tendon, and it curls.

use palpable::{
    BuildErrors, Chain, ElementId, Inputs, Link, Mat3, Model, Pose, Rotation, Shape, Spring,
    SystemId, Vec3, World,
};

/// Three links of 1 g on a palm of 50 g; one active tendon of 100 N/m over all joints, a passive
/// one of 10 N/m at the back of each.
fn build() -> Result<(World, SystemId, ElementId), BuildErrors> {
    let palm = Shape::cuboid(Vec3::new(0.04, 0.04, 0.01)).expect("a box");
    let mass = palm.mass_properties(0.05 / palm.volume());
    let mut finger = Chain::new("finger").floating("palm", mass, Pose::default());
    // joints turn about y
    let across = Rotation::from_scaled_axis(-Vec3::x() * std::f64::consts::FRAC_PI_2);
    for (i, length) in [0.04, 0.03, 0.025].into_iter().enumerate() {
        let j = 1e-3 * length * length / 12.0;
        let inertia = Mat3::from_diagonal(&Vec3::new(0.2 * j, j, j));
        let before = [0.04, 0.04, 0.03][i];
        let link = Link::revolute(format!("link {i}")).at([before, 0.0, 0.0], across);
        let link = link.held_at([0.0; 3], across).damping(2e-5);
        let link = link.inertia(1e-3, [0.5 * length, 0.0, 0.0], inertia);
        finger.link(if i > 0 { link.on(i - 1) } else { link });
    }
    let mut model = Model::ghosts();
    let finger = model.chain(finger);
    let tendon = Spring::tendon(finger, &[0.010, 0.008, 0.006]).stiffness(100.0);
    let tendon = model.spring(tendon.named("flexor"));
    for i in 0..3 {
        let mut radii = [0.0; 3];
        radii[i] = 0.01;
        model.spring(Spring::tendon(finger, &radii).stiffness(10.0));
    }
    Ok((World::new(model.build()?), finger, tendon))
}

fn main() -> Result<(), BuildErrors> {
    let (mut world, finger, tendon) = build()?;
    let mut paid = 0.0;
    for step in 0..3000 {
        // the motor winds 12 mm within a second, and pays for it
        let wound = 0.012 * f64::min(1.0, f64::from(step) / 1000.0);
        paid += world.set_rest(tendon, wound).expect("a soft spring");
        assert!(world.step(1e-3, &Inputs::none()).status.is_taken());
    }
    let angles = &world.coordinates(finger)[7..];
    println!("the joints bend by {:.3}, {:.3} and {:.3} rad", angles[0], angles[1], angles[2]);
    println!("the motor paid {:.3} mJ", 1e3 * paid);
    // at rest each joint balances flexor against back: 100 a r = 10 (10 mm)² q, a the stretch
    let radii = [0.010, 0.008, 0.006];
    let long: f64 = radii.iter().map(|r| r * r).sum();
    let stretch = 0.012 / (1.0 + 100.0 * long / (10.0 * 1e-4));
    for (angle, r) in angles.iter().zip(radii) {
        let expected = 100.0 * stretch * r / (10.0 * 1e-4);
        assert!((angle - expected).abs() < 1e-3, "{angle} {expected}");
    }
    // a free palm: nothing outside was pushed
    assert!(world.momentum().norm() < 1e-9 && world.audit().is_clean());
    Ok(())
}
