//! A user's own element: a rubber band that pulls only when it is longer than its rest length.

use palpable::{Anchor, Body, BuildErrors, Element, Inputs, Model, Pose, Spring, Vec6, World};
use std::sync::Arc;

/// Strain is the stretch beyond `rest` \[m\], smoothed over `soft` \[m\] where it goes slack.
#[derive(Debug)]
struct RubberBand {
    rest: f64,
    soft: f64,
}

impl Element for RubberBand {
    fn rows(&self) -> usize {
        1
    }

    fn strain(&self, a: &Pose, b: &Pose) -> Vec6 {
        let stretch = (a.position - b.position).norm() - self.rest;
        // a hyperbola: 0 when slack, the stretch when taut, no kink between
        let taut = 0.5 * (stretch + (stretch * stretch + self.soft * self.soft).sqrt());
        let mut g = Vec6::zeros();
        g[0] = taut;
        g
    }
}

fn build() -> Result<World, BuildErrors> {
    let mut model = Model::builder();
    model.gravity([0.0, 0.0, -9.81]);
    let ball = model.body(Body::sphere("ball", 0.02).mass(0.1).velocity([0.5, 0.0, 0.0]));
    let band = Arc::new(RubberBand { rest: 0.3, soft: 0.005 });
    let hook = Anchor::world([0.0, 0.0, 0.0]);
    model.spring(Spring::custom(band, ball.at([0.0, 0.0, 0.02]), hook).stiffness(80.0));
    Ok(World::new(model.build()?))
}

fn main() -> Result<(), BuildErrors> {
    let mut world = build()?;
    let ball = world.body_named("ball").expect("it was just added");
    let start = world.energy().total();
    let mut lowest: f64 = 0.0;
    for _ in 0..5000 {
        assert!(world.step(2e-3, &Inputs::none()).status.is_taken());
        lowest = lowest.min(world.pose(ball).position.z);
    }
    let now = world.energy();
    println!("lowest point {lowest:.3} m, energy {:.9} J from {start:.9} J", now.total());
    print!("{}", world.audit());
    assert!(lowest < -0.3 && (now.total() - start).abs() < 1e-10 && world.audit().is_clean());
    Ok(())
}
