//! Directional derivatives.

use lotka_instance::Phase;

use crate::component::Component;
use crate::declaration::Mode;
use crate::{Model, Refusal};

/// Computes the directional derivative of each unknown variable. In initialization mode, knowns are inputs and given start
/// values; later, inputs and states. `seed` returns the seed of a variable.
pub(crate) fn directional<M: Model>(
    c: &mut Component<M>,
    unknowns: &[u32],
    variable: impl Fn(&Component<M>, u32) -> Result<usize, Refusal>,
    seed: &impl Fn(usize) -> f64,
    results: impl Iterator<Item = impl FnOnce(f64)>,
) -> Result<(), Refusal> {
    c.state.refresh()?;
    let mode = if c.state.run.phase == Phase::Initialization { Mode::Start } else { Mode::Steps };
    for (&reference, put) in unknowns.iter().zip(results) {
        let unknown = variable(c, reference)?;
        let value = |function: usize| c.declared.functions[function](&c.state.model);
        let derivative = c.declared.dependencies.directional(&value, unknown, mode, seed);
        put(derivative.ok_or_else(|| undeclared(c, unknown))?);
    }
    Ok(())
}

#[cold]
fn undeclared<M: Model>(c: &Component<M>, unknown: usize) -> Refusal {
    Refusal::error(format!("the partial derivatives of the variable `{}` are not declared", c.declared.variables[unknown].name))
}
