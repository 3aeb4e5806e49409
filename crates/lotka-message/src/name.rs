//! Codes and their names.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::Code;

/// Anything with a message code: every error of the Lotka crates.
pub trait Coded {
    /// Returns the code of the message; for several errors, that of the first one.
    fn code(&self) -> Code;
}

impl Code {
    /// Returns the code with this name. The rules of `lotka check` are not codes.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|code| code.as_str() == name)
    }

    /// Returns the message with this code after its first line. Further lines are, for example, log lines of an FMU.
    #[must_use]
    pub fn mark(self, message: &str) -> String {
        match message.split_once('\n') {
            Some((first, rest)) => format!("{first} [{self}]\n{rest}"),
            None => format!("{message} [{self}]"),
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for Code {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for Code {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        Self::named(&name).ok_or_else(|| de::Error::custom(format_args!("unknown code `{name}`")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn names_are_kebab_case_and_different() {
        let mut known = HashSet::new();
        for code in Code::ALL {
            let name = code.as_str();
            assert!(name.chars().all(|c| c.is_ascii_lowercase() || c == '-') && !name.starts_with('-'), "{name}");
            assert!(known.insert(name), "{name} is there twice");
            assert_eq!(Code::named(name), Some(*code));
        }
        assert_eq!(Code::named("unknown-kez"), None);
    }

    #[test]
    fn the_code_stands_behind_the_first_line() {
        assert_eq!(Code::FmuError.mark("a failed"), "a failed [fmu-error]");
        assert_eq!(Code::FmuError.mark("a failed\n  logged: x"), "a failed [fmu-error]\n  logged: x");
    }
}
