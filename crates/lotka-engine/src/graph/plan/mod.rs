//! The plan of a run: who reads what from where, as flat arrays.

mod builder;
mod recorded;

pub(crate) use builder::Recorded;

use std::ops::Range;

use lotka_instance::{BooleanRef, IntegerRef, RealRef, StringRef};

use super::Component;
use crate::record::Column;

/// Everything the loop needs to know about the system. Real signals are the outputs of all instances in one array.
#[derive(Debug, Clone)]
pub struct Plan {
    /// Instances, and then sources, which make no steps.
    pub units: Vec<Unit>,
    /// How many of them are instances.
    pub(crate) instances: usize,
    /// How to compute each connected Real input; one run per instance.
    pub gathers: Vec<Gather>,
    /// Terms of all inputs.
    pub terms: Vec<Term>,
    /// Degree of the signal of each term, if it is not that of the algorithm.
    pub degrees: Vec<Option<usize>>,
    /// `instance.variable` of each Real signal; signals beyond the outputs are converted integers and booleans.
    pub signal_names: Vec<String>,
    /// Real signals that are held during a step whatever the degree: discrete ones.
    pub(crate) is_held: Vec<bool>,
    /// Real signals that are declared to follow inputs at once, and integers and booleans: what they are says nothing of what was before.
    pub(crate) is_immediate: Vec<bool>,
    /// Number of connected outputs whose slopes are read.
    pub(crate) slopes: usize,
    /// Number of instances in the longest chain along which outputs follow inputs without delay.
    pub(crate) longest_chain: usize,
    /// Share of its terms by which a loop of direct feedthrough may miss its equations at the start, if the user says so.
    pub(crate) loop_tolerance: f64,
    /// Strongly connected components.
    pub components: Vec<Component>,
    /// Declared nominal values of the Real outputs, as far as [`Plan::signal_names`] are those of outputs.
    pub nominals: Vec<Option<f64>>,
    /// `instance.variable` of each Integer, Boolean and String output; integers beyond the outputs follow from others by a map,
    /// and what overrides an input has a place without a name.
    pub(crate) integers: Vec<String>,
    pub(crate) booleans: Vec<String>,
    pub(crate) texts: Vec<String>,
    /// What is recorded.
    pub(crate) columns: Vec<Column>,
    pub(crate) column_sources: Vec<ColumnSource>,
    /// One for each column.
    pub(crate) column_traits: Vec<Traits>,
    /// What is read for rows only; none if nothing but outputs is recorded.
    pub(crate) row_reads: Option<Box<RowReads>>,
}

/// What is known of a column beside what its rows have.
#[derive(Debug, Clone)]
pub(crate) struct Traits {
    pub(crate) instance: usize,
    /// Declared nominal value.
    pub(crate) nominal: Option<f64>,
    pub(crate) kind: Kind,
}

/// What values that can be compared in size have in common.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    Unit(String),
    Quantity(String),
    /// Of a variable without unit and quantity.
    Name(String),
}

/// One instance in the plan.
#[derive(Debug, Clone, Default)]
pub struct Unit {
    /// Connected Real inputs, sorted by source.
    pub input_references: Box<[RealRef]>,
    pub(crate) feed: Feed,
    /// How to compute them: this run of [`Plan::gathers`].
    pub gathers: Range<usize>,
    /// Real outputs that are connected or recorded, connected ones first.
    pub(crate) output_references: Box<[RealRef]>,
    /// Where their signals lie.
    pub outputs: Range<usize>,
    /// How many of them are connected.
    pub n_connected: usize,
    /// Where the slopes of connected outputs lie, as far as they are read: not those of outputs that follow an input without delay, whose
    /// slope the FMU cannot know.
    pub(crate) slopes: Range<usize>,
    /// These outputs, and their signals.
    pub(crate) slope_references: Box<[RealRef]>,
    pub(crate) slope_signals: Box<[usize]>,
    /// An output follows a connected Real input without delay.
    pub has_feedthrough: bool,
    /// It reacts to events: it steps after the others and reads its inputs at the end of the step.
    pub(crate) is_reactor: bool,
    /// What is not Real; most instances have nothing of it.
    pub discrete: Option<Box<Discrete>>,
}

