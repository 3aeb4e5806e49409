//! Derivatives of outputs.

use std::mem::MaybeUninit;

use fmi3::description::Causality;
use fmi3::{Function, ffi};

use super::families::{self, Family};
use crate::component::{Component, all_three, guard_arrays, slice, slice_mut};
use crate::declaration::{ElementType, Referenced};
use crate::entry::shared::{self, guarded};
use crate::{Model, Refusal};

/// `fmi3GetOutputDerivatives`: at the communication point, with the inputs at the end of the step; 0 for orders that the model
/// does not provide, and for arrays.
pub unsafe extern "C" fn get_output_derivatives<M: Model>(
    instance: ffi::Instance,
    references: *const ffi::ValueReference,
    n: usize,
    orders: *const ffi::Int32,
    values: *mut ffi::Float64,
    n_values: usize,
) -> ffi::RawStatus {
    // SAFETY: the importer passes `n` value references.
    let references = unsafe { slice(references, n) };
    // SAFETY: the importer passes `n` orders.
    let orders = unsafe { slice(orders, n) };
    // SAFETY: the importer passes memory for `n_values` values.
    let values = unsafe { slice_mut(values, n_values) };
    let body = |c: &mut Component<M>, (references, orders, values): &mut (&[u32], &[i32], &mut [MaybeUninit<f64>])| {
        let mut values = values.iter_mut();
        for (&reference, &order) in references.iter().zip(*orders) {
            let (value, length) = output_derivative(c, reference, order)?;
            for _ in 0..length {
                values.next().ok_or_else(|| other_number(n_values))?.write(value);
            }
        }
        if values.next().is_none() { Ok(()) } else { Err(other_number(n_values)) }
    };
    // SAFETY: the importer passes one of its instances.
    unsafe { guard_arrays(instance, Function::GetOutputDerivatives, all_three(references, orders, values), body) }
}

/// Returns the derivative, and for how many elements it holds.
#[inline]
fn output_derivative<M: Model>(
    c: &mut Component<M>,
    reference: ffi::ValueReference,
    order: ffi::Int32,
) -> Result<(f64, usize), Refusal> {
    let place = c.declared.place(reference).filter(|place| place.element.is_float());
    let place = place.ok_or_else(|| no_output_derivative(reference))?;
    let is_output = c.declared.referred(reference).causality == Causality::Output;
    let order =
        usize::try_from(order).ok().filter(|order| *order > 0 && is_output).ok_or_else(|| no_output_derivative(reference))?;
    if place.is_array {
        return Ok((0.0, families::Float64::length(c, &Referenced { element: ElementType::Float64, ..*place })));
    }
    let derivative = c.declared.derivatives[place.at as usize].iter().flatten().nth(order - 1);
    Ok((derivative.map_or(0.0, |derivative| derivative(&c.state.model)), 1))
}

guarded! { guard_often: "fmi3", ffi::Instance;
    /// In initialization mode, knowns are inputs and given start values; later, inputs and states.
    get_directional_derivative: GetDirectionalDerivative(|c|
        unknowns: *const ffi::ValueReference, n_unknowns: usize, knowns: *const ffi::ValueReference, n_knowns: usize,
        seeds: *const ffi::Float64, n_seeds: usize, sensitivities: *mut ffi::Float64, n_sensitivities: usize
    ) {
        // SAFETY: the importer passes as many value references.
        let unknowns = unsafe { slice(unknowns, n_unknowns) }?;
        // SAFETY: the importer passes as many value references.
        let knowns = unsafe { slice(knowns, n_knowns) }?;
        // SAFETY: the importer passes as many seeds.
        let seeds = unsafe { slice(seeds, n_seeds) }?;
        // SAFETY: the importer passes memory for as many results.
        let results = unsafe { slice_mut(sensitivities, n_sensitivities) }?;
        if (unknowns.len(), knowns.len()) != (results.len(), seeds.len()) {
            return Err(Refusal::error(
                "expected one seed per known and one sensitivity per unknown, because none of them is an array",
            ));
        }
        knowns.iter().try_for_each(|reference| variable(c, *reference).map(drop))?;
        let is = |reference: ffi::ValueReference, known: usize| reference as usize == known + 1;
        let seed = |known| knowns.iter().zip(seeds).filter(|(k, _)| is(**k, known)).map(|(_, seed)| seed).sum();
        let results = results.iter_mut().map(|to| |value| _ = to.write(value));
        shared::directional(c, unknowns, variable, &seed, results)
    }
}

/// Index of the floating-point scalar with this value reference.
fn variable<M: Model>(c: &Component<M>, reference: ffi::ValueReference) -> Result<usize, Refusal> {
    let is_scalar = |place: &&Referenced| place.element.is_float() && !place.is_array;
    match c.declared.place(reference).filter(is_scalar) {
        Some(_) => Ok(reference as usize - 1),
        None => Err(Refusal::error(format!("no floating-point scalar has the value reference {reference}"))),
    }
}

#[cold]
fn no_output_derivative(reference: ffi::ValueReference) -> Refusal {
    Refusal::error(format!(
        "the variable with value reference {reference} has no such derivative; continuous outputs have orders 1, 2 and so on"
    ))
}

#[cold]
fn other_number(found: usize) -> Refusal {
    Refusal::error(format!("expected as many values as these variables have elements, found {found}"))
}
