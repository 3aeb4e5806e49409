//! A source, with all data known before the run.

use std::path::PathBuf;

use lotka_instance::{
    Capabilities, ModelDescription,
    description::{
        BooleanKind, Causality, IntegerKind, IntegerType, RealKind, TextKind, Unknown, Variability, Variable, VariableKind,
    },
};

use super::{TimeEvent, steps::Steps, waveform::Waveform};

/// One signal of a source.
#[derive(Debug, Clone, PartialEq)]
pub enum Channel {
    /// A signal without readers.
    Unread,
    /// A Real signal that changes during steps.
    Moving(Waveform),
    /// A Real signal that is held from one of its times to the next.
    Held(Steps<f64>),
    /// An Integer signal.
    Integer(Steps<i128>),
    /// A Boolean signal.
    Boolean(Steps<bool>),
    /// A String signal.
    Text(Steps<String>),
}

/// A source: its signals, and their description for the rest of the system. Value references count the channels.
#[derive(Debug, Clone)]
pub struct SourceModel {
    /// The path of the file, or the kind of signal.
    pub path: PathBuf,
    /// Its outputs.
    pub description: ModelDescription,
    /// Its signals, one per variable.
    pub channels: Vec<Channel>,
}

/// The smallest usual type with all these values.
fn width(values: &[i128]) -> IntegerType {
    let has_all = |of: &IntegerType| {
        let (min, max) = of.range();
        values.iter().all(|value| (min..=max).contains(value))
    };
    [IntegerType::Int32, IntegerType::Int64].into_iter().find(has_all).unwrap_or(IntegerType::UInt64)
}

impl SourceModel {
    /// Creates a source without outputs.
    #[must_use]
    pub fn new(path: PathBuf, model_name: &str) -> Self {
        let capabilities =
            Capabilities { variable_step: true, save_state: true, serialize_state: true, ..Capabilities::default() };
        let description =
            ModelDescription { model_name: model_name.to_owned(), is_source: true, capabilities, ..ModelDescription::default() };
        Self { path, description, channels: Vec::new() }
    }

    /// Adds an output.
    pub fn add(&mut self, name: String, unit: Option<String>, channel: Channel) {
        let index = self.channels.len();
        let kind = match &channel {
            Channel::Unread | Channel::Moving(_) | Channel::Held(_) => {
                VariableKind::Real(RealKind { unit, ..RealKind::default() })
            }
            Channel::Integer(steps) => {
                VariableKind::Integer(IntegerKind { width: width(steps.values()), ..IntegerKind::default() })
            }
            Channel::Boolean(_) => VariableKind::Boolean(BooleanKind::default()),
            Channel::Text(_) => VariableKind::String(TextKind::default()),
        };
        let variability = if matches!(channel, Channel::Moving(_)) { Variability::Continuous } else { Variability::Discrete };
        self.description.outputs.push(Unknown { index, dependencies: Some(Vec::new()) });
        let variable = Variable { variability, ..Variable::new(name, index as u32, Causality::Output, kind) };
        self.description.variables.push(variable);
        self.channels.push(channel);
    }

    /// Whether an output is a column that nothing reads, which therefore has no values.
    #[must_use]
    pub fn is_unread(&self, output: usize) -> bool {
        self.channels.get(output) == Some(&Channel::Unread)
    }

    /// Returns the shortest period of its signals \[s\].
    pub fn shortest_period(&self) -> Option<f64> {
        let period = |channel: &Channel| match channel {
            Channel::Moving(waveform) => waveform.period(),
            _ => None,
        };
        self.channels.iter().filter_map(period).reduce(f64::min)
    }

    /// Returns the places where signals with readers are not smooth.
    #[must_use]
    pub fn time_events(&self) -> Vec<TimeEvent> {
        let time_events = |channel: &Channel| match channel {
            Channel::Unread => Vec::new(),
            Channel::Moving(waveform) => waveform.time_events(),
            Channel::Held(steps) => steps.time_events(),
            Channel::Integer(steps) => steps.time_events(),
            Channel::Boolean(steps) => steps.time_events(),
            Channel::Text(steps) => steps.time_events(),
        };
        self.channels.iter().flat_map(time_events).collect()
    }
}
