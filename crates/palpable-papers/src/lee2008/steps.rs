//! Step lengths as the paper varies them.

use palpable_random::Random;

/// Random step lengths, uniform between 0.05 s and 0.2 s \[s\]; the paper says "varying randomly".
pub(super) fn random_steps(seed: u64, count: usize) -> Vec<f64> {
    let mut dice = Random(seed);
    (0..count).map(|_| 0.05 + 0.15 * dice.unit()).collect()
}

/// Time at the start and after every step \[s\].
pub(super) fn times(steps: &[f64]) -> Vec<f64> {
    let sum = |time: &mut f64, h: &f64| {
        *time += h;
        Some(*time)
    };
    std::iter::once(0.0).chain(steps.iter().scan(0.0, sum)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_stay_in_their_range_and_depend_on_the_seed_alone() {
        let steps = random_steps(7, 10_000);
        assert!(steps.iter().all(|h| (0.05..0.2).contains(h)));
        let mean = steps.iter().sum::<f64>() / 1e4;
        // a uniform spread of 0.043 s over 1e4 samples: 4.3e-4 s per standard deviation
        assert!((mean - 0.125).abs() < 2e-3, "{mean}");
        assert_eq!(steps[..10], random_steps(7, 10)[..]);
        assert_ne!(steps[..10], random_steps(8, 10)[..]);
        assert_eq!(times(&[0.1, 0.2]), [0.0, 0.1, 0.1 + 0.2]);
    }
}
