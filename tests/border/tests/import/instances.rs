//! Statuses, log lines and values.

use std::sync::Arc;

use border::hostile::Hostile;
use fmi2::Function;
use fmu::{Error, InstantiateOptions};
use lotka_instance::{BooleanRef, CallError, Cause, Discard, IntegerRef, Phase, RealRef, Status, StepOutcome, StringRef};

use super::{initialize, instantiate, listening, open, started};

const U: RealRef = RealRef(0);
const Y: RealRef = RealRef(1);

fn status(error: Box<CallError>, expected: Status) -> Box<CallError> {
    assert_eq!(error.cause, Cause::Status(expected), "{error}");
    error
}
#[test]
fn a_discarded_step_tells_how_far_it_came() {
    let mut instance = started(Hostile::new("discard").reply("fmi2DoStep", 2).define("FAULT_ABOVE=0.3"));
    let slot = instance.new_slot().unwrap();
    instance.save(slot).unwrap();
    let discard = Discard { last_successful_time: Some(1.25), terminate: false };
    assert_eq!(instance.do_step(1.0, 0.5, false).unwrap(), StepOutcome::Discarded(Box::new(discard)));
    assert_eq!(instance.phase(), Phase::StepFailed);
    let error = instance.do_step(1.0, 0.1, false).unwrap_err();
    assert_eq!(error.cause, Cause::NotAllowed(Phase::StepFailed));
    instance.restore(slot).unwrap();
    let mut outputs = [7.0];
    instance.bind(&[U], &[Y]).unwrap();
    assert_eq!(instance.step(&[1.0], 1.0, 0.25, true, &mut outputs).unwrap(), StepOutcome::Complete);
    let refused = instance.step(&[1.0], 1.25, 0.5, true, &mut outputs).unwrap();
    assert!(matches!(refused, StepOutcome::Discarded(discard) if discard.last_successful_time == Some(1.5)));
    instance.terminate().unwrap();
}

#[test]
fn what_cannot_be_true_about_a_discarded_step_is_not_believed() {
    for (define, terminate) in
        [("LAST_SUCCESSFUL_TIME=NAN", false), ("LAST_SUCCESSFUL_TIME=99", true), ("LAST_SUCCESSFUL_TIME=-1", false)]
    {
        let fmu =
            Hostile::new("liar").reply("fmi2DoStep", 2).define(define).define(&format!("TERMINATED={}", i32::from(terminate)));
        let discard = Discard { last_successful_time: None, terminate };
        assert_eq!(started(fmu).do_step(1.0, 0.5, false).unwrap(), StepOutcome::Discarded(Box::new(discard)));
    }
    let mute = Hostile::new("mute").reply("fmi2DoStep", 2).omit("fmi2GetRealStatus").omit("fmi2GetBooleanStatus");
    let discard = Discard { last_successful_time: None, terminate: false };
    assert_eq!(started(mute).do_step(1.0, 0.5, false).unwrap(), StepOutcome::Discarded(Box::new(discard)));
}

#[test]
fn a_discarded_value_leaves_the_instance_usable() {
    let mut instance = started(Hostile::new("picky").reply("fmi2SetReal", 2).define("FAULT_TIMES=1"));
    status(instance.set_real(&[U], &[1.0]).unwrap_err(), Status::Discard);
    assert_eq!(instance.phase(), Phase::StepComplete);
    instance.set_real(&[U], &[2.0]).unwrap();
    instance.do_step(1.0, 0.5, false).unwrap();
}

#[test]
fn after_an_error_the_instance_can_be_reset_or_restored_but_not_terminated() {
    let mut instance = started(Hostile::new("erring").reply("fmi2DoStep", 3).define("FAULT_TIMES=2"));
    let slot = instance.new_slot().unwrap();
    instance.save(slot).unwrap();
    let error = status(instance.do_step(1.0, 0.5, false).unwrap_err(), Status::Error);
    assert_eq!((error.function, error.time, error.instance.as_str()), (Function::DoStep.into(), Some(1.0), "it"));
    assert_eq!(error.log.last().unwrap(), "the step at 1 s returns 3 in this test");
    assert_eq!(instance.terminate().unwrap_err().cause, Cause::NotAllowed(Phase::Error));
    instance.restore(slot).unwrap();
    assert_eq!(instance.phase(), Phase::StepComplete);
    status(instance.do_step(1.0, 0.5, false).unwrap_err(), Status::Error);
    instance.reset().unwrap();
    initialize(&mut instance);
    instance.do_step(1.0, 0.5, false).unwrap();
}

