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

/// A function of the model and an argument. With a trait of its own, it is compiled once for each accessor of each model; as a
/// `dyn Fn`, it would be so again for `FnMut` and `FnOnce`.
pub(crate) trait Access<M, A, T>: Send + Sync {
    fn call(&self, model: &mut M, argument: A) -> T;
}

impl<M, A, T, F: Fn(&mut M, A) -> T + Send + Sync> Access<M, A, T> for F {
    #[inline]
    fn call(&self, model: &mut M, argument: A) -> T {
        self(model, argument)
    }
}

/// Reads a scalar, or one element of an array.
pub(crate) type Getter<M, T> = &'static dyn Access<M, (), T>;
/// Writes a scalar, or one element of an array; returns `false` if its type has no such value.
pub(crate) type Write<M, T> = &'static dyn Access<M, T, bool>;
/// Reads an element of an array by its index, row by row.
pub(crate) type ElementGetter<M, T> = &'static dyn Access<M, usize, T>;
/// Writes an element of an array by its index; returns `false` if its type has no such value.
pub(crate) type ElementWrite<M, T> = &'static dyn Access<M, (usize, T), bool>;
/// Returns the number of elements of an array.
pub(crate) type Length<M> = &'static dyn Access<M, (), usize>;
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
        self.fixed_length.unwrap_or_else(|| self.length.call(model, ()))
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
    pub setters: Vec<Setter<Write<M, T>>>,
    pub arrays: Vec<Array<M, T>>,
}

/// An array as a whole.
pub(crate) struct Array<M: 'static, T: 'static> {
    /// Index of its variable.
    pub variable: usize,
    pub length: Length<M>,
    pub get: ElementGetter<M, T>,
    pub setter: Setter<ElementWrite<M, T>>,
}

impl<M: 'static, T: 'static> Default for Table<M, T> {
    fn default() -> Self {
        Self { variables: Vec::new(), getters: Vec::new(), setters: Vec::new(), arrays: Vec::new() }
    }
}

/// How a variable is written, and when.
pub(crate) struct Setter<W> {
    /// Set once the attributes of all variables are known.
    pub settable: Settable,
    /// `None` for variables that the model computes.
    pub write: Option<W>,
}

impl<W> Setter<W> {
    pub fn new(write: Option<W>) -> Self {
        Self { settable: Settable::Never, write }
    }
}

/// When a variable may be written. Minimum and maximum of parameters and start values are enforced, those of inputs are not.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Settable {
    Never,
    BeforeFirstStep,
    /// A tunable parameter: whenever values may be set.
    Tunable,
    /// An input: whenever values may be set.
    Input,
}

impl Settable {
    /// Returns what the attributes of `variable` require.
    pub fn of(variable: &Variable) -> Self {
        match (variable.causality, variable.variability) {
            (Causality::Input, _) => Self::Input,
            (Causality::Parameter, Variability::Tunable) => Self::Tunable,
            _ if variable.start_is_settable() => Self::BeforeFirstStep,
            _ => Self::Never,
        }
    }

    pub fn in_phase(self, phase: Phase) -> bool {
        match self {
            Self::Input | Self::Tunable => true,
            Self::BeforeFirstStep => matches!(phase, Phase::Instantiated | Phase::Initialization),
            Self::Never => false,
        }
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
