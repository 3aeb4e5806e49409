//! Runs of which there are no checkpoints, and checkpoints of other systems.

use fmi2::ffi::Functions;
use fmu::Fmu;
use lotka::{
    CancelToken, Checkpoint, CheckpointError, CheckpointRefusal, End, Error, Memory, Notification, Observer, RunError, System,
};
use models::{Predator, Prey};
use tests::{
    couple, joined, predator_prey,
    systems::fault::{Lacking, stripped},
};

use super::{last_checkpoint, make, values};

/// Why a run does not go on from a checkpoint; nothing was told to its observers but the end.
fn refusal(system: &System, checkpoint: &Checkpoint) -> String {
    let mut rows = Memory::new();
    let failure = system.build().unwrap().resume(checkpoint, &mut [&mut rows]).unwrap_err();
    assert!(matches!(failure.error, RunError::Checkpoint(_)), "{failure}");
    assert_eq!((failure.report.end, rows.time().len()), (End::Failed, 0));
    failure.error.to_string()
}

#[test]
fn fmus_that_do_not_serialize_are_named_with_what_they_lack() {
    let system = couple(&joined::<Prey>(), &stripped::<Predator>(Lacking::DerivativesAndStates)).stop(10.0).step(0.5);
    let text = system.build().unwrap().checkpoint_token().unwrap_err().to_string();
    assert!(text.contains("instance `predator` does not serialize its state (missing: canGetAndSetFMUstate)"), "{text}");
    assert!(!text.contains("`prey`"), "{text}");
}

#[test]
fn functions_that_are_missing_in_spite_of_the_flags_are_named() {
    let text = |remove: fn(&mut Functions)| {
        let mut functions = fmu_sdk::functions::<Predator>();
        remove(&mut functions);
        let predator = Fmu::from_functions(fmu_sdk::description::<Predator>(), functions);
        let system = couple(&joined::<Prey>(), &predator).stop(10.0).step(0.5);
        system.build().unwrap().checkpoint_token().unwrap_err().to_string()
    };
    let without_states = text(|functions| functions.free_fmu_state = None);
    let expected = "`predator` does not serialize its state (missing: a function that saves, restores or frees states)";
    assert!(without_states.contains(expected), "{without_states}");
    let without_bytes = text(|functions| functions.de_serialize_fmu_state = None);
    let expected = "(missing: a function that serializes or deserializes states)";
    assert!(without_bytes.contains(expected), "{without_bytes}");
}

#[test]
fn a_run_with_tolerance_has_no_checkpoints() {
    let error = predator_prey().tolerance(1e-6).build().unwrap().checkpoint_token().unwrap_err();
    assert!(
        matches!(&error, Error::Checkpoint(error) if matches!(**error, CheckpointError::Run(CheckpointRefusal::Verified))),
        "{error}"
    );
    assert!(error.to_string().contains("`local-tolerance` or `step`"));
}

#[test]
fn other_settings_instances_and_fmus_are_refused() {
    let system = predator_prey().step(0.5);
    let checkpoint = last_checkpoint(&system);
    let settings = [
        system.clone().step(0.25),
        system.clone().start_value("prey.x", 11.0),
        system.clone().sweep("jacobi"),
        system.clone().stop(99.0),
        system.clone().output_interval(1.0),
    ];
    for other in settings {
        let text = refusal(&other, &checkpoint);
        assert!(text.contains("settings of the system differ from those of the run"), "{text}");
    }
    let other = System::new().instance_of("prey", &joined::<Prey>()).stop(100.0).step(0.5);
    assert!(refusal(&other, &checkpoint).contains("the instances or sources of the system have changed"));
    let other = System::new().instance_of("prey", &joined::<Prey>()).instance_of("predator", &joined::<Prey>());
    let text = refusal(&other.stop(100.0).step(0.5), &checkpoint);
    assert!(text.contains("the FMU") && text.contains("of instance `predator` has changed"), "{text}");
    assert!(refusal(&system.tolerance(1e-6), &checkpoint).contains("`tolerance`"));
}

/// Cancels at the first row at or after this time.
struct CancelAt(f64, CancelToken);

impl Observer for CancelAt {
    fn observe(&mut self, notification: &Notification<'_>) {
        if matches!(notification, Notification::Row(row) if row.time >= self.0) {
            self.1.cancel();
        }
    }
}

#[test]
fn a_canceled_run_leaves_a_checkpoint_at_its_end() {
    let system = predator_prey().local_tolerance(1e-3).output_interval(1.0);
    let whole = make(&system, false, None);
    let mut simulation = system.build().unwrap();
    simulation.checkpoint_token().unwrap();
    let (mut cancel, mut checkpoints) = (CancelAt(30.0, simulation.cancel_token()), super::Checkpoints::default());
    let report = simulation.run(&mut [&mut checkpoints, &mut cancel]).unwrap();
    let [checkpoint] = checkpoints.0.as_slice() else { panic!("{} checkpoints", checkpoints.0.len()) };
    assert_eq!((report.end, report.time, checkpoint.time(), checkpoint.rows()), (End::Canceled, 30.0, 30.0, 31));
    let rest = make(&system, false, Some(checkpoint));
    assert!(rest.report == whole.report && values(&rest.rows, 0) == values(&whole.rows, 31));
}

#[test]
fn a_simulation_that_has_run_goes_on_from_a_checkpoint_too() {
    let system = predator_prey().sweep("symmetric").step(0.5);
    let whole = make(&system, true, None);
    let checkpoint = &whole.checkpoints[77];
    let mut simulation = system.build().unwrap();
    for _ in 0..2 {
        simulation.run(&mut []).unwrap();
        let mut rows = Memory::new();
        let report = simulation.resume(checkpoint, &mut [&mut rows]).unwrap();
        assert_eq!(report, whole.report);
        assert!(values(&rows, 0) == values(&whole.rows, checkpoint.rows() as usize));
    }
    let (mut rows, plain) = (Memory::new(), make(&system, false, None));
    simulation.run(&mut [&mut rows]).unwrap();
    assert!(values(&rows, 0) == values(&plain.rows, 0), "a run after one that went on begins anew");
}
