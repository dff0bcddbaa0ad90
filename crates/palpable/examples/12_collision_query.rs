//! Asking a scene: contacts before they touch, a ray, the nearest body, and when a fast tool hits.

use palpable::Vec3;
use palpable::geometry::{
    Collider, CollisionError, CollisionOptions, CollisionPipeline, CollisionShape, Groups,
    Isometry, Motion,
};

fn main() -> Result<(), CollisionError> {
    // body 0 is the floor; a box and a cylinder stand on it, a tenth of a millimetre above
    let cube = CollisionShape::cuboid(Vec3::new(0.1, 0.1, 0.1))?;
    let can = CollisionShape::cylinder(0.06, 0.04)?;
    let colliders = [
        Collider::new(0, CollisionShape::half_space()).still(),
        Collider::new(1, cube),
        Collider::new(2, can),
    ];
    let mut scene = CollisionPipeline::new(3, &colliders, CollisionOptions::default())?;
    let poses = [
        Isometry::identity(),
        Isometry::translation(0.0, 0.0, 0.1001),
        Isometry::translation(0.3, 0.0, 0.0601),
    ];
    let report = scene.update(&poses, 1e-3);
    println!("{} manifolds, {} contacts", report.manifolds, report.contacts);
    for m in scene.manifolds() {
        let gaps: Vec<_> = scene.contacts()[m.range()].iter().map(|c| c.gap).collect();
        println!("  body {} pushes body {} along {:?}: gaps {gaps:.6?} m", m.body_a, m.body_b, {
            [m.normal.x, m.normal.y, m.normal.z]
        });
    }
    // a range finder that looks along x
    let hit = scene.ray_cast(&Vec3::new(-1.0, 0.0, 0.05), &Vec3::x(), 10.0, Groups::ALL);
    if let Some(hit) = hit {
        println!("the ray meets body {} after {:.3} m", hit.body, hit.what.distance);
    }
    // a stylus tip: how near is it, and when does it strike at 20 m/s?
    let tip = CollisionShape::sphere(0.002)?;
    let pose = Isometry::translation(0.3, 0.0, 0.5);
    if let Some(near) = scene.nearest(&tip, &pose, 1.0, Groups::ALL) {
        println!("the tip is {:.4} m from body {}", near.what.gap, near.body);
    }
    let dive = Motion::sliding(pose, Vec3::new(0.0, 0.0, -20.0));
    if let Some(strike) = scene.first_impact(&tip, &dive, 0.1, Groups::ALL) {
        println!("it strikes body {} after {:.5} s", strike.body, strike.what.time);
    }
    Ok(())
}
