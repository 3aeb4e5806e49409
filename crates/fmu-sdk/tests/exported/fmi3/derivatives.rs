//! Output derivatives and directional derivatives.

use std::ffi::c_int;

use super::host::{Host, vr};
use crate::host::{ERROR, OK};

impl Host {
    pub fn derivatives(&self, references: &[u32], orders: &[i32]) -> Result<Vec<f64>, c_int> {
        let mut values = vec![f64::NAN; references.len()];
        let get = self.f.get_output_derivatives.unwrap();
        // SAFETY: a live instance and arrays of equal length.
        let status =
            unsafe { get(self.c, references.as_ptr(), references.len(), orders.as_ptr(), values.as_mut_ptr(), values.len()) };
        if status == OK { Ok(values) } else { Err(status) }
    }

    fn directional(&self, unknowns: &[u32], knowns: &[u32], seeds: &[f64], n: usize) -> Result<Vec<f64>, c_int> {
        let mut results = vec![f64::NAN; n];
        let get = self.f.get_directional_derivative.unwrap();
        // SAFETY: a live instance, and arrays of the lengths that are passed.
        let status = unsafe {
            get(
                self.c,
                unknowns.as_ptr(),
                unknowns.len(),
                knowns.as_ptr(),
                knowns.len(),
                seeds.as_ptr(),
                seeds.len(),
                results.as_mut_ptr(),
                results.len(),
            )
        };
        if status == OK { Ok(results) } else { Err(status) }
    }
}

#[test]
fn output_derivatives_beyond_the_model_are_zero_and_others_errors() {
    let host = Host::stepping();
    assert_eq!(host.do_step(0.0, 0.5).status, OK);
    assert_eq!(host.derivatives(&[vr::Z, vr::Z, vr::Z, vr::Y], &[1, 2, 3, 1]), Ok(vec![2.0, 0.0, 0.0, 0.0]));
    for (reference, order) in [(vr::Z, 0), (vr::Z, -1), (vr::DER_Z, 1), (vr::SUM, 1), (vr::TIME, 1), (99, 1)] {
        let host = Host::stepping();
        assert_eq!(host.derivatives(&[reference], &[order]), Err(ERROR), "{reference} {order}");
        assert_eq!(host.lines().len(), 1);
    }
}

#[test]
fn directional_derivatives_follow_the_chain_rule() {
    let host = Host::new();
    assert_eq!(host.enter(0.0, None), OK);
    // At the start y depends on the given start value z, on u and on the parameter.
    let seeds = [10.0, 100.0, 1000.0];
    assert_eq!(host.directional(&[vr::Y], &[vr::Z, vr::U, vr::OFFSET], &seeds, 1), Ok(vec![1110.0]));
    assert_eq!(host.directional(&[vr::DOUBLE], &[vr::OFFSET], &[1.0], 1), Ok(vec![2.0]));
    assert_eq!(host.exit(), OK);
    // Later z is a state, and parameters are constant.
    assert_eq!(host.directional(&[vr::Y, vr::DER_Z], &[vr::Z, vr::U, vr::OFFSET], &seeds, 2), Ok(vec![110.0, 200.0]));
    assert_eq!(host.directional(&[vr::Y], &[vr::U, vr::U], &[1.0, 2.0], 1), Ok(vec![3.0]), "repeated knowns add up");
}

#[test]
fn directional_derivatives_that_are_not_declared_or_do_not_fit_are_errors() {
    for (unknown, known) in [(vr::Z, vr::U), (99, vr::U), (vr::Y, 99), (vr::Y, vr::K), (vr::SUM, vr::U), (vr::TIME, vr::U)] {
        let host = Host::stepping();
        assert_eq!(host.directional(&[unknown], &[known], &[1.0], 1), Err(ERROR), "{unknown} {known}");
        assert_eq!(host.lines().len(), 1);
    }
    assert_eq!(Host::stepping().directional(&[vr::Y], &[vr::U], &[1.0, 2.0], 1), Err(ERROR));
    assert_eq!(Host::stepping().directional(&[vr::Y], &[vr::U], &[1.0], 2), Err(ERROR));
}