/// Where the Real inputs of an instance come from.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) enum Feed {
    /// They are computed one by one.
    #[default]
    Gather,
    /// They are an identity image of neighboring signals, which are handed over as they lie.
    Direct(Range<usize>),
}

impl Unit {
    /// Signals of the connected outputs.
    #[must_use]
    pub fn connected(&self) -> Range<usize> {
        self.outputs.start..self.outputs.start + self.n_connected
    }

    /// Whether it has connected inputs of any type.
    pub(crate) fn reads(&self) -> bool {
        !self.input_references.is_empty() || self.discrete.as_ref().is_some_and(|discrete| discrete.reads())
    }
}

/// A Real input: `offset` plus the sum over `terms`.
#[derive(Debug, Clone)]
pub struct Gather {
    pub terms: Range<usize>,
    pub offset: f64,
}

impl Gather {
    /// The input that these signals give.
    #[inline]
    pub(crate) fn value(&self, terms: &[Term], signals: &[f64]) -> f64 {
        terms[self.terms.clone()].iter().fold(self.offset, |sum, term| sum + term.factor * signals[term.signal])
    }
}

#[derive(Debug, Clone, Copy)]
pub struct Term {
    pub signal: usize,
    pub factor: f64,
}

/// Integer, Boolean and String variables of one instance.
#[derive(Debug, Clone, Default)]
pub struct Discrete {
    /// An output of them is connected: they are read after every step, otherwise only when a row is recorded.
    pub(crate) every_step: bool,
    pub(crate) integer_outputs: (Vec<IntegerRef>, Range<usize>),
    pub(crate) boolean_outputs: (Vec<BooleanRef>, Range<usize>),
    pub(crate) text_outputs: (Vec<StringRef>, Range<usize>),
    pub(crate) integer_inputs: Vec<(IntegerRef, DiscreteSource)>,
    pub(crate) boolean_inputs: Vec<(BooleanRef, DiscreteSource)>,
    pub(crate) text_inputs: Vec<(StringRef, usize)>,
    /// Integers that follow an integer or boolean of this instance by a map.
    pub(crate) mapped: Vec<Mapped>,
    /// Real signals that follow an integer or boolean of this instance.
    pub converted: Vec<(usize, DiscreteSource)>,
}

impl Discrete {
    fn reads(&self) -> bool {
        !(self.integer_inputs.is_empty() && self.boolean_inputs.is_empty() && self.text_inputs.is_empty())
    }
}

/// An Integer or Boolean signal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DiscreteSource {
    /// An Integer signal.
    Integer(usize),
    /// A Boolean signal.
    Boolean(usize),
}

/// An integer that follows an integer or boolean, of which some values are replaced by others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Mapped {
    /// Where it lies among the integers.
    pub(crate) integer: usize,
    pub(crate) of: DiscreteSource,
    pub(crate) map: Box<[(i32, i32)]>,
}

impl Mapped {
    pub(crate) fn value(&self, of: i32) -> i32 {
        self.map.iter().find(|(key, _)| *key == of).map_or(of, |(_, value)| *value)
    }
}

/// Where the values of a recorded column lie: among the signals, or among what is read for rows only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnSource {
    /// A Real signal.
    Real(usize),
    /// An Integer signal.
    Integer(usize),
    /// A Boolean signal.
    Boolean(usize),
    /// A String signal.
    Text(usize),
    /// A Real that is read for rows only.
    RowReal(usize),
    /// An Integer that is read for rows only.
    RowInteger(usize),
    /// A Boolean that is read for rows only.
    RowBoolean(usize),
    /// A String that is read for rows only.
    RowText(usize),
}

