//! A model of the kit that reads a file of its FMU and logs: what it reads and says is the same wherever the FMU runs.

use std::fs;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use campaign_models::Characteristic;
use fmu::{Fmu, InstantiateOptions};
use lotka::{Memory, Notification, Observer, System};
use lotka_host::{HostOptions, HostedFmu, Sandbox};
use lotka_instance::{Experiment, Instance, LogMessage, LogSink, RealRef, Status, StepOutcome};
use tests::{host_program, hosted, joined, packed_for_tests};

/// References of the variables.
const U: RealRef = RealRef(0);
const Y: RealRef = RealRef(1);

fn packed() -> PathBuf {
    packed_for_tests().join("characteristic.fmu")
}

fn value(instance: &mut dyn Instance, u: f64) -> f64 {
    let mut y = [f64::NAN];
    instance.set_real(&[U], &[u]).unwrap();
    instance.get_real(&[Y], &mut y).unwrap();
    y[0]
}

/// Runs an instance within the table and beyond it, and after a saved state; returns what it logged of its own.
fn run(instantiate: impl FnOnce(&InstantiateOptions) -> Box<dyn Instance>) -> Vec<(Option<Status>, String, String)> {
    let lines = Arc::new(Mutex::new(Vec::new()));
    let sink = Arc::clone(&lines);
    let log: LogSink = Arc::new(move |line: LogMessage| sink.lock().unwrap().push((line.status, line.category, line.message)));
    let options = InstantiateOptions { log: Some(log), logging_on: true, ..InstantiateOptions::default() };
    let mut instance = instantiate(&options);
    instance.setup_experiment(&Experiment { start: 0.0, stop: None, tolerance: None }).unwrap();
    instance.enter_initialization_mode().unwrap();
    assert_eq!([-1.0, 0.0, 0.25, 1.0, 2.0, 3.0, 7.0].map(|u| value(&mut *instance, u)), [0.0, 0.0, 2.5, 10.0, 12.0, 14.0, 14.0]);
    value(&mut *instance, 2.0);
    instance.exit_initialization_mode().unwrap();
    let slot = instance.new_slot().unwrap();
    instance.save(slot).unwrap();
    for u in [1.0, 4.0, 5.0] {
        instance.restore(slot).unwrap();
        assert_eq!(value(&mut *instance, u), if u > 3.0 { 14.0 } else { 10.0 });
        assert_eq!(instance.do_step(0.0, 0.5, false).unwrap(), StepOutcome::Complete);
    }
    instance.terminate().unwrap();
    drop(instance);
    let lines = lines.lock().unwrap().clone();
    lines.into_iter().filter(|(_, _, text)| text.contains("table")).collect()
}

/// The file is read whenever something was set before the end of the initialization; each of the two steps beyond the table
/// begins in the saved state.
fn assert_all_is_said(lines: &[(Option<Status>, String, String)]) {
    let line = |status, category: &str, text: &str| (Some(status), category.to_owned(), text.to_owned());
    let (starts, steps) = lines.split_at(lines.len() - 2);
    let start = line(Status::Ok, "logEvents", "the table has 3 points");
    assert!(!starts.is_empty() && starts.iter().all(|line| *line == start), "{lines:?}");
    let warning = |u| line(Status::Warning, "logStatusWarning", &format!("u = {u} is outside of the table at t = 0 s"));
    assert_eq!(steps, [warning(4), warning(5)]);
}

#[test]
fn in_this_process() {
    let fmu = Fmu::open(packed()).unwrap();
    assert_all_is_said(&run(|options| fmu.instantiate("it", options).unwrap()));
}

#[test]
fn in_a_process_of_its_own() {
    let fmu = hosted(packed());
    assert_all_is_said(&run(|options| Box::new(fmu.instantiate("it", options).unwrap())));
}

#[test]
fn in_a_sandbox() {
    let options = HostOptions { program: Some(host_program()), sandbox: Some(Sandbox::default()), ..HostOptions::default() };
    let fmu = HostedFmu::open(packed(), options).unwrap();
    assert_all_is_said(&run(|options| Box::new(fmu.instantiate("it", options).unwrap())));
}

#[test]
fn a_model_that_is_linked_in_has_no_resources_and_says_so() {
    let fmu = joined::<Characteristic>();
    let mut instance = fmu.instantiate("it", &InstantiateOptions::default()).unwrap();
    instance.setup_experiment(&Experiment { start: 0.0, stop: None, tolerance: None }).unwrap();
    instance.enter_initialization_mode().unwrap();
    let error = instance.exit_initialization_mode().unwrap_err();
    assert!(error.to_string().contains("the importer passed no location of the resources"), "{error}");
}

/// Keeps what FMUs log.
#[derive(Default)]
struct Log(Vec<String>);

impl Observer for Log {
    fn observe(&mut self, notification: &Notification<'_>) {
        if let Notification::Log(message) = notification {
            self.0.push(message.message.clone());
        }
    }
}

#[test]
fn a_run_has_the_values_of_the_file_and_its_user_reads_the_warning() {
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("u.csv");
    fs::write(&table, "time,u\n0,0\n1,2\n2,6\n").unwrap();
    let system = System::new().instance("f", packed()).source_csv("table", &table).connect("f.u", "table.u").stop(2.0).step(0.5);
    let (mut rows, mut log) = (Memory::new(), Log::default());
    system.build().unwrap().run(&mut [&mut rows, &mut log]).unwrap();
    assert_eq!(rows.real("f.y").unwrap(), [0.0, 10.0, 12.0, 14.0, 14.0]);
    let warning = "u = 4 is outside of the table at t = 1 s";
    assert_eq!(log.0.iter().filter(|line| line.as_str() == warning).count(), 1, "{:?}", log.0);
}
