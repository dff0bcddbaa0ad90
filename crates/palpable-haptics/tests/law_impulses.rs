//! Impulses on the hand: felt when contact begins, never beyond the limits, through the same loop
//! as every device.

use palpable::coupling::{Impulses, Rendering};
use palpable::{Body, Material, Model, Port, Vec3, Vec6, VolumeLaw, World};
use palpable_haptics::rt::Render;
use palpable_haptics::{Direct, Mapping, Sample};
use std::time::Duration;

/// A peg on a layer that begins with impulses, held by 2 kN/m.
fn rig(impulses: Option<Impulses>) -> Direct {
    let mut model = Model::builder();
    model.gravity([0.0; 3]).contacts(0);
    model.body(Body::half_space("floor"));
    let layer = VolumeLaw::new(2e7, 5e4).with_impulses();
    let peg = model.body(
        Body::cuboid("peg", [0.02, 0.02, 0.02])
            .mass(0.2)
            .position([0.0, 0.0, 0.05])
            .material(Material::new(0.3, 0.0).soft(layer)),
    );
    let (k, b) = (2000.0, 1.0);
    let stiffness = Vec6::new(k, k, k, 2.0, 2.0, 2.0);
    let damping = Vec6::new(b, b, b, 1e-3, 1e-3, 1e-3);
    let port = model.port(Port::reference("hand", peg.origin(), stiffness, damping));
    let world = World::new(model.build().expect("a peg over a floor"));
    let direct = Direct::new(world, port, Mapping::default());
    match impulses {
        Some(impulses) => direct.with_impulses(impulses),
        None => direct,
    }
}

/// Largest force while the hand goes down at 0.5 m/s and stops inside, and steps with an impulse.
fn strike(direct: &mut Direct) -> (f64, usize) {
    let (mut peak, mut steps) = (0.0f64, 0);
    for k in 0..300 {
        let z = (0.05 - 5e-4 * f64::from(k)).max(0.019);
        let sample = Sample { position: Vec3::new(0.0, 0.0, z), ..Sample::default() };
        let h = Duration::from_millis(1);
        let wish = direct.render(h * k as u32, h, &sample);
        peak = peak.max(wish.wrench.force.norm());
        let body = direct.world().body_named("peg").expect("a peg");
        steps += usize::from(direct.world().contact_impulse(body)[0].norm() > 0.0);
    }
    (peak, steps)
}

#[test]
fn the_hand_feels_the_impulse_within_the_limits() {
    let (plain, _) = strike(&mut rig(None));
    for rendering in [Rendering::Spread, Rendering::Scale, Rendering::Saturate] {
        let limits = Impulses { rendering, ..Impulses::new(20.0, 0.5) };
        let (peak, steps) = strike(&mut rig(Some(limits)));
        println!("{rendering:?}: peak {peak} N, {steps} steps with impulses; without {plain} N");
        assert!(peak <= 20.0 * (1.0 + 1e-12), "{rendering:?}: {peak}");
        assert!(peak > 1.5 * plain, "{rendering:?}: {peak} against {plain}");
        if rendering == Rendering::Spread {
            assert!(steps > 2, "{steps}");
        }
    }
    let (full, steps) = strike(&mut rig(Some(Impulses::new(f64::INFINITY, f64::INFINITY))));
    println!("full: {full} N in {steps} steps");
    assert!(full > 50.0);
}
