//! Steps.

use crate::{Phase, StepOutcome};

use super::{
    Factory, ModelUnderTest,
    instances::{bits, started, steps},
    outcomes::{must, refused_as_unfit},
};

pub(super) fn fused_step_equals_three_calls(make: &mut Factory<'_>, model: &ModelUnderTest) {
    let mut fused = started(make, "fused", model);
    let mut apart = started(make, "apart", model);
    let references = model.input_references();
    for n in 0..5 {
        let expected = model.fused_step(fused.as_mut(), n);
        let mut outputs = vec![0.0; model.real_outputs.len()];
        must(apart.set_real(&references, &model.inputs(n)));
        assert_eq!(must(apart.do_step(model.time(n), model.h, false)), StepOutcome::Complete);
        must(apart.get_real(&model.real_outputs, &mut outputs));
        assert_eq!(bits(&outputs), bits(&expected), "step {n}");
    }
}

pub(super) fn a_step_without_inputs_leaves_them_as_they_are(make: &mut Factory<'_>, model: &ModelUnderTest) {
    let mut with = started(make, "with", model);
    let mut without = started(make, "without", model);
    for n in 0..5 {
        let expected = model.fused_step(with.as_mut(), n);
        let mut outputs = vec![0.0; model.real_outputs.len()];
        must(without.bind(&model.input_references(), &model.real_outputs));
        must(without.set_real(&model.input_references(), &model.inputs(n)));
        assert_eq!(must(without.step(&[], model.time(n), model.h, true, &mut outputs)), StepOutcome::Complete);
        assert_eq!(bits(&outputs), bits(&expected), "step {n}");
    }
}

/// Of those instances that have halves.
pub(super) fn two_halves_are_a_step(make: &mut Factory<'_>, model: &ModelUnderTest) {
    let mut whole = started(make, "whole", model);
    let mut instances = [started(make, "halves", model), started(make, "others", model)];
    if instances[0].split_step().is_none() {
        return;
    }
    for instance in &mut instances {
        must(instance.bind(&model.input_references(), &model.real_outputs));
    }
    for n in 0..5 {
        let expected = model.fused_step(whole.as_mut(), n);
        let mut outputs = vec![0.0; model.real_outputs.len()];
        for instance in &mut instances {
            let halves = instance.split_step().expect("it has halves");
            must(halves.begin_step(&model.inputs(n), model.time(n), model.h, true, &outputs));
        }
        for instance in &mut instances {
            let halves = instance.split_step().expect("it has halves");
            assert_eq!(must(halves.finish_step(&mut outputs)), StepOutcome::Complete);
            assert_eq!(bits(&outputs), bits(&expected), "step {n}");
            assert_eq!(instance.phase(), Phase::StepComplete);
        }
    }
}

pub(super) fn impossible_steps_are_refused(make: &mut Factory<'_>, model: &ModelUnderTest) {
    let mut instance = started(make, "impossible", model);
    for h in [0.0, -model.h, f64::NAN, f64::INFINITY] {
        refused_as_unfit(instance.do_step(model.start, h, false));
        refused_as_unfit(instance.step(&[], model.start, h, true, &mut []));
    }
    refused_as_unfit(instance.do_step(f64::NAN, model.h, false));
    assert_eq!(instance.phase(), Phase::StepComplete);
    steps(instance.as_mut(), model, 0, 1);
}
