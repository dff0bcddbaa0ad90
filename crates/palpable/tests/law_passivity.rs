//! The promise: for any masses, stiffnesses, steps and inputs, a world never creates energy.

mod common;

use common::{Elements, Random, long, random_inputs, random_world_of};
use palpable::{Options, Status};

/// Relative defects of all steps and what else there is to report.
#[derive(Default)]
struct Findings {
    defects: Vec<f64>,
    fallbacks: u64,
    substeps: u64,
    resolves: u64,
    worst_closure: f64,
    worst_excess: f64,
}

impl Findings {
    fn merge(&mut self, other: Findings) {
        self.defects.extend(other.defects);
        self.fallbacks += other.fallbacks;
        self.substeps += other.substeps;
        self.resolves += other.resolves;
        self.worst_closure = self.worst_closure.max(other.worst_closure);
        self.worst_excess = self.worst_excess.max(other.worst_excess);
    }
}

fn explore(seed: u64, steps: u32, elements: Elements, worst_defect: f64, findings: &mut Findings) {
    let mut r = Random(seed);
    let (mut world, ports) = random_world_of(&mut r, 1.0, elements, Options::default());
    let mut inputs = world.inputs();
    let initial = world.energy().total();
    let (mut supplied, mut in_play) = (0.0f64, 0.0f64);
    for step in 0..steps {
        let h = r.decades(1e-5, 0.1);
        random_inputs(&mut r, &ports, &mut inputs);
        let report = world.step(h, &inputs);
        assert_eq!(report.status, Status::Taken, "seed {seed} step {step}");
        let entry = &report.entry;
        findings.defects.push(entry.relative_defect());
        findings.fallbacks += u64::from(report.fallbacks);
        findings.substeps += u64::from(report.substeps);
        findings.resolves += u64::from(report.resolves);
        supplied += entry.flows.supplied;
        in_play = in_play.max(entry.in_play);
        let excess = (entry.after.total() - initial - supplied) / in_play;
        findings.worst_excess = findings.worst_excess.max(excess);
        let closure = entry.closure().abs() / entry.in_play;
        findings.worst_closure = findings.worst_closure.max(closure);
        assert!(entry.relative_defect() <= worst_defect, "seed {seed} step {step}: {entry:?}");
        // lost rounding errors may wait to be given back, so the bound is that of the defect
        assert!(closure <= worst_defect, "seed {seed} step {step}: {closure:.1e} {entry:?}");
        // supplied >= stored - initial; the rounding of `steps` sums is all that may show
        assert!(excess <= 1e-12, "seed {seed} step {step}: {excess:.1e}");
        assert!(report.entry.after.tank >= 0.0);
    }
}

/// Runs the worlds, half of them on a second thread: they are independent.
fn explore_all(worlds: u64, steps: u32, elements: Elements) -> Findings {
    let half = |odd: u64| {
        let mut findings = Findings::default();
        for seed in (odd..worlds).step_by(2) {
            // hard rows that contradict each other have no unique forces, which costs digits; the
            // excess over what was supplied is bounded by rounding all the same
            let worst = if elements == Elements::Joints { 1e-6 } else { 1e-9 };
            explore(seed, steps, elements, worst, &mut findings);
        }
        findings
    };
    let (mut findings, other) = std::thread::scope(|scope| {
        let other = scope.spawn(|| half(1));
        (half(0), other.join().expect("the other half found no violation"))
    });
    findings.merge(other);
    findings.defects.sort_by(f64::total_cmp);
    let n = findings.defects.len();
    let (median, p999, worst) =
        (findings.defects[n / 2], findings.defects[n - n / 1000], findings.defects[n - 1]);
    println!(
        "{n} steps: defect median {median:.1e}, p99.9 {p999:.1e}, worst {worst:.1e}; closure \
         {:.1e}, excess {:.1e}; {} fallbacks, {} parts, {} second solves",
        findings.worst_closure,
        findings.worst_excess,
        findings.fallbacks,
        findings.substeps,
        findings.resolves
    );
    findings
}

#[test]
fn random_worlds_never_create_energy() {
    let (worlds, steps) = if long() { (50_000, 200) } else { (1000, 100) };
    let defects = explore_all(worlds, steps, Elements::Springs).defects;
    assert!(defects.len() >= 100_000);
    let median = defects[defects.len() / 2];
    assert!(median <= 1e-12, "{median:.1e}");
}

#[test]
fn random_joints_trees_and_loops_never_create_energy() {
    let (worlds, steps) = if long() { (5000, 200) } else { (300, 60) };
    let defects = explore_all(worlds, steps, Elements::Joints).defects;
    let median = defects[defects.len() / 2];
    assert!(median <= 1e-12, "{median:.1e}");
}
