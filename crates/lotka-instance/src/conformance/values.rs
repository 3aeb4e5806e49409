//! Reading and setting variables.

use crate::{Cause, Experiment, Instance, Phase, RealRef, Status};

use super::{
    Factory, ModelUnderTest,
    instances::{initialize, started, steps},
    outcomes::{must, refused, refused_as_unfit},
};

/// A reference that no model has.
const UNKNOWN: RealRef = RealRef(0xdead_beef);

pub(super) fn values_are_read_in_batches(make: &mut Factory<'_>, model: &ModelUnderTest) {
    let mut instance = started(make, "read", model);
    steps(instance.as_mut(), model, 0, 2);
    let mut together = vec![f64::NAN; model.real_outputs.len()];
    must(instance.get_real(&model.real_outputs, &mut together));
    for (reference, value) in model.real_outputs.iter().zip(&together) {
        let mut twice = [f64::NAN; 2];
        must(instance.get_real(&[*reference, *reference], &mut twice));
        assert_eq!(twice, [*value, *value]);
    }
    must(instance.get_integer(&model.integer_outputs, &mut vec![0; model.integer_outputs.len()]));
    must(instance.get_boolean(&model.boolean_outputs, &mut vec![false; model.boolean_outputs.len()]));
    must(instance.get_string(&model.string_outputs, &mut vec![String::from("old"); model.string_outputs.len()]));
}

pub(super) fn start_values_are_set(make: &mut Factory<'_>, model: &ModelUnderTest) {
    let mut instance = make("start");
    let (parameters, values): (Vec<_>, Vec<_>) = model.real_parameters.iter().map(|(r, start)| (*r, 1.25 * start)).unzip();
    must(instance.set_real(&parameters, &values));
    let texts = vec!["käse"; model.string_parameters.len()];
    must(instance.set_string(&model.string_parameters, &texts));
    if !texts.is_empty() {
        refused_as_unfit(instance.set_string(&model.string_parameters, &vec!["a\0b"; texts.len()]));
    }
    must(instance.setup_experiment(&Experiment { start: model.start, stop: None, tolerance: None }));
    must(instance.enter_initialization_mode());
    set_inputs(instance.as_mut(), model);

    let mut read = vec![0.0; values.len()];
    must(instance.get_real(&parameters, &mut read));
    assert_eq!(read, values);
    let mut read = vec![String::new(); texts.len()];
    must(instance.get_string(&model.string_parameters, &mut read));
    assert_eq!(read, texts);
}

/// Sets inputs of every type in initialization mode and reads them back.
fn set_inputs(instance: &mut dyn Instance, model: &ModelUnderTest) {
    let (references, values) = (model.input_references(), model.inputs(0));
    must(instance.set_real(&references, &values));
    let mut read = vec![0.0; values.len()];
    must(instance.get_real(&references, &mut read));
    assert_eq!(read, values);

    let integers = vec![-7; model.integer_inputs.len()];
    must(instance.set_integer(&model.integer_inputs, &integers));
    let mut read = vec![0; integers.len()];
    must(instance.get_integer(&model.integer_inputs, &mut read));
    assert_eq!(read, integers);

    for value in [true, false] {
        let booleans = vec![value; model.boolean_inputs.len()];
        must(instance.set_boolean(&model.boolean_inputs, &booleans));
        let mut read = vec![!value; booleans.len()];
        must(instance.get_boolean(&model.boolean_inputs, &mut read));
        assert_eq!(read, booleans);
    }
}

pub(super) fn empty_calls_do_nothing(make: &mut Factory<'_>, model: &ModelUnderTest) {
    let mut instance = started(make, "empty", model);
    must(instance.get_real(&[], &mut []));
    must(instance.get_integer(&[], &mut []));
    must(instance.get_boolean(&[], &mut []));
    must(instance.get_string(&[], &mut []));
    must(instance.set_real(&[], &[]));
    must(instance.set_integer(&[], &[]));
    must(instance.set_boolean(&[], &[]));
    must(instance.set_string(&[], &[]));
    must(instance.step(&[], model.start, model.h, true, &mut []));
}

pub(super) fn unequal_lengths_are_refused(make: &mut Factory<'_>, model: &ModelUnderTest) {
    let mut instance = started(make, "lengths", model);
    refused_as_unfit(instance.set_real(&[UNKNOWN], &[]));
    refused_as_unfit(instance.get_real(&[], &mut [0.0]));
    refused_as_unfit(instance.set_integer(&[], &[1]));
    refused_as_unfit(instance.get_integer(&[], &mut [1]));
    refused_as_unfit(instance.set_boolean(&[], &[true]));
    refused_as_unfit(instance.get_boolean(&[], &mut [true]));
    refused_as_unfit(instance.set_string(&[], &["a"]));
    refused_as_unfit(instance.get_string(&[], &mut [String::new()]));
    must(instance.bind(&[UNKNOWN], &[]));
    refused_as_unfit(instance.step(&[0.0, 0.0], model.start, model.h, true, &mut []));
    must(instance.bind(&[], &[UNKNOWN]));
    refused_as_unfit(instance.step(&[], model.start, model.h, true, &mut [0.0, 0.0]));
    assert_eq!(instance.phase(), Phase::StepComplete);
    steps(instance.as_mut(), model, 0, 1);
}

pub(super) fn unknown_references_are_errors(make: &mut Factory<'_>, model: &ModelUnderTest) {
    let mut instance = started(make, "unknown", model);
    let error = refused(instance.get_real(&[UNKNOWN], &mut [0.0]));
    assert_eq!((error.instance.as_str(), error.cause.clone()), ("unknown", Cause::Status(Status::Error)), "{error}");
    assert_eq!(error.time, Some(model.start));
    assert!(!error.log.is_empty(), "an error comes with a message");
    assert_eq!(instance.phase(), Phase::Error);
    let error = refused(instance.do_step(model.start, model.h, true));
    assert_eq!(error.cause, Cause::NotAllowed(Phase::Error));
    must(instance.reset());
    initialize(instance.as_mut(), model);
    let error = refused(instance.set_real(&[UNKNOWN], &[0.0]));
    assert_eq!(error.cause, Cause::Status(Status::Error), "{error}");
}
