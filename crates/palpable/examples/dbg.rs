use palpable::*;
fn main() {
    let axis = Vec3::new(1.0, 2.0, 1.0);
    let run = |h: f64, tol: f64, end: f64| {
        let mut model = Model::builder();
        let rotation = Rotation::from_scaled_axis(axis.normalize() * std::f64::consts::FRAC_PI_2);
        let id = model.body(
            Body::new("body")
                .principal_inertia(1.0, [5e-4, 1e-3, 1.4e-3])
                .rotation(rotation)
                .angular_velocity([20.0, -10.0, 5.0]),
        );
        let _s =
            model.spring(Spring::rotation(id.origin(), Anchor::world([0.0; 3])).stiffness(1.0));
        let mut w = World::with_options(
            model.build().unwrap(),
            Options { resolve_tolerance: tol, substep_tolerance: 1e9, ..Default::default() },
        );
        let mut res = 0;
        let mut gb = 0.0f64;
        for _ in 0..(end / h).round() as u32 {
            let r = w.step(h, &Inputs::none());
            res += r.resolves;
            gb = gb.max(r.gap_before);
        }
        (w.angular_velocity(id), res, gb, w.energy())
    };
    for end in [0.2] {
        let r = run(1e-6, 1e-7, end).0;
        for tol in [0.0, 1e-7, 1e9] {
            for h in [4e-3, 2e-3, 1e-3, 5e-4, 2.5e-4, 1.25e-4] {
                let (w, res, gb, e) = run(h, tol, end);
                println!(
                    "{end} tol {tol} h {h} err {:.3e} res {res} gap {gb:.1e} tank {:.1e}",
                    (w - r).norm(),
                    e.tank
                );
            }
        }
    }
}
