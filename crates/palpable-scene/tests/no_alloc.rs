//! Filling in the inputs of a step allocates nothing: scripts run inside the servo loop.

use palpable_count::{Counting, allocations};
use palpable_scene::Scene;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn scripts_and_steps_do_not_allocate() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes");
    for name in ["demo.toml", "csv-port.toml", "reference-port.toml", "oscillator-random-step.toml"]
    {
        let scene = Scene::load(folder.join(name)).unwrap_or_else(|e| panic!("{e}"));
        let mut built = scene.build().unwrap_or_else(|e| panic!("{e}"));
        let mut inputs = built.world().inputs();
        let count = allocations(|| {
            let mut time = 0.0;
            for _ in 0..1000 {
                built.script.inputs(time, &mut inputs);
                time += built.steps.next_length();
            }
        });
        assert_eq!(count, 0, "{name}");
    }
}
