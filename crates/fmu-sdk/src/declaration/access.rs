//! Access to variables at run time: one table per base type. Its functions are [kept] as long as the process lives, as the
//! declaration is.

use fmi3::description::Causality;
use lotka_instance::Phase;
use lotka_instance::description::Variability;

use super::attributes::Variable;
use crate::{Environment, Input};

/// Keeps a function for good: what is never dropped needs no code to drop it, for each type of each model.
pub(super) fn kept<F>(function: F) -> &'static F {
    Box::leak(Box::new(function))
}

/// Reads a scalar, or one element of an array.
pub(crate) type Getter<M, T> = &'static (dyn Fn(&mut M) -> T + Send + Sync);
/// Writes a scalar, or one element of an array; returns `false` if its type has no such value.
pub(crate) type Write<M, T> = &'static (dyn Fn(&mut M, T) -> bool + Send + Sync);
/// Reads an element of an array by its index, row by row.
pub(crate) type ElementGetter<M, T> = &'static (dyn Fn(&mut M, usize) -> T + Send + Sync);
/// Writes an element of an array by its index; returns `false` if its type has no such value.
pub(crate) type ElementWrite<M, T> = &'static (dyn Fn(&mut M, usize, T) -> bool + Send + Sync);
/// Returns the number of elements of an array.
pub(crate) type Length<M> = &'static (dyn Fn(&mut M) -> usize + Send + Sync);
/// Returns the polynomial of an element of an input; `None` if its type has none.
pub(crate) type Polynomial<M> = &'static (dyn Fn(&mut M, usize) -> Option<&mut Input> + Send + Sync);

/// The polynomials of an input.
pub(crate) struct InputAccess<M: 'static> {
    /// Index of the variable.
    pub variable: usize,
    /// The number of elements, if it cannot change.
    pub fixed_length: Option<usize>,
    /// The present number of elements.
    pub length: Length<M>,
    pub at: Polynomial<M>,
}

impl<M: 'static> InputAccess<M> {
    /// Returns the present number of elements, which can be that of structural parameters.
    #[inline]
    pub fn length(&self, model: &mut M) -> usize {
        self.fixed_length.unwrap_or_else(|| (self.length)(model))
    }
}

/// Returns the environment stored in the model.
pub(crate) type EnvironmentAccess<M> = &'static (dyn Fn(&mut M) -> &mut Environment + Send + Sync);

/// Computes a Real from the model.
pub type RealFunction<M> = fn(&M) -> f64;

/// The variables of one base type. Its scalars include the elements of arrays, one after the other; their indices are the value
/// references of FMI 2.0.
pub(crate) struct Table<M: 'static, T: 'static> {
    /// For each scalar the index of its variable.
    pub variables: Vec<usize>,
    pub getters: Vec<Getter<M, T>>,
    /// As declared; `None` for variables that the model computes.
    pub writes: Vec<Option<Write<M, T>>>,
    /// Made of `writes`, once the attributes of all variables are known.
    pub setters: Vec<Setter<Write<M, T>>>,
    pub arrays: Vec<Array<M, T>>,
}

/// An array as a whole.
pub(crate) struct Array<M: 'static, T: 'static> {
    /// Index of its variable.
    pub variable: usize,
    pub length: Length<M>,
    pub get: ElementGetter<M, T>,
    pub write: Option<ElementWrite<M, T>>,
    pub setter: Setter<ElementWrite<M, T>>,
}

impl<M: 'static, T: 'static> Default for Table<M, T> {
    fn default() -> Self {
        Self { variables: Vec::new(), getters: Vec::new(), writes: Vec::new(), setters: Vec::new(), arrays: Vec::new() }
    }
}

/// How a variable is written, and when. Minimum and maximum of parameters and start values are enforced, those of inputs are not.
pub(crate) enum Setter<W> {
    Never,
    BeforeFirstStep(W),
    /// A tunable parameter: whenever values may be set.
    Tunable(W),
    /// An input: whenever values may be set.
    Input(W),
}

impl<W> Setter<W> {
    /// Returns the setter that the attributes of `variable` require.
    pub fn of(variable: &Variable, write: Option<W>) -> Self {
        match (write, variable.causality, variable.variability) {
            (None, ..) => Self::Never,
            (Some(write), Causality::Input, _) => Self::Input(write),
            (Some(write), Causality::Parameter, Variability::Tunable) => Self::Tunable(write),
            (Some(write), ..) if variable.start_is_settable() => Self::BeforeFirstStep(write),
            _ => Self::Never,
        }
    }

    /// Returns how the variable is written if that is allowed in `phase`.
    pub fn in_phase(&self, phase: Phase) -> Option<&W> {
        match self {
            Self::Input(write) | Self::Tunable(write) => Some(write),
            Self::BeforeFirstStep(write) => matches!(phase, Phase::Instantiated | Phase::Initialization).then_some(write),
            Self::Never => None,
        }
    }

    /// Whether minimum and maximum apply to what is set.
    pub fn is_checked(&self) -> bool {
        !matches!(self, Self::Input(_))
    }
}

/// The variables of all base types.
pub(crate) struct Tables<M: 'static> {
    pub reals: Table<M, f64>,
    pub integers: Table<M, i32>,
    pub wide_integers: Table<M, i128>,
    pub booleans: Table<M, bool>,
    pub strings: Table<M, String>,
    pub binaries: Table<M, Vec<u8>>,
}

impl<M: 'static> Default for Tables<M> {
    fn default() -> Self {
        Self {
            reals: Table::default(),
            integers: Table::default(),
            wide_integers: Table::default(),
            booleans: Table::default(),
            strings: Table::default(),
            binaries: Table::default(),
        }
    }
}
