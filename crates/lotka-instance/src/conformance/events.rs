//! Event mode.

use crate::{CallResult, Cause, Instance, Phase};

use super::{
    Factory, ModelUnderTest,
    instances::{conclude_events, initialize_alone, steps},
    outcomes::{must, refused, refused_as_unsupported},
};

type Call = fn(&mut dyn Instance) -> CallResult<()>;

const ENTER_EVENT_MODE: Call = |instance| instance.enter_event_mode();
const UPDATE: Call = |instance| instance.update_discrete_states().map(drop);
const ENTER_STEP_MODE: Call = |instance| instance.enter_step_mode();
const STEP: Call = |instance| instance.do_step(0.0, 0.1, true).map(drop);

pub(super) fn event_mode_begins_and_ends(make: &mut Factory<'_>, model: &ModelUnderTest) {
    let mut instance = make("events");
    initialize_alone(instance.as_mut(), model);
    if instance.phase() == Phase::StepComplete {
        for call in [ENTER_EVENT_MODE, UPDATE, ENTER_STEP_MODE] {
            refused_as_unsupported(call(instance.as_mut()));
        }
        steps(instance.as_mut(), model, 0, 2);
        return;
    }
    assert_eq!(instance.phase(), Phase::Event, "initialization mode leads to event mode");
    assert!(instance.capabilities().event_mode);
    refuse(instance.as_mut(), &[STEP, ENTER_EVENT_MODE]);
    conclude_events(instance.as_mut());
    refuse(instance.as_mut(), &[UPDATE, ENTER_STEP_MODE]);
    steps(instance.as_mut(), model, 0, 1);
    must(instance.enter_event_mode());
    assert_eq!(instance.phase(), Phase::Event);
    let mut outputs = vec![0.0; model.real_outputs.len()];
    must(instance.get_real(&model.real_outputs, &mut outputs));
    conclude_events(instance.as_mut());
    steps(instance.as_mut(), model, 1, 2);
    must(instance.enter_event_mode());
    must(instance.terminate());
}

fn refuse(instance: &mut dyn Instance, calls: &[Call]) {
    for call in calls {
        let phase = instance.phase();
        assert_eq!(refused(call(instance)).cause, Cause::NotAllowed(phase));
        assert_eq!(instance.phase(), phase, "a refused call changes nothing");
    }
}
