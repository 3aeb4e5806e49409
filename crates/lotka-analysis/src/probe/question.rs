//! What an FMU is asked.

/// A question to an FMU.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct ProbeQuestion {
    /// Its name, which does not change from version to version.
    pub name: &'static str,
    /// What is right, in half a line.
    pub asks: &'static str,
    /// What to avoid with an FMU that fails it.
    pub avoid: &'static str,
    /// Every run needs the calls: when one of them fails, the FMU is unusable.
    pub is_vital: bool,
}
