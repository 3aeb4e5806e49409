//! An FMU that is ready to be instantiated.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lotka_instance::{Capabilities, Instance, InstanceFactory, InstantiationError, ModelDescription, Structure, StructureError};

use crate::archive::Folder;
use crate::description::of_both;
use crate::instance::{Apart, Imported};
use crate::last_call::LastCall;
use crate::platform::OwnState;
use crate::process_state::{Parts, ProcessState, reach};
use crate::shared::Shared;
use crate::unpacked::Unpacked;
use crate::{Description, Error, InstantiateOptions, OpenOptions, Warning, loading, v2, v3};

/// An FMU that is ready to be instantiated: unpacked once, loaded once, shared by all its instances and clones.
///
/// The unpacked files are removed with the last clone and the last instance; the library stays loaded.
#[derive(Clone)]
pub struct Fmu(Version);

/// The version of FMI, and what instances share.
#[derive(Clone)]
enum Version {
    V2(Arc<Shared<v2::Loaded>>),
    V3(Arc<Shared<v3::Loaded>>),
}

impl Fmu {
    /// Opens a `.fmu` file with default options.
    ///
    /// An FMU is native code that runs in this process: open only files that you would execute. The library is assumed to conform
    /// to the function types of FMI, which cannot be checked.
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
        let mut unpacked = Unpacked::open(path.as_ref(), options)?;
        let clash = unpacked.footprint.clash_with_loaded();
        unpacked.warnings.extend(clash.map(|(other, clash)| Warning::Mixed { other, clash }));
        Self::load(unpacked, options)
    }

    /// Loads an FMU that is unpacked. [`Footprint`](crate::Footprint) says with which others it does not get along in this
    /// process.
    ///
    /// # Errors
    /// There is no library for this platform, or it cannot be loaded or lacks functions.
    pub fn load(unpacked: Unpacked, options: &OpenOptions) -> Result<Self, Error> {
        let Unpacked { path, description, warnings, folder, footprint } = unpacked;
        let unpacked = folder.path().to_owned();
        let fmu = Self::link(path, description, warnings, &unpacked, Some(folder), options);
        footprint.note_loaded();
        fmu
    }

    /// Loads an FMU from a folder into which it was unpacked ([`Unpacked`]), possibly by another process; `path` is its origin,
    /// for messages. The folder must exist as long as the FMU is used. Warnings concern loading only: the others were reported
    /// when it was unpacked.
    ///
    /// # Errors
    /// The model description can no longer be read; there is no library for this platform, or it cannot be loaded or lacks
    /// functions.
    pub fn from_folder(path: &Path, folder: &Path, options: &OpenOptions) -> Result<Self, Error> {
        let xml = folder.join("modelDescription.xml");
        let bytes =
            std::fs::read(&xml).map_err(|reason| Error::Io { path: xml, action: "read the model description", reason })?;
        let (description, _) = Description::read(&bytes, options.strictness)
            .map_err(|problems| Error::Description { path: path.to_owned(), problems })?;
        description.check_use(path)?;
        Self::link(path.to_owned(), description, Vec::new(), folder, None, options)
    }

    /// Loads the library of an FMU that is unpacked in `unpacked`.
    fn link(
        path: PathBuf,
        description: Description,
        mut warnings: Vec<Warning>,
        unpacked: &Path,
        folder: Option<Folder>,
        options: &OpenOptions,
    ) -> Result<Self, Error> {
        let library = loading::select(&path, unpacked, &description, &mut warnings)?;
        let mut own = OwnState::new(reach(&loading::libraries_with(&library)));
        loading::load_usual();
        let last_call = LastCall::of_this_thread();
        last_call.begin_loading(&path.to_string_lossy());
        let mut open = || {
            let process_state = ProcessState::note();
            let opened = loading::open(&path, &library, &options.preload_global, &mut warnings);
            let functions = opened.and_then(|opened| match &description {
                Description::V2(_) => v2::functions(&path, &library, &opened, &mut warnings).map(Functions::V2),
                Description::V3(_) => v3::functions(&path, &library, &opened, &mut warnings).map(Functions::V3),
            });
            (functions, process_state.put_back())
        };
        let ((functions, undone), changed) = match &mut own {
            Some(own) => own.within(open),
            None => (open(), Parts::default()),
        };
        last_call.end();
        let changed = undone | changed;
        warnings.extend((!changed.is_empty()).then(|| Warning::ProcessStateChanged { what: changed.to_string() }));
        Ok(Self::new(path, description, functions?, warnings, own, Some(unpacked), folder))
    }

    /// Creates an FMU of FMI 2.0 whose functions are linked into this program; it has no file and no resources folder, and
    /// nothing is loaded.
    ///
    /// The functions are trusted like those of a library that [`Fmu::open`] loads: they must conform to FMI.
    #[must_use]
    pub fn from_functions(description: fmi2::ModelDescription, functions: fmi2::ffi::Functions) -> Self {
        Self::linked(Description::V2(description), Functions::V2(functions))
    }

    /// Creates an FMU of FMI 3.0 whose functions are linked into this program, as [`Fmu::from_functions`] does.
    #[must_use]
    pub fn from_fmi3_functions(description: fmi3::ModelDescription, functions: fmi3::ffi::Functions) -> Self {
        Self::linked(Description::V3(description), Functions::V3(functions))
    }

    fn linked(description: Description, functions: Functions) -> Self {
        Self::new(PathBuf::from(description.model_name()), description, functions, Vec::new(), None, None, None)
    }

    fn new(
        path: PathBuf,
        description: Description,
        functions: Functions,
        mut warnings: Vec<Warning>,
        own: Option<OwnState>,
        unpacked: Option<&Path>,
        folder: Option<Folder>,
    ) -> Self {
        let resources = unpacked.map(|unpacked| unpacked.join("resources"));
        let capabilities = match &functions {
            Functions::V2(functions) => v2::capabilities(&description, functions, &mut warnings),
            Functions::V3(functions) => v3::capabilities(&description, functions, &mut warnings),
        };
        let interface = description.interface();
        let description = Arc::new(description);
        let common = Shared {
            path,
            interface,
            description: description.clone(),
            capabilities,
            warnings,
            lost: Arc::default(),
            instances: Arc::default(),
            own,
            has_file: resources.is_some(),
            version: (),
            folder: folder.map(Arc::new),
        };
        match functions {
            Functions::V2(functions) => {
                let loaded = v2::Loaded::new(functions, resources.as_deref(), &common.interface.token);
                Self(Version::V2(Arc::new(common.with(loaded))))
            }
            Functions::V3(functions) => {
                let loaded = v3::Loaded::new(functions, &description, resources.as_deref());
                Self(Version::V3(Arc::new(common.with(loaded))))
            }
        }
    }

    /// Returns the same FMU with these values of its structural parameters (FMI 3.0), and its own of the others. Both share the
    /// loaded library.
    ///
    /// Its instances are configured when they are created, and again after each reset.
    ///
    /// # Errors
    /// The FMU is one of FMI 2.0, or its arrays would be too large.
    pub fn with_structure(&self, structure: &Structure) -> Result<Self, StructureError> {
        match &self.0 {
            _ if structure.is_empty() => Ok(self.clone()),
            Version::V2(_) => Err(StructureError::Unsupported),
            Version::V3(shared) => {
                let structure = shared.version.structure.with(structure);
                let interface = shared.description.interface_with(&structure)?;
                let version = shared.version.with_structure(&shared.description, structure);
                Ok(Self(Version::V3(Arc::new(shared.again(interface, version)))))
            }
        }
    }

    /// Returns the model description.
    #[must_use]
    pub fn description(&self) -> &Description {
        of_both!(&self.0, Version, shared => &shared.description)
    }

    /// Returns the path of the `.fmu` file, or the name of the model for an FMU without a file.
    #[must_use]
    pub fn path(&self) -> &Path {
        of_both!(&self.0, Version, shared => &shared.path)
    }

    /// Returns warnings about the FMU that do not affect a run.
    #[must_use]
    pub fn warnings(&self) -> &[Warning] {
        of_both!(&self.0, Version, shared => &shared.warnings)
    }

    /// Returns the capabilities of the FMU: the declared ones, without those for which its library lacks functions.
    #[must_use]
    pub fn capabilities(&self) -> &Capabilities {
        of_both!(&self.0, Version, shared => &shared.capabilities)
    }

    /// Returns the functions of the library, for programs that call them themselves and conform to FMI 2.0; `None` for another
    /// version.
    #[must_use]
    pub fn functions(&self) -> Option<&fmi2::ffi::Functions> {
        match &self.0 {
            Version::V2(shared) => Some(&shared.version.functions),
            Version::V3(_) => None,
        }
    }

    /// The functions of an FMU of FMI 3.0, as [`Fmu::functions`]; `None` for other versions.
    #[must_use]
    pub fn fmi3_functions(&self) -> Option<&fmi3::ffi::Functions> {
        match &self.0 {
            Version::V2(_) => None,
            Version::V3(shared) => Some(&shared.version.functions),
        }
    }

    /// Creates an instance.
    ///
    /// # Errors
    /// The name is blank, the FMU refuses, it allows one instance per process and already has one, or it is lost after a fatal
    /// error.
    pub fn instantiate(&self, name: &str, options: &InstantiateOptions) -> Result<Box<dyn Instance>, Error> {
        match &self.0 {
            Version::V2(shared) => instance_in(shared.own.as_ref(), || v2::FmuInstance::new(shared, name, options)),
            Version::V3(shared) => instance_in(shared.own.as_ref(), || v3::FmuInstance::new(shared, name, options)),
        }
    }
}

