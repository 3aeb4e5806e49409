//! What a modeller writes: [`Model`], and what its methods receive and answer.

use serde::{Serialize, de::DeserializeOwned};

use crate::Declaration;

/// A co-simulation model: a plain struct whose fields are its parameters, inputs, outputs and states.
///
/// `Default` gives the start values, `Clone` and serde give saved and serialized states: all memory of the model must be in the
/// struct, none in statics. See the [crate documentation](crate) for a whole model.
pub trait Model: Clone + Default + Serialize + DeserializeOwned + Send + 'static {
    /// Model identifier: a C identifier, also the name of the library file.
    const NAME: &'static str;
    /// One line about the model, for the model description.
    const DESCRIPTION: &'static str;
    /// Whether instances may run on several threads of one process at the same time. The kit itself shares nothing between them; a model that calls
    /// code with memory of its own (a library in C with statics, a file that all instances write) says `false`. The model description has
    /// it as a vendor annotation ([`fmi2::description::Annotation::thread_safe`]).
    const THREAD_SAFE: bool = true;

    /// Declares the variables. Called once per process.
    fn declare(v: &mut Declaration<Self>);

    /// Computes everything that follows from parameters and inputs at the start time: states, outputs. Called whenever they are
    /// asked for after something was set before the first step, so it must not depend on an earlier call.
    ///
    /// # Errors
    /// A [`Refusal`] when no start is possible with these values. It counts as an error, whatever its kind.
    fn initialize(&mut self, _experiment: &lotka_instance::Experiment) -> Result<(), Refusal> {
        Ok(())
    }

    /// Advances the model from `step.t` to `step.t + step.h`; inputs are polynomials that start at `step.t`.
    /// A model that refuses may leave itself half changed: the importer restores a saved state or resets.
    ///
    /// # Errors
    /// A [`Refusal`]: a discard when a smaller step may help, an error otherwise.
    fn do_step(&mut self, step: &Step) -> Result<(), Refusal>;
}

/// One communication step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Step {
    /// Communication point at which the step starts \[s\].
    pub t: f64,
    /// Communication step size \[s\], positive and finite.
    pub h: f64,
    /// Relative tolerance for integration inside the model, if the importer gave one.
    pub tolerance: Option<f64>,
}

/// Why a model does not do what it was asked to do. The message reaches the importer's log.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{}", .0.message)]
pub struct Refusal(Box<Inner>);

#[derive(Debug, Clone, PartialEq)]
struct Inner {
    message: String,
    kind: RefusalKind,
}

/// What a [`Refusal`] means to the importer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum RefusalKind {
    /// Not carried out; something else may be tried, for instance a smaller step.
    Discard {
        /// Time up to which the step was computed \[s\]; `None`: nothing of it was.
        last_successful_time: Option<f64>,
        /// The model asks to end the simulation at that time.
        terminate: bool,
    },
    /// The instance cannot go on until it is reset or a saved state is restored.
    Error,
}

impl Refusal {
    /// The request was not carried out; a smaller step or another value may do.
    pub fn discard(message: impl Into<String>) -> Self {
        Self::new(message.into(), RefusalKind::Discard { last_successful_time: None, terminate: false })
    }

    /// The step was carried out up to `time` \[s\] only: a step that ends there will do, for instance because an event happens there.
    /// The importer learns the time by `fmi2GetRealStatus` (last successful time), and goes back to a saved state to make that step.
    pub fn discard_at(time: f64, message: impl Into<String>) -> Self {
        Self::new(message.into(), RefusalKind::Discard { last_successful_time: Some(time), terminate: false })
    }

    /// The model reached `time` \[s\], where the simulation is to end. Its values are those there: importers that do not go back read them.
    pub fn terminate(time: f64, message: impl Into<String>) -> Self {
        Self::new(message.into(), RefusalKind::Discard { last_successful_time: Some(time), terminate: true })
    }

    /// The model cannot go on.
    pub fn error(message: impl Into<String>) -> Self {
        Self::new(message.into(), RefusalKind::Error)
    }

    #[cold]
    fn new(message: String, kind: RefusalKind) -> Self {
        Self(Box::new(Inner { message, kind }))
    }

    /// What it means to the importer.
    #[must_use]
    pub fn kind(&self) -> RefusalKind {
        self.0.kind
    }

    /// The same message as an error.
    pub(crate) fn into_error(mut self) -> Self {
        self.0.kind = RefusalKind::Error;
        self
    }
}
