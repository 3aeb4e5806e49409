//! Errors of opening and instantiating an FMU.

use std::io;
use std::path::PathBuf;

use fmi2::description::{Problem, Problems};
use fmi3::description::MOST_ELEMENTS;
use lotka_instance::{CallError, Cause, FunctionName, InstantiationError, log_tail};
use lotka_message::{Code, Coded};

use crate::interpreter::interpreter_with;

/// The reason why an FMU could not be opened or instantiated. Failed calls to an instance are [`lotka_instance::CallError`]s.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the fields are named in the messages")]
pub enum Error {
    /// The operating system refused an operation.
    #[error("{}: cannot {action}: {reason}", path.display())]
    Io { path: PathBuf, action: &'static str, reason: io::Error },
    /// The file is not a zip archive, or a damaged one.
    #[error("{}: not a zip archive: {reason}", path.display())]
    NotAnArchive { path: PathBuf, reason: zip::result::ZipError },
    /// The archive may be harmful or is not portable; nothing was unpacked.
    #[error("{}: archive refused: {problem}", path.display())]
    ArchiveRefused { path: PathBuf, problem: ArchiveProblem },
    /// An entry could not be unpacked; its data do not match its header or its checksum.
    #[error("{}: entry `{entry}` is damaged: {reason}", path.display())]
    DamagedEntry { path: PathBuf, entry: String, reason: io::Error },
    /// A file or folder of the archive cannot be written.
    #[error("{}: cannot unpack it to {}: {reason}; make room there, or set TMPDIR to another folder", path.display(), target.display())]
    Unpack { path: PathBuf, target: PathBuf, reason: io::Error },
    /// The archive has no model description at its top level.
    #[error("{}: no modelDescription.xml at the top of the archive{}", path.display(), elsewhere(.found_at))]
    NoModelDescription { path: PathBuf, found_at: Option<String> },
    /// The model description is unusable.
    #[error("{}: modelDescription.xml cannot be used:{}", path.display(), listed(problems))]
    Description { path: PathBuf, problems: Problems },
    /// The FMU does not support co-simulation.
    #[error(
        "{}: the FMU is for model exchange only (it has no CoSimulation element); export it for co-simulation",
        path.display()
    )]
    NoCoSimulation { path: PathBuf },
    /// The model identifier is not a valid library name.
    #[error("{}: modelIdentifier `{identifier}` cannot be the name of a library", path.display())]
    BadModelIdentifier { path: PathBuf, identifier: String },
    /// There is no library for this platform.
    #[error("{}: no library for {wanted}; the FMU has {}", path.display(), libraries(.present))]
    NoBinary { path: PathBuf, wanted: &'static str, present: Vec<String> },
    /// No library has the name of the model identifier, and there are several others.
    #[error("{}: binaries/{platform}/{expected} is missing and it is unclear which of {} to load", path.display(), found.join(", "))]
    AmbiguousLibrary { path: PathBuf, platform: &'static str, expected: String, found: Vec<String> },
    /// Loading the library would crash the process.
    #[error("{}: {library} cannot be loaded: {problem}", path.display())]
    BadLibrary { path: PathBuf, library: String, problem: ElfProblem },
    /// The dynamic linker refused the library.
    #[error("{}: {library} cannot be loaded: {reason}; {}", path.display(), remedy(.reason))]
    Load { path: PathBuf, library: String, reason: String },
    /// A library of `preload-global` cannot be loaded.
    #[error(
        "{}: cannot load {}, listed in `preload-global`: {reason}; set the path of the library, or a name that the dynamic \
         linker finds",
        path.display(), library.display()
    )]
    Preload { path: PathBuf, library: PathBuf, reason: String },
    /// The library lacks indispensable functions.
    #[error("{}: {library} lacks {}", path.display(), names.join(", "))]
    MissingFunctions { path: PathBuf, library: String, names: Vec<&'static str> },
    /// The library implements another version of FMI.
    #[error("{}: {function} returned {}, expected {expected}", path.display(), quoted(.returned))]
    OtherFmi { path: PathBuf, function: Box<FunctionName>, returned: Option<String>, expected: &'static str },
    /// The FMU has clocks (FMI 3.0).
    #[error("{}: variables depend on the clock `{clock}`, and clocks are not supported; export the model without clocks", path.display())]
    Clocks { path: PathBuf, clock: String },
    /// The arrays of the FMU have too many elements (FMI 3.0).
    #[error("{}: the arrays have {n_elements} elements, and at most {MOST_ELEMENTS} are supported; start structural parameters with smaller sizes", path.display())]
    ArraySize { path: PathBuf, n_elements: u64 },
    /// The instance name is invalid.
    #[error("`{}` cannot be the name of an instance: it must not be blank and must not contain a NUL character", name.escape_debug())]
    BadInstanceName { name: String },
    /// A second instance of an FMU that allows one per process.
    #[error("instance `{instance}`: {model} can be instantiated only once per process, and an instance already exists")]
    OnlyOncePerProcess { instance: String, model: String },
    /// Another instance of the same FMU returned a fatal status.
    #[error("instance `{instance}`: another instance of {model} returned a fatal error, so the FMU can no longer be used")]
    Lost { instance: String, model: String },
    /// The function that instantiates returned NULL.
    #[error(
        "instance `{instance}`: {function} of {model} failed ({} {token}){}{}",
        token_name(.function), logged(.log), second(*.is_second)
    )]
    Instantiate {
        function: Box<FunctionName>,
        instance: String,
        model: Box<str>,
        token: Box<str>,
        log: Box<[String]>,
        is_second: bool,
    },
    /// The function that instantiates returned an instance that exists.
    #[error(
        "instance `{instance}`: {function} of {model} returned an instance that already exists\n  help: set isolation = \
         \"process\" to run each in a separate process"
    )]
    SameInstance { function: Box<FunctionName>, instance: String, model: String },
    /// The FMU does not take the values of its structural parameters (FMI 3.0).
    #[error("{failure}\n  help: {}", not_configured(.failure, .values))]
    Configure { failure: Box<CallError>, values: String },
}

