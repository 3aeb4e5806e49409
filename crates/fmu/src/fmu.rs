//! An FMU that is ready to be instantiated.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use fmi2::ModelDescription;
use fmi2::ffi::Functions;
use lotka_instance::{Capabilities, Instance, InstanceFactory, InstantiationError, RealRef};

use crate::archive::Folder;
use crate::last_call::LastCall;
use crate::process_state::ProcessState;
use crate::unpacked::{Unpacked, model_identifier};
use crate::{Error, FmuInstance, InstantiateOptions, OpenOptions, Warning, loading, uri};

/// An FMU that is ready to be instantiated: unpacked once, loaded once, shared by all its instances and clones.
///
/// The unpacked files are removed with the last clone and the last instance; the library stays loaded.
#[derive(Clone)]
pub struct Fmu {
    pub(crate) shared: Arc<Shared>,
}

/// The common data of the instances of an FMU.
pub(crate) struct Shared {
    path: PathBuf,
    pub description: ModelDescription,
    interface: lotka_instance::ModelDescription,
    pub functions: Functions,
    pub capabilities: Capabilities,
    warnings: Vec<Warning>,
    pub resources: String,
    /// The most recent bindings of instances.
    last_bindings: Mutex<Vec<Arc<Binding>>>,
    /// Whether an instance returned `fmi2Fatal`, after which no function of any instance may be called.
    is_lost: AtomicBool,
    instances: AtomicUsize,
    _folder: Option<Folder>,
}

/// Number of bindings searched for one to share: a few threads may bind instances at the same time.
const LAST_BINDINGS: usize = 8;

/// The variables that every step of an instance sets and reads, and where its calls are recorded.
pub(crate) struct Binding {
    pub inputs: Box<[RealRef]>,
    pub outputs: Box<[RealRef]>,
    pub last_call: LastCall,
}

impl Binding {
    fn new(inputs: &[RealRef], outputs: &[RealRef], last_call: LastCall) -> Arc<Self> {
        Arc::new(Self { inputs: inputs.into(), outputs: outputs.into(), last_call })
    }

    fn is_same(&self, inputs: &[RealRef], outputs: &[RealRef], last_call: LastCall) -> bool {
        *self.inputs == *inputs && *self.outputs == *outputs && self.last_call.is_same(last_call)
    }
}

impl Shared {
    /// Returns the binding. Instances with equal bindings, bound in succession on one thread, share it: with many instances, memory is the
    /// bottleneck.
    pub fn binding(&self, inputs: &[RealRef], outputs: &[RealRef]) -> Arc<Binding> {
        let last_call = LastCall::of_this_thread();
        let mut last = self.last_bindings.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = last.iter().find(|binding| binding.is_same(inputs, outputs, last_call)) {
            return found.clone();
        }
        let binding = Binding::new(inputs, outputs, last_call);
        last.insert(0, binding.clone());
        last.truncate(LAST_BINDINGS);
        binding
    }

    #[inline]
    pub fn is_lost(&self) -> bool {
        self.is_lost.load(Ordering::Relaxed)
    }

    /// Counts an instance that was created, or will be freed.
    pub fn count_instance(&self, is_made: bool) {
        let step = if is_made { 1 } else { usize::MAX };
        self.instances.fetch_add(step, Ordering::Relaxed);
    }

    /// Whether the FMU has any instances.
    pub fn has_instances(&self) -> bool {
        self.instances.load(Ordering::Relaxed) > 0
    }

    pub fn set_lost(&self) {
        self.is_lost.store(true, Ordering::Relaxed);
    }
}

