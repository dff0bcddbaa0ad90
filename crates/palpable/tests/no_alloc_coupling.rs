//! Updates of couplings must not touch the allocator: a counting allocator watches them.

use palpable::PortOutput;
use palpable::coupling::*;
use palpable_count::{Counting, allocations};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn no_coupling_allocates_in_its_updates() {
    assert!(allocations(|| drop(std::hint::black_box(vec![1, 2, 3]))) >= 1, "the counter counts");
    let guard = Some(Guard { device_damping: 0.5, ..Guard::default() });
    let settings = CouplingSettings { guard, ..CouplingSettings::pose(1000.0, 1.0, 1e-3) };
    let mut whole = VirtualCoupling::new(settings).unwrap();
    let mut one = Unilateral::new(settings).unwrap();
    let mut four = FourChannel::new(settings).unwrap();
    let pspm = PspmSettings::point(1000.0, 0.5);
    let mut device = DeviceSide::new(pspm).unwrap();
    let mut virtual_side = WorldSide::new(pspm).unwrap();
    let mut pad = Cutaneous::new(0.01).unwrap();
    let mut map = Workspace::new(2.0, 1.0).unwrap();
    let port = PortOutput::default();
    let zero = palpable::Vec3::zeros();
    for i in 0..100 {
        // now and then a sample that is not finite
        let x = if i % 10 == 9 { f64::NAN } else { f64::from(i) * 1e-3 };
        let count = allocations(|| {
            let hand = map.map(&Handle::at([x, 0.0, 0.0]), i % 3 == 0, 1e-3);
            let hand = hand.map_or(Handle::at([x, 0.0, 0.0]), |m| m.handle);
            let _ = (whole.sample(&hand), whole.force(&port, 1e-3));
            let _ = (one.sample(&hand), one.force(&port, i % 2 == 0, 1e-3));
            let _ = (four.sample(&hand, &zero), four.force([&port, &port], &zero, 1e-3));
            if let Some(packet) = virtual_side.send() {
                device.receive(&packet);
            }
            let _ = device.sample(&hand, 1e-3);
            if let Some(packet) = device.send() {
                virtual_side.receive(&packet);
            }
            let _ = virtual_side.reference();
            virtual_side.after_step(&port, 1e-3);
            let _ = pad.update(&zero, &hand.rotation, 1e-3);
        });
        assert_eq!(count, 0);
    }
}