impl Error {
    /// Returns the rule of `lotka check` that the FMU breaks, if it is one of [`RULES`](crate::RULES) or of
    /// `modelDescription.xml`.
    #[must_use]
    pub fn rule(&self) -> Option<&'static str> {
        Some(match self {
            Self::NotAnArchive { .. } => "not-an-archive",
            Self::ArchiveRefused { problem, .. } => problem.rule(),
            Self::DamagedEntry { .. } => "entry-damaged",
            Self::NoModelDescription { found_at: Some(_), .. } => "top-folder",
            Self::NoModelDescription { found_at: None, .. } => "no-description",
            Self::NoCoSimulation { .. } => "no-co-simulation",
            Self::Clocks { .. } => "clocks",
            Self::ArraySize { .. } => "array-size",
            Self::BadModelIdentifier { .. } => "model-identifier",
            Self::NoBinary { .. } => "no-library",
            Self::AmbiguousLibrary { .. } => "library-ambiguous",
            Self::BadLibrary { .. } => "library-format",
            Self::Load { .. } | Self::OtherFmi { .. } => "load",
            Self::MissingFunctions { .. } => "missing-functions",
            Self::OnlyOncePerProcess { .. } => "once-per-process",
            Self::Instantiate { .. } | Self::SameInstance { .. } => "instantiate",
            Self::Io { .. }
            | Self::Description { .. }
            | Self::Unpack { .. }
            | Self::Preload { .. }
            | Self::BadInstanceName { .. }
            | Self::Lost { .. }
            | Self::Configure { .. } => return None,
        })
    }
}

/// The code is usually the rule of `lotka check` that the FMU breaks.
impl Coded for Error {
    fn code(&self) -> Code {
        match self {
            Self::Io { .. } => Code::UnreadableFile,
            Self::Description { .. } => Code::InvalidDescription,
            Self::BadInstanceName { .. } => Code::BadName,
            Self::Lost { .. } => Code::FmuLost,
            Self::Unpack { .. } => Code::UnwritableFile,
            Self::Preload { .. } => Code::PreloadFailed,
            Self::Configure { failure, .. } => failure.code(),
            error => error.rule().map_or(Code::InternalError, Code::Rule),
        }
    }
}

impl InstantiationError for Error {}

impl From<Error> for Box<dyn InstantiationError> {
    fn from(error: Error) -> Self {
        Box::new(error)
    }
}

impl ArchiveProblem {
    /// Returns the rule of [`RULES`](crate::RULES) that the archive breaks.
    #[must_use]
    pub fn rule(&self) -> &'static str {
        match self {
            Self::Outside { .. } => "entry-outside",
            Self::BadName { .. } => "entry-name",
            Self::Link { .. } => "entry-link",
            Self::Duplicate { .. } | Self::DuplicateNames => "entry-duplicate",
            Self::Overlap => "entry-overlap",
            Self::Encrypted { .. } => "entry-encrypted",
            Self::Method { .. } => "entry-compression",
            Self::TooManyEntries { .. } => "too-many-entries",
            Self::TooLarge { .. } => "archive-too-large",
            Self::TooDense { .. } => "entry-too-dense",
        }
    }
}