impl Fmu {
    /// Opens a `.fmu` file with default options.
    ///
    /// An FMU is native code that runs in this process: open only files that you would execute. The library is assumed to conform to the
    /// function types of FMI, which cannot be checked.
    ///
    /// # Errors
    /// As for [`Fmu::open_with`].
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        Self::open_with(path, &OpenOptions::default())
    }

    /// Opens a `.fmu` file: checks the archive, reads the description, unpacks, checks and loads the library.
    ///
    /// # Errors
    /// The archive is refused or damaged, the description is unusable for co-simulation, there is no library for this
    /// platform, or it cannot be loaded or lacks functions.
    pub fn open_with(path: impl AsRef<Path>, options: &OpenOptions) -> Result<Self, Error> {
        Self::load(Unpacked::open(path.as_ref(), options)?, options)
    }

    /// Loads an FMU that is unpacked.
    ///
    /// # Errors
    /// There is no library for this platform, or it cannot be loaded or lacks functions.
    pub fn load(unpacked: Unpacked, options: &OpenOptions) -> Result<Self, Error> {
        let Unpacked { path, description, mut warnings, identifier, folder } = unpacked;
        let functions = functions(&path, folder.path(), &identifier, options, &mut warnings)?;
        Ok(Self::new(path, description, functions, warnings, folder.path().to_owned(), Some(folder)))
    }

    /// Loads an FMU from a folder into which it was unpacked ([`Unpacked`]), possibly by another process; `path` is its origin, for messages.
    /// The folder must exist as long as the FMU is used. Warnings concern loading only: the others were reported when it was unpacked.
    ///
    /// # Errors
    /// The model description can no longer be read; there is no library for this platform, or it cannot be loaded or lacks functions.
    pub fn from_folder(path: &Path, folder: &Path, options: &OpenOptions) -> Result<Self, Error> {
        let xml = folder.join("modelDescription.xml");
        let bytes =
            std::fs::read(&xml).map_err(|reason| Error::Io { path: xml, action: "read the model description", reason })?;
        let reading = ModelDescription::read(&bytes, options.strictness)
            .map_err(|problems| Error::Description { path: path.to_owned(), problems })?;
        let identifier = model_identifier(path, &reading.description)?.to_owned();
        let mut warnings = Vec::new();
        let functions = functions(path, folder, &identifier, options, &mut warnings)?;
        Ok(Self::new(path.to_owned(), reading.description, functions, warnings, folder.to_owned(), None))
    }

    /// Creates an FMU whose functions are linked into this program; it has no file and no resources folder, and nothing is loaded.
    ///
    /// The functions are trusted like those of a library that [`Fmu::open`] loads: they must conform to FMI.
    #[must_use]
    pub fn from_functions(description: ModelDescription, functions: Functions) -> Self {
        let path = PathBuf::from(&description.model_name);
        Self::new(path, description, functions, Vec::new(), PathBuf::new(), None)
    }

    fn new(
        path: PathBuf,
        description: ModelDescription,
        functions: Functions,
        mut warnings: Vec<Warning>,
        unpacked: PathBuf,
        folder: Option<Folder>,
    ) -> Self {
        let declared = description.co_simulation.clone().unwrap_or_default();
        let capabilities = loading::capabilities(&declared, &functions, &mut warnings);
        let has_files = !unpacked.as_os_str().is_empty();
        let resources = if has_files { uri::file_uri(&unpacked.join("resources")) } else { String::new() };
        let is_lost = AtomicBool::new(false);
        let last_bindings = Mutex::default();
        let shared = Shared {
            path,
            interface: description.interface(),
            description,
            functions,
            capabilities,
            warnings,
            resources,
            last_bindings,
            is_lost,
            instances: AtomicUsize::new(0),
            _folder: folder,
        };
        Self { shared: Arc::new(shared) }
    }

    /// Returns the model description.
    #[must_use]
    pub fn description(&self) -> &ModelDescription {
        &self.shared.description
    }

    /// Returns the path of the `.fmu` file, or the name of the model for an FMU without a file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.shared.path
    }

    /// Returns warnings about the FMU that do not affect a run.
    #[must_use]
    pub fn warnings(&self) -> &[Warning] {
        &self.shared.warnings
    }

    /// Returns the capabilities of the FMU: the declared ones, without those for which its library lacks functions.
    #[must_use]
    pub fn capabilities(&self) -> &Capabilities {
        &self.shared.capabilities
    }

    /// Returns the functions of the library, for programs that call them without [`FmuInstance`] and conform to FMI themselves.
    #[must_use]
    pub fn functions(&self) -> &Functions {
        &self.shared.functions
    }

    /// Creates an instance.
    ///
    /// # Errors
    /// The name is blank, the FMU refuses, it allows one instance per process and already has one, or it is lost after `fmi2Fatal`.
    pub fn instantiate(&self, name: &str, options: &InstantiateOptions) -> Result<FmuInstance, Error> {
        FmuInstance::new(self, name, options)
    }
}

impl InstanceFactory for Fmu {
    fn file(&self) -> Option<&Path> {
        // Only an FMU that is linked into this program has no folder of resources.
        (!self.shared.resources.is_empty()).then(|| self.path())
    }

    fn description(&self) -> &lotka_instance::ModelDescription {
        &self.shared.interface
    }

    fn capabilities(&self) -> &Capabilities {
        self.capabilities()
    }

    fn warnings(&self) -> Vec<String> {
        self.warnings().iter().map(ToString::to_string).collect()
    }

    fn instantiate(&self, name: &str, options: &InstantiateOptions) -> Result<Box<dyn Instance>, Box<dyn InstantiationError>> {
        Ok(Box::new(self.instantiate(name, options)?))
    }
}

impl std::fmt::Debug for Fmu {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Fmu").field("path", &self.shared.path).finish_non_exhaustive()
    }
}

/// Loads the library of an FMU unpacked in `folder`.
fn functions(
    path: &Path,
    folder: &Path,
    identifier: &str,
    options: &OpenOptions,
    warnings: &mut Vec<Warning>,
) -> Result<Functions, Error> {
    let library = loading::select(path, folder, identifier, warnings)?;
    loading::load_usual();
    let process_state = ProcessState::note();
    let last_call = LastCall::of_this_thread();
    last_call.begin_loading(&path.to_string_lossy());
    let functions = loading::load(path, &library, &options.preload_global, warnings);
    last_call.end();
    warnings.extend(process_state.put_back().map(|what| Warning::ProcessStateChanged { what }));
    functions
}
