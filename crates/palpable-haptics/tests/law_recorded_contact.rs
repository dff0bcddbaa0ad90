//! Contacts reach the recording of a run.

mod common;

use common::capabilities;
use palpable::{Body, Material, Model, Port, Vec6, World};
use palpable_haptics::record::Setup;
use palpable_haptics::rt::{Mapping, VirtualClock};
use palpable_haptics::{
    Arm, Axes, Direct, Hand, Limits, Pace, Recorder, Safety, Script, Servo, SimulatedDevice, Tick,
};
use palpable_record::{McapSink, read_mcap};

#[test]
fn the_strongest_contacts_of_every_tick_are_recorded() {
    let mut model = Model::builder();
    let rough = Material::new(0.4, 0.0);
    model.gravity([0.0, 0.0, -9.81]).contacts(0);
    model.body(Body::half_space("floor").material(rough));
    let block = Body::cuboid("block", [0.1, 0.1, 0.05]).mass(0.5).position([1.0, 0.0, 0.05]);
    model.body(block.material(rough));
    let tool = model.body(Body::sphere("tool", 0.01).mass(0.05).position([0.0, 0.0, 0.5]));
    let stiffness = Vec6::new(300.0, 300.0, 300.0, 0.0, 0.0, 0.0);
    let port = model.port(Port::reference("hand", tool.origin(), stiffness, stiffness * 5e-4));
    let world = World::new(model.build().unwrap());
    let offset = palpable::Vec3::new(0.0, 0.0, 0.5);
    let direct = Direct::new(world, port, Mapping { offset, ..Mapping::default() });
    let wide = capabilities(Axes::THREE, 0.1, 2.0);
    let safety = Safety::new(Limits::for_device(&wide)).unwrap();
    let hand = Hand::Arm(Arm::relaxed(Script::still([0.0; 6])));
    let mut device = SimulatedDevice::new(wide, hand).unwrap();
    let (servo, mut handle) = Servo::new(direct, safety, VirtualClock::new());
    let mut servo = servo.recording();
    let path = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("contact.mcap");
    let setup = Setup { period: 1e-3, stiffness: 300.0, damping: 2.0, impulses: None };
    let mut recorder = Recorder::new(McapSink::create(&path).unwrap(), setup).unwrap();
    for _ in 0..500 {
        servo.wait(Pace::Ours);
        servo.tick(&mut device);
        handle.rows().for_each(|row| recorder.write(&row).unwrap());
    }
    recorder.finish().unwrap();
    let table = read_mcap(&path).unwrap();
    let last = |name: &str| table.column(name).unwrap()[499];
    // four corners carry the block; forces are good to 1e-9 m/s, which is 1e-6 N at 1 kHz
    assert_eq!(last("contacts.count"), 4.0);
    let sum: f64 = (0..4).map(|k| last(&format!("contact{k}.fz"))).sum();
    assert!((sum.abs() - 0.5 * 9.81).abs() < 1e-5, "{sum}");
    let order: Vec<f64> = (0..4).map(|k| last(&format!("contact{k}.fz")).abs()).collect();
    assert!(order.windows(2).all(|w| w[0] >= w[1] - 1e-9), "{order:?}");
    assert!((last("contact0.x") - 1.0).abs() < 0.11 && last("contact0.a") == 0.0);
    assert!(last("contacts.depth") < 1e-6);
}
