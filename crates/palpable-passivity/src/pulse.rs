//! Transfer functions in `z`: ratios of polynomials in `w = z^-1`.

use crate::error::{Error, Result};
use crate::polynomial::{self as poly, C64};

/// Poles closer to the unit circle than this count as on it.
pub(crate) const STABILITY_MARGIN: f64 = 1e-9;
/// A root at `w = ±1` shared by numerator and denominator is cancelled below this residue.
const CANCEL: f64 = 1e-12;
const MAX_TERMS: usize = 2048;
const STABILITY_CURE: &str = "raise the virtual mass or the rate, lower the stiffness, or use a \
                              backward difference instead of Tustin's rule";

/// A pulse transfer function `H(z) = num(w) / den(w)`, `w = z^-1`.
///
/// Coefficients are in ascending powers of `w`. Here H maps a sampled position [m] to a force [N].
#[derive(Debug, Clone, PartialEq)]
pub struct PulseTf {
    num: Vec<f64>,
    den: Vec<f64>,
}

impl PulseTf {
    /// A transfer function from its coefficients in ascending powers of `z^-1`.
    ///
    /// Factors `1 ∓ z^-1` common to both are cancelled.
    /// # Errors
    /// Empty or overlong lists, numbers that are not finite, a denominator that starts with zero.
    pub fn new(num: &[f64], den: &[f64]) -> Result<Self> {
        for (field, list) in [("numerator", num), ("denominator", den)] {
            check_length(field, list.len())?;
            list.iter().try_for_each(|&a| crate::error::finite(field, a).map(|_| ()))?;
        }
        let (mut num, mut den) = (poly::trim(num.to_vec()), poly::trim(den.to_vec()));
        if den[0] == 0.0 {
            return Err(Error::NotCausal { value: den[0] });
        }
        for r in [1.0, -1.0] {
            while shares_root(&num, &den, r) {
                num = poly::deflate(&num, r);
                den = poly::deflate(&den, r);
            }
        }
        Ok(Self { num, den })
    }

    /// A constant gain [N/m].
    /// # Errors
    /// A gain that is not finite.
    pub fn gain(gain: f64) -> Result<Self> {
        Self::new(&[gain], &[1.0])
    }

    /// Numerator, ascending powers of `z^-1`.
    pub fn num(&self) -> &[f64] {
        &self.num
    }

    /// Denominator, ascending powers of `z^-1`.
    pub fn den(&self) -> &[f64] {
        &self.den
    }

    /// The value at `w = z^-1`.
    pub fn at(&self, w: C64) -> C64 {
        poly::eval(&self.num, w) / poly::eval(&self.den, w)
    }

    /// The frequency response at `theta` [rad per sample].
    pub fn response(&self, theta: f64) -> C64 {
        self.at(C64::from_polar(1.0, -theta))
    }

    /// Poles in the z-plane; those at `z = 0` are left out.
    pub fn poles(&self) -> Vec<C64> {
        poly::roots_in_z(&self.den)
    }

    /// The outermost pole, if there is one.
    pub fn outermost_pole(&self) -> Option<C64> {
        self.poles().into_iter().max_by(|a, b| a.norm().total_cmp(&b.norm()))
    }

    /// Whether all poles lie inside the unit circle (by more than 1e-9).
    pub fn is_stable(&self) -> bool {
        self.outermost_pole().is_none_or(|p| p.norm() < 1.0 - STABILITY_MARGIN)
    }

    /// Itself, if stable.
    /// # Errors
    /// [`Error::Unstable`] with the outermost pole.
    pub fn stable(&self) -> Result<&Self> {
        match self.outermost_pole() {
            Some(p) if p.norm() >= 1.0 - STABILITY_MARGIN => Err(Error::Unstable {
                radius: p.norm(),
                angle: p.arg().abs(),
                cure: STABILITY_CURE,
            }),
            _ => Ok(self),
        }
    }

    /// `self + other`.
    /// # Errors
    /// An order beyond 2048.
    pub fn plus(&self, other: &Self) -> Result<Self> {
        let cross = poly::add(&poly::mul(&self.num, &other.den), &poly::mul(&other.num, &self.den));
        Self::new(&cross, &poly::mul(&self.den, &other.den))
    }

    /// `self · other`.
    /// # Errors
    /// An order beyond 2048.
    pub fn times(&self, other: &Self) -> Result<Self> {
        Self::new(&poly::mul(&self.num, &other.num), &poly::mul(&self.den, &other.den))
    }

    /// `1 / self`.
    /// # Errors
    /// A numerator that starts with zero (the inverse would need future samples).
    pub fn inverse(&self) -> Result<Self> {
        Self::new(&self.den, &self.num)
    }

    /// `self / (1 + self · environment)`: coupling and environment as seen by the device
    /// `[Brown1998, (7.2)]`.
    /// # Errors
    /// A loop without a solution, or an order beyond 2048.
    pub fn couple(&self, environment: &Self) -> Result<Self> {
        let den = poly::add(
            &poly::mul(&self.den, &environment.den),
            &poly::mul(&self.num, &environment.num),
        );
        Self::new(&poly::mul(&self.num, &environment.den), &den)
    }

    /// The same, `samples` later.
    /// # Errors
    /// An order beyond 2048.
    pub fn delayed(&self, samples: usize) -> Result<Self> {
        check_length("delay", samples + 1)?;
        Self::new(&poly::shift(&self.num, samples), &self.den)
    }
}

fn check_length(field: &'static str, len: usize) -> Result<()> {
    if (1..=MAX_TERMS).contains(&len) {
        Ok(())
    } else {
        let cure = "give the coefficients of z^0, z^-1, ... in this order";
        Err(Error::Length { field, len, need: "1 to 2048", cure })
    }
}

/// Whether both polynomials vanish at `w = 1/r`, `r = ±1`, to rounding.
fn shares_root(num: &[f64], den: &[f64], r: f64) -> bool {
    let vanishes =
        |p: &[f64]| p.len() > 1 && poly::eval_real(p, r).abs() <= CANCEL * poly::norm1(p);
    // a zero numerator vanishes everywhere: nothing to cancel
    poly::norm1(num) > 0.0 && vanishes(num) && vanishes(den)
}
