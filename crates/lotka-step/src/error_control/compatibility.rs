//! Masters whose formulas can be used for comparison.

use serde::Serialize;

/// Masters whose formulas can be used for comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Compatibility {
    /// MasterSim 0.9: estimates, bounds and controller as in its step-doubling error control.
    MasterSim,
    /// libcosim: estimates and controller of its algorithm `ecco`, which repeats no step.
    Libcosim,
}
