//! The life cycle from instantiation to the end.

use crate::{CallResult, Cause, Experiment, Instance, Phase};

use super::{
    Factory, ModelUnderTest,
    instances::{conclude_events, initialize, started, steps},
    outcomes::{must, refused, refused_as_unfit},
};

const EXPERIMENT: Experiment = Experiment { start: 0.0, stop: None, tolerance: None };

pub(super) fn phases_follow_the_call_table(make: &mut Factory<'_>, model: &ModelUnderTest) {
    let mut instance = make("a name/with \"odd\" charactérs");
    assert_eq!(instance.name(), "a name/with \"odd\" charactérs");
    assert_eq!(instance.phase(), Phase::Instantiated);
    must(instance.setup_experiment(&Experiment { start: model.start, stop: None, tolerance: Some(1e-6) }));
    must(instance.setup_experiment(&Experiment { start: model.start, stop: None, tolerance: None }));
    assert_eq!(instance.phase(), Phase::Instantiated);
    must(instance.enter_initialization_mode());
    assert_eq!(instance.phase(), Phase::Initialization);
    must(instance.exit_initialization_mode());
    if instance.phase() == Phase::Event {
        conclude_events(instance.as_mut());
    }
    assert_eq!(instance.phase(), Phase::StepComplete);
    steps(instance.as_mut(), model, 0, 3);
    assert_eq!(instance.phase(), Phase::StepComplete);
    must(instance.terminate());
    assert_eq!(instance.phase(), Phase::Terminated);
}

pub(super) fn calls_out_of_order_are_refused(make: &mut Factory<'_>, model: &ModelUnderTest) {
    type Call = fn(&mut dyn Instance) -> CallResult<()>;
    const SETUP: Call = |instance| instance.setup_experiment(&EXPERIMENT);
    const ENTER: Call = |instance| instance.enter_initialization_mode();
    const EXIT: Call = |instance| instance.exit_initialization_mode();
    const STEP: Call = |instance| instance.do_step(0.0, 0.1, true).map(drop);
    const FUSED_STEP: Call = |instance| instance.step(&[], 0.0, 0.1, true, &mut []).map(drop);
    const TERMINATE: Call = |instance| instance.terminate();
    const GET: Call = |instance| instance.get_real(&[], &mut []);
    const SET: Call = |instance| instance.set_real(&[], &[]);

    let mut instance = make("order");
    let refuse = |instance: &mut dyn Instance, calls: &[Call]| {
        for call in calls {
            let phase = instance.phase();
            let error = refused(call(instance));
            assert_eq!(error.cause, Cause::NotAllowed(phase), "{error}");
            assert_eq!(error.instance, "order");
            assert_eq!(instance.phase(), phase, "a refused call changes nothing");
        }
    };
    refuse(instance.as_mut(), &[EXIT, STEP, FUSED_STEP, TERMINATE, GET]);
    refused_as_unfit(instance.enter_initialization_mode());
    must(instance.setup_experiment(&Experiment { start: model.start, ..EXPERIMENT }));
    must(instance.enter_initialization_mode());
    refuse(instance.as_mut(), &[SETUP, ENTER, STEP, FUSED_STEP, TERMINATE]);
    must(instance.exit_initialization_mode());
    refuse(instance.as_mut(), &[SETUP, ENTER, EXIT]);
    if instance.phase() == Phase::Event {
        conclude_events(instance.as_mut());
    }
    steps(instance.as_mut(), model, 0, 1);
    must(instance.terminate());
    refuse(instance.as_mut(), &[SETUP, ENTER, EXIT, STEP, FUSED_STEP, TERMINATE, SET]);
}

pub(super) fn reset_starts_anew(make: &mut Factory<'_>, model: &ModelUnderTest) {
    let mut instance = started(make, "reset", model);
    let first = steps(instance.as_mut(), model, 0, 4);
    must(instance.reset());
    assert_eq!(instance.phase(), Phase::Instantiated);
    initialize(instance.as_mut(), model);
    assert_eq!(steps(instance.as_mut(), model, 0, 4), first);
    must(instance.terminate());
    must(instance.reset());
    initialize(instance.as_mut(), model);
    assert_eq!(steps(instance.as_mut(), model, 0, 4), first, "after terminate");
}

pub(super) fn final_values_stay_readable(make: &mut Factory<'_>, model: &ModelUnderTest) {
    let mut instance = started(make, "final", model);
    let last = model.fused_step(instance.as_mut(), 0);
    must(instance.terminate());
    let mut outputs = vec![0.0; last.len()];
    must(instance.get_real(&model.real_outputs, &mut outputs));
    assert_eq!(outputs, last);
}

pub(super) fn instances_are_independent(make: &mut Factory<'_>, model: &ModelUnderTest) {
    let alone = steps(started(make, "alone", model).as_mut(), model, 0, 4);
    let mut one = started(make, "one", model);
    let mut other = started(make, "other", model);
    for n in 0..4 {
        assert_eq!(steps(one.as_mut(), model, n, n + 1), alone[n as usize..=n as usize]);
        if n < 2 {
            steps(other.as_mut(), model, n, n + 1);
        }
    }
    drop(one);
    assert_eq!(steps(other.as_mut(), model, 2, 4), alone[2..], "after the other instance was freed");
}

pub(super) fn logging_is_switched(make: &mut Factory<'_>, model: &ModelUnderTest) {
    let mut instance = make("logging");
    must(instance.set_debug_logging(true, &[]));
    initialize(instance.as_mut(), model);
    steps(instance.as_mut(), model, 0, 1);
    must(instance.set_debug_logging(false, &[]));
    refused_as_unfit(instance.set_debug_logging(true, &["log\0All"]));
    steps(instance.as_mut(), model, 1, 2);
}
