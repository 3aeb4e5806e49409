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
/// ```
/// use std::path::Path;
///
/// use lotka_instance::{Instance, InstanceFactory, InstantiateOptions, InstantiationError, ModelDescription};
///
/// #[derive(Debug)]
/// struct Springs(ModelDescription);
///
/// impl InstanceFactory for Springs {
///     fn path(&self) -> &Path {
///         Path::new("spring")
///     }
///
///     fn description(&self) -> &ModelDescription {
///         &self.0
///     }
///
///     fn instantiate(&self, name: &str, _: &InstantiateOptions) -> Result<Box<dyn Instance>, Box<dyn InstantiationError>> {
///         todo!("an instance named {name}")
///     }
/// }
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
