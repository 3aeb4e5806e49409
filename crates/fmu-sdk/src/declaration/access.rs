//! Access to variables at run time: one table per base type, indexed by value reference.

use fmi2::description::{Causality, ScalarVariable, Variability};
use lotka_instance::Phase;

use crate::{Environment, Input};

/// Reads a variable.
pub(crate) type Getter<M, T> = Box<dyn Fn(&mut M) -> T + Send + Sync>;
/// Writes a variable; returns `false` if its type has no such value.
pub(crate) type Write<M, T> = Box<dyn Fn(&mut M, T) -> bool + Send + Sync>;
/// Returns the polynomial of an input.
pub(crate) type InputAccess<M> = Box<dyn Fn(&mut M) -> Option<&mut Input> + Send + Sync>;

/// Returns the environment stored in the model.
pub(crate) type EnvironmentAccess<M> = Box<dyn Fn(&mut M) -> &mut Environment + Send + Sync>;

/// Computes a Real from the model.
pub type RealFunction<M> = fn(&M) -> f64;

/// The variables of one base type, by value reference.
pub(crate) struct Table<M, T> {
    /// 0-based indices into the variables of the model description.
    pub variables: Vec<usize>,
    pub getters: Vec<Getter<M, T>>,
    /// As declared; `None` for variables that the model computes.
    pub writes: Vec<Option<Write<M, T>>>,
    /// Made of `writes`, once the attributes of all variables are known.
    pub setters: Vec<Setter<M, T>>,
}

impl<M, T> Default for Table<M, T> {
    fn default() -> Self {
        Self { variables: Vec::new(), getters: Vec::new(), writes: Vec::new(), setters: Vec::new() }
    }
}

/// How a variable is written, and when. Minimum and maximum of parameters and start values are enforced, those of inputs are not.
pub(crate) enum Setter<M, T> {
    Never,
    BeforeFirstStep(Write<M, T>),
    /// A tunable parameter: whenever values may be set.
    Tunable(Write<M, T>),
    /// An input: whenever values may be set.
    Input(Write<M, T>),
}

impl<M, T> Setter<M, T> {
    /// Returns the setter that the attributes of `variable` require.
    pub fn of(variable: &ScalarVariable, write: Option<Write<M, T>>) -> Self {
        match (write, variable.causality(), variable.variability()) {
            (None, ..) => Self::Never,
            (Some(write), Causality::Input, _) => Self::Input(write),
            (Some(write), Causality::Parameter, Variability::Tunable) => Self::Tunable(write),
            (Some(write), ..) if variable.start_is_settable() => Self::BeforeFirstStep(write),
            _ => Self::Never,
        }
    }

    /// Returns how the variable is written if that is allowed in `phase`.
    pub fn in_phase(&self, phase: Phase) -> Option<&Write<M, T>> {
        match self {
            Self::Input(write) | Self::Tunable(write) => Some(write),
            Self::BeforeFirstStep(write) => matches!(phase, Phase::Instantiated | Phase::Initialization).then_some(write),
            Self::Never => None,
        }
    }
}

/// The variables of all base types.
pub(crate) struct Tables<M> {
    pub reals: Table<M, f64>,
    pub integers: Table<M, i32>,
    pub booleans: Table<M, bool>,
    pub strings: Table<M, String>,
}

impl<M> Default for Tables<M> {
    fn default() -> Self {
        Self { reals: Table::default(), integers: Table::default(), booleans: Table::default(), strings: Table::default() }
    }
}
