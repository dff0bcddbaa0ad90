//! Any number whatever: an answer or a named error, never a panic.

use nalgebra::{DMatrix, DVector};
use palpable_passivity::*;
use proptest::prelude::*;

fn wild() -> impl Strategy<Value = f64> {
    prop_oneof![
        4 => -1e4..1e4f64,
        2 => prop::num::f64::ANY,
        1 => Just(0.0),
        1 => 1e-300..1e-290f64,
        1 => 1e290..1e300f64,
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn transfer_functions_never_panic(
        num in prop::collection::vec(wild(), 0..6),
        den in prop::collection::vec(wild(), 0..6),
        step in wild(),
        fraction in wild(),
        late in 0u32..5,
    ) {
        let Ok(sampling) = Sampling::new(step) else { return Ok(()) };
        let sampling = sampling.with_delay(late, fraction).unwrap_or(sampling);
        if let Ok(tf) = PulseTf::new(&num, &den) {
            let _ = required_damping(&tf, &sampling);
            let _ = damping_supremum(&tf, &sampling);
            let _ = coupling_damping(&tf, step);
            let _ = damping_at(&tf, &sampling, fraction);
            let _ = Hold::First.required_damping(&tf, &sampling);
        }
    }

    #[test]
    fn devices_never_panic(
        numbers in prop::collection::vec(wild(), 10),
        integrator in 0usize..5,
    ) {
        let n = &numbers;
        let device = Device {
            coulomb_friction: n[3],
            encoder_step: n[4],
            delay: n[5],
            max_stiffness: Some(n[6]),
            ..Device::new("wild", n[0], n[1], n[2])
        };
        let options = TuneOptions {
            beta: n[7],
            share: n[8],
            integrator: Integrator::ALL[integrator],
            wanted_mass: Some(n[9]),
        };
        let _ = device.stiffness_ceiling();
        let _ = tune(&device, &options);
        let _ = explain(&device, &Rendering::Wall(Wall::backward_difference(n[7], n[8])));
    }

    #[test]
    fn closed_forms_never_panic(n in prop::collection::vec(wild(), 6), i in 0usize..5) {
        let integrator = Integrator::ALL[i];
        let _ = unity_alpha(integrator, n[0]);
        let _ = level(integrator, n[0], n[1]);
        let _ = alpha_at_level(integrator, n[0], n[1]);
        let _ = minimum_mass(integrator, n[0], n[1], n[2], n[3]);
        let _ = llewellyn_damping(n[0], n[1], n[2]);
        let _ = max_stiffness_quantised(n[0], n[1], n[2], n[3]);
        let _ = variable_rate_damping(n[0], n[1], &n[2..]);
        let _ = backward_coupling_damping(n[0], n[1], n[2]);
        if let Ok(coupling) = MidpointCoupling::new(n[0], n[1], n[2]) {
            let _ = coupling.required_virtual_damping(n[3], n[4]);
            let _ = coupling.max_stiffness(n[3], n[4]);
        }
        if let Ok(sampling) = Sampling::new(n[5]) {
            let arm = Arm { mass: n[2], damping: n[3], stiffness: n[4] };
            let _ = critical_stiffness(n[0], n[1], arm, n[2], &sampling);
        }
        let d = DMatrix::from_row_slice(2, 2, &[n[0], n[1], n[1], n[2]]);
        let _ = max_contact_stiffness(&d, &DVector::from_column_slice(&n[3..5]), n[5]);
        let _ = matrix_verdict(&d, |_| DMatrix::from_element(2, 2, C64::new(n[3], n[4])), n[5]);
    }

    #[test]
    fn operators_never_panic(n in prop::collection::vec(wild(), 6)) {
        let Ok(sampling) = Sampling::new(n[0].abs().clamp(1e-5, 1.0)) else { return Ok(()) };
        let Ok(tf) = Wall::backward_difference(n[1].abs(), n[2]).transfer_function(&sampling) else {
            return Ok(());
        };
        let _ = verify(&tf, n[3], &sampling, 0.05);
        let _ = worst_operator(&tf, n[3].abs(), n[4].abs(), &sampling, n[5]);
    }

    #[test]
    fn quantities_never_panic(text in ".{0,12}") {
        let _ = parse_quantity(&text, Quantity::Stiffness);
    }
}
