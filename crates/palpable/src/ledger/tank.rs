//! The energy tank: every jump of stored energy is paid from here.

/// What happens to energy that damping, friction and impacts take out of the motion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Dissipation {
    /// It fills the tank up to the cap; the rest counts as lost. It is never handed back to motion.
    #[default]
    Keep,
    /// It counts as lost at once.
    Drop,
}

/// What happens to the surplus of a booking that released energy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Surplus {
    /// It stays in the tank and pays for later bookings.
    #[default]
    Keep,
    /// It is handed back to the motion it came from, as far as that moves.
    Return,
}

/// How a tank is run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TankPolicy {
    /// Largest content [J]; what a full tank turns away is discarded.
    pub cap: f64,
    /// Energy granted at the start [J].
    pub grant: f64,
    /// What becomes of dissipated energy.
    pub dissipation: Dissipation,
    /// What becomes of booking surplus.
    pub surplus: Surplus,
}

impl Default for TankPolicy {
    /// Cap 10 mJ, nothing granted, dissipation and surplus kept.
    fn default() -> Self {
        let (dissipation, surplus) = (Dissipation::Keep, Surplus::Keep);
        Self { cap: 0.01, grant: 0.0, dissipation, surplus }
    }
}

/// Two accounts, never negative: `level` from grants and dissipation, `surplus` from bookings.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tank {
    level: f64,
    surplus: f64,
    policy: TankPolicy,
}

impl Tank {
    /// A tank with its grant inside. A negative or non-finite cap or grant counts as 0.
    pub fn new(policy: TankPolicy) -> Self {
        let sane = |v: f64| if v.is_nan() { 0.0 } else { v.clamp(0.0, f64::MAX) };
        let policy = TankPolicy { cap: sane(policy.cap), grant: sane(policy.grant), ..policy };
        Self { level: policy.grant.min(policy.cap), surplus: 0.0, policy }
    }

    /// Everything inside [J].
    pub fn content(&self) -> f64 {
        self.level + self.surplus
    }

    /// The part that came from booking surplus [J].
    pub fn surplus(&self) -> f64 {
        self.surplus
    }

    /// How the tank is run.
    pub fn policy(&self) -> &TankPolicy {
        &self.policy
    }

    /// Takes up to `amount` [J], surplus first; returns what could be paid.
    #[must_use = "what was not paid is still owed"]
    pub fn pay(&mut self, amount: f64) -> f64 {
        let amount = part(amount, f64::MAX);
        if amount >= self.content() {
            let all = self.content();
            (self.level, self.surplus) = (0.0, 0.0);
            return all;
        }
        let first = amount.min(self.surplus);
        self.surplus -= first;
        // the remainder can exceed the level by a rounding unit only
        self.level = (self.level - (amount - first)).max(0.0);
        amount
    }

    /// Adds granted energy [J] up to the cap; returns what fitted.
    pub fn grant(&mut self, amount: f64) -> f64 {
        let kept = part(amount, self.room());
        self.level += kept;
        kept
    }

    /// Offers dissipated energy [J]; returns what was kept, the rest is lost.
    pub fn offer_dissipated(&mut self, amount: f64) -> f64 {
        if self.policy.dissipation == Dissipation::Drop {
            return 0.0;
        }
        self.grant(amount)
    }

    /// Offers booking surplus [J]; returns what was kept, the rest is discarded.
    pub fn offer_surplus(&mut self, amount: f64) -> f64 {
        let kept = part(amount, self.room());
        self.surplus += kept;
        kept
    }

    /// Takes surplus [J] out to hand it back to motion; dissipated energy is not touched.
    pub fn take_surplus(&mut self, amount: f64) -> f64 {
        let taken = part(amount, self.surplus);
        self.surplus -= taken;
        taken
    }

    fn room(&self) -> f64 {
        (self.policy.cap - self.content()).max(0.0)
    }
}

/// `amount` between 0 and `most`; NaN counts as 0.
fn part(amount: f64, most: f64) -> f64 {
    if amount > 0.0 { amount.min(most) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tank_is_never_negative_nor_over_its_cap_and_loses_nothing() {
        let mut tank = Tank::new(TankPolicy { cap: 1.0, grant: 0.3, ..Default::default() });
        let (mut inside, mut seed) = (0.3, 9u64);
        for _ in 0..10_000 {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let amount = (seed >> 33) as f64 / (1u64 << 30) as f64 - 0.5;
            inside += match seed % 4 {
                0 => -tank.pay(amount),
                1 => tank.offer_dissipated(amount),
                2 => tank.offer_surplus(amount),
                _ => -tank.take_surplus(amount),
            };
            assert!(tank.content() >= 0.0 && tank.content() <= 1.0 + 1e-15);
            // 1e4 additions of numbers below 1
            assert!((tank.content() - inside).abs() < 1e-12);
        }
    }

    #[test]
    fn dissipated_energy_is_never_returned_to_motion() {
        let mut tank = Tank::new(TankPolicy { cap: 1.0, ..Default::default() });
        tank.offer_dissipated(0.5);
        assert_eq!(tank.take_surplus(0.5), 0.0);
        tank.offer_surplus(0.25);
        assert_eq!(tank.take_surplus(1.0), 0.25);
        assert_eq!(tank.content(), 0.5);
    }

    #[test]
    fn senseless_policies_make_an_empty_tank() {
        for cap in [-1.0, f64::NAN, f64::NEG_INFINITY] {
            let tank = Tank::new(TankPolicy { cap, grant: 5.0, ..Default::default() });
            assert_eq!(tank.content(), 0.0);
        }
    }
}
