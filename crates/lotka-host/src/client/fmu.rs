//! An FMU whose instances run in processes of their own.

use std::fmt;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use fmu::{Description, InstantiateOptions, OpenOptions, TemporaryFolder, Unpacked, are_nested};
use lotka_instance::{Capabilities, Instance, InstanceFactory, InstantiationError, ModelDescription, Structure, StructureError};

use super::HostedInstance;
use super::process::HostProcess;
use super::program::Program;
use crate::Error;
use crate::pair_run::{PairReport, PairRun};
use crate::protocol::{Loaded, Reply, Request, Start};
use lotka_instance::HostOptions;

/// An FMU that is ready to be instantiated: unpacked once, loaded once per instance. Clones share the unpacked files.
///
/// The unpacked files are removed with the last clone and the last instance.
#[derive(Clone)]
pub struct HostedFmu {
    pub(super) shared: Arc<Shared>,
    shape: Arc<Shape>,
}

/// Values of structural parameters, and the interface with these values.
struct Shape {
    structure: Structure,
    interface: ModelDescription,
}

pub(super) struct Shared {
    /// Hosts that wait for their instances: the one that reported the capabilities, and those started ahead of time. They end
    /// before the folder in which they work is removed.
    spare: Mutex<Vec<Loader>>,
    unpacked: Unpacked,
    program: Program,
    pub options: HostOptions,
    pub capabilities: Capabilities,
    warnings: Vec<String>,
}

/// A host with a loaded library, and the FMU's own folder.
pub(super) struct Loader {
    pub process: HostProcess,
    _scratch: Option<TemporaryFolder>,
}

impl HostedFmu {
    /// Opens a `.fmu` file: checks the archive, reads the description, unpacks, and starts a host that loads the library.
    ///
    /// # Errors
    /// As for [`fmu::Fmu::open`]. Also: there is no host program or it does not start; the FMU cannot be confined; loading the
    /// library crashes or takes longer than `init_timeout`.
    pub fn open(path: impl AsRef<Path>, options: HostOptions) -> Result<Self, Error> {
        let program = Program::locate(options.program.as_deref())?;
        let writes = options.sandbox.iter().flat_map(|sandbox| &sandbox.write);
        let cache = options.cache.clone().filter(|cache| !writes.clone().any(|path| are_nested(path, cache)));
        let unpacking = OpenOptions { cache, ..OpenOptions::default() };
        let unpacked = Unpacked::open(path.as_ref(), &unpacking)?;
        let (loader, loaded) = load(&unpacked, &program, &options)?;
        // Each instance has its own process, so a limit of one instance per process does not matter.
        let capabilities = Capabilities { only_once_per_process: false, ..loaded.capabilities };
        let mut warnings: Vec<_> = unpacked.warnings().iter().map(ToString::to_string).collect();
        warnings.extend(loaded.warnings);
        let spare = Mutex::new(vec![loader]);
        let shape = Arc::new(Shape { structure: Structure::default(), interface: unpacked.description().interface() });
        Ok(Self { shared: Arc::new(Shared { spare, unpacked, program, options, capabilities, warnings }), shape })
    }

    /// Returns the same FMU with these values of its structural parameters (FMI 3.0), and its own of the others.
    ///
    /// # Errors
    /// As for [`fmu::Fmu::with_structure`].
    pub fn with_structure(&self, structure: &Structure) -> Result<Self, StructureError> {
        let structure = self.shape.structure.with(structure);
        let interface = self.description().interface_with(&structure)?;
        Ok(Self { shared: self.shared.clone(), shape: Arc::new(Shape { structure, interface }) })
    }

    /// The values of structural parameters that instances take.
    pub(super) fn structure(&self) -> &Structure {
        &self.shape.structure
    }

    /// Returns the model description.
    #[must_use]
    pub fn description(&self) -> &Description {
        self.shared.unpacked.description()
    }

