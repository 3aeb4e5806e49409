//! What makes instances.

use std::{fmt, path::Path};

use lotka_message::Coded;

use crate::{Capabilities, Instance, LogSink, ModelDescription};

/// How an instance is made.
#[derive(Clone)]
pub struct InstantiateOptions {
    /// Receives every line that the instance logs.
    pub log: Option<LogSink>,
    /// `loggingOn`: the instance logs debug information from the start.
    pub logging_on: bool,
    /// `visible`: it may open windows.
    pub visible: bool,
    /// How long to wait for an asynchronous step before it is canceled \[s\].
    pub pending_timeout_s: f64,
}

impl Default for InstantiateOptions {
    fn default() -> Self {
        Self { log: None, logging_on: false, visible: false, pending_timeout_s: 60.0 }
    }
}

/// A model of which instances can be made: an FMU, wherever its instances live, or anything else that implements [`Instance`].
///
/// A factory that counts the instances of another one:
/// ```
/// use std::{
///     path::Path,
///     sync::{
///         Arc,
///         atomic::{AtomicUsize, Ordering},
///     },
/// };
///
/// use lotka_instance::{Instance, InstanceFactory, InstantiateOptions, InstantiationError, ModelDescription};
///
/// #[derive(Debug)]
/// struct Counted {
///     inner: Arc<dyn InstanceFactory>,
///     instances: AtomicUsize,
/// }
///
/// impl InstanceFactory for Counted {
///     fn path(&self) -> &Path {
///         self.inner.path()
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
/// # use lotka_instance::{LocalFactory, LocalModel, StepOutcome};
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
    /// Where the model comes from: a file, or a name for messages.
    fn path(&self) -> &Path;

    /// What is known of the model before it runs.
    fn description(&self) -> &ModelDescription;

    /// What instances can do: what the description declares, unless there turned out to be less.
    fn capabilities(&self) -> &Capabilities {
        &self.description().capabilities
    }

    /// What is odd about the model, without harm to a run.
    fn warnings(&self) -> Vec<String> {
        Vec::new()
    }

    /// Makes an instance.
    ///
    /// # Errors
    /// The model refuses, or cannot be run here.
    fn instantiate(&self, name: &str, options: &InstantiateOptions) -> Result<Box<dyn Instance>, Box<dyn InstantiationError>>;
}

/// Why an instance cannot be made.
pub trait InstantiationError: std::error::Error + Coded + Send + Sync + 'static {
    /// Whether the model brought the process that it was to run in to an end.
    fn ended_process(&self) -> bool {
        false
    }
}