/// Makes an instance; in this process state of its own, if its FMU can change that of the process.
fn instance_in<I: Imported + Instance + 'static>(
    own: Option<&OwnState>,
    make: impl FnOnce() -> Result<I, Error>,
) -> Result<Box<dyn Instance>, Error> {
    Ok(match own {
        Some(own) => Box::new(Apart::new(own.clone(), make)?),
        None => Box::new(make()?),
    })
}

/// The functions of a library.
enum Functions {
    V2(fmi2::ffi::Functions),
    V3(fmi3::ffi::Functions),
}

impl InstanceFactory for Fmu {
    fn file(&self) -> Option<&Path> {
        let has_file = of_both!(&self.0, Version, shared => shared.has_file);
        // An FMU that is linked into this program has none.
        has_file.then(|| self.path())
    }

    fn description(&self) -> &ModelDescription {
        of_both!(&self.0, Version, shared => &shared.interface)
    }

    fn capabilities(&self) -> &Capabilities {
        self.capabilities()
    }

    fn warnings(&self) -> Vec<String> {
        self.warnings().iter().map(ToString::to_string).collect()
    }

    fn with_structure(&self, structure: &Structure) -> Result<Arc<dyn InstanceFactory>, StructureError> {
        Ok(Arc::new(self.with_structure(structure)?))
    }

    fn instantiate(&self, name: &str, options: &InstantiateOptions) -> Result<Box<dyn Instance>, Box<dyn InstantiationError>> {
        Ok(self.instantiate(name, options)?)
    }
}

impl fmt::Debug for Fmu {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Fmu").field("path", &self.path()).finish_non_exhaustive()
    }
}