    /// Returns the path of the `.fmu` file.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.shared.unpacked.path()
    }

    /// Returns warnings about the FMU that do not affect a run.
    #[must_use]
    pub fn warnings(&self) -> &[String] {
        &self.shared.warnings
    }

    /// Returns the capabilities of the FMU.
    #[must_use]
    pub fn capabilities(&self) -> &Capabilities {
        &self.shared.capabilities
    }

    /// Creates an instance, in a host of its own.
    ///
    /// # Errors
    /// The FMU refuses, crashes or takes longer than `init_timeout`, or no host can be started.
    pub fn instantiate(&self, name: &str, options: &InstantiateOptions) -> Result<HostedInstance, Error> {
        let shared = &self.shared;
        let spare = shared.spare.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let loader = match spare {
            Some(loader) => loader,
            None => load(&shared.unpacked, &shared.program, &shared.options)?.0,
        };
        HostedInstance::new(self, loader, name, options)
    }

    /// Steps an instance alone, and again with a second instance in the same process; both runs share a separate host.
    ///
    /// # Errors
    /// No host can be started, the FMU refuses a call, or it crashes or takes longer than `init_timeout` for both runs together.
    pub fn pair(&self, pair_run: &PairRun) -> Result<PairReport, Error> {
        let shared = &self.shared;
        let mut loader = load(&shared.unpacked, &shared.program, &shared.options)?.0;
        let reply = loader.process.ask(&Request::Pair(pair_run.clone()), shared.options.init_timeout);
        let log = || loader.process.lines.last();
        let ended = |end| {
            Err(Error::Ended { path: self.path().to_owned(), doing: "a run with two instances".to_owned(), end, log: log() })
        };
        match reply {
            Ok(Reply::Pair(report)) if report.is_of(pair_run) => Ok(report),
            Ok(Reply::Refused(reason)) => Err(Error::Refused { reason, log: Vec::new() }),
            Ok(_) => ended(lotka_instance::ProcessEnd::Corrupted("the reply to a pair".to_owned())),
            Err(end) => ended(end),
        }
    }

    /// Returns the folder of the unpacked FMU.
    #[must_use]
    pub fn folder(&self) -> &Path {
        self.shared.unpacked.folder()
    }
}

impl InstanceFactory for HostedFmu {
    fn file(&self) -> Option<&Path> {
        Some(self.path())
    }

    fn description(&self) -> &ModelDescription {
        &self.shape.interface
    }

    fn capabilities(&self) -> &Capabilities {
        self.capabilities()
    }

    fn warnings(&self) -> Vec<String> {
        self.warnings().to_vec()
    }

    fn with_structure(&self, structure: &Structure) -> Result<Arc<dyn InstanceFactory>, StructureError> {
        Ok(Arc::new(self.with_structure(structure)?))
    }

    /// Starts another host. A failure recurs where the instance is created, which reports it.
    fn prepare(&self) {
        let shared = &self.shared;
        if let Ok((loader, _)) = load(&shared.unpacked, &shared.program, &shared.options) {
            shared.spare.lock().unwrap_or_else(PoisonError::into_inner).push(loader);
        }
    }

    fn instantiate(&self, name: &str, options: &InstantiateOptions) -> Result<Box<dyn Instance>, Box<dyn InstantiationError>> {
        Ok(Box::new(self.instantiate(name, options)?))
    }
}

impl fmt::Debug for HostedFmu {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HostedFmu").field("path", &self.path()).finish_non_exhaustive()
    }
}

/// Starts a host that loads the library.
fn load(unpacked: &Unpacked, program: &Program, options: &HostOptions) -> Result<(Loader, Loaded), Error> {
    let cannot = |action| move |reason| Error::Start { program: program.path().to_owned(), action, reason };
    let scratch = match &options.sandbox {
        Some(_) => Some(TemporaryFolder::new_in(unpacked.folder(), ".tmp").map_err(cannot("make a folder for the FMU"))?),
        None => None,
    };
    let mut process = HostProcess::start(program, options).map_err(cannot("start the program"))?;
    let start = Start {
        fmu: unpacked.path().to_owned(),
        folder: unpacked.folder().to_owned(),
        preload_global: options.preload_global.clone(),
        sandbox: options.sandbox.clone().zip(scratch.as_ref().map(|scratch| scratch.path().to_owned())),
    };
    let reply = process.ask(&Request::Start(Box::new(start)), options.init_timeout);
    if let Some(version) = process.other_version() {
        return Err(Error::OtherVersion { program: program.path().to_owned(), version });
    }
    let log = || process.circumstances();
    match reply {
        Ok(Reply::Loaded(loaded)) => Ok((Loader { process, _scratch: scratch }, loaded)),
        Ok(Reply::Refused(reason)) => Err(Error::Refused { reason, log: log() }),
        Ok(_) => {
            let end = lotka_instance::ProcessEnd::Corrupted("the reply to loading".to_owned());
            Err(Error::Ended { path: unpacked.path().to_owned(), doing: "loading the library".to_owned(), end, log: log() })
        }
        Err(end) => {
            Err(Error::Ended { path: unpacked.path().to_owned(), doing: "loading the library".to_owned(), end, log: log() })
        }
    }
}
