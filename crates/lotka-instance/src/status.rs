//! The status returned by every FMI function, validated.

/// A status defined by the standard. Foreign code may return any integer: convert it with [`Status::try_from`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
#[repr(i32)]
pub enum Status {
    /// Success.
    Ok = 0,
    /// A minor problem; the computation can continue.
    Warning = 1,
    /// The request was not carried out, or a step only partially; the caller may try another one.
    Discard = 2,
    /// This instance cannot continue until it is reset or a saved state is restored.
    Error = 3,
    /// Every instance of this FMU is lost; no function may be called any more.
    Fatal = 4,
    /// The step continues in the background (asynchronous FMUs only).
    Pending = 5,
}

/// An integer outside 0..=5, found instead of a status.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected an FMI status from 0 to 5, found {0}")]
pub struct UnknownStatus(pub i32);

impl TryFrom<i32> for Status {
    type Error = UnknownStatus;

    fn try_from(value: i32) -> Result<Self, UnknownStatus> {
        Ok(match value {
            0 => Self::Ok,
            1 => Self::Warning,
            2 => Self::Discard,
            3 => Self::Error,
            4 => Self::Fatal,
            5 => Self::Pending,
            other => return Err(UnknownStatus(other)),
        })
    }
}

impl Status {
    /// Returns the name that follows `fmi2` or `fmi3` in the standards.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ok => "OK",
            Self::Warning => "Warning",
            Self::Discard => "Discard",
            Self::Error => "Error",
            Self::Fatal => "Fatal",
            Self::Pending => "Pending",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_six_integers_of_the_standard_are_statuses() {
        for n in 0..6 {
            assert_eq!(Status::try_from(n).unwrap() as i32, n);
        }
        for n in [-1, 6, 99, i32::MIN, i32::MAX] {
            assert_eq!(Status::try_from(n), Err(UnknownStatus(n)));
        }
    }
}
