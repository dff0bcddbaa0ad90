//! What can go wrong with a device, and what to do about it.

use std::borrow::Cow;

/// A device that did not do what it was asked. Texts name the cure; fixed texts do not allocate.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DeviceError {
    /// Unplugged, switched off, or its service ended. The loop stops; opening again may help.
    #[error("the device is lost: {0}")]
    Lost(Cow<'static, str>),
    /// No answer in time; the next call may succeed.
    #[error("the device did not answer in time: {0}")]
    Late(Cow<'static, str>),
    /// It is there but will not work: not homed, no permission, in use, or the wrong version.
    #[error("the device refuses: {0}")]
    Refused(Cow<'static, str>),
    /// It said something we do not understand.
    #[error("the device sent what cannot be understood: {0}")]
    Garbled(Cow<'static, str>),
    /// A recording or a script that came to its end.
    #[error("the device has no more samples")]
    Ended,
}

impl DeviceError {
    /// True if the next call may succeed without opening the device again.
    pub fn is_passing(&self) -> bool {
        matches!(self, DeviceError::Late(_) | DeviceError::Garbled(_))
    }
}
