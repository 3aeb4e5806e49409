//! The interface of a model: [`Model`], its steps and its updates.

use serde::{Serialize, de::DeserializeOwned};

use crate::{Declaration, Refusal};

/// A co-simulation model: a plain struct whose fields are its parameters, inputs, outputs and states.
///
/// `Default` provides the start values, `Clone` and serde provide saved and serialized states. All memory of the model must be in
/// the struct, none in statics. See the [crate documentation](crate) for a complete model.
pub trait Model: Clone + Default + Serialize + DeserializeOwned + Send + 'static {
    /// Model identifier: a C identifier, also the name of the library file.
    const NAME: &'static str;
    /// One-line description for the model description.
    const DESCRIPTION: &'static str;
    /// Whether instances may run on several threads of one process at the same time. The kit itself shares no data between them.
    /// A model that calls code with shared state (a C library with static variables, a file that all instances write) must set
    /// this to `false`. If it is `true`, the model description has an annotation that says so
    /// ([`fmi2::description::Annotation::thread_safe`] and its namesake in `fmi3`).
    const THREAD_SAFE: bool = true;
    /// Whether the model is unchanged after a step that it discards. FMI 3.0 demands that an instance is then in the state before
    /// the step. If this is `false`, the kit copies the model before each step of an FMU of FMI 3.0; if it is `true`, this copy
    /// is spared. FMUs of FMI 2.0 do not depend on it: there, the importer restores the state.
    const UNCHANGED_BY_DISCARD: bool = false;

    /// Whether the model has events, so that an importer of FMI 3.0 can handle them in event mode. See
    /// [`Model::update_discrete_states`].
    const HAS_EVENTS: bool = false;
    /// Whether a step may stop early ([`Refusal::event`], [`Refusal::early_return`]), if an importer of FMI 3.0 allows that.
    const RETURNS_EARLY: bool = Self::HAS_EVENTS;

    /// Declares the variables. Called once per process.
    fn declare(v: &mut Declaration<Self>);

    /// Computes all states and outputs at the start time from parameters and inputs. Before the first step, the kit calls this
    /// method whenever the importer has set values and then reads some. The result must therefore not depend on earlier calls.
    ///
    /// # Errors
    /// A [`Refusal`] if the model cannot start with these values. It counts as an error, whatever its kind.
    fn initialize(&mut self, _experiment: &lotka_instance::Experiment) -> Result<(), Refusal> {
        Ok(())
    }

    /// Advances the model from `step.t` to `step.t + step.h`; inputs are polynomials that start at `step.t`. A model that refuses
    /// a step may leave its fields partially changed, unless it promises [`Model::UNCHANGED_BY_DISCARD`]: the kit or the importer
    /// then restores the state before the step, or the importer resets the instance.
    ///
    /// # Errors
    /// A [`Refusal`]: a discard if a smaller step may help, otherwise an error.
    fn do_step(&mut self, step: &Step) -> Result<(), Refusal>;

    /// Advances the model as [`Model::do_step`] does, for an importer of FMI 3.0 that handles events in event mode. The default
    /// is that method. A model needs both if it handles events in another way for other importers.
    ///
    /// # Errors
    /// As for [`Model::do_step`].
    fn do_step_with_events(&mut self, step: &Step) -> Result<(), Refusal> {
        self.do_step(step)
    }

    /// Handles an event at `time` \[s\]: computes the discrete states and everything that depends on them from the present
    /// inputs. It is called at the start, when a step has stopped at an event ([`Refusal::event`]), at the next event time, and
    /// when inputs were set.
    ///
    /// In FMI 3.0, the importer causes these calls in event mode (`fmi3UpdateDiscreteStates`), or leaves them to the kit. In FMI
    /// 2.0, the kit makes them: within a step, which it then continues, and at the start of a step.
    ///
    /// # Errors
    /// A [`Refusal`], which counts as an error.
    fn update_discrete_states(&mut self, _time: f64) -> Result<Update, Refusal> {
        Ok(Update::default())
    }

    /// Adapts the memory of the model to its structural parameters: arrays of type `Vec` get their new lengths. Called at the end
    /// of configuration mode (FMI 3.0).
    ///
    /// # Errors
    /// A [`Refusal`] if the model cannot have this structure. It counts as an error, whatever its kind.
    fn configure(&mut self) -> Result<(), Refusal> {
        Ok(())
    }
}

/// What a model answers when it has handled an event.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Update {
    /// Whether another update is needed before time goes on, with inputs that may have changed meanwhile.
    pub again: bool,
    /// Whether the simulation must end.
    pub terminate: bool,
    /// Whether continuous states have jumped.
    pub states_changed: bool,
    /// Time of the next event \[s\], if the model knows it. No step goes beyond it.
    pub next_event_time: Option<f64>,
}

/// One communication step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Step {
    /// Communication point at which the step starts \[s\].
    pub t: f64,
    /// Communication step size \[s\], positive and finite.
    pub h: f64,
    /// Relative tolerance for integration inside the model, if the importer specified one.
    pub tolerance: Option<f64>,
}
