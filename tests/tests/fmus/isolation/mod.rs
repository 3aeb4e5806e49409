//! FMUs in processes of their own: whatever they do, the run ends with an error that says it, and what they compute is the same
//! as without.

mod ends;
mod equal;
mod mixing;
mod sandbox;
mod settings;
mod threads;

use std::path::{Path, PathBuf};
use std::time::Duration;

use lotka_host::{HostOptions, HostedFmu, HostedInstance};
use lotka_instance::{CallError, Cause, Experiment, Instance, ProcessEnd};
use tempfile::TempDir;
use tests::hostile::Hostile;

/// An FMU that was built, and its folder.
struct Built {
    path: PathBuf,
    _dir: TempDir,
}

fn built(fmu: Hostile) -> Built {
    let dir = tempfile::tempdir().unwrap();
    Built { path: fmu.build(dir.path()), _dir: dir }
}

/// With a time limit for calls after initialization \[s\].
fn options(limit: Option<f64>) -> HostOptions {
    let step_timeout = limit.map(Duration::from_secs_f64);
    HostOptions { program: Some(tests::host_program()), step_timeout, ..HostOptions::default() }
}

/// An instance at t = 1 s.
fn started(path: &Path, limit: Option<f64>) -> HostedInstance {
    let fmu = HostedFmu::open(path, options(limit)).unwrap();
    let mut instance = fmu.instantiate("it", &Default::default()).unwrap();
    instance.setup_experiment(&Experiment { start: 1.0, stop: None, tolerance: None }).unwrap();
    instance.enter_initialization_mode().unwrap();
    instance.exit_initialization_mode().unwrap();
    instance
}

/// How the process ended in a call.
#[track_caller]
fn end_of(error: &CallError) -> &ProcessEnd {
    match &error.cause {
        Cause::ProcessEnded(end) => end,
        _ => panic!("{error}"),
    }
}
