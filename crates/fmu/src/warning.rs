//! What is odd about an FMU that can be used nevertheless.

use std::fmt;

use fmi2::description::Problem;

/// What is odd about an FMU that can be used nevertheless.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Warning {
    /// The model description breaks a rule.
    Description(Problem),
    /// An entry of the archive was written with `./` or backslashes.
    EntryName {
        /// The name as it stands in the archive.
        entry: String,
    },
    /// The library is not named after the model identifier.
    LibraryName {
        /// The name that the standard prescribes.
        expected: String,
        /// The only library there is.
        found: String,
    },
    /// Libraries beside the FMU's own had to be loaded first, because it does not say where to find them.
    NeighborsLoaded {
        /// Their file names.
        libraries: Vec<String>,
    },
    /// The library lacks functions that every FMU must export; what needs them is refused.
    MissingFunctions {
        /// Their symbols.
        names: Vec<&'static str>,
    },
    /// The description declares a capability for which the library lacks a function; the capability is dropped.
    CapabilityDropped {
        /// The attribute of the model description.
        attribute: &'static str,
    },
    /// The library changed something of the process when it was loaded; it was put back.
    ProcessStateChanged {
        /// What was changed.
        what: &'static str,
    },
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Description(problem) => write!(f, "modelDescription.xml: {problem}"),
            Self::EntryName { entry } => write!(f, "archive: entry `{entry}` should be written with slashes and without `./`"),
            Self::LibraryName { expected, found } => write!(f, "library `{found}` should be named `{expected}`"),
            Self::NeighborsLoaded { libraries } => {
                write!(f, "Lotka had to load {} first; link the library with the run path `$ORIGIN`", libraries.join(", "))
            }
            Self::MissingFunctions { names } => {
                write!(f, "the library lacks {}; Lotka refuses settings that need them", names.join(", "))
            }
            Self::CapabilityDropped { attribute } => {
                write!(f, "{attribute} is declared, but the library lacks a function for it; treated as not declared")
            }
            Self::ProcessStateChanged { what } => write!(f, "the library changed {what} of the process; this was undone"),
        }
    }
}
