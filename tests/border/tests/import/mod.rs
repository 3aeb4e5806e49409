//! What the importer does with archives, libraries and instances that are not as they should be.

mod archives;
mod cache;
mod instances;
mod loading;

use std::sync::{Arc, Mutex};

use border::hostile::Hostile;
use fmu::{Error, Fmu, InstantiateOptions, OpenOptions};
use lotka_instance::{Experiment, Instance, LogMessage};
use tempfile::TempDir;

/// Opens at once; the `.fmu` file is gone afterwards.
fn open(fmu: Hostile) -> Result<Fmu, Error> {
    open_with(fmu, &OpenOptions::default())
}

fn open_with(fmu: Hostile, options: &OpenOptions) -> Result<Fmu, Error> {
    let dir = TempDir::new().unwrap();
    Fmu::open_with(fmu.build(dir.path()), options)
}

fn instantiate(fmu: Hostile) -> Box<dyn Instance> {
    open(fmu).unwrap().instantiate("it", &InstantiateOptions::default()).unwrap()
}

fn initialize(instance: &mut Box<dyn Instance>) {
    instance.setup_experiment(&Experiment { start: 1.0, stop: None, tolerance: None }).unwrap();
    instance.enter_initialization_mode().unwrap();
    instance.exit_initialization_mode().unwrap();
}

/// An instance at t = 1 s.
fn started(fmu: Hostile) -> Box<dyn Instance> {
    let mut instance = instantiate(fmu);
    initialize(&mut instance);
    instance
}

type Lines = Arc<Mutex<Vec<LogMessage>>>;

fn listening() -> (Lines, InstantiateOptions) {
    let lines = Lines::default();
    let sink = Arc::clone(&lines);
    let log: lotka_instance::LogSink = Arc::new(move |line| sink.lock().unwrap().push(line));
    (lines, InstantiateOptions { log: Some(log), logging_on: true, ..InstantiateOptions::default() })
}
