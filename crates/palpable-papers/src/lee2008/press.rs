//! A hand presses a light virtual mass against a wall, over a link of varying rate.

use crate::PaperError;
use crate::one_dof::{StepReport, Wall, WallBench};
use palpable::coupling::{DeviceSide, Handle, PspmSettings, WorldSide};
use palpable::{PortInput, PortOutput, Vec3};
use palpable_random::Random;

/// Numbers of the experiment, and of the hand and device that the paper does not give.
#[derive(Debug, Clone, Copy)]
pub(super) struct Press {
    /// Virtual mass \[kg\].
    pub mass: f64,
    /// Wall \[N/m\], \[N·s/m\].
    pub wall: (f64, f64),
    /// Device's side: `k1`, `b1`.
    pub device: (f64, f64),
    /// World's side: `k_c`, `b_c`.
    pub coupling: (f64, f64),
    /// Device and hand together \[kg\].
    pub handle_mass: f64,
    /// Hand: damping and stiffness towards where it wants to be.
    pub hand: (f64, f64),
    /// Energy in the device's and the world's reservoir at the start \[J\].
    pub grant: [f64; 2],
    /// Duration \[s\].
    pub duration: f64,
}

/// What is seen at every step of the world.
#[derive(Debug, Clone, Default)]
pub(super) struct Trace {
    pub time: Vec<f64>,
    pub step: Vec<f64>,
    pub handle: Vec<f64>,
    pub mass: Vec<f64>,
    /// Force of the coupling on the virtual mass \[N\].
    pub virtual_force: Vec<f64>,
    /// Force on the hand \[N\].
    pub hand_force: Vec<f64>,
    pub reservoir_device: Vec<f64>,
    pub reservoir_world: Vec<f64>,
    /// Energy that the device's controller gave the hand, less what it got from packets \[J\].
    pub extracted: Vec<f64>,
    /// Energy that the virtual world got at its port, less what it got from packets \[J\].
    pub inserted: Vec<f64>,
    pub defect: Vec<f64>,
}

/// Where the hand wants to be \[m\]: three presses, the last one held.
fn wish(t: f64) -> f64 {
    let ease = |from: f64, to: f64| {
        let s = ((t - from) / (to - from)).clamp(0.0, 1.0);
        s * s * (3.0 - 2.0 * s)
    };
    let press = |up: f64, down: f64| ease(up, up + 0.6) - ease(down, down + 0.6);
    -0.03 + 0.06 * (press(0.5, 2.0) + press(3.0, 4.0) + press(5.0, 9.5))
}

/// Update intervals \[s\]: 2 ms for 80 % of the time, random in 2 to 5 ms for the rest. An interval
/// of the second kind lasts 1.75 times as long on average, so fewer of them are drawn.
fn interval(dice: &mut Random) -> f64 {
    let often = 0.2 / 3.5e-3 / (0.2 / 3.5e-3 + 0.8 / 2e-3);
    if dice.unit() < often { 2e-3 + 3e-3 * dice.unit() } else { 2e-3 }
}

/// Handle and hand, continuous: position, velocity, work of the controller on the handle.
#[derive(Debug, Clone, Copy)]
struct Handheld {
    q: f64,
    v: f64,
    given: f64,
}

impl Press {
    /// Runs the experiment.
    pub(super) fn run(&self, seed: u64) -> Result<Trace, PaperError> {
        let side = |(k, b), grant: f64| PspmSettings {
            grant,
            ceiling: 2.0 * grant,
            continuous: true,
            ..PspmSettings::point(k, b)
        };
        let mut device = DeviceSide::new(side(self.device, self.grant[0]))?;
        let mut world = WorldSide::new(side(self.coupling, self.grant[1]))?;
        let wall = Wall { position: 0.0, stiffness: self.wall.0, damping: self.wall.1 };
        let mut bench = WallBench::new(self.mass, 0.0, wall)?.starting_at(wish(0.0), 0.0)?;
        world.after_step(&self.port(wish(0.0), 0.0, wish(0.0), 0.0), 1e-3);
        let mut handle = Handheld { q: wish(0.0), v: 0.0, given: 0.0 };
        let (mut ours, mut theirs) = (Random(seed), Random(seed + 1));
        let (mut now, mut next, mut sampled) = (0.0, 1e-3, 0.0);
        let (mut reference, mut trace) = (wish(0.0), Trace::default());
        let (mut set, mut got) = (wish(0.0), [0.0; 2]);
        while now < self.duration {
            let h = interval(&mut ours);
            let work = self.move_reference(&mut world, &bench, &mut reference);
            let (report, force) = self.world_step(&mut bench, reference, h);
            let x = bench.state().position;
            world.after_step(&self.port(x, report.v_mid, reference, work), h);
            if let Some(packet) = world.send() {
                got[0] += packet.energy;
                device.receive(&packet);
            }
            let until = now + h;
            // the device samples, reads what came and answers at its own times
            while next < until {
                self.glide(&mut handle, set, now, next);
                now = next;
                device.sample(&Handle::at([handle.q, 0.0, 0.0]), next - sampled);
                set = device.set_position().map_or(set, |set| set.position.x);
                sampled = now;
                next = now + interval(&mut theirs);
                if let Some(packet) = device.send() {
                    got[1] += packet.energy;
                    world.receive(&packet);
                }
            }
            self.glide(&mut handle, set, now, until);
            now = until;
            trace.note(now, h, &handle, x, force);
            trace.hand_force.push(self.pull(&handle, set));
            trace.reservoir_device.push(device.reserve());
            trace.reservoir_world.push(world.reserve());
            trace.extracted.push(handle.given - got[0]);
            trace.inserted.push(world.to_world() - got[1]);
            trace.defect.push(report.energy.defect.abs() / report.energy.in_play.max(1e-12));
        }
        Ok(trace)
    }

