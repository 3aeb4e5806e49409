//! What surrounds an instance, as its model sees it: the files of the FMU, and the log of the importer.

mod location;

use std::ffi::CStr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{Refusal, log::Logger};

/// The resources of the FMU and the log of the importer: a field of the model, which
/// [`Declaration::environment`](crate::Declaration::environment) names and the kit fills.
///
/// It is no part of the state: it serializes to nothing, and a restored state has the environment of its instance. `Default` is
/// an environment without resources, whose log nobody reads; [`Environment::with_resources`] is one for tests.
///
/// ```
/// use fmu_sdk::{Declaration, Environment, Experiment, Model, Refusal, Step};
/// use serde::{Deserialize, Serialize};
///
/// /// A constant that is read from the resources of the FMU.
/// #[derive(Clone, Default, Serialize, Deserialize)]
/// struct Constant { environment: Environment, y: f64 }
///
/// impl Model for Constant {
///     const NAME: &'static str = "constant";
///     const DESCRIPTION: &'static str = "A constant from a file";
///
///     fn declare(v: &mut Declaration<Self>) {
///         v.environment(|m| &mut m.environment);
///         v.output("y", |m| &mut m.y).depends_on([]);
///     }
///
///     fn initialize(&mut self, _: &Experiment) -> Result<(), Refusal> {
///         let path = self.environment.resources()?.join("y.txt");
///         let text = std::fs::read_to_string(&path).map_err(|error| Refusal::error(format!("{}: {error}", path.display())))?;
///         self.y = text.trim().parse().map_err(|error| Refusal::error(format!("{}: {error}", path.display())))?;
///         self.environment.event(format!("y = {} from {}", self.y, path.display()));
///         if self.y < 0.0 {
///             self.environment.warning("y is negative");
///         }
///         Ok(())
///     }
///
///     fn do_step(&mut self, _: &Step) -> Result<(), Refusal> {
///         Ok(())
///     }
/// }
///
/// let folder = std::env::temp_dir().join("constant");
/// std::fs::create_dir_all(&folder)?;
/// std::fs::write(folder.join("y.txt"), "4.5\n")?;
/// let mut constant = Constant { environment: Environment::with_resources(&folder), ..Constant::default() };
/// constant.initialize(&Experiment { start: 0.0, stop: None, tolerance: None })?;
/// assert_eq!(constant.y, 4.5);
///
/// let refusal = Constant::default().initialize(&Experiment { start: 0.0, stop: None, tolerance: None }).unwrap_err();
/// assert_eq!(refusal.to_string(), "the importer passed no location of the resources");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Environment(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    resources: Resources,
    lines: Mutex<Vec<Line>>,
}

/// Where the importer says that the resources are.
#[derive(Debug, Default)]
enum Resources {
    #[default]
    Missing,
    At(PathBuf),
    /// The location is not one that can be read; why.
    Unfit(String),
}

/// What a model logged and the importer has not seen yet.
#[derive(Debug)]
enum Line {
    Event(String),
    Warning(String),
}

impl Environment {
    /// An environment whose resources are in a folder, for tests of a model without an FMU.
    pub fn with_resources(folder: impl Into<PathBuf>) -> Self {
        Self::of(Resources::At(folder.into()))
    }

    /// The environment of an instance, from the location that the importer passes to `fmi2Instantiate`.
    pub(crate) fn at(location: Option<&CStr>) -> Self {
        Self::of(match location.map(CStr::to_bytes).filter(|location| !location.is_empty()) {
            None => Resources::Missing,
            Some(location) => match location::path(location) {
                Some(path) => Resources::At(path),
                None => Resources::Unfit(format!(
                    "expected a `file:` URI as location of the resources, found `{}`",
                    String::from_utf8_lossy(location)
                )),
            },
        })
    }

    /// The environment of an instance, from the path that the importer passes to `fmi3InstantiateCoSimulation`.
    pub(crate) fn in_folder(path: Option<&CStr>) -> Self {
        Self::of(match path.map(CStr::to_str) {
            None | Some(Ok("")) => Resources::Missing,
            Some(Ok(path)) => Resources::At(path.into()),
            Some(Err(_)) => Resources::Unfit("the path of the resources is not UTF-8".into()),
        })
    }

    fn of(resources: Resources) -> Self {
        Self(Arc::new(Shared { resources, lines: Mutex::default() }))
    }

    /// Path of the folder with the resources of the FMU: what the packer took from `package/resources/`. Files there are read,
    /// never written.
    ///
    /// # Errors
    /// The importer passed no location, or one that is not a path of this machine.
    pub fn resources(&self) -> Result<&Path, Refusal> {
        match &self.0.resources {
            Resources::At(path) => Ok(path),
            Resources::Missing => Err(Refusal::error("the importer passed no location of the resources")),
            Resources::Unfit(reason) => Err(Refusal::error(reason.as_str())),
        }
    }

    /// Logs something that happened: status OK, category `logEvents`. The importer sees it while it asks for that category.
    pub fn event(&self, text: impl Into<String>) {
        self.push(Line::Event(text.into()));
    }

    /// Logs what the user should know although the computation continues: status Warning, category `logStatusWarning`. The call
    /// in which the model says it returns Warning.
    ///
    /// What prevents a step or a start is not logged but returned, as a [`Refusal`]; the kit logs it.
    pub fn warning(&self, text: impl Into<String>) {
        self.push(Line::Warning(text.into()));
    }

    fn push(&self, line: Line) {
        self.0.lines.lock().unwrap_or_else(PoisonError::into_inner).push(line);
    }

    /// Hands what was logged to the importer. `true`: there was a warning.
    pub(crate) fn deliver(&self, logger: &Logger) -> bool {
        let lines = std::mem::take(&mut *self.0.lines.lock().unwrap_or_else(PoisonError::into_inner));
        for line in &lines {
            match line {
                Line::Event(text) => logger.event(text),
                Line::Warning(text) => logger.warn(text),
            }
        }
        lines.iter().any(|line| matches!(line, Line::Warning(_)))
    }
}

impl Serialize for Environment {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        ().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Environment {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        <()>::deserialize(deserializer).map(|()| Self::default())
    }
}
