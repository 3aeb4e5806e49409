//! Sets of parts of the process state.

use std::{fmt, ops::BitOr};

/// A set of parts of the process state.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Parts(u8);

impl Parts {
    pub const LOCALE: Self = Self(1);
    pub const CONTROL: Self = Self(2);
    pub const DIRECTORY: Self = Self(4);
    pub const VARIABLES: Self = Self(8);
    pub const HANDLERS: Self = Self(16);
    pub const ALL: Self = Self(31);
    /// What FMUs have of their own; the rest is restored.
    pub const EXCHANGED: Self = Self(1 | 8);

    const NAMES: [(Self, &str); 5] = [
        (Self::LOCALE, "the locale"),
        (Self::CONTROL, "the floating-point control (rounding, traps or flush-to-zero)"),
        (Self::DIRECTORY, "the working directory"),
        (Self::VARIABLES, "environment variables"),
        (Self::HANDLERS, "handlers of signals"),
    ];

    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether it contains one of these parts.
    pub fn has(self, parts: Self) -> bool {
        self.0 & parts.0 != 0
    }

    /// These parts, if there is a reason.
    pub fn when(self, is_there: bool) -> Self {
        if is_there { self } else { Self::default() }
    }

    pub fn without(self, parts: Self) -> Self {
        Self(self.0 & !parts.0)
    }
}

impl BitOr for Parts {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl fmt::Display for Parts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = Self::NAMES.into_iter().filter(|(part, _)| self.has(*part)).map(|(_, name)| name).collect();
        match &names[..] {
            [others @ .., last] if !others.is_empty() => write!(f, "{} and {last}", others.join(", ")),
            names => f.write_str(&names.concat()),
        }
    }
}
