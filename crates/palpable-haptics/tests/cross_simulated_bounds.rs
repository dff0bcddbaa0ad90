//! Simulated device, engine and analysis agree on what is stable: the hybrid coupling with its
//! worst passive operator, and the sampled spring on a stepped encoder.

mod common;

use common::{Open, capabilities};
use palpable::coupling::{CouplingSettings, Handle, VirtualCoupling};
use palpable::{Body, Model, Port, Vec6, World};
use palpable_haptics::{Axes, Device, Hand, SimulatedDevice, Wrench};
use palpable_passivity::{MidpointCoupling, QuantisedLoop, Sampling, verify};

const T: f64 = 1e-3;
const K: f64 = 7500.0;
const SAMPLES: usize = 150_000;

/// How a run ended.
#[derive(Debug, PartialEq)]
enum Verdict {
    Grew,
    Decayed,
    Undecided([f64; 2]),
}

/// Device, network and engine in lock-step until energy has grown a millionfold or is gone.
fn run(damping: f64, gamma: f64, b_r: f64, network: &palpable_passivity::Network) -> Verdict {
    let mut model = Model::ghosts();
    let ball = model.body(Body::sphere("proxy", 0.01).mass(1e-3));
    let settings = CouplingSettings { gamma, damping: Some(b_r), ..CouplingSettings::point(K, T) };
    let mut coupling = VirtualCoupling::new(settings).unwrap();
    let (spring, damper) = (coupling.stiffness(), coupling.damping());
    let port = model.port(Port::reference("hand", ball.origin(), spring, damper));
    let mut world = World::new(model.build().unwrap());
    let mut inputs = world.inputs();

    let c = capabilities(Axes::ONE, 0.01, damping);
    let mut open = Open::new(&c);
    let mut device = SimulatedDevice::new(c, Hand::Network(network.clone()))
        .unwrap()
        .starting_at(Vec6::zeros(), Vec6::x() * 1e-3);
    let start = device.energy();
    let mut peaks = [0.0f64; 2];
    for k in 0..SAMPLES {
        let y = device.read().unwrap().position;
        inputs.set(port, coupling.sample(&Handle::at(y)));
        assert!(world.step(T, &inputs).status.is_taken());
        let force = coupling.force(&world.port(port), T).force;
        device.write(&open.pass(Wrench::force(force))).unwrap();
        let energy = device.energy();
        match energy / start {
            ratio if ratio > 1e6 => return Verdict::Grew,
            ratio if ratio < 1e-9 => return Verdict::Decayed,
            _ => peaks[k * 2 / SAMPLES] = peaks[k * 2 / SAMPLES].max(energy),
        }
    }
    // transients decay first: the halves of the run tell the slow motion that is left
    match peaks[1] / peaks[0] {
        ratio if ratio > 1.2 => Verdict::Grew,
        ratio if ratio < 0.8 => Verdict::Decayed,
        _ => Verdict::Undecided(peaks),
    }
}

#[test]
fn five_per_cent_of_damping_decide_between_growth_and_decay() {
    let sampling = Sampling::new(T).unwrap();
    for b_r in [0.5, 1.0, 3.75, 7.5, 20.0] {
        for gamma in [0.0, 1.0] {
            let coupling = MidpointCoupling::new(K, b_r, gamma).unwrap();
            let bound = coupling.required_damping(T);
            let tf = coupling.with_mass(1e-3, &sampling).unwrap();
            let check = verify(&tf, 0.01, &sampling, 0.05).unwrap();
            // a free mass attains the bound of any passive world
            assert!((check.damping / bound - 1.0).abs() < 1e-6, "{b_r} {gamma}: {check:?}");
            let below = run(0.95 * bound, gamma, b_r, &check.network);
            let above = run(1.05 * bound, gamma, b_r, &check.network);
            assert_eq!(below, Verdict::Grew, "B_r {b_r} γ {gamma}, 5 % below {bound}");
            assert_eq!(above, Verdict::Decayed, "B_r {b_r} γ {gamma}, 5 % above {bound}");
        }
    }
}

#[test]
fn a_stepped_encoder_sticks_cycles_or_grows_as_the_analysis_says() {
    use palpable_passivity::Ending;
    let (stiffness, step) = (1000.0, 3e-5);
    for (b_share, f_share) in [(0.8, 1.2), (1.2, 0.2), (1.2, 1.05)] {
        let damping = b_share * 0.5 * stiffness * T;
        let friction = f_share * 0.5 * stiffness * step;
        let analysis = QuantisedLoop {
            mass: 0.05,
            damping,
            coulomb_friction: friction,
            stiffness,
            encoder_step: step,
            time_step: T,
        };
        for start in [1.4, 400.0] {
            let mut c = capabilities(Axes::ONE, 0.05, damping);
            c.coulomb_friction = Some(friction);
            c.encoder_step = Some(step);
            let mut open = Open::new(&c);
            let mut device = SimulatedDevice::new(c, Hand::Free)
                .unwrap()
                .starting_at(Vec6::x() * start * step, Vec6::zeros());
            let (mut early, mut late) = ([f64::MAX, f64::MIN], [f64::MAX, f64::MIN]);
            for k in 0..20_000 {
                let y = device.read().unwrap().position.x;
                // the constant push sits midway between two codes
                let force = [stiffness * (0.5 * step - y), 0.0, 0.0];
                device.write(&open.pass(Wrench::force(force))).unwrap();
                let x = device.position()[0];
                let range = if k < 10_000 { &mut early } else { &mut late };
                *range = [range[0].min(x), range[1].max(x)];
            }
            let (first, last) = (early[1] - early[0], late[1] - late[0]);
            let ending = analysis.run(start * step, 20.0).unwrap();
            let same = match ending {
                Ending::Stuck => last == 0.0,
                Ending::LimitCycle(size) => (last / size - 1.0).abs() < 0.05,
                Ending::Grows(_) => last > 2.0 * first,
                Ending::Decays(_) => last < first && last > 0.0,
            };
            assert!(same, "b {b_share} f {f_share} from {start}: {ending:?}, {first} {last}");
        }
    }
}
