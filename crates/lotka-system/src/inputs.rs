//! What drives a system from outside, known before the run, as plain data.

use std::path::PathBuf;

use serde::Serialize;

use super::{Located, StartSetting, StartValue};

/// One entry of `[sources]`: signals that are known before the run.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct SourceSettings {
    /// Name, without dots, unlike those of the instances.
    pub name: Located<String>,
    /// Kind and parameters of the signal.
    #[serde(flatten)]
    pub signal: SourceSignal,
    /// Units of outputs by name; they replace those in the header of a file. The output of a formula is `y`.
    pub units: Vec<(Located<String>, Located<String>)>,
}

/// Signal of a source: a table in a file, whose columns are its outputs, or a formula, whose output is `y`. Times in seconds.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "signal")]
pub enum SourceSignal {
    /// A table.
    Csv(CsvSettings),
    /// A constant value.
    Constant {
        /// The value.
        value: StartValue,
    },
    /// A value that changes once.
    Step {
        /// When.
        time: f64,
        /// The value before, default 0.
        from: StartValue,
        /// The value from then on.
        to: StartValue,
    },
    /// A line between two constant values.
    Ramp {
        /// When it begins.
        time: f64,
        /// How long it takes.
        duration: f64,
        /// The value before, default 0.
        from: f64,
        /// The value after.
        to: f64,
    },
    /// `offset + amplitude sin(2 pi frequency (t - time) + phase)`.
    Sine {
        /// Amplitude.
        amplitude: f64,
        /// Frequency \[Hz\].
        frequency: f64,
        /// Phase \[rad\], default 0.
        phase: f64,
        /// Mean value, default 0.
        offset: f64,
        /// Until then it is `offset`. Without, the sine counts from time 0 and has no begin.
        time: Option<f64>,
    },
}

impl SourceSignal {
    /// Returns the name of its kind, as in a system file.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Csv(_) => "csv",
            Self::Constant { .. } => "constant",
            Self::Step { .. } => "step",
            Self::Ramp { .. } => "ramp",
            Self::Sine { .. } => "sine",
        }
    }
}

/// A table in a file: names in the first line, the time in the first column. Rows of the same time are a jump.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct CsvSettings {
    /// Path of the file, relative to the system file.
    pub path: Located<PathBuf>,
    /// Interpolation between rows, default linear.
    pub interpolation: Interpolation,
    /// Values before the first and after the last row, default an error.
    pub outside: Outside,
}

/// Interpolation of Real values between rows of a table. Integers, booleans and strings are always held.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Interpolation {
    /// Straight lines.
    #[default]
    Linear,
    /// Value of the previous row.
    Previous,
}

/// Values of a table before its first and after its last row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outside {
    /// An error if the table is too short.
    #[default]
    Error,
    /// The first and the last value.
    Hold,
}

/// One entry of `[[scenario]]`: inputs and tunable parameters that are set for a while.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Override {
    /// Start time \[s\].
    pub at: Located<f64>,
    /// End time \[s\], after which the entry has no effect; default the end of the run.
    pub until: Option<Located<f64>>,
    /// Values by `instance.variable`, instead of the connected ones.
    pub set: Vec<StartSetting>,
    /// Values to add to Real variables, by `instance.variable`.
    pub add: Vec<StartSetting>,
}
