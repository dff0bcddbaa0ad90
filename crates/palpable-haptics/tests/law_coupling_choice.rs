//! A chosen coupling is passive on its device, as stiff as it may be, and says what it changed.

use palpable::coupling::{Freedom, VirtualCoupling};
use palpable_haptics::coupling_choice::{ChoiceError, CouplingWish, Outside, choose_coupling};
use palpable_haptics::{Axes, Capabilities};

fn device(damping: f64) -> Capabilities {
    let known = Capabilities::new("device", Axes::THREE, 1000.0);
    Capabilities { damping: Some(damping), mass: Some(0.1), ..known }
}

#[test]
fn the_largest_stiffness_is_the_closed_form_and_the_choice_is_within_it() {
    for (b, rate) in [(0.5, 1000.0), (2.0, 1000.0), (2.0, 4000.0)] {
        let chosen = choose_coupling(&device(b), rate, &CouplingWish::default()).unwrap();
        // b = KT/2
        assert!((chosen.max_stiffness / (2.0 * b * rate) - 1.0).abs() < 1e-9);
        assert!((chosen.settings.stiffness / (1.8 * b * rate) - 1.0).abs() < 1e-9);
        assert!((chosen.margin - 1.0 / 0.9).abs() < 1e-9, "{}", chosen.margin);
        assert!(chosen.messages.is_empty(), "{:?}", chosen.messages);
        // engine and analysis ask the same
        let coupling = VirtualCoupling::new(chosen.settings).unwrap();
        assert!((coupling.required_damping() / chosen.required_damping - 1.0).abs() < 1e-9);
        assert_eq!(chosen.settings.guard.unwrap().device_damping, b);
    }
    // as published, γ = 0: b = KT/2 + (KT/2)²/(KT/2) = KT
    let wish = CouplingWish { gamma: 0.0, ..CouplingWish::default() };
    let chosen = choose_coupling(&device(2.0), 1000.0, &wish).unwrap();
    assert!((chosen.max_stiffness / 2000.0 - 1.0).abs() < 1e-9);
}

#[test]
fn delay_costs_stiffness() {
    let at = |delay: f64| {
        let late = Capabilities { delay: Some(delay), ..device(2.0) };
        choose_coupling(&late, 1000.0, &CouplingWish::default()).unwrap()
    };
    let (none, half, whole) = (at(0.0), at(0.5e-3), at(1e-3));
    assert!(none.max_stiffness > half.max_stiffness && half.max_stiffness > whole.max_stiffness);
    for chosen in [none, half, whole] {
        assert!(chosen.margin > 1.0, "{}", chosen.margin);
    }
}

#[test]
fn a_wish_outside_is_reduced_with_a_message_or_refused_with_the_cure() {
    let wish = CouplingWish { stiffness: Some(5000.0), ..CouplingWish::default() };
    let chosen = choose_coupling(&device(1.0), 1000.0, &wish).unwrap();
    assert!((chosen.settings.stiffness / 2000.0 - 1.0).abs() < 1e-9 && chosen.margin >= 1.0);
    assert!(chosen.messages[0].contains("reduced to 2000 N/m"), "{:?}", chosen.messages);
    let strict = CouplingWish { outside: Outside::Refuse, ..wish };
    let error = choose_coupling(&device(1.0), 1000.0, &strict).unwrap_err();
    let text = error.to_string();
    assert!(text.contains("asks for 2.5") && text.contains("2000 N/m are passive"), "{text}");
    // inside it stays as wished
    let soft = CouplingWish { stiffness: Some(700.0), ..strict };
    assert_eq!(choose_coupling(&device(1.0), 1000.0, &soft).unwrap().settings.stiffness, 700.0);
}

#[test]
fn encoder_maker_and_turning_limits_count() {
    let stepped =
        Capabilities { encoder_step: Some(3e-5), coulomb_friction: Some(0.01), ..device(2.0) };
    let chosen = choose_coupling(&stepped, 1000.0, &CouplingWish::default()).unwrap();
    // K <= 2 f_c/Δ
    assert!((chosen.max_stiffness / (2.0 * 0.01 / 3e-5) - 1.0).abs() < 1e-9);
    assert!(chosen.messages[0].contains("encoder"));
    let maker = Capabilities { max_stiffness: Some(300.0), ..device(2.0) };
    let chosen = choose_coupling(&maker, 1000.0, &CouplingWish::default()).unwrap();
    assert_eq!(chosen.max_stiffness, 300.0);
    let six = Capabilities { actuated: Axes::SIX, rotational_damping: Some(1e-4), ..device(1.0) };
    let wish = CouplingWish { turning: 1e-2, ..CouplingWish::default() };
    let chosen = choose_coupling(&six, 1000.0, &wish).unwrap();
    let coupling = VirtualCoupling::new(chosen.settings).unwrap();
    assert_eq!(chosen.settings.freedom, Freedom::Pose);
    assert!(coupling.required_turning_damping() <= 1e-4 * (1.0 + 1e-12));
    assert!(chosen.messages[0].contains("N·m/rad"), "{:?}", chosen.messages);
    let one = Capabilities { actuated: Axes::ONE, ..device(1.0) };
    let chosen = choose_coupling(&one, 1000.0, &CouplingWish::default()).unwrap();
    assert!(matches!(chosen.settings.freedom, Freedom::Line(_)));
}

#[test]
fn what_is_not_known_or_senseless_is_named() {
    let unknown = Capabilities::new("stick", Axes::ONE, 500.0);
    let error = choose_coupling(&unknown, 500.0, &CouplingWish::default()).unwrap_err();
    assert!(matches!(error, ChoiceError::Unknown { .. }) && error.to_string().contains("damping"));
    let nan = CouplingWish { stiffness: Some(f64::NAN), ..CouplingWish::default() };
    assert!(choose_coupling(&device(1.0), 1000.0, &nan).is_err());
    assert!(choose_coupling(&device(1.0), 0.0, &CouplingWish::default()).is_err());
    let gamma = CouplingWish { gamma: 2.0, ..CouplingWish::default() };
    assert!(choose_coupling(&device(1.0), 1000.0, &gamma).is_err());
}
