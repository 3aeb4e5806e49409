//! Saved states.

use crate::{Phase, Slot};

use super::{
    Factory, ModelUnderTest,
    instances::{initialize, started, steps},
    outcomes::{must, refused_as_unfit, refused_as_unsupported},
};

pub(super) fn rollback_is_exact(make: &mut Factory<'_>, model: &ModelUnderTest) {
    let mut instance = started(make, "rollback", model);
    if !instance.capabilities().save_state {
        return refused_as_unsupported(instance.new_slot());
    }
    let slot = must(instance.new_slot());
    steps(instance.as_mut(), model, 0, 2);
    must(instance.save(slot));
    let first = steps(instance.as_mut(), model, 2, 5);
    for _ in 0..3 {
        must(instance.restore(slot));
        assert_eq!(steps(instance.as_mut(), model, 2, 5), first);
    }
    must(instance.save(slot));
    must(instance.terminate());
    must(instance.restore(slot));
    assert_eq!(instance.phase(), Phase::StepComplete, "the phase is restored, too");
    steps(instance.as_mut(), model, 5, 6);
}

pub(super) fn slots_keep_their_states(make: &mut Factory<'_>, model: &ModelUnderTest) {
    let mut instance = started(make, "slots", model);
    if !instance.capabilities().save_state {
        return;
    }
    let slots: Vec<Slot> = (0..4).map(|_| must(instance.new_slot())).collect();
    let mut outputs = Vec::new();
    for (n, slot) in (0..).zip(&slots) {
        must(instance.save(*slot));
        outputs.extend(steps(instance.as_mut(), model, n, n + 1));
    }
    for n in [2, 0, 3, 1, 0] {
        must(instance.restore(slots[n as usize]));
        assert_eq!(steps(instance.as_mut(), model, n, n + 1), outputs[n as usize..=n as usize], "slot {n}");
    }
}

pub(super) fn slots_are_used_again(make: &mut Factory<'_>, model: &ModelUnderTest) {
    let mut instance = started(make, "again", model);
    if !instance.capabilities().save_state {
        return;
    }
    let mut highest = 0;
    for _ in 0..1000 {
        let slot = must(instance.new_slot());
        must(instance.save(slot));
        must(instance.free_slot(slot));
        highest = highest.max(slot.0);
    }
    assert!(highest < 2, "slot {highest}");
}

pub(super) fn unfit_slots_are_refused(make: &mut Factory<'_>, model: &ModelUnderTest) {
    let mut instance = started(make, "unfit", model);
    if !instance.capabilities().save_state {
        return;
    }
    let empty = must(instance.new_slot());
    let freed = must(instance.new_slot());
    must(instance.save(freed));
    must(instance.free_slot(freed));
    refused_as_unfit(instance.restore(empty));
    for slot in [freed, Slot(77), Slot(u32::MAX)] {
        refused_as_unfit(instance.save(slot));
        refused_as_unfit(instance.restore(slot));
        refused_as_unfit(instance.free_slot(slot));
    }
    assert_eq!(instance.phase(), Phase::StepComplete);
    steps(instance.as_mut(), model, 0, 1);
}

pub(super) fn saved_states_survive_a_reset(make: &mut Factory<'_>, model: &ModelUnderTest) {
    let mut instance = started(make, "survive", model);
    if !instance.capabilities().save_state {
        return;
    }
    let slot = must(instance.new_slot());
    steps(instance.as_mut(), model, 0, 2);
    must(instance.save(slot));
    let expected = steps(instance.as_mut(), model, 2, 3);
    must(instance.reset());
    initialize(instance.as_mut(), model);
    must(instance.restore(slot));
    assert_eq!(steps(instance.as_mut(), model, 2, 3), expected);
}

pub(super) fn serialized_states_restore_another_instance(make: &mut Factory<'_>, model: &ModelUnderTest) {
    let mut source = started(make, "source", model);
    if !source.capabilities().save_state {
        return;
    }
    let slot = must(source.new_slot());
    if !source.capabilities().serialize_state {
        must(source.save(slot));
        return refused_as_unsupported(source.serialize(slot));
    }
    refused_as_unfit(source.serialize(slot));
    steps(source.as_mut(), model, 0, 2);
    must(source.save(slot));
    let bytes = must(source.serialize(slot));
    let expected = steps(source.as_mut(), model, 2, 5);

    let mut target = make("target");
    let slot = must(target.new_slot());
    refused_as_unfit(target.deserialize(slot, &[]));
    refused_as_unfit(target.deserialize(slot, b"no saved state at all"));
    refused_as_unfit(target.restore(slot));
    for _ in 0..2 {
        must(target.deserialize(slot, &bytes));
        must(target.restore(slot));
        assert_eq!(target.phase(), Phase::StepComplete);
        assert_eq!(steps(target.as_mut(), model, 2, 5), expected);
    }
}
