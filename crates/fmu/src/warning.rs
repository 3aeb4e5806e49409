//! Warnings about an FMU that is usable nevertheless.

use std::fmt;
use std::path::PathBuf;

use fmi2::description::Problem;

use crate::Clash;

/// A warning about an FMU that is usable nevertheless.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Warning {
    /// The model description breaks a rule.
    Description(Problem),
    /// An entry of the archive was written with `./` or backslashes.
    EntryName {
        /// The name in the archive.
        entry: String,
    },
    /// The archive has an entry more than once, each time with the same contents.
    EntryRepeated {
        /// Its name.
        entry: String,
    },
    /// The name of the library differs from the model identifier.
    LibraryName {
        /// The name required by the standard.
        expected: String,
        /// The only library present.
        found: String,
    },
    /// Libraries beside the FMU's own had to be loaded first, because it does not specify where to find them.
    NeighborsLoaded {
        /// Their file names.
        libraries: Vec<String>,
    },
    /// The library lacks functions that every FMU must export; calls that need them are refused.
    MissingFunctions {
        /// Their symbols.
        names: Vec<&'static str>,
    },
    /// The description declares a capability for which the library lacks a function; the capability is dropped.
    CapabilityDropped {
        /// The attribute of the model description.
        attribute: &'static str,
    },
    /// This process has loaded another FMU with which this one does not get along.
    Mixed {
        /// The path of the other FMU.
        other: PathBuf,
        /// What both share.
        clash: Clash,
    },
    /// The library changed process state when it was loaded; the state was restored.
    ProcessStateChanged {
        /// The changed state.
        what: String,
    },
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Description(problem) => write!(f, "modelDescription.xml: {problem}"),
            Self::EntryName { entry } => write!(f, "archive: entry `{entry}` should be written with slashes and without `./`"),
            Self::EntryRepeated { entry } => {
                write!(f, "archive: entry `{entry}` is there more than once, with the same contents")
            }
            Self::LibraryName { expected, found } => write!(f, "library `{found}` should be named `{expected}`"),
            Self::NeighborsLoaded { libraries } => {
                write!(f, "Lotka had to load {} first; link the library with the run path `$ORIGIN`", libraries.join(", "))
            }
            Self::MissingFunctions { names } => {
                write!(f, "the library lacks {}; Lotka refuses settings that need them", listed(names))
            }
            Self::CapabilityDropped { attribute } => {
                write!(f, "{attribute} is declared, but the library lacks a function for it; treated as not declared")
            }
            Self::Mixed { other, clash } => {
                write!(f, "this process also uses {}, and {clash}; run them in separate processes", other.display())
            }
            Self::ProcessStateChanged { what } => write!(f, "the library changed {what} of the process; this was undone"),
        }
    }
}

/// The first of these names, and the number of others.
pub(crate) fn listed(names: &[&str]) -> String {
    const SHOWN: usize = 6;
    let rest = names.len().saturating_sub(SHOWN);
    let more = if rest == 0 { String::new() } else { format!(" and {rest} more") };
    format!("{}{more}", names[..names.len().min(SHOWN)].join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_missing_functions_are_counted() {
        let text = |count| Warning::MissingFunctions { names: vec!["fmi3Reset"; count] }.to_string();
        assert_eq!(text(1), "the library lacks fmi3Reset; Lotka refuses settings that need them");
        let six = "fmi3Reset, fmi3Reset, fmi3Reset, fmi3Reset, fmi3Reset, fmi3Reset";
        assert_eq!(text(6), format!("the library lacks {six}; Lotka refuses settings that need them"));
        assert_eq!(text(60), format!("the library lacks {six} and 54 more; Lotka refuses settings that need them"));
    }
}
