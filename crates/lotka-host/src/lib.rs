//! FMUs in processes of their own (Linux).
//!
//! An FMU is native code. In a process of its own it can crash, call `exit` or never return; its master then only receives an
//! error. The error names the signal or the time limit, the call, and the last log lines of the FMU. The FMU can also be confined
//! ([`Sandbox`]).
//!
//! ```text
//! .fmu file -> unpacked by the master -> HostedFmu -> one program lotka-fmu-host per instance -> HostedInstance
//! ```
//!
//! [`HostedInstance`] is a [`lotka_instance::Instance`] like one in the same process. Start reading at [`HostedFmu`], then
//! `protocol`, then [`serve`].
//!
//! ```no_run
//! use lotka_instance::{Experiment, Instance};
//! use lotka_host::{HostOptions, HostedFmu};
//!
//! let options = HostOptions { step_timeout: Some(std::time::Duration::from_secs(2)), ..HostOptions::default() };
//! let fmu = HostedFmu::open("prey.fmu", options)?;
//! let mut prey = fmu.instantiate("prey", &Default::default())?;
//! prey.setup_experiment(&Experiment { start: 0.0, stop: None, tolerance: None })?;
//! prey.enter_initialization_mode()?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![warn(clippy::must_use_candidate, clippy::return_self_not_must_use, clippy::missing_errors_doc, clippy::missing_panics_doc)]

mod client;
mod error;
mod pair_run;
mod platform;
mod protocol;
mod server;
pub mod supervise;

pub use client::{HostedFmu, HostedInstance, has_program};
pub use error::Error;
pub use fmu::Folder;
pub use lotka_instance::{HostOptions, Sandbox};
#[doc(hidden)]
pub use protocol::untrusted;

pub use pair_run::{PairReport, PairRun};
pub use platform::{ProcessState, Watched, describe_cgroups};
#[doc(hidden)]
pub use server::serve_lies;
pub use server::{serve, serve_if_host};
