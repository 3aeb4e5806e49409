//! Lotka's master: couples co-simulation FMUs (FMI 2.0 and 3.0) and controls the error.
//!
//! Ask for 1e-6 and get 1e-6: a [`tolerance`](System::tolerance) bounds the error of the *results*, and the [`Report`] has its
//! estimate. A whole program, for two FMUs that read each other's output:
//!
//! ```no_run
//! use lotka::{Memory, System};
//!
//! fn main() -> Result<(), Box<dyn std::error::Error>> {
//!     let mut simulation = System::new()
//!         .instance("prey", "prey.fmu")
//!         .instance("predator", "predator.fmu")
//!         .connect("prey.y", "predator.y") // input, output
//!         .connect("predator.x", "prey.x")
//!         .stop(100.0) // s
//!         .output_interval(1.0)
//!         .tolerance(1e-6)
//!         .build()?;
//!     let mut rows = Memory::new();
//!     let report = simulation.run(&mut [&mut rows])?;
//!     for (time, prey) in rows.time().iter().zip(rows.real("prey.x").unwrap_or_default()) {
//!         println!("{time} s: {prey}");
//!     }
//!     if let Some(error) = report.global_error {
//!         println!("largest error, relative: {:.1e}", error.largest);
//!         if !error.reached {
//!             println!("tolerance not reached: {}", error.reason);
//!         }
//!     }
//!     Ok(())
//! }
//! ```
//!
//! # What is where
//!
//! | you want to | use |
//! |---|---|
//! | describe a system, in Rust or by a file (TOML, SSP, MasterSim) | [`System`], [`System::from_file`], [`System::save`]; as data: [`SystemDescription`] |
//! | run it in pieces: advance, read, set, save, go back | [`Simulation::start`], [`Session`] |
//! | run it many times with other start values, on several threads | [`Simulation::set_start`], [`Ensemble`]; from a file: [`Sweep`] |
//! | run it, interrupt it, continue it | [`Simulation`], [`CancelToken`], [`CheckpointToken`], [`CheckpointFile`] |
//! | know its work and its error | [`Report`], [`Counters`], [`GlobalError`] |
//! | observe a run, and keep rows | [`Observer`], [`Notification`], [`Memory`], [`Csv`], `Mat` (feature `mat`), `Parquet` (feature `parquet`), [`StepSizes`] |
//! | read and compare results | [`Results`], [`compare`] |
//! | run, inspect and check a single FMU | [`SingleFmu`], [`inspect_fmu`], [`check_fmu`], `probe_fmu` (features `analysis` and `isolation`) |
//! | analyze a coupling | loops and order: [`System::analyze`], [`Graph`]; critical steps and sensitivities: [`Simulation::analyze_coupling`], [`analysis`] |
//! | couple models that are no FMUs | [`System::instance_from`], [`instance`] |
//! | add a coupling scheme, an estimator, a controller or an acceleration of your own | [`method`], [`System::methods`], [`observed_order`] |
//! | read an FMU's model description | [`Fmu::description`], [`fmi2`] |
//! | know what a test run has measured of an FMU | [`behavior_record`], [`BehaviorRecord`] |
//! | guard against FMUs | [`System::isolate`], [`Sandbox`], `supervisor` (feature `isolation`) |
//! | record the origin of results | [`Manifest`], [`FileDigest`] |
//!
//! - Times are in seconds.
//! - An [`Error`] is a failure before or during a run. A step rejection is an [`Notification`], not an error.
//! - All problems of a description are reported at once ([`Problems`]), each with its place.
//! - A run that fails loses nothing: observers have the rows so far, and [`RunFailure`] has the report.
//! - A [`System`] and a [`Simulation`] can be sent to another thread; errors can be shared between threads:
//!
//! ```
//! fn goes_to_threads<T: Send>() {}
//! fn is_shared<T: Send + Sync + 'static>() {}
//! goes_to_threads::<lotka::System>();
//! goes_to_threads::<lotka::Simulation>();
//! is_shared::<lotka::Error>();
//! is_shared::<lotka::RunFailure>();
//! is_shared::<lotka::ResultsError>();
//! ```
//!
//! # Models in the same program
//!
//! FMUs need not be files: a program can link models written with `fmu-sdk` ([`Fmu::from_functions`], [`System::instance_of`]).
//! The examples of this documentation do so.
//!
//! ```
//! use lotka::{Fmu, Memory, System};
//!
//! let prey = Fmu::from_functions(fmu_sdk::description::<models::Prey>(), fmu_sdk::functions::<models::Prey>());
//! let predator = Fmu::from_functions(fmu_sdk::description::<models::Predator>(), fmu_sdk::functions::<models::Predator>());
//!
//! let mut simulation = System::new()
//!     .instance_of("prey", &prey)
//!     .instance_of("predator", &predator)
//!     .connect("prey.y", "predator.y")
//!     .connect("predator.x", "prey.x")
//!     .stop(100.0)
//!     .output_interval(1.0)
//!     .tolerance(1e-6)
//!     .build()?;
//! let mut rows = Memory::new();
//! let report = simulation.run(&mut [&mut rows])?;
//! let last = rows.real("prey.x").and_then(|prey| prey.last().copied());
//! assert!((last.unwrap_or(0.0) - 25.681746).abs() < 1e-4, "{last:?}");
//! assert!(report.global_error.is_some_and(|error| error.reached && error.largest < 1e-6));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # How it works
//!
//! A system file becomes a [`SystemDescription`]; resolved against the FMUs' model descriptions it becomes a plan of flat arrays;
//! a [`Simulation`] initializes the instances and steps them; [`Observer`]s receive everything that happens as [`Notification`]s.
//! To change the code, start reading at [`Simulation::run`] (the loop).
#![forbid(unsafe_code)]
#![warn(clippy::must_use_candidate, clippy::return_self_not_must_use, clippy::missing_errors_doc, clippy::missing_panics_doc)]

