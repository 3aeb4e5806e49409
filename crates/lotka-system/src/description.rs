//! The system as plain data, the same for every front end.

mod algorithm;

use lotka_message::SourceFile;
use std::{ops::Range, path::PathBuf};

use lotka_engine::resolved::TypedValue;
use lotka_instance::Sandbox;
use serde::{Serialize, Serializer};

pub use algorithm::{AlgorithmSettings, NoConvergence};

use super::{EventSettings, Override, SourceSettings};

/// A value with the place in the file it came from, if it came from a file.
#[derive(Debug, Clone, PartialEq)]
pub struct Located<T> {
    /// The value.
    pub value: T,
    /// Byte range in the file.
    pub span: Option<Range<usize>>,
}

impl<T> From<T> for Located<T> {
    fn from(value: T) -> Self {
        Self { value, span: None }
    }
}

/// The value alone, as it stands in a system file.
impl<T: Serialize> Serialize for Located<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.value.serialize(serializer)
    }
}

/// A whole system.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct SystemDescription {
    /// Where it was read from.
    #[serde(skip)]
    pub file: Option<SourceFile>,
    /// Other files that it was read from: values, nested systems, the configuration of a simulation.
    #[serde(skip)]
    pub beside: Vec<PathBuf>,
    /// What is asked of the run.
    pub experiment: Experiment,
    /// The instances, in file order.
    pub instances: Vec<InstanceSettings>,
    /// Where FMUs run and how they are guarded, for instances that do not say it themselves.
    pub isolation: IsolationSettings,
    /// Start values given apart from the instances, by `instance.variable`; they win.
    pub start_values: Vec<StartSetting>,
    /// Signals that are known before the run, in file order.
    pub sources: Vec<SourceSettings>,
    /// The connections, in file order.
    pub connections: Vec<Connection>,
    /// What is set at known times, in file order.
    pub scenario: Vec<Override>,
    /// Start values that are solved for.
    pub initialization: Vec<SolvedStart>,
    /// Share of its terms by which a loop of direct feedthrough may miss its equations at the start, default what rounding and noise make of it.
    pub loop_tolerance: Option<Located<f64>>,
    /// How steps are made.
    pub algorithm: AlgorithmSettings,
    /// Where steps must end.
    pub events: EventSettings,
    /// Pairs of connections whose energy is looked at.
    pub power_bonds: Vec<PowerBondSettings>,
    /// Units that the system file defines itself; those that FMUs define need not be among them.
    pub units: Vec<UnitSettings>,
    /// What is recorded.
    pub results: ResultSettings,
}

impl SystemDescription {
    /// The name of an instance or, counted after them, of a source.
    #[must_use]
    pub fn name_of(&self, index: usize) -> &str {
        let sources = || self.sources.get(index.wrapping_sub(self.instances.len())).map(|source| &source.name);
        self.instances.get(index).map(|instance| &instance.name).or_else(sources).map_or("", |name| &name.value)
    }

    /// Names of all instances, and then of all sources.
    #[must_use]
    pub fn names(&self) -> Vec<&str> {
        let instances = self.instances.iter().map(|instance| instance.name.value.as_str());
        instances.chain(self.sources.iter().map(|source| source.name.value.as_str())).collect()
    }
}

/// `[experiment]`. Times in seconds.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Experiment {
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
    /// Distance of recorded rows; every accepted step if absent.
    pub output_interval: Option<Located<f64>>,
    /// Smallest distance of recorded rows, for which steps do not end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_output_interval: Option<Located<f64>>,
    /// First step under error control.
    pub first_step: Option<Located<f64>>,
    /// Smallest step under error control.
    pub min_step: Option<Located<f64>>,
    /// Largest step under error control.
    pub max_step: Option<Located<f64>>,
    /// doStep calls after which a `tolerance` is given up.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_calls: Option<Located<f64>>,
    /// How exactly events are located.
    pub event_tolerance: Option<Located<f64>>,
    /// Tolerance that FMUs are asked for; that of an instance comes first.
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
    /// Start values that differ from the FMU's own.
    pub start: Vec<StartSetting>,
    /// Whether the FMU is told the stop time, default yes.
    pub pass_stop_time: bool,
    /// Tolerance that the FMU is asked for.
    pub fmu_tolerance: Option<Located<f64>>,
    /// Where the FMU runs and how it is guarded.
    pub isolation: IsolationSettings,
}

