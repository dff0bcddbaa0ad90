//! Which options suit which models.

use super::rivals;
use super::scheme::Options;
use crate::model::{LawError, Model, Params};
use thiserror::Error;

/// Options that do not suit a model.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
pub enum OptionsError {
    /// A scheme that cannot simulate a part of the model.
    #[error("scheme: `{scheme}` knows no {part}; {cure}")]
    Scheme {
        /// Name of the scheme.
        scheme: &'static str,
        /// What it does not know.
        part: &'static str,
        /// What helps.
        cure: &'static str,
    },
    /// A contact law that does not suit the model.
    #[error("contact_law: {0}")]
    Law(#[from] LawError),
    /// A number out of range.
    #[error("{field} is {value}; it must not be negative")]
    Number {
        /// Which option.
        field: &'static str,
        /// The value given.
        value: f64,
    },
}

impl Options {
    /// Whether a world of this model can use them.
    ///
    /// # Errors
    /// The option at fault, and what helps.
    pub fn check(&self, model: &Model) -> Result<(), OptionsError> {
        let numbers = [
            ("resolve_tolerance", self.resolve_tolerance),
            ("substep_tolerance", self.substep_tolerance),
            ("joint_loss", self.joint_loss),
            ("sleeping.speed", self.sleeping.speed),
            ("sleeping.time", self.sleeping.time),
        ];
        // written so that NaN is none
        if let Some((field, value)) = numbers.into_iter().find(|(_, v)| !(*v >= 0.0)) {
            return Err(OptionsError::Number { field, value });
        }
        self.suit(model, &model.params)
    }

    /// The same for scheme and law, with the parameters at hand.
    pub(super) fn suit(&self, model: &Model, params: &Params) -> Result<(), OptionsError> {
        self.contact_law.check(model)?;
        let scheme = self.scheme.name();
        let unknown = rivals::unknown(self, model, params);
        unknown.map_or(Ok(()), |[part, cure]| Err(OptionsError::Scheme { scheme, part, cure }))
    }
}
