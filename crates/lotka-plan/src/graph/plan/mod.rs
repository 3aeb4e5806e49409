//! The plan of a run: which input reads which output, as flat arrays.

mod builder;
mod recorded;
mod row_reads;

pub use builder::Recorded;
pub use row_reads::{ColumnSource, Input, InstanceReads, RowReads};

use std::{collections::HashMap, ops::Range};

use lotka_instance::{BinaryRef, BooleanRef, IntegerRef, RealRef, StringRef};

use super::{StepLevels, StronglyConnectedComponent};
use crate::column::Column;

/// All data that the loop needs about the system. Real signals are the outputs of all instances in one array.
#[derive(Debug, Clone)]
pub struct Plan {
    /// Those that make steps, followed by the sources, which make none.
    pub instances: Vec<InstancePlan>,
    /// Number of instances that make steps.
    pub n_stepping: usize,
    /// How to compute each connected Real input; consecutive for each instance.
    pub gathers: Vec<Gather>,
    /// Terms of all inputs.
    pub terms: Vec<Term>,
    /// Degree of the signal of each term, if it differs from that of the algorithm.
    pub degrees: Vec<Option<usize>>,
    /// `instance.variable` of each Real signal; signals after the outputs are converted integers and booleans.
    pub signal_names: Vec<String>,
    /// Real signals that are held during a step whatever the degree: the discrete ones.
    pub is_held: Vec<bool>,
    /// Real signals with declared direct feedthrough, and integers and booleans: their values do not depend on their past.
    pub is_immediate: Vec<bool>,
    /// Number of connected outputs whose slopes are read.
    pub slopes: usize,
    /// Number of instances in the longest chain of direct feedthrough.
    pub longest_chain: usize,
    /// Permitted residual of a loop of direct feedthrough at the start, relative to its terms, if the user sets one.
    pub loop_tolerance: f64,
    /// Instances that may step at the same time where they step one after the other.
    pub step_levels: StepLevels,
    /// Strongly connected components.
    pub components: Vec<StronglyConnectedComponent>,
    /// Whether an output, a connected input or a recorded variable has single precision.
    pub has_single: bool,
    /// Signals of the Real outputs that have single precision.
    pub singles: Vec<usize>,
    /// Declared nominal values of the Real outputs, for those [`Plan::signal_names`] that are outputs.
    pub nominals: Vec<Option<f64>>,
    /// `instance.variable` of each Integer, Boolean, String and Binary output. Integers after the outputs follow from others by a
    /// map; the place of a value that overrides an input has no name.
    pub integers: Vec<String>,
    /// The same of the booleans.
    pub booleans: Vec<String>,
    /// The same of the strings.
    pub texts: Vec<String>,
    /// The same of the binaries.
    pub binaries: Vec<String>,
    /// The recorded columns.
    pub columns: Vec<Column>,
    /// Where the value of each column is found.
    pub column_sources: Vec<ColumnSource>,
    /// One for each column.
    pub(crate) column_traits: Vec<Traits>,
    /// Variables that are read for rows only; `None` if only outputs are recorded.
    pub row_reads: Option<Box<RowReads>>,
}

/// Properties of a column that its rows do not contain.
#[derive(Debug, Clone)]
pub struct Traits {
    pub instance: usize,
    /// Declared nominal value.
    pub nominal: Option<f64>,
    pub kind: Kind,
}

/// The common property of values that can be compared in size.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Kind {
    /// The unit of the variables.
    Unit(String),
    /// The physical quantity that they measure.
    Quantity(String),
    /// The name of a variable without unit and quantity.
    Name(String),
}

