//! `peers ENGINE WORLD BOXES WARM STEPS`: takes `WARM` steps, then `STEPS` steps with callgrind
//! counting, and prints how still the boxes are.

mod layout;
mod ours;
mod rapier;

use layout::layout;
use std::time::Duration;

unsafe extern "C" {
    fn peers_count_on();
    fn peers_count_off();
    fn peers_thread_ns() -> u64;
}

/// What a run ends with.
pub struct End {
    /// Furthest that a box has moved \[m\].
    pub moved: f64,
    /// Fastest box \[m/s\].
    pub speed: f64,
    /// Residual that the engine reports \[m/s\], if it does.
    pub residual: Option<f64>,
    /// Sweeps of all steps, and of the one that took most.
    pub sweeps: [usize; 2],
}

/// An engine with a world in it.
pub trait Engine {
    fn step(&mut self);
    /// Forgets the sweeps taken so far.
    fn count_from_here(&mut self) {}
    fn end(&self) -> End;
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [engine, world, boxes, warm, steps] = words.as_slice() else {
        eprintln!("usage: peers palpable|rapier pyramid|wall|tower BOXES WARM STEPS");
        std::process::exit(2);
    };
    let number = |text: &String| text.parse::<usize>().expect("a number");
    let layout = layout(world, number(boxes));
    let mut engine: Box<dyn Engine> = match engine.as_str() {
        "rapier" => Box::new(rapier::Rapier::new(&layout)),
        _ => Box::new(ours::Ours::new(&layout)),
    };
    for _ in 0..number(warm) {
        engine.step();
    }
    engine.count_from_here();
    let mut times = Vec::with_capacity(number(steps));
    // SAFETY: the two calls take nothing and only talk to valgrind
    unsafe { peers_count_on() };
    for _ in 0..number(steps) {
        // SAFETY: reads a clock
        let before = unsafe { peers_thread_ns() };
        engine.step();
        // SAFETY: reads a clock
        times.push(Duration::from_nanos(unsafe { peers_thread_ns() } - before));
    }
    // SAFETY: as above
    unsafe { peers_count_off() };
    times.sort();
    let at = |part: f64| times[((times.len() - 1) as f64 * part) as usize].as_secs_f64() * 1e6;
    let End { moved, speed, residual, sweeps: [all, most] } = engine.end();
    let residual = residual.map_or("-".to_owned(), |r| format!("{r:.1e}"));
    println!(
        "moved={moved:.1e} speed={speed:.1e} residual={residual} us={:.1} p999={:.1} p9999={:.1} \
         max={:.1} sweeps={all} most={most}",
        at(0.5),
        at(0.999),
        at(0.9999),
        at(1.0)
    );
}