mod behavior;
mod checkpoint;
mod codes;
pub mod command;
mod compile;
mod ensemble;
mod error;
mod inspect;
pub mod method;
mod parallel;
mod profile;
#[cfg(test)]
mod refresh_tests;
mod replace;
mod sampled;
mod session;
mod simulation;
#[cfg(feature = "isolation")]
pub mod supervisor;
mod sweep;
mod system;
mod workers;

pub use behavior::{behavior_record, keep_behavior_record};
pub use checkpoint::{CheckpointError, CheckpointFile};
pub use compile::{CompileError, CompiledFmu, compile_fmu};
pub use ensemble::{Ensemble, Member};
pub use error::Error;
#[doc(inline)]
pub use fmi2;
#[doc(inline)]
pub use fmi3;
pub use fmu::{
    ArchiveProblem, CachedFmu, Description as FmuDescription, ElfProblem, Error as FmuError, Finding, Fmu, Folder as FmuFolder,
    Limits as ArchiveLimits, OpenOptions, Warning as FmuWarning, cached_fmus, clear_cache, user_cache,
};
pub use inspect::{FmuInfo, check_fmu, check_fmu_file, check_rules, check_rules_named, inspect_fmu};
#[cfg(all(feature = "analysis", feature = "isolation"))]
pub use lotka_analysis::probe::{
    HostileItem, HostileOptions, HostileQuestion, HostileReport, HostileVerdict, ProbeItem, ProbeOptions, ProbeQuestion,
    ProbeReport, ProbeVerdict, Soundness, hostile_items, probe_fmu, probe_hostile, probe_items,
};
#[cfg(feature = "analysis")]
pub use lotka_analysis::{
    TooFewErrors, coupling as analysis,
    manifest::{FileDigest, FileIdentity, FmuIdentity, HashingWriter, Manifest, SourceIdentity, Versions},
    observed_order,
};
#[cfg(feature = "isolation")]
pub use lotka_host::{Error as HostError, serve_if_host};
#[doc(inline)]
pub use lotka_instance as instance;
pub use lotka_instance::TypedValue;
pub use lotka_instance::{
    BehaviorRecord, Capabilities, Instance, InstanceFactory, InstantiateOptions, InstantiationError, LogMessage, Sandbox, Status,
};
pub use lotka_message::{Code, Coded, Problem, Problems, Severity, SourceFile, Warning, printable, printable_line};
pub use lotka_plan::{
    column::{Column, EnumerationItem, ValueType},
    graph::{Equation, Evaluation, EvaluationSet, Graph, Port, StronglyConnectedComponent, UnconnectedInput},
    link::UnitConversion,
};
#[cfg(feature = "mat")]
pub use lotka_results::Mat;
#[cfg(feature = "arrow")]
pub use lotka_results::{Arrow, ArrowTable, arrow_field};
pub use lotka_results::{
    Comparison, ComparisonSettings, Csv, ERROR_BARS, FORMATS, Format, Pairing, ResultColumn, Results, ResultsError,
    ResultsProblem, Sink, Target, UnfinishedLine, Values, VariableComparison, Verdict, WriteOptions, compare, hash_of,
};
#[cfg(feature = "parquet")]
pub use lotka_results::{Parquet, ParquetTable};
pub use lotka_run::{
    CancelToken, Checkpoint, Counters, End, FoundStart, InstanceReport, Mark, PowerBondReport, ProgressToken, Report, RunFailure,
    RunProgress,
    record::{LocatedEvent, Memory, Notification, Observer, RejectedStep, Rejection, Row, StepSizes, Value},
};
pub use lotka_step::{
    Error as RunError, InstantiationFailure as LoadError, LoopProblem, OutputNoise,
    algorithm::{MethodNameTaken, MethodRegistry, methods},
    checkpoint::{CheckpointRefusal, CheckpointToken, Incapable},
    error::{Discontinuity, FoundSwitch, FoundTimes, GlobalError, InternalSteps, OutputError, SessionRefusal},
    error_control::Estimates,
    resolved::{Compatibility, Direction, FeedthroughOutputs, InputDelivery},
};
pub use lotka_system::{
    AlgorithmSettings, Axis, Connection, CsvSettings, Error as ReadError, EventLevel, EventSettings, ExperimentSettings,
    IndicatorSettings, InstanceSettings, Interpolation, Isolation, IsolationSettings, Keep, Located, NoConvergence, Outside,
    Override, PowerBondSettings, ResultSettings, Sample, Sampling, SolvedStart, SourceSettings, SourceSignal, StartSetting,
    StartValue, StepFactorSettings, Summand, SweepDescription, SweepParameter, SystemDescription, TimeEvents, Times,
    UnitSettings,
};
pub use session::{Overruns, Session, VariableHandle, VariableKey};
pub use simulation::Simulation;
pub use sweep::{RunRecord, Shard, Sweep};
#[cfg(feature = "parquet")]
pub use sweep::{SweepRecords, SweepTable, SweepTableError};
pub use system::{Analysis, SingleFmu, System};