/// One instance in the plan.
#[derive(Debug, Clone, Default)]
pub struct InstancePlan {
    /// Connected Real inputs, sorted by source.
    pub input_references: Box<[RealRef]>,
    /// Where its Real inputs come from.
    pub feed: Feed,
    /// How to compute them: this range of [`Plan::gathers`].
    pub gathers: Range<usize>,
    /// Real outputs that are connected or recorded, connected ones first.
    pub output_references: Box<[RealRef]>,
    /// The range of their signals.
    pub outputs: Range<usize>,
    /// Number of connected ones.
    pub n_connected: usize,
    /// The range of the slopes of connected outputs that are read. Outputs with direct feedthrough are excluded, because the FMU
    /// cannot know their slopes.
    pub slopes: Range<usize>,
    /// These outputs, and their signals.
    pub slope_references: Box<[RealRef]>,
    /// Signals of its outputs with slopes.
    pub slope_signals: Box<[usize]>,
    /// Whether an output follows a connected Real input without delay.
    pub has_feedthrough: bool,
    /// Whether an output follows an input of any type without delay, connected or not, or a tunable parameter.
    pub follows_at_once: bool,
    /// Whether it reacts to events: it steps after the others and reads its inputs at the end of the step.
    pub is_reactor: bool,
    /// Whether its events are handled in event mode.
    pub uses_event_mode: bool,
    /// The size of its own steps \[s\], if it is sampled and held.
    pub sample_time: Option<f64>,
    /// Variables that are not Real; most instances have none.
    pub discrete: Option<Box<Discrete>>,
}

/// The origin of the Real inputs of an instance.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Feed {
    /// They are computed one by one.
    #[default]
    Gather,
    /// They are an identity image of adjacent signals, which are passed without copying.
    Direct(Range<usize>),
}

impl InstancePlan {
    /// Signals of the connected outputs.
    #[must_use]
    pub fn connected(&self) -> Range<usize> {
        self.outputs.start..self.outputs.start + self.n_connected
    }

    /// Whether it has connected inputs of any type.
    #[must_use]
    pub fn reads(&self) -> bool {
        !self.input_references.is_empty() || self.discrete.as_ref().is_some_and(|discrete| discrete.reads())
    }

    /// Whether it has outputs of any type.
    #[must_use]
    pub fn writes(&self) -> bool {
        !self.outputs.is_empty() || self.discrete.as_ref().is_some_and(|discrete| discrete.writes())
    }
}

/// A Real input: `offset` plus the sum over `terms`.
#[derive(Debug, Clone)]
pub struct Gather {
    /// A range of [`Plan::terms`].
    pub terms: Range<usize>,
    /// In the unit of the input.
    pub offset: f64,
}

impl Gather {
    /// The value of this input for these signals.
    #[inline]
    #[must_use]
    pub fn value(&self, terms: &[Term], signals: &[f64]) -> f64 {
        terms[self.terms.clone()].iter().fold(self.offset, |sum, term| sum + term.factor * signals[term.signal])
    }
}

#[derive(Debug, Clone, Copy)]
pub struct Term {
    pub signal: usize,
    pub factor: f64,
}

/// Integer, Boolean, String and Binary variables of one instance.
#[derive(Debug, Clone, Default)]
pub struct Discrete {
    /// Whether an output among them is connected: they are then read after every step, otherwise only when a row is recorded.
    pub every_step: bool,
    pub integer_outputs: (Vec<IntegerRef>, Range<usize>),
    pub boolean_outputs: (Vec<BooleanRef>, Range<usize>),
    pub text_outputs: (Vec<StringRef>, Range<usize>),
    pub binary_outputs: (Vec<BinaryRef>, Range<usize>),
    pub integer_inputs: Vec<(IntegerRef, DiscreteSource)>,
    pub boolean_inputs: Vec<(BooleanRef, DiscreteSource)>,
    pub text_inputs: Vec<(StringRef, usize)>,
    pub binary_inputs: Vec<(BinaryRef, usize)>,
    /// Integers that follow an integer or boolean of this instance by a map.
    pub mapped: Vec<Mapped>,
    /// Real signals that follow an integer or boolean of this instance.
    pub converted: Vec<(usize, DiscreteSource)>,
}

impl Discrete {
    pub(super) fn writes(&self) -> bool {
        !(self.integer_outputs.0.is_empty()
            && self.boolean_outputs.0.is_empty()
            && self.text_outputs.0.is_empty()
            && self.binary_outputs.0.is_empty())
    }

    fn reads(&self) -> bool {
        !(self.integer_inputs.is_empty()
            && self.boolean_inputs.is_empty()
            && self.text_inputs.is_empty()
            && self.binary_inputs.is_empty())
    }
}

/// An Integer or Boolean signal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DiscreteSource {
    /// An Integer signal.
    Integer(usize),
    /// A Boolean signal.
    Boolean(usize),
}

/// An integer that follows an integer or boolean, with some values replaced by others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mapped {
    /// Its index among the integers.
    pub integer: usize,
    /// The integer or boolean that is replaced.
    pub of: DiscreteSource,
    pub(crate) map: Box<[(i128, i128)]>,
}

