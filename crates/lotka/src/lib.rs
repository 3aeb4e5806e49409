//! Lotka's master: couples FMI 2.0 co-simulation FMUs and controls the error.
//!
//! Data flow: a system file becomes a [`SystemDescription`]; resolved against the FMUs' model descriptions it becomes a plan of flat
//! arrays; a [`Simulation`] initializes the instances and steps them; [`Observer`]s receive everything that happens as [`Event`]s.
//!
//! Start reading at [`System`] (how programs use this crate) and at [`Simulation::run`] (the loop).
//!
//! Predator and prey, an FMU each, from t = 0 to 100 s (`instance("prey", "prey.fmu")` names a file; here the FMUs are linked in):
//!
//! ```
//! use lotka::{Fmu, Memory, System};
//! # use fmu_sdk::{description, functions};
//! # let prey = Fmu::from_functions(description::<models::Prey>(), functions::<models::Prey>());
//! # let predator = Fmu::from_functions(description::<models::Predator>(), functions::<models::Predator>());
//!
//! let mut simulation = System::new()
//!     .instance_of("prey", &prey)
//!     .instance_of("predator", &predator)
//!     .connect("prey.y", "predator.y")
//!     .connect("predator.x", "prey.x")
//!     .stop(100.0)
//!     .local_tolerance(1e-6)
//!     .build()?;
//! let mut results = Memory::new();
//! let report = simulation.run(&mut [&mut results])?;
//! let last = results.real("prey.x").and_then(|prey| prey.last().copied());
//! assert!((last.unwrap_or(0.0) - 25.68).abs() < 0.02, "{} steps", report.statistics.n_steps);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

mod algorithm;
pub mod analysis;
mod checkpoint;
mod code;
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

pub use checkpoint::{Checkpoint, CheckpointError, CheckpointToken, Incapable};
pub use code::Code;
pub use error::{Error, LoadError, LoopProblem};
pub use error_control::Estimates;
pub use fmi2::{Capabilities, LogMessage, ModelDescription, Status, description};
pub use fmu::{Error as FmuError, Finding, Fmu};
pub use graph::{Component, Equation, EvaluationSet, Graph, Port};
pub use inspect::{FmuInfo, check_fmu, check_fmu_file, check_rules, inspect_fmu};
pub use lotka_host::{Error as HostError, Sandbox};
pub use manifest::{FileDigest, FileIdentity, FmuIdentity, HashingWriter, Manifest, SourceIdentity, Versions};
pub use probe::{ProbeItem, ProbeOptions, ProbeReport, ProbeVerdict, probe_fmu, probe_items};
#[cfg(feature = "parquet")]
pub use record::Parquet;
pub use record::{
    Column, Csv, EnumerationItem, Event, LocatedEvent, Mat, Memory, Observer, RejectedStep, Rejection, Row, StepSizes, Value,
    ValueType,
};
pub use replace::replace_file;
pub use results::{
    Comparison, ComparisonSettings, Pairing, ResultColumn, Results, ResultsError, ResultsProblem, UnfinishedLine, Values,
    VariableComparison, Verdict, compare,
};
pub use simulation::{
    CancelToken, Counters, End, FoundStart, GlobalError, InstanceReport, OutputError, PowerBondReport, ProgressToken, Report,
    RunFailure, RunProgress, Simulation,
};
pub use system::{
    AlgorithmSettings, Analysis, Compatibility, Connection, CsvSettings, Direction, Draft, DraftInstance, EventSettings,
    Experiment, FeedthroughOutputs, IndicatorSettings, InputDelivery, InstanceSettings, Interpolation, Isolation,
    IsolationSettings, Level, Located, Outside, Override, PowerBondSettings, Problem, Problems, ResultSettings, Severity,
    SolvedStart, Source, SourceFile, SourceSettings, SourceSignal, StartSetting, StartValue, System, SystemDescription,
    UnitConversion, UnitSettings, Warning, draft, instance_name, is_archive,
};