#[test]
fn after_a_fatal_error_no_instance_of_the_fmu_is_called_any_more() {
    // The library aborts the process when it is called once more.
    let fmu = open(Hostile::new("doomed").reply("fmi2DoStep", 4)).unwrap();
    let make = |name: &str| {
        let mut instance = fmu.instantiate(name, &Default::default()).unwrap();
        initialize(&mut instance);
        instance
    };
    let (mut one, mut two) = (make("one"), make("two"));
    let slot = one.new_slot().unwrap();
    one.save(slot).unwrap();
    status(one.do_step(1.0, 0.5, false).unwrap_err(), Status::Fatal);
    assert_eq!((one.phase(), two.phase()), (Phase::Fatal, Phase::Fatal));
    assert_eq!(two.do_step(1.0, 0.5, false).unwrap_err().cause, Cause::NotAllowed(Phase::Fatal));
    assert_eq!(one.reset().unwrap_err().cause, Cause::NotAllowed(Phase::Fatal));
    assert_eq!(one.restore(slot).unwrap_err().cause, Cause::NotAllowed(Phase::Fatal));
    assert!(matches!(fmu.instantiate("three", &Default::default()), Err(Error::Lost { .. })));
}

#[test]
fn integers_that_are_no_status_are_errors() {
    for number in [6, 99, -1] {
        let mut instance = started(Hostile::new("odd").reply("fmi2DoStep", number));
        assert_eq!(instance.do_step(1.0, 0.5, false).unwrap_err().cause, Cause::UnknownStatus(number));
        assert_eq!(instance.phase(), Phase::Error);
    }
    let mut instance = started(Hostile::new("pending_get").reply("fmi2GetReal", 5));
    status(instance.get_real(&[Y], &mut [0.0]).unwrap_err(), Status::Pending);
    assert_eq!(instance.phase(), Phase::Error);
}

#[test]
fn a_pending_step_is_waited_for() {
    let mut instance = started(Hostile::new("patient").reply("fmi2DoStep", 5));
    for n in 0..3 {
        let outcome = instance.do_step(1.0 + 0.5 * f64::from(n), 0.5, false).unwrap();
        assert_eq!((outcome, instance.phase()), (StepOutcome::Complete, Phase::StepComplete));
    }
}

#[test]
fn a_step_that_stays_pending_is_canceled() {
    let fmu = open(Hostile::new("sleeper").reply("fmi2DoStep", 5).define("PENDING_POLLS=-1")).unwrap();
    let options = InstantiateOptions { pending_timeout_s: 0.01, ..InstantiateOptions::default() };
    let mut instance = fmu.instantiate("it", &options).unwrap();
    initialize(&mut instance);
    assert_eq!(instance.do_step(1.0, 0.5, false).unwrap_err().cause, Cause::PendingTimeout(0.01));
    assert_eq!(instance.phase(), Phase::StepCanceled);
    instance.reset().unwrap();
}

#[test]
fn after_a_save_that_failed_there_is_nothing_to_go_back_to() {
    for reply in [2, 3] {
        let mut instance = started(Hostile::new("forgetful").reply("fmi2GetFMUstate", reply).define("FAULT_AT=1.4"));
        let (kept, lost) = (instance.new_slot().unwrap(), instance.new_slot().unwrap());
        instance.save(kept).unwrap();
        instance.save(lost).unwrap();
        instance.do_step(1.0, 0.5, false).unwrap();
        // The FMU has a state from before in the slot; it is not the one that was to be saved.
        instance.save(lost).unwrap_err();
        let nothing = |error: Box<CallError>| match error.cause {
            Cause::BadArgument(what) => assert!(what.contains("nothing was saved into it"), "{what}"),
            other => panic!("{other:?}"),
        };
        nothing(instance.restore(lost).unwrap_err());
        nothing(instance.serialize(lost).unwrap_err());
        instance.restore(kept).unwrap();
        assert_eq!(instance.phase(), Phase::StepComplete);
    }
}

