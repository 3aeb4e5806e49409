//! Input derivatives, output derivatives, directional derivatives.

use std::ffi::c_int;

use crate::host::{ERROR, Host, OK};
use crate::model::real;

impl Host {
    fn set_derivatives(&self, reference: u32, orders: &[c_int], values: &[f64]) -> c_int {
        let references = vec![reference; orders.len()];
        let set = self.f.set_real_input_derivatives.unwrap();
        // SAFETY: a live instance and arrays of equal length.
        unsafe { set(self.c, references.as_ptr(), orders.len(), orders.as_ptr(), values.as_ptr()) }
    }

    fn derivative(&self, reference: u32, order: c_int) -> Result<f64, c_int> {
        let mut value = f64::NAN;
        // SAFETY: a live instance and arrays of length 1.
        let status = unsafe { (self.f.get_real_output_derivatives.unwrap())(self.c, &reference, 1, &order, &mut value) };
        if status == OK { Ok(value) } else { Err(status) }
    }

    fn directional(&self, unknowns: &[u32], knowns: &[u32], seeds: &[f64]) -> Result<Vec<f64>, c_int> {
        let mut results = vec![f64::NAN; unknowns.len()];
        let get = self.f.get_directional_derivative.unwrap();
        // SAFETY: a live instance, and arrays as long as unknowns and knowns.
        let status = unsafe {
            get(self.c, unknowns.as_ptr(), unknowns.len(), knowns.as_ptr(), knowns.len(), seeds.as_ptr(), results.as_mut_ptr())
        };
        if status == OK { Ok(results) } else { Err(status) }
    }
}

#[test]
fn input_derivatives_hold_for_one_step_and_the_input_keeps_its_end_value() {
    let host = Host::stepping();
    // u = 1 + 2 t + 3 t^2 + t^3, gain 2: z = 4 + 2 (1 + 1 + 1 + 1/4)
    assert_eq!(host.set_derivatives(real::U, &[3, 1, 2], &[6.0, 2.0, 6.0]), OK);
    assert_eq!(host.do_step(0.0, 1.0), OK);
    assert_eq!(host.reals(&[real::Z, real::U]), [10.5, 7.0]);
    assert_eq!(host.derivative(real::Z, 1), Ok(14.0));
    assert_eq!(host.derivative(real::Z, 2), Ok(2.0 * (2.0 + 6.0 + 3.0)));
    assert_eq!(host.do_step(1.0, 1.0), OK);
    assert_eq!(host.reals(&[real::Z, real::U]), [24.5, 7.0], "held at its end value");
    assert_eq!(host.derivative(real::Z, 2), Ok(0.0));
}

#[test]
fn derivatives_of_the_last_step_do_not_mix_with_new_ones() {
    let host = Host::stepping();
    assert_eq!(host.set_derivatives(real::U, &[2], &[2.0]), OK);
    assert_eq!(host.do_step(0.0, 1.0), OK);
    assert_eq!(host.set_reals(&[real::U], &[0.0]), OK);
    assert_eq!(host.set_derivatives(real::U, &[1], &[1.0]), OK);
    let before = host.reals(&[real::Z])[0];
    assert_eq!(host.do_step(1.0, 1.0), OK);
    assert_eq!(host.reals(&[real::Z])[0] - before, 1.0);
}

#[test]
fn input_derivatives_that_cannot_be_are_errors() {
    for (reference, order) in [(real::U, 0), (real::U, 4), (real::U, -1), (real::HELD, 1), (real::Z, 1), (99, 1)] {
        let host = Host::stepping();
        assert_eq!(host.set_derivatives(reference, &[order], &[1.0]), ERROR, "{reference} {order}");
        assert_eq!(host.lines().len(), 1);
    }
}

#[test]
fn output_derivatives_beyond_the_model_are_zero_and_others_errors() {
    let host = Host::stepping();
    assert_eq!(host.derivative(real::Z, 3), Ok(0.0));
    assert_eq!(host.derivative(real::Y, 1), Ok(0.0));
    for (reference, order) in [(real::Z, 0), (real::Z, -1), (real::DER_Z, 1), (99, 1)] {
        let host = Host::stepping();
        assert_eq!(host.derivative(reference, order), Err(ERROR), "{reference} {order}");
        assert_eq!(host.lines().len(), 1);
    }
}

#[test]
fn directional_derivatives_follow_the_chain_rule() {
    let host = Host::new(false);
    host.enter();
    // At the start y depends on the given start value z, on u and on the parameter.
    let seeds = [10.0, 100.0, 1000.0];
    assert_eq!(host.directional(&[real::Y], &[real::Z, real::U, real::OFFSET], &seeds), Ok(vec![1110.0]));
    assert_eq!(host.directional(&[real::DOUBLE], &[real::OFFSET], &[1.0]), Ok(vec![2.0]));
    host.exit();
    // Later z is a state, and parameters are constant.
    assert_eq!(host.directional(&[real::Y, real::DER_Z], &[real::Z, real::U, real::OFFSET], &seeds), Ok(vec![110.0, 200.0]));
    assert_eq!(host.directional(&[real::Y], &[real::U, real::U], &[1.0, 2.0]), Ok(vec![3.0]), "repeated knowns add up");
}

#[test]
fn directional_derivatives_that_are_not_declared_are_errors() {
    for unknown in [real::Z, 99] {
        let host = Host::stepping();
        assert_eq!(host.directional(&[unknown], &[real::U], &[1.0]), Err(ERROR));
        assert_eq!(host.lines().len(), 1);
    }
}
