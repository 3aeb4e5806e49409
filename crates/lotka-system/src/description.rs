//! The system as plain data, the same for every front end.

mod algorithm;
mod start_value;

use lotka_message::SourceFile;
use std::path::PathBuf;

use lotka_instance::Sandbox;
use serde::Serialize;

pub use algorithm::{AlgorithmSettings, NoConvergence, StepFactorSettings};
pub use start_value::{StartSetting, StartValue};

use super::{EventSettings, Located, Override, SourceSettings};

/// Description of a whole system.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub struct SystemDescription {
    /// The file that it was read from.
    #[serde(skip)]
    pub file: Option<SourceFile>,
    /// Other files that it was read from: values, nested systems, the configuration of a simulation.
    #[serde(skip)]
    pub beside: Vec<PathBuf>,
    /// Times, tolerances and steps.
    pub experiment: ExperimentSettings,
    /// The instances, in file order.
    pub instances: Vec<InstanceSettings>,
    /// Isolation of the FMUs, for instances without settings of their own.
    pub isolation: IsolationSettings,
    /// Start values by `instance.variable`; they replace those of the instances.
    pub start_values: Vec<StartSetting>,
    /// Signals that are known before the run, in file order.
    pub sources: Vec<SourceSettings>,
    /// The connections, in file order.
    pub connections: Vec<Connection>,
    /// Values that are set at known times, in file order.
    pub scenario: Vec<Override>,
    /// Unknown start values, and the equations that determine them.
    pub initialization: Vec<SolvedStart>,
    /// Share of its terms by which an algebraic loop may miss its equations at the start. The default is the share of rounding
    /// and noise.
    pub loop_tolerance: Option<Located<f64>>,
    /// The master algorithm.
    pub algorithm: AlgorithmSettings,
    /// Times at which steps must end.
    pub events: EventSettings,
    /// Pairs of connections whose energy is recorded.
    pub power_bonds: Vec<PowerBondSettings>,
    /// Units that the system file defines, in addition to those of the FMUs.
    pub units: Vec<UnitSettings>,
    /// The recorded variables.
    pub results: ResultSettings,
}

impl SystemDescription {
    /// Returns the name of an instance or of a source; sources are counted after the instances.
    #[must_use]
    pub fn name_of(&self, index: usize) -> &str {
        let sources = || self.sources.get(index.wrapping_sub(self.instances.len())).map(|source| &source.name);
        self.instances.get(index).map(|instance| &instance.name).or_else(sources).map_or("", |name| &name.value)
    }

    /// Whether this is an instance with a sample time.
    pub(crate) fn is_sampled(&self, index: usize) -> bool {
        self.instances.get(index).is_some_and(|instance| instance.sample_time.is_some())
    }

    /// Returns the names of all instances, followed by those of all sources.
    #[must_use]
    pub fn names(&self) -> Vec<&str> {
        let instances = self.instances.iter().map(|instance| instance.name.value.as_str());
        instances.chain(self.sources.iter().map(|source| source.name.value.as_str())).collect()
    }
}

/// `[experiment]`. Times in seconds.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub struct ExperimentSettings {
    /// Start time, default 0.
    pub start: Option<Located<f64>>,
    /// Stop time.
    pub stop: Option<Located<f64>>,
    /// Fixed communication step size.
    pub step: Option<Located<f64>>,
    /// Local error tolerance, relative; also absolute unless `absolute_tolerance` is given.
    pub local_tolerance: Option<Located<f64>>,
    /// Global error tolerance.
    pub tolerance: Option<Located<f64>>,
    /// Absolute part of the tolerance.
    pub absolute_tolerance: Option<Located<f64>>,
    /// Distance of recorded rows. If absent: every accepted step, and with `tolerance` a hundredth of the experiment.
    pub output_interval: Option<Located<f64>>,
    /// Smallest distance of recorded rows; no step ends because of a row.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_output_interval: Option<Located<f64>>,
    /// First step under error control.
    pub first_step: Option<Located<f64>>,
    /// Smallest step under error control.
    pub min_step: Option<Located<f64>>,
    /// Largest step under error control.
    pub max_step: Option<Located<f64>>,
    /// Number of doStep calls after which a run with `tolerance` ends without reaching it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_calls: Option<Located<f64>>,
    /// Accuracy of event localization.
    pub event_tolerance: Option<Located<f64>>,
    /// Tolerance that the FMUs receive; that of an instance takes precedence.
    pub fmu_tolerance: Option<Located<f64>>,
}