/// The reason why an archive is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the fields are named in the messages")]
pub enum ArchiveProblem {
    #[error("entry `{entry}` would be written outside the folder (absolute path or `..`)")]
    Outside { entry: String },
    #[error("the name of entry `{entry}` is empty or contains control characters")]
    BadName { entry: String },
    #[error("entry `{entry}` is a link or a device")]
    Link { entry: String },
    #[error("entry `{entry}` exists more than once (upper and lower case count as equal), or is a file and a folder")]
    Duplicate { entry: String },
    #[error("the archive lists two entries of the same name, and their contents differ")]
    DuplicateNames,
    #[error("entries share their data")]
    Overlap,
    #[error("entry `{entry}` is encrypted")]
    Encrypted { entry: String },
    #[error("entry `{entry}` is compressed with {method}; only stored and deflate are allowed")]
    Method { entry: String, method: String },
    #[error("it has {entries} entries, more than {limit}")]
    TooManyEntries { entries: usize, limit: usize },
    #[error("it unpacks to more than {limit} bytes")]
    TooLarge { limit: u64 },
    #[error("entry `{entry}` unpacks to more than {limit} times its packed size")]
    TooDense { entry: String, limit: u64 },
}

/// The reason why a library is not loaded.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the fields are named in the messages")]
pub enum ElfProblem {
    #[error("it is not an ELF file")]
    NotElf,
    #[error("it is built for another word size or byte order")]
    OtherClass,
    #[error("it is built for another processor (ELF machine {machine})")]
    OtherMachine { machine: u16 },
    #[error("it is not a shared library (ELF type {kind})")]
    NotShared { kind: u16 },
    #[error("it is truncated or damaged: a segment reaches beyond its end")]
    Truncated,
}

fn listed(problems: &Problems) -> String {
    let line = |problem: &Problem| {
        let place = if problem.line > 0 { ":" } else { ": " };
        format!("\n  modelDescription.xml{place}{problem}")
    };
    problems.0.iter().map(line).collect()
}

fn libraries(platforms: &[String]) -> String {
    if platforms.is_empty() { "no library at all".to_owned() } else { platforms.join(", ") }
}

fn elsewhere(found_at: &Option<String>) -> String {
    let there = |path| format!(" (there is `{path}`; the archive must not have a common top folder)");
    found_at.as_ref().map_or_else(String::new, there)
}

/// What to do about this reason of the dynamic linker.
fn remedy(reason: &str) -> String {
    let symbol = reason.split_once("undefined symbol: ").map_or("", |(_, symbol)| symbol);
    match interpreter_with(symbol) {
        Some((name, library)) => format!(
            "it runs in {name}, which must be loaded first: name its library, with the version that the FMU is made for, in `preload-global` of the \
             instance, such as [\"{library}{}\"]",
            if name == "Python" { "3.11.so.1.0" } else { ".so" }
        ),
        None => "install what it needs, or put it beside the library".to_owned(),
    }
}

fn quoted(text: &Option<String>) -> String {
    text.as_ref().map_or_else(|| "NULL".to_owned(), |text| format!("`{}`", text.escape_debug()))
}

/// The name of the token of an FMU.
fn token_name(function: &FunctionName) -> &'static str {
    if *function == fmi2::Function::Instantiate { "GUID" } else { "instantiation token" }
}

/// The possible reason, if there is another instance of the same FMU.
fn second(is_second: bool) -> &'static str {
    let hint = "\n  help: this process has another instance of the FMU; if the FMU allows only one, set isolation = \
                \"process\" to run each in a separate process";
    if is_second { hint } else { "" }
}

/// What to do about structural parameters that an FMU does not take.
fn not_configured(failure: &CallError, values: &str) -> String {
    match failure.cause {
        Cause::Unsupported => format!("the library cannot change structural parameters; remove their start values ({values})"),
        _ => format!("the FMU refuses the start values of its structural parameters ({values}); change or remove them"),
    }
}

fn logged(lines: &[String]) -> String {
    if lines.is_empty() {
        "; the FMU logged nothing; a frequent cause is a model description that belongs to another library".to_owned()
    } else {
        log_tail(lines)
    }
}
