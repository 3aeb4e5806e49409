//! Lotka's master: couples FMI 2.0 co-simulation FMUs and controls the error.
//!
//! Data flow: a system file becomes a [`SystemDescription`]; resolved against the FMUs' model descriptions it becomes a plan of flat
//! arrays; a [`Simulation`] initializes the instances and steps them; [`Observer`]s receive everything that happens as [`Event`]s.
//!
//! Start reading at [`System`] (how programs use this crate) and at [`Simulation::run`] (the loop).
//!
//! ```no_run
//! use lotka::{Memory, System};
//!
//! let mut simulation = System::new()
//!     .instance("prey", "target/fmus/prey.fmu")
//!     .instance("predator", "target/fmus/predator.fmu")
//!     .connect("prey.y", "predator.y")
//!     .connect("predator.x", "prey.x")
//!     .stop(100.0)
//!     .local_tolerance(1e-6)
//!     .build()?;
//! let mut results = Memory::new();
//! let report = simulation.run(&mut [&mut results])?;
//! println!("{} steps, prey at the end: {}", report.statistics.n_steps, results.real("prey.x").unwrap().last().unwrap());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

mod algorithm;
mod error;
mod error_control;
mod graph;
mod initialize;
mod inspect;
mod record;
mod simulation;
mod system;

pub use error::{Error, LoadError};
pub use error_control::Estimates;
pub use fmi2::{Capabilities, LogMessage, ModelDescription, Status, description};
pub use fmu::{Error as FmuError, Fmu};
pub use graph::{Component, Graph};
pub use inspect::{FmuInfo, check_fmu, inspect_fmu};
pub use record::{Column, Csv, Event, Memory, Observer, Rejection, Row, StepSizes, Value, ValueType};
pub use simulation::{CancelToken, Counters, End, InstanceReport, Report, RunFailure, Simulation};
pub use system::{
    AlgorithmSettings, Compatibility, Connection, Experiment, InstanceSettings, Located, Problem, Problems, Severity, Source,
    SourceFile, StartValue, System, SystemDescription, Warning,
};
