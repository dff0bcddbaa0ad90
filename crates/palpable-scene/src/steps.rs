//! Step lengths, one after the other, the same on every run.

use palpable_random::Random;

/// An endless sequence of step lengths [s].
///
/// ```
/// use palpable_scene::Steps;
/// let mut steps = Steps::fixed(1e-3);
/// assert_eq!(steps.next_length(), 1e-3);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Steps(Kind);

#[derive(Debug, Clone, PartialEq)]
enum Kind {
    Fixed(f64),
    Random { min: f64, max: f64, random: Random },
    Listed { lengths: Vec<f64>, at: usize },
}

impl Steps {
    /// Every step `length` [s].
    pub fn fixed(length: f64) -> Self {
        Self(Kind::Fixed(length))
    }

    /// Lengths drawn evenly between `min` and `max` [s]; `seed` says which.
    pub fn random(min: f64, max: f64, seed: u64) -> Self {
        Self(Kind::Random { min, max, random: Random(seed) })
    }

    /// Lengths [s] of a list, over and over; `None` if it is empty.
    pub fn listed(lengths: Vec<f64>) -> Option<Self> {
        (!lengths.is_empty()).then_some(Self(Kind::Listed { lengths, at: 0 }))
    }

    /// The length of the next step [s].
    pub fn next_length(&mut self) -> f64 {
        match &mut self.0 {
            Kind::Fixed(length) => *length,
            Kind::Random { min, max, random } => *min + (*max - *min) * random.unit(),
            Kind::Listed { lengths, at } => {
                let length = lengths[*at];
                *at = (*at + 1) % lengths.len();
                length
            }
        }
    }

    /// The mean length [s], for a guess at how many steps a duration takes.
    pub fn mean_length(&self) -> f64 {
        match &self.0 {
            Kind::Fixed(length) => *length,
            Kind::Random { min, max, .. } => 0.5 * min + 0.5 * max,
            Kind::Listed { lengths, .. } => lengths.iter().sum::<f64>() / lengths.len() as f64,
        }
    }
}

/// Never ends.
impl Iterator for Steps {
    type Item = f64;
    fn next(&mut self) -> Option<f64> {
        Some(self.next_length())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_lengths_stay_in_range_and_follow_the_seed() {
        let lengths = |seed| Steps::random(1e-3, 5e-3, seed).take(1000).collect::<Vec<_>>();
        assert!(lengths(3).iter().all(|h| (1e-3..=5e-3).contains(h)));
        assert_eq!(lengths(3), lengths(3));
        assert_ne!(lengths(3), lengths(4));
    }

    #[test]
    fn a_list_begins_again_at_its_end() {
        let steps = Steps::listed(vec![1.0, 2.0]).expect("two");
        assert_eq!(steps.take(5).collect::<Vec<_>>(), [1.0, 2.0, 1.0, 2.0, 1.0]);
        assert_eq!(Steps::listed(vec![]), None);
    }
}
