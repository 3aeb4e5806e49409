//! Access to variables at run time: one table per base type, indexed by value reference.

use fmi2::description::{Causality, ScalarVariable, Variability};
use lotka_instance::Phase;

use crate::{Environment, Input};

/// Reads a variable.
pub(crate) type Getter<M, T> = Box<dyn Fn(&mut M) -> T + Send + Sync>;
/// Writes a variable; returns `false` if its type has no such value.
pub(crate) type Setter<M, T> = Box<dyn Fn(&mut M, T) -> bool + Send + Sync>;
/// Returns the polynomial of an input.
pub(crate) type InputAccess<M> = Box<dyn Fn(&mut M) -> Option<&mut Input> + Send + Sync>;

/// Returns the environment stored in the model.
pub(crate) type EnvironmentAccess<M> = Box<dyn Fn(&mut M) -> &mut Environment + Send + Sync>;

/// Computes a Real from the model.
pub type RealFunction<M> = fn(&M) -> f64;

/// One variable as accessed by the exported functions.
pub(crate) struct Access<M, T> {
    /// 0-based index into the variables of the model description.
    pub variable: usize,
    pub get: Getter<M, T>,
    pub set: Option<Setter<M, T>>,
    pub settable: Settable,
    /// Whether minimum and maximum are enforced, because the variable is a parameter or a start value.
    pub checked: bool,
}

/// The variables of all base types.
pub(crate) struct Tables<M> {
    pub reals: Vec<Access<M, f64>>,
    pub integers: Vec<Access<M, i32>>,
    pub booleans: Vec<Access<M, bool>>,
    pub strings: Vec<Access<M, String>>,
}

impl<M> Default for Tables<M> {
    fn default() -> Self {
        Self { reals: Vec::new(), integers: Vec::new(), booleans: Vec::new(), strings: Vec::new() }
    }
}

/// When a variable may be set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Settable {
    Never,
    BeforeFirstStep,
    Always,
}

impl Settable {
    pub fn of(variable: &ScalarVariable) -> Self {
        match (variable.causality(), variable.variability()) {
            (Causality::Input, _) | (Causality::Parameter, Variability::Tunable) => Self::Always,
            _ if variable.start_is_settable() => Self::BeforeFirstStep,
            _ => Self::Never,
        }
    }

    #[inline]
    pub fn allows(self, phase: Phase) -> bool {
        match self {
            Self::Always => true,
            Self::BeforeFirstStep => matches!(phase, Phase::Instantiated | Phase::Initialization),
            Self::Never => false,
        }
    }
}