impl Mapped {
    /// Returns the number that follows from another one.
    #[must_use]
    pub fn value(&self, of: i128) -> i128 {
        self.map.iter().find(|(key, _)| *key == of).map_or(of, |(_, value)| *value)
    }
}

impl Plan {
    /// Whether a signal comes from a source, which has no error.
    #[must_use]
    pub fn is_known(&self, signal: usize) -> bool {
        self.owner(signal).is_some_and(|instance| instance >= self.n_stepping)
    }

    /// The instance with this signal among its outputs; none for a converted integer or boolean.
    #[must_use]
    pub fn owner(&self, signal: usize) -> Option<usize> {
        // Outputs are numbered in the order of the instances.
        let instance = self.instances.partition_point(|instance_plan| instance_plan.outputs.end <= signal);
        (instance < self.instances.len()).then_some(instance)
    }

    /// Whether the slopes of all connected outputs of instances are read.
    #[must_use]
    pub fn gives_all_slopes(&self) -> bool {
        self.instances[..self.n_stepping].iter().all(|instance_plan| instance_plan.slopes.len() == instance_plan.n_connected)
    }

    /// Whether each column that can have an error belongs to an instance without connected inputs.
    #[must_use]
    pub fn is_free(&self) -> Vec<bool> {
        self.estimated().map(|(_, traits)| !self.instances[traits.instance].reads()).collect()
    }

    /// Position of a Real output of an instance among its outputs.
    #[must_use]
    pub fn output_position(&self, instance: usize, variable: &str) -> Option<usize> {
        // Instance names contain no dots.
        let is_own = |signal: usize| self.signal_names[signal].split_once('.').is_some_and(|(_, own)| own == variable);
        self.instances[instance].outputs.clone().position(is_own)
    }

    /// Whether a Real input of an instance follows this signal.
    #[must_use]
    pub fn reads(&self, instance: usize, signal: usize) -> bool {
        let gathers = &self.gathers[self.instances[instance].gathers.clone()];
        gathers.iter().any(|gather| self.terms[gather.terms.clone()].iter().any(|term| term.signal == signal))
    }

    /// For each signal: the positions of those of the instances whose Real inputs follow it.
    pub fn readers(&self, instances: &[usize], signals: &[usize]) -> impl Iterator<Item = Vec<usize>> {
        let mut readers: HashMap<usize, Vec<usize>> = signals.iter().map(|signal| (*signal, Vec::new())).collect();
        for (position, &instance) in instances.iter().enumerate() {
            let gathers = &self.gathers[self.instances[instance].gathers.clone()];
            for term in gathers.iter().flat_map(|gather| &self.terms[gather.terms.clone()]) {
                if let Some(readers) = readers.get_mut(&term.signal).filter(|readers| readers.last() != Some(&position)) {
                    readers.push(position);
                }
            }
        }
        signals.iter().map(move |signal| readers.remove(signal).unwrap_or_default())
    }

    /// The Real inputs of an instance that follow one signal alone: the signal, the input, and the function from the input to the
    /// signal.
    pub fn single_sources(&self, instance: usize) -> impl Iterator<Item = (usize, RealRef, impl Fn(f64) -> f64 + Copy)> + Clone {
        let instance_plan = &self.instances[instance];
        let inputs = instance_plan.input_references.iter().zip(&self.gathers[instance_plan.gathers.clone()]);
        inputs.filter_map(move |(&input, gather)| match self.terms[gather.terms.clone()] {
            [Term { signal, factor }] if factor != 0.0 => {
                let offset = gather.offset;
                Some((signal, input, move |value: f64| (value - offset) / factor))
            }
            _ => None,
        })
    }

    /// Computes the derivative of each Real input of an instance with respect to this signal.
    pub fn seed(&self, instance: usize, signal: usize, seed: &mut [f64]) {
        for (seed, gather) in seed.iter_mut().zip(&self.gathers[self.instances[instance].gathers.clone()]) {
            let terms = self.terms[gather.terms.clone()].iter().filter(|term| term.signal == signal);
            *seed = terms.map(|term| term.factor).sum();
        }
    }

    /// The columns that can have an error.
    pub fn estimated(&self) -> impl Iterator<Item = (&Column, &Traits)> {
        self.columns.iter().zip(&self.column_traits).filter(|(column, _)| column.can_have_error())
    }
}
