//! Factories of instances.

use std::{fmt, path::Path, sync::Arc};

use lotka_message::Coded;

use crate::{Capabilities, Instance, LogSink, ModelDescription, Structure, StructureError};

/// Options for the creation of an instance.
#[derive(Clone)]
pub struct InstantiateOptions {
    /// Receives every line that the instance logs.
    pub log: Option<LogSink>,
    /// `loggingOn`: whether the instance logs debug information from the start.
    pub logging_on: bool,
    /// `visible`: whether it may open windows.
    pub visible: bool,
    /// Time limit for an asynchronous step, after which it is canceled \[s\].
    pub pending_timeout_s: f64,
    /// Whether the caller handles its events in event mode, and lets its steps end early; without effect on instances that have
    /// no event mode.
    pub event_mode: bool,
    /// Whether inputs may be polynomials of time during a step ([`Instance::set_input_derivatives`]). An FMU of FMI 3.0 then asks
    /// for them during its steps, which takes time.
    pub input_polynomials: bool,
}

impl fmt::Debug for InstantiateOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("InstantiateOptions")
            .field("has_log", &self.log.is_some())
            .field("logging_on", &self.logging_on)
            .field("visible", &self.visible)
            .field("pending_timeout_s", &self.pending_timeout_s)
            .field("event_mode", &self.event_mode)
            .field("input_polynomials", &self.input_polynomials)
            .finish()
    }
}

impl Default for InstantiateOptions {
    fn default() -> Self {
        Self { log: None, logging_on: false, visible: false, pending_timeout_s: 60.0, event_mode: false, input_polynomials: true }
    }
}

/// A model from which instances can be created: an FMU, wherever its instances run, or anything else that implements
/// [`Instance`].
///
/// For example, a factory that counts the instances of another one:
/// ```
/// use std::{
///     path::Path,
///     sync::{
///         Arc,
///         atomic::{AtomicUsize, Ordering},
///     },
/// };
///
/// use lotka::instance::{Instance, InstanceFactory, InstantiateOptions, InstantiationError, ModelDescription};
///
/// #[derive(Debug)]
/// struct Counted {
///     inner: Arc<dyn InstanceFactory>,
///     instances: AtomicUsize,
/// }
///
/// impl InstanceFactory for Counted {
///     fn file(&self) -> Option<&Path> {
///         self.inner.file()
///     }
///
///     fn description(&self) -> &ModelDescription {
///         self.inner.description()
///     }
///
///     fn instantiate(&self, name: &str, options: &InstantiateOptions) -> Result<Box<dyn Instance>, Box<dyn InstantiationError>> {
///         let instance = self.inner.instantiate(name, options)?;
///         self.instances.fetch_add(1, Ordering::Relaxed);
///         Ok(instance)
///     }
/// }
/// # use lotka::instance::{LocalFactory, LocalModel, StepOutcome};
/// # #[derive(Clone)]
/// # struct Still;
/// # impl LocalModel for Still {
/// #     fn do_step(&mut self, _: f64, _: f64) -> Result<StepOutcome, String> {
/// #         Ok(StepOutcome::Complete)
/// #     }
/// # }
/// # let still = LocalFactory::new(ModelDescription::default(), || Still);
///
/// // `still`: a `LocalFactory`.
/// let counted = Counted { inner: Arc::new(still), instances: AtomicUsize::new(0) };
/// assert!(counted.instantiate("a", &InstantiateOptions::default()).is_ok());
/// assert_eq!(counted.instances.load(Ordering::Relaxed), 1);
/// ```
pub trait InstanceFactory: fmt::Debug + Send + Sync {
    /// The file of the model, if it has one. Checkpoints and manifests have its hash, and a separate process can load it.
    fn file(&self) -> Option<&Path> {
        None
    }

    /// The properties of the model known before it runs.
    fn description(&self) -> &ModelDescription;

    /// The name of the model in messages: its file, or the name in its description.
    fn origin(&self) -> &Path {
        self.file().unwrap_or_else(|| Path::new(&self.description().model_name))
    }

    /// Capabilities of the instances: the declared ones, unless fewer turned out to be available.
    fn capabilities(&self) -> &Capabilities {
        &self.description().capabilities
    }

    /// Warnings about the model that do not affect a run.
    fn warnings(&self) -> Vec<String> {
        Vec::new()
    }

    /// Returns the same model with these values of its structural parameters (FMI 3.0), and its own of the others: the sizes of
    /// arrays in its description follow, and its instances have the values from the start, and again after each reset.
    ///
    /// # Errors
    /// The model takes no such values, or arrays would be too large. Values that the model itself refuses are an error of
    /// [`InstanceFactory::instantiate`].
    fn with_structure(&self, structure: &Structure) -> Result<Arc<dyn InstanceFactory>, StructureError> {
        let _ = structure;
        Err(StructureError::Unsupported)
    }

    /// Does ahead of time what the next instantiation needs besides calls of the model, such as a process. The master calls it on
    /// several threads at once, before it creates several instances one after the other.
    fn prepare(&self) {}

    /// Creates an instance.
    ///
    /// # Errors
    /// The model refuses, or cannot run here.
    fn instantiate(&self, name: &str, options: &InstantiateOptions) -> Result<Box<dyn Instance>, Box<dyn InstantiationError>>;
}

/// The reason why an instance cannot be created.
pub trait InstantiationError: std::error::Error + Coded + Send + Sync + 'static {
    /// Whether the model ended the process in which it was to run.
    fn ended_process(&self) -> bool {
        false
    }
}
