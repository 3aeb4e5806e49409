//! The status that every FMI function returns, checked.

/// A status that the standard knows. Foreign code may return any integer: convert with [`Status::try_from`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
#[repr(i32)]
pub enum Status {
    /// All is well.
    Ok = 0,
    /// Something is not quite right, but the computation can go on.
    Warning = 1,
    /// The request was not carried out, or a step only in part; the caller may try something else.
    Discard = 2,
    /// This instance cannot go on until it is reset or a saved state is restored.
    Error = 3,
    /// Every instance of this FMU is lost; no function may be called any more.
    Fatal = 4,
    /// The step goes on in the background (asynchronous FMUs only).
    Pending = 5,
}

/// An integer outside 0..=5 that came where a status belongs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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
    /// The name, as in the standards behind `fmi2` or `fmi3`.
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