    /// Moves the reference as far as is paid; returns the price \[J\].
    fn move_reference(&self, world: &mut WorldSide, bench: &WallBench, reference: &mut f64) -> f64 {
        let x = bench.state().position;
        let stored = |y: f64| 0.5 * self.coupling.0 * (x - y) * (x - y);
        let before = stored(*reference);
        if let PortInput::Reference { position, .. } = world.reference() {
            *reference = position.x;
        }
        stored(*reference) - before
    }

    /// What a port of the virtual mass would show.
    fn port(&self, x: f64, v_mid: f64, reference: f64, work: f64) -> PortOutput {
        PortOutput {
            position: Vec3::new(x, 0.0, 0.0),
            velocity: Vec3::new(v_mid, 0.0, 0.0),
            force: Vec3::new(self.coupling.0 * (x - reference), 0.0, 0.0),
            work,
            ..Default::default()
        }
    }

    /// One step with `τ = −b_c v_mid − k_c (x_mid − q̄)`          `[Lee2008, (19)-(20)]`.
    ///
    /// The bench takes a held force; the one that agrees with the motion it causes is found by
    /// bisection, as the mean velocity grows with the force.
    fn world_step(&self, bench: &mut WallBench, reference: f64, h: f64) -> (StepReport, f64) {
        let x = bench.state().position;
        let (k, b) = self.coupling;
        let force = |v: f64| -b * v - k * (x + 0.5 * h * v - reference);
        let reach =
            4.0 * (k * (x - reference)).abs() + 4.0 * b * bench.state().velocity.abs() + 1.0;
        let (mut low, mut high) = (-reach, reach);
        for _ in 0..100 {
            let middle = 0.5 * (low + high);
            let v = bench.clone().step(h, middle).v_mid;
            if middle < force(v) { low = middle } else { high = middle }
        }
        let held = 0.5 * (low + high);
        (bench.step(h, held), held)
    }

    /// Force of the controller on the hand, `−k1 (q − x̄)` \[N\].
    fn pull(&self, at: &Handheld, set: f64) -> f64 {
        -self.device.0 * (at.q - set)
    }

    /// Handle and hand from `from` to `until` \[s\], Runge-Kutta in steps of 0.1 ms at most.
    fn glide(&self, at: &mut Handheld, set: f64, from: f64, until: f64) {
        let count = ((until - from) / 1e-4).ceil().max(1.0);
        let h = (until - from) / count;
        let rate = |s: [f64; 3], t: f64| {
            let control = -self.device.1 * s[1] - self.device.0 * (s[0] - set);
            let hand = self.hand.1 * (wish(t) - s[0]) - self.hand.0 * s[1];
            [s[1], (control + hand) / self.handle_mass, control * s[1]]
        };
        let mut s = [at.q, at.v, at.given];
        for i in 0..count as u32 {
            let t = from + h * f64::from(i);
            let go = |r: [f64; 3], f: f64| [0, 1, 2].map(|j| s[j] + f * r[j]);
            let k1 = rate(s, t);
            let k2 = rate(go(k1, 0.5 * h), t + 0.5 * h);
            let k3 = rate(go(k2, 0.5 * h), t + 0.5 * h);
            let k4 = rate(go(k3, h), t + h);
            s = [0, 1, 2].map(|j| s[j] + h / 6.0 * (k1[j] + 2.0 * (k2[j] + k3[j]) + k4[j]));
        }
        *at = Handheld { q: s[0], v: s[1], given: s[2] };
    }

    /// Largest |x| \[m\] of the same mass by explicit Euler, coupling and wall at the start of each
    /// step, the handle standing where the last press ends.
    pub(super) fn explicit(&self, steps: u32) -> f64 {
        let (h, q) = (2e-3, 0.01);
        let (mut x, mut v, mut largest) = (0.0, 0.0, 0.0_f64);
        for _ in 0..steps {
            let wall = if x > 0.0 { -self.wall.0 * x - self.wall.1 * v } else { 0.0 };
            let pull = -self.coupling.1 * v - self.coupling.0 * (x - q);
            (x, v) = (x + h * v, v + h * (wall + pull) / self.mass);
            largest = largest.max(x.abs());
        }
        largest
    }
}

impl Trace {
    fn note(&mut self, time: f64, step: f64, handle: &Handheld, mass: f64, force: f64) {
        self.time.push(time);
        self.step.push(step);
        self.handle.push(handle.q);
        self.mass.push(mass);
        self.virtual_force.push(force);
    }

    /// Values of a column between two times \[s\].
    pub(super) fn between<'a>(
        &'a self,
        column: &'a [f64],
        from: f64,
        to: f64,
    ) -> impl Iterator<Item = f64> + 'a {
        self.time
            .iter()
            .zip(column)
            .filter(move |(t, _)| (from..to).contains(*t))
            .map(|(_, value)| *value)
    }
}