/// One entry of `[instances]`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct InstanceSettings {
    /// Name, without dots.
    pub name: Located<String>,
    /// Path of the FMU, relative to the system file.
    pub fmu: Located<PathBuf>,
    /// Start values that replace those of the FMU.
    pub start: Vec<StartSetting>,
    /// Whether the FMU receives the stop time, default yes.
    pub pass_stop_time: bool,
    /// Tolerance that the FMU receives.
    pub fmu_tolerance: Option<Located<f64>>,
    /// Distance of the times at which the instance is sampled \[s\]: it steps from one to the next, with inputs as they were at
    /// the former, and holds its outputs in between. The default: it steps from one communication point to the next.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sample_time: Option<Located<f64>>,
    /// Isolation of the FMU.
    pub isolation: IsolationSettings,
}

impl InstanceSettings {
    /// Creates an instance with default settings.
    #[must_use]
    pub fn new(name: Located<String>, fmu: Located<PathBuf>) -> Self {
        Self {
            name,
            fmu,
            start: Vec::new(),
            pass_stop_time: true,
            fmu_tolerance: None,
            sample_time: None,
            isolation: IsolationSettings::default(),
        }
    }
}

/// Isolation of an FMU. Settings that an instance lacks are those of the system.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct IsolationSettings {
    /// Process in which the FMU runs. The default is this process, unless the FMU has a sandbox.
    pub isolation: Option<Located<Isolation>>,
    /// Longest duration of loading, instantiation and each call up to the end of initialization \[s\].
    pub init_timeout: Option<Located<f64>>,
    /// Longest duration of each later call \[s\].
    pub step_timeout: Option<Located<f64>>,
    /// Sandbox of the FMU; `Some(None)`: none.
    pub sandbox: Option<Located<Option<Sandbox>>>,
    /// Libraries to load into the global scope before the FMU: paths, or names without a slash, which the dynamic linker
    /// resolves.
    pub preload_global: Option<Located<Vec<Located<PathBuf>>>>,
    /// Whether instances of the FMU may run on several threads of a process at the same time; the default is what the FMU
    /// declares.
    pub thread_safe: Option<Located<bool>>,
}

/// Process in which an FMU runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Isolation {
    /// In this process.
    None,
    /// A separate process for each instance: crashes, `exit` and endless loops are errors of the run.
    Process,
}

/// A unit that the system file defines: `value in base units = factor * value + offset`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct UnitSettings {
    /// Its name.
    pub name: Located<String>,
    /// Exponents of kg, m, s, A, K, mol, cd and rad.
    pub exponents: [i32; 8],
    /// Factor, default 1.
    pub factor: f64,
    /// Offset, default 0.
    pub offset: f64,
}

/// One connection: an input and its sources.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Connection {
    /// `instance.variable` of the input.
    pub input: Located<String>,
    /// The summands of its value.
    pub sources: Vec<Summand>,
}

/// One summand of a connection: `factor * output + offset`. The output is first converted to the unit of the input.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Summand {
    /// `instance.variable` of the output.
    pub from: Located<String>,
    /// Factor, default 1.
    pub factor: f64,
    /// Offset, default 0.
    pub offset: f64,
    /// Degree of its signal, default that of the algorithm.
    pub degree: Option<Located<i64>>,
    /// Whether values are converted from the unit of the output to that of the input, default yes.
    pub convert_units: bool,
    /// Unit of the value to which factor and offset apply, default that of the input.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from_unit: Option<Located<String>>,
    /// Unit of the value that results from factor and offset, default that of the input.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to_unit: Option<Located<String>>,
    /// Replacements of values, for integers, booleans and enumerations; items of enumerations by number or by name. Other values
    /// stay.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub map: Vec<(Located<StartValue>, Located<StartValue>)>,
}

impl Summand {
    /// Creates a summand with the unchanged value of the output, in the unit of the input.
    pub fn new(from: impl Into<Located<String>>) -> Self {
        let (from_unit, to_unit) = (None, None);
        Self {
            from: from.into(),
            factor: 1.0,
            offset: 0.0,
            degree: None,
            convert_units: true,
            from_unit,
            to_unit,
            map: Vec::new(),
        }
    }
}

/// One entry of `solve` in `[initialization]`: an unknown start value, and a value that determines it together with those of the
/// other entries.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct SolvedStart {
    /// `instance.variable` of a Real start value; its given value is the first guess.
    pub unknown: Located<String>,
    /// `instance.variable` of a Real output or connected input.
    pub residual: Located<String>,
    /// Target value of the residual after initialization, default 0.
    pub target: f64,
}

/// One entry of `[power-bonds]`: two instances that read an effort and a flow from each other. The product of both is a power.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct PowerBondSettings {
    /// Its name.
    pub name: Located<String>,
    /// The output that is the effort, `instance.variable`.
    pub effort: Located<String>,
    /// The output that is the flow, `instance.variable`.
    pub flow: Located<String>,
}

/// `[results]`: the content of the rows.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub struct ResultSettings {
    /// Names and patterns of the variables, default all outputs: `crate::System::record`.
    pub variables: Option<Located<Vec<Located<String>>>>,
}
