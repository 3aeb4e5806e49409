//! Derivatives of inputs and outputs.

use std::mem::MaybeUninit;

use fmi2::{Function, ffi};

use crate::component::{Component, all_three, guard_arrays, slice, slice_mut};
use crate::entry::shared::{self, guarded};
use crate::{Model, Refusal};

/// `fmi2SetRealInputDerivatives`: orders 1 to 3, at the start of the next step, for that step only.
pub unsafe extern "C" fn set_real_input_derivatives<M: Model>(
    component: ffi::Component,
    references: *const ffi::ValueReference,
    n: usize,
    orders: *const ffi::Integer,
    values: *const ffi::Real,
) -> ffi::RawStatus {
    // SAFETY: the importer passes `n` value references.
    let references = unsafe { slice(references, n) };
    // SAFETY: the importer passes `n` orders.
    let orders = unsafe { slice(orders, n) };
    // SAFETY: the importer passes `n` values.
    let values = unsafe { slice(values, n) };
    let body = |c: &mut Component<M>, (references, orders, values): &mut (&[u32], &[i32], &[f64])| {
        for ((&reference, &order), &value) in references.iter().zip(*orders).zip(*values) {
            let input = c.declared.polynomials.get(reference as usize).ok_or_else(|| unknown(reference))?;
            if !input.is_some_and(|input| c.state.set_input_derivative(c.declared, input, order, value)) {
                return Err(no_input_derivative(reference, order));
            }
        }
        Ok(())
    };
    // SAFETY: the importer passes one of its instances.
    unsafe { guard_arrays(component, Function::SetRealInputDerivatives, all_three(references, orders, values), body) }
}

/// `fmi2GetRealOutputDerivatives`: at the communication point, with the inputs at the end of the step; 0 for orders
/// that the model does not provide.
pub unsafe extern "C" fn get_real_output_derivatives<M: Model>(
    component: ffi::Component,
    references: *const ffi::ValueReference,
    n: usize,
    orders: *const ffi::Integer,
    values: *mut ffi::Real,
) -> ffi::RawStatus {
    // SAFETY: the importer passes `n` value references.
    let references = unsafe { slice(references, n) };
    // SAFETY: the importer passes `n` orders.
    let orders = unsafe { slice(orders, n) };
    // SAFETY: the importer passes memory for `n` values.
    let values = unsafe { slice_mut(values, n) };
    let body = |c: &mut Component<M>, (references, orders, values): &mut (&[u32], &[i32], &mut [MaybeUninit<f64>])| {
        for ((&reference, &order), to) in references.iter().zip(*orders).zip(values.iter_mut()) {
            to.write(output_derivative(c, reference, order)?);
        }
        Ok(())
    };
    // SAFETY: the importer passes one of its instances.
    unsafe { guard_arrays(component, Function::GetRealOutputDerivatives, all_three(references, orders, values), body) }
}

#[inline]
fn output_derivative<M: Model>(c: &Component<M>, reference: ffi::ValueReference, order: ffi::Integer) -> Result<f64, Refusal> {
    let derivatives = c.declared.derivatives.get(reference as usize).ok_or_else(|| unknown(reference))?;
    match (derivatives, usize::try_from(order)) {
        (Some(derivatives), Ok(order @ 1..)) => {
            Ok(derivatives.get(order - 1).map_or(0.0, |derivative| derivative(&c.state.model)))
        }
        _ => Err(no_output_derivative(reference)),
    }
}

guarded! { guard_often: "fmi2", ffi::Component;
    /// In initialization mode, knowns are inputs and given start values; later, inputs and states.
    get_directional_derivative: GetDirectionalDerivative(|c|
        unknowns: *const ffi::ValueReference, n_unknowns: usize, knowns: *const ffi::ValueReference, n_knowns: usize,
        seeds: *const ffi::Real, results: *mut ffi::Real
    ) {
        // SAFETY: the importer passes as many value references.
        let unknowns = unsafe { slice(unknowns, n_unknowns) }?;
        // SAFETY: the importer passes as many value references.
        let knowns = unsafe { slice(knowns, n_knowns) }?;
        // SAFETY: the importer passes one seed for each known.
        let seeds = unsafe { slice(seeds, n_knowns) }?;
        // SAFETY: the importer passes memory for one result for each unknown.
        let results = unsafe { slice_mut(results, n_unknowns) }?;
        knowns.iter().try_for_each(|reference| variable(c, *reference).map(drop))?;
        let reals = &c.declared.tables.reals.variables;
        let is = |reference: ffi::ValueReference, known: usize| reals.get(reference as usize) == Some(&known);
        let seed = |known| knowns.iter().zip(seeds).filter(|(k, _)| is(**k, known)).map(|(_, seed)| seed).sum();
        let results = results.iter_mut().map(|to| |value| _ = to.write(value));
        shared::directional(c, unknowns, variable, &seed, results)
    }
}

/// Index of the Real variable with this value reference.
fn variable<M: Model>(c: &Component<M>, reference: ffi::ValueReference) -> Result<usize, Refusal> {
    let variable = c.declared.tables.reals.variables.get(reference as usize);
    variable.copied().ok_or_else(|| unknown(reference))
}

#[cold]
fn unknown(reference: ffi::ValueReference) -> Refusal {
    Refusal::error(format!("no Real variable has the value reference {reference}"))
}

#[cold]
fn no_input_derivative(reference: u32, order: i32) -> Refusal {
    Refusal::error(format!(
        "the derivative of order {order} of the Real variable with value reference {reference} cannot be set; \
         inputs that can be interpolated take orders 1 to 3"
    ))
}

#[cold]
fn no_output_derivative(reference: u32) -> Refusal {
    Refusal::error(format!(
        "the Real variable with value reference {reference} has no such derivative; outputs have orders 1, 2 and so on"
    ))
}