#[test]
fn warnings_are_logged_and_the_call_succeeds() {
    let fmu = open(Hostile::new("warner").reply("fmi2DoStep", 1)).unwrap();
    let (lines, options) = listening();
    let mut instance = fmu.instantiate("it", &options).unwrap();
    initialize(&mut instance);
    assert_eq!(instance.do_step(1.0, 0.5, false).unwrap(), StepOutcome::Complete);
    let lines = lines.lock().unwrap();
    assert_eq!(lines.len(), 1, "{lines:?}");
    assert_eq!((lines[0].status, lines[0].instance.as_str()), (Some(Status::Warning), "it"));
}

#[test]
fn odd_log_lines_from_any_thread_are_survived() {
    let fmu = open(Hostile::new("talker").define("BAD_LOG").define("LOG_FROM_THREAD").define("LOG_AFTER_FREE")).unwrap();
    let (lines, options) = listening();
    let mut instance = fmu.instantiate("it", &options).unwrap();
    initialize(&mut instance);
    instance.do_step(1.0, 0.5, false).unwrap();
    drop(instance);
    let count = lines.lock().unwrap().len();
    assert!(count >= 13 + 100, "{count}");
    assert!(lines.lock().unwrap().iter().all(|line| line.message.len() <= 3 * 8192 && line.instance == "it"));
    assert!(lines.lock().unwrap().iter().any(|line| line.message == "100% of %s and %d and 5 %"));
    assert_eq!(Arc::strong_count(&lines), 2, "only the options hold the listener");
}

#[test]
fn odd_values_are_put_right() {
    let fmu = Hostile::new("odd_values").define("TRUE_VALUE=2").define("NULL_STRINGS");
    let mut instance = started(fmu);
    let (mut boolean, mut string) = ([false], [String::from("old")]);
    instance.get_boolean(&[BooleanRef(1)], &mut boolean).unwrap();
    instance.get_string(&[StringRef(1)], &mut string).unwrap();
    assert_eq!((boolean, string[0].as_str()), ([true], ""));
    let mut instance = started(Hostile::new("latin").define("BAD_UTF8"));
    let mut string = [String::new()];
    instance.get_string(&[StringRef(1)], &mut string).unwrap();
    assert_eq!(string[0], "caf\u{fffd} \u{fffd}");
}

#[test]
fn values_that_are_not_written_are_an_error_that_names_the_variable() {
    let mut instance = started(Hostile::new("unwritten").define("UNWRITTEN_OUTPUTS"));
    let error = instance.get_real(&[Y], &mut [7.0]).unwrap_err();
    assert_eq!((&error.variables[..], &error.cause), (&["y".to_owned()][..], &Cause::BadReply("wrote no value".into())));
    assert_eq!(instance.phase(), Phase::StepComplete);
}

#[test]
fn serialized_states_of_absurd_size_are_refused() {
    for size in ["((size_t)1 << 40)", "(size_t)-1"] {
        let mut instance = started(Hostile::new("fat").define(&format!("SERIALIZED_SIZE={size}")));
        let slot = instance.new_slot().unwrap();
        instance.save(slot).unwrap();
        let error = instance.serialize(slot).unwrap_err();
        assert!(matches!(error.cause, Cause::BadReply(_)), "{error}");
        assert_eq!(instance.phase(), Phase::StepComplete);
    }
}

#[test]
fn integers_and_texts_cross_the_border_unchanged() {
    let mut instance = instantiate(Hostile::new("texts"));
    instance.set_string(&[StringRef(0)], &["höhe 100 %"]).unwrap();
    initialize(&mut instance);
    instance.set_integer(&[IntegerRef(0)], &[i32::MIN.into()]).unwrap();
    instance.do_step(1.0, 0.5, true).unwrap();
    let (mut integers, mut strings) = ([0; 2], [String::new(), String::new()]);
    instance.get_integer(&[IntegerRef(0), IntegerRef(1)], &mut integers).unwrap();
    instance.get_string(&[StringRef(0), StringRef(1)], &mut strings).unwrap();
    assert_eq!((integers, strings), ([i32::MIN.into(), 1], ["höhe 100 %".to_owned(), "höhe 100 % 1".to_owned()]));
}
