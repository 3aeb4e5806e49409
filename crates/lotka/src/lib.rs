//! Lotka's master: couples FMI 2.0 co-simulation FMUs and controls the error.
//!
//! Ask for an accuracy of 1e-6 and you get it: a [`tolerance`](System::tolerance) bounds the error of the *results*, and the [`Report`] says how far it is
//! kept. A whole program, for two FMUs that feed each other:
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
//!     }
//!     Ok(())
//! }
//! ```
//!
//! # What is where
//!
//! | you want to | look at |
//! |---|---|
//! | describe a system, in Rust or by a file (TOML, SSP, MasterSim) | [`System`], [`System::from_file`], [`System::save`]; as data: [`SystemDescription`] |
//! | run it, interrupt it, go on with it | [`Simulation`], [`CancelToken`], [`CheckpointToken`] |
//! | know what it took and how exact it is | [`Report`], [`Counters`], [`GlobalError`] |
//! | see what happens, and keep rows | [`Observer`], [`Event`], [`Memory`], [`Csv`], [`Mat`], `Parquet` (feature `parquet`), [`StepSizes`] |
//! | read results again, and compare them | [`Results`], [`compare`] |
//! | look into FMUs and judge them | [`inspect_fmu`], [`check_fmu`], [`probe_fmu`] |
//! | understand a coupling | [`System::analyze`], [`Graph`], [`analysis`] |
//! | keep FMUs from doing harm | [`System::isolate`], [`Sandbox`], [`supervisor`] |
//! | say later how results came about | [`Manifest`], [`FileDigest`] |
//!
//! Times are in seconds. Everything that can go wrong before or during a run is an [`Error`]; a step that an FMU or an error test refuses is none, but an event. All
//! problems of a description come at once ([`Problems`]), each with its place. A run that fails keeps what there is: rows that went to observers, and the
//! report in [`RunFailure`]. A [`System`] and a [`Simulation`] can be sent to another thread; errors can be shared between threads:
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
//! FMUs need not be files: models written with `fmu-sdk` can be linked in ([`Fmu::from_functions`], [`System::instance_of`]), as in the examples of this documentation.
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
//! A system file becomes a [`SystemDescription`]; resolved against the FMUs' model descriptions it becomes a plan of flat arrays; a [`Simulation`] initializes the
//! instances and steps them; [`Observer`]s receive everything that happens as [`Event`]s. Who changes the code starts reading at [`Simulation::run`] (the loop).
#![forbid(unsafe_code)]
#![warn(clippy::must_use_candidate, clippy::return_self_not_must_use, clippy::missing_errors_doc, clippy::missing_panics_doc)]

mod algorithm;
pub mod analysis;
mod checkpoint;
mod code;
mod compile;
mod error;
mod error_control;
mod event;
mod graph;
mod initialize;
mod inspect;
mod manifest;
mod probe;
mod record;
mod replace;
mod results;
mod signal;
mod simulation;
mod source;
pub mod supervisor;
mod system;

pub use algorithm::methods;
pub use checkpoint::{Checkpoint, CheckpointError, CheckpointToken, Incapable};
pub use code::Code;
pub use compile::{CompileError, CompiledFmu, compile_fmu};
pub use error::{Error, LoadError, LoopProblem, Scatter};
pub use error_control::Estimates;
pub use fmi2::{Capabilities, LogMessage, ModelDescription, Status, description};
pub use fmu::{Error as FmuError, Finding, Fmu};
pub use graph::{Component, Equation, EvaluationSet, Graph, Port};
pub use inspect::{FmuInfo, check_fmu, check_fmu_file, check_rules, inspect_fmu};
pub use lotka_host::{Error as HostError, Sandbox, serve_if_host};
pub use manifest::{FileDigest, FileIdentity, FmuIdentity, HashingWriter, Manifest, SourceIdentity, Versions};
pub use probe::{ProbeItem, ProbeOptions, ProbeQuestion, ProbeReport, ProbeVerdict, Soundness, probe_fmu, probe_items};
#[cfg(feature = "parquet")]
pub use record::Parquet;
pub use record::{
    Column, Csv, ERROR_BARS, EnumerationItem, Event, LocatedEvent, Mat, Memory, Observer, RejectedStep, Rejection, Row,
    StepSizes, Value, ValueType,
};
pub use replace::replace_file;
#[cfg(feature = "parquet")]
pub use results::panic_is_caught;
pub use results::{
    Comparison, ComparisonSettings, Pairing, ResultColumn, Results, ResultsError, ResultsProblem, UnfinishedLine, Values,
    VariableComparison, Verdict, compare,
};
pub use simulation::{
    Bend, CancelToken, Counters, End, FoundStart, FoundSwitch, FoundTimes, GlobalError, InstanceReport, InternalSteps,
    OutputError, PowerBondReport, ProgressToken, Report, RunFailure, RunProgress, Simulation,
};
pub use system::{
    AlgorithmSettings, Analysis, Compatibility, Connection, CsvSettings, Direction, Draft, DraftInstance, EventSettings,
    Experiment, FeedthroughOutputs, IndicatorSettings, InputDelivery, InstanceSettings, Interpolation, Isolation,
    IsolationSettings, Level, Located, NoConvergence, Outside, Override, PLACES_OUTSIDE, PowerBondSettings, Problem, Problems,
    ResultSettings, Severity, SingleFmu, SolvedStart, Source, SourceFile, SourceSettings, SourceSignal, StartSetting, StartValue,
    System, SystemDescription, TimeEvents, Times, UnitConversion, UnitSettings, Warning, draft, instance_name, is_archive,
};