/// What is read for rows only: recorded variables that are no outputs.
#[derive(Debug, Clone, Default)]
pub(crate) struct RowReads {
    /// Instances that are asked.
    pub(crate) instances: Vec<InstanceReads>,
    /// Connected Real inputs, in [`Plan::gathers`]: what their sources give.
    pub(crate) inputs: Vec<(usize, usize)>,
    /// Connected Integer, Boolean and String inputs: of which instance, and the how manieth of its kind. What feeds them may change.
    pub(crate) integer_inputs: Vec<(usize, Input)>,
    pub(crate) boolean_inputs: Vec<(usize, Input)>,
    pub(crate) text_inputs: Vec<(usize, Input)>,
    /// How many values of each type there are.
    pub(crate) reals: usize,
    pub(crate) integers: usize,
    pub(crate) booleans: usize,
    pub(crate) texts: usize,
}

/// A connected input in [`Discrete`].
#[derive(Debug, Clone, Copy)]
pub(crate) struct Input {
    pub(crate) instance: usize,
    pub(crate) position: usize,
}

/// What one instance is asked for rows: references, and where their values go.
#[derive(Debug, Clone, Default)]
pub(crate) struct InstanceReads {
    pub(crate) instance: usize,
    pub(crate) reals: (Vec<RealRef>, Range<usize>),
    pub(crate) integers: (Vec<IntegerRef>, Range<usize>),
    pub(crate) booleans: (Vec<BooleanRef>, Range<usize>),
    pub(crate) texts: (Vec<StringRef>, Range<usize>),
}

impl Plan {
    /// Whether a signal is that of a source: it has no error.
    pub(crate) fn is_known(&self, signal: usize) -> bool {
        self.units[self.instances..].iter().any(|unit| unit.outputs.contains(&signal))
    }

    /// Whether the slopes of all connected outputs of instances are read.
    pub(crate) fn gives_all_slopes(&self) -> bool {
        self.units[..self.instances].iter().all(|unit| unit.slopes.len() == unit.n_connected)
    }

    /// Whether each column that can have an error belongs to an instance that reads nothing from others.
    pub(crate) fn is_free(&self) -> Vec<bool> {
        self.estimated().map(|(_, traits)| !self.units[traits.instance].reads()).collect()
    }

    /// Where a Real output of an instance lies among its outputs.
    pub(crate) fn output_position(&self, instance: usize, variable: &str) -> Option<usize> {
        // Names of instances have no dots.
        let is_own = |signal: usize| self.signal_names[signal].split_once('.').is_some_and(|(_, own)| own == variable);
        self.units[instance].outputs.clone().position(is_own)
    }

    /// Whether a Real input of an instance follows this signal.
    pub(crate) fn reads(&self, instance: usize, signal: usize) -> bool {
        let gathers = &self.gathers[self.units[instance].gathers.clone()];
        gathers.iter().any(|gather| self.terms[gather.terms.clone()].iter().any(|term| term.signal == signal))
    }

    /// The Real inputs of an instance that follow this signal alone, each with how the signal follows from the input.
    pub(crate) fn followers(
        &self,
        instance: usize,
        signal: usize,
    ) -> impl Iterator<Item = (RealRef, impl Fn(f64) -> f64 + Copy)> + Clone {
        let unit = &self.units[instance];
        let inputs = unit.input_references.iter().zip(&self.gathers[unit.gathers.clone()]);
        inputs.filter_map(move |(&input, gather)| match self.terms[gather.terms.clone()] {
            [Term { signal: source, factor }] if source == signal && factor != 0.0 => {
                let offset = gather.offset;
                Some((input, move |value: f64| (value - offset) / factor))
            }
            _ => None,
        })
    }

    /// By how much each Real input of an instance changes with this signal.
    pub(crate) fn seed(&self, instance: usize, signal: usize, seed: &mut [f64]) {
        for (seed, gather) in seed.iter_mut().zip(&self.gathers[self.units[instance].gathers.clone()]) {
            let terms = self.terms[gather.terms.clone()].iter().filter(|term| term.signal == signal);
            *seed = terms.map(|term| term.factor).sum();
        }
    }

    /// The columns that can have an error.
    pub(crate) fn estimated(&self) -> impl Iterator<Item = (&Column, &Traits)> {
        self.columns.iter().zip(&self.column_traits).filter(|(column, _)| column.can_have_error())
    }
}
