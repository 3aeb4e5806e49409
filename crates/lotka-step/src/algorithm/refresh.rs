//! How outputs with direct feedthrough are refreshed.

/// How the outputs of an instance are refreshed after a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub enum Refresh {
    /// They stay as computed in the step.
    #[default]
    Stale,
    /// The end values of the inputs are set and the outputs read again: the FMU recomputes them. It does so in event mode, if it
    /// uses that.
    ReRead,
    /// They are corrected: `y + D (u(t + h) - u_used)` with the FMU's directional derivatives.
    Derivative,
}
