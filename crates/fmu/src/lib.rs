//! FMI 2.0 and 3.0 import: from a `.fmu` file to an instance in this process (Linux).
//!
//! ```text
//! .fmu file -> Archive (checked, nothing written) -> folder -> library (checked, loaded) -> Fmu -> Instance
//! ```
//!
//! Start reading at [`Fmu::open_with`], then in `v2` and `v3`, which make the calls of their version of FMI; `instance` has what
//! both share; [`Footprint`] says which FMUs do not get along in one process. [`fn@check`] checks a file against the rules of the
//! standard without running its code. The modules with `unsafe` are `calls` of both versions (every call into an instance),
//! `functions` (the symbols of a library), `loading::library` (the dynamic linker), `instance::slots` (saved states),
//! `log::callback` (the callbacks from C), `platform` (locks of files) and `process_state` (registers, locale, environment
//! variables, handlers of signals).
//!
//! ```no_run
//! use lotka_instance::{Experiment, Instance, RealRef, StepOutcome};
//! use fmu::{Fmu, InstantiateOptions};
//!
//! let fmu = Fmu::open("prey.fmu")?;
//! let mut prey = fmu.instantiate("prey", &InstantiateOptions::default())?;
//! prey.setup_experiment(&Experiment { start: 0.0, stop: None, tolerance: None })?;
//! prey.enter_initialization_mode()?;
//! prey.exit_initialization_mode()?;
//! let mut outputs = [0.0];
//! prey.bind(&[RealRef(1)], &[RealRef(0)])?;
//! let outcome = prey.step(&[10.0], 0.0, 0.1, true, &mut outputs)?;
//! assert_eq!(outcome, StepOutcome::Complete);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![warn(clippy::must_use_candidate, clippy::return_self_not_must_use, clippy::missing_errors_doc, clippy::missing_panics_doc)]

mod archive;
mod binding;
mod cache;
mod capabilities;
mod check;
mod clash;
mod description;
mod error;
mod fmu;
mod footprint;
mod function;
mod instance;
mod interpreter;
mod last_call;
mod library;
mod loading;
mod log;
mod options;
mod platform;
mod process_state;
mod shared;
mod unpacked;
mod uri;
mod v2;
mod v3;
mod warning;

pub use archive::{Archive, Folder, Package, TemporaryFolder, remove_folders_of};
pub use cache::{CachedFmu, are_nested, cached_fmus, clear_cache, find_record, keep_record, user_cache};
pub use check::{Finding, RULES, check, check_loading};
pub use clash::Clash;
pub use description::Description;
pub use error::{ArchiveProblem, ElfProblem, Error};
pub use fmu::Fmu;
pub use footprint::Footprint;
pub use last_call::{LAST_CALLS_WORDS, OpenCall, record_calls_in};
pub use library::{GlibcVersion, Library, NotALibrary, NotAVersion};
pub use loading::{PLATFORM, PLATFORM_OF_FMI3};
pub use lotka_instance::InstantiateOptions;
pub use options::{Limits, OpenOptions};
pub use platform::outside_of_calls;
pub use unpacked::Unpacked;
pub use warning::Warning;