impl InstanceSettings {
    /// An instance without anything special.
    #[must_use]
    pub fn new(name: Located<String>, fmu: Located<PathBuf>) -> Self {
        Self { name, fmu, start: Vec::new(), pass_stop_time: true, fmu_tolerance: None, isolation: IsolationSettings::default() }
    }
}

/// Where an FMU runs and how it is guarded. What an instance does not say is what the system says.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct IsolationSettings {
    /// Where the FMU runs, default in this process, unless it is in a sandbox.
    pub isolation: Option<Located<Isolation>>,
    /// How long loading, instantiation and each call up to the end of initialization may take \[s\].
    pub init_timeout: Option<Located<f64>>,
    /// How long each later call may take \[s\].
    pub step_timeout: Option<Located<f64>>,
    /// How the FMU is confined; `Some(None)`: not at all.
    pub sandbox: Option<Located<Option<Sandbox>>>,
    /// Libraries to load into the global scope before the FMU: paths, or names without a slash, which the dynamic linker looks for.
    pub preload_global: Option<Located<Vec<Located<PathBuf>>>>,
    /// Whether instances of the FMU may run on several threads of a process at the same time; default is what the FMU says itself.
    pub thread_safe: Option<Located<bool>>,
}

/// Where an FMU runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Isolation {
    /// In this process.
    None,
    /// Each instance in a process of its own: crashes, `exit` and endless loops are errors of the run.
    Process,
}

/// A start value of one variable.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct StartSetting {
    /// The variable.
    pub variable: Located<String>,
    /// Its value.
    pub value: Located<StartValue>,
    /// Unit of the value, default that of the variable.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<Located<String>>,
    /// It is ignored, with a warning, where there is no such variable.
    #[serde(skip)]
    pub is_optional: bool,
}

impl StartSetting {
    /// A start value in the unit of its variable.
    pub fn new(variable: impl Into<Located<String>>, value: impl Into<Located<StartValue>>) -> Self {
        Self { variable: variable.into(), value: value.into(), unit: None, is_optional: false }
    }
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

/// A start value as written; its type is settled against the variable.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum StartValue {
    /// A number with a decimal point or exponent.
    Real(f64),
    /// A whole number.
    Integer(i64),
    /// true or false.
    Boolean(bool),
    /// A text.
    Text(String),
    /// Characters from a command line, read as whatever type the variable has.
    Unparsed(String),
}

impl std::fmt::Display for StartValue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Real(value) => value.fmt(f),
            Self::Integer(value) => value.fmt(f),
            Self::Boolean(value) => value.fmt(f),
            Self::Text(text) | Self::Unparsed(text) => write!(f, "`{text}`"),
        }
    }
}

/// One connection: an input and what feeds it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Connection {
    /// `instance.variable` of the input.
    pub input: Located<String>,
    /// What is summed into it.
    pub sources: Vec<Source>,
}

/// One summand of a connection: `factor * output + offset`, where the output is converted to the unit of the input before.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Source {
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
    /// Unit of the value that factor and offset are applied to, default that of the input.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from_unit: Option<Located<String>>,
    /// Unit of the value that factor and offset make, default that of the input.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to_unit: Option<Located<String>>,
    /// For integers, booleans and enumerations: values that are replaced by others, items of enumerations by number or by name. Other values stay.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub map: Vec<(Located<StartValue>, Located<StartValue>)>,
}

impl Source {
    /// The output as it is, in the unit of the input.
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

/// One entry of `solve` in `[initialization]`: a start value that is not known, and a value that determines it together with those of the
/// other entries.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct SolvedStart {
    /// `instance.variable` of a Real start value; the one given is the guess.
    pub unknown: Located<String>,
    /// `instance.variable` of a Real output or connected input.
    pub residual: Located<String>,
    /// The value that the residual is to have after initialization, default 0.
    pub target: f64,
}

/// One entry of `[power-bonds]`: two instances read from each other an effort and a flow, whose product is a power.
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

/// `[results]`: what the rows hold.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct ResultSettings {
    /// Names and patterns of the variables, default all outputs: `crate::System::record`.
    pub variables: Option<Located<Vec<Located<String>>>>,
}

impl From<&TypedValue> for StartValue {
    fn from(value: &TypedValue) -> Self {
        match value {
            TypedValue::Real(value) => Self::Real(*value),
            TypedValue::Integer(value) => Self::Integer((*value).into()),
            TypedValue::Boolean(value) => Self::Boolean(*value),
            TypedValue::Text(value) => Self::Text(value.clone()),
        }
    }
}
