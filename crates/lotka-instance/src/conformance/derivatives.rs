//! Derivatives of inputs and outputs, and directional derivatives.

use crate::RealRef;

use super::{
    Factory, ModelUnderTest,
    instances::{started, steps},
    outcomes::{must, refused_as_unfit, refused_as_unsupported},
};

pub(super) fn input_derivatives(make: &mut Factory<'_>, model: &ModelUnderTest) {
    let mut instance = started(make, "input derivatives", model);
    let references = model.input_references();
    let (orders, zeros) = (vec![1; references.len()], vec![0.0; references.len()]);
    if !instance.capabilities().interpolate_inputs {
        return refused_as_unsupported(instance.set_input_derivatives(&references, &orders, &zeros));
    }
    refused_as_unfit(instance.set_input_derivatives(&[RealRef(0)], &[], &[0.0]));
    refused_as_unfit(instance.set_input_derivatives(&[RealRef(0)], &[1], &[]));
    let mut plain = started(make, "plain", model);
    must(instance.set_real(&references, &model.inputs(0)));
    must(instance.set_input_derivatives(&references, &orders, &zeros));
    let with_zeros = {
        must(instance.do_step(model.start, model.h, false));
        let mut outputs = vec![0.0; model.real_outputs.len()];
        must(instance.get_real(&model.real_outputs, &mut outputs));
        outputs
    };
    for (value, expected) in with_zeros.iter().zip(model.fused_step(plain.as_mut(), 0)) {
        assert!((value - expected).abs() <= 1e-12 * expected.abs(), "an input with derivative 0 is a constant one");
    }
}

pub(super) fn output_derivatives(make: &mut Factory<'_>, model: &ModelUnderTest) {
    let mut instance = started(make, "output derivatives", model);
    steps(instance.as_mut(), model, 0, 1);
    let references = &model.real_outputs;
    let mut values = vec![f64::NAN; references.len()];
    if instance.capabilities().max_output_derivative_order == 0 {
        return refused_as_unsupported(instance.get_output_derivatives(references, &vec![1; references.len()], &mut values));
    }
    refused_as_unfit(instance.get_output_derivatives(&[RealRef(0)], &[], &mut [0.0]));
    refused_as_unfit(instance.get_output_derivatives(&[RealRef(0)], &[1], &mut []));
    for order in (1..).take(instance.capabilities().max_output_derivative_order as usize) {
        must(instance.get_output_derivatives(references, &vec![order; references.len()], &mut values));
        assert!(values.iter().all(|value| value.is_finite()), "order {order}: {values:?}");
    }
}

pub(super) fn directional_derivatives(make: &mut Factory<'_>, model: &ModelUnderTest) {
    let mut instance = started(make, "directional", model);
    let (knowns, unknowns) = (model.input_references(), &model.real_outputs);
    let mut once = vec![f64::NAN; unknowns.len()];
    let mut twice = once.clone();
    let seed = vec![1.0; knowns.len()];
    if !instance.capabilities().directional_derivative {
        return refused_as_unsupported(instance.directional_derivative(unknowns, &knowns, &seed, &mut once));
    }
    refused_as_unfit(instance.directional_derivative(&[RealRef(0)], &[], &[1.0], &mut [0.0]));
    refused_as_unfit(instance.directional_derivative(&[RealRef(0)], &[], &[], &mut []));
    must(instance.directional_derivative(unknowns, &knowns, &seed, &mut once));
    must(instance.directional_derivative(unknowns, &knowns, &vec![2.0; knowns.len()], &mut twice));
    assert!(once.iter().all(|value| value.is_finite()), "{once:?}");
    assert_eq!(twice, once.iter().map(|value| 2.0 * value).collect::<Vec<_>>(), "it is linear in the seed");
}
