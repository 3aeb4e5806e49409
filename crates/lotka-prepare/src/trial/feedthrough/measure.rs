//! The trials at the start.

use lotka_step::{Error, algorithm::Coupled};

use super::trial::FeedthroughTrial;

/// Maximum number of inputs tried one by one: each takes as many steps as all of them together.
const ONE_BY_ONE: usize = 32;

/// Dependencies of the outputs of one instance that trials did not find, whatever its model description declares.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Absent {
    /// The instance.
    pub instance: usize,
    /// Per input of the plan: the outputs of the plan that do not follow it.
    pub(super) outputs: Vec<Vec<bool>>,
}

/// Tries every instance that may have direct feedthrough and that supports rollback and variable
/// steps, with steps of `h` from `t`. The instances must be initialized again afterwards, because a rollback may be inexact.
///
/// # Errors
/// A state cannot be saved or restored. Any other refusal of an instance yields no result.
pub fn absent_feedthrough(coupled: &mut Coupled, point: (f64, f64)) -> Result<Vec<Absent>, Box<Error>> {
    let mut found = Vec::new();
    for index in 0..coupled.plan.n_stepping {
        let instance_plan = &coupled.plan.instances[index];
        let capabilities = coupled.instances[index].inner.capabilities();
        if instance_plan.has_feedthrough && capabilities.save_state && capabilities.variable_step {
            found.extend(measure_one(coupled, index, point)?);
        }
    }
    Ok(found)
}

fn measure_one(coupled: &mut Coupled, index: usize, point: (f64, f64)) -> Result<Option<Absent>, Box<Error>> {
    let failed = |error| Box::new(Error::Initialization(error));
    let inputs = coupled.plan.instances[index].input_references.len();
    let mut trial = FeedthroughTrial::begin(coupled, index, point).map_err(failed)?;
    let all: Vec<usize> = (0..inputs).collect();
    let outputs = match trial.follows(&all).map_err(failed)? {
        None => None,
        Some(follows) if !follows.contains(&true) => Some(vec![none_of(&follows); inputs]),
        Some(_) if !(2..=ONE_BY_ONE).contains(&inputs) => None,
        Some(_) => one_by_one(&mut trial, inputs).map_err(failed)?,
    };
    trial.end().map_err(failed)?;
    let outputs = outputs.filter(|outputs| outputs.iter().flatten().any(|is_absent| *is_absent));
    Ok(outputs.map(|outputs| Absent { instance: index, outputs }))
}

fn one_by_one(trial: &mut FeedthroughTrial<'_>, inputs: usize) -> lotka_instance::CallResult<Option<Vec<Vec<bool>>>> {
    let mut outputs = Vec::with_capacity(inputs);
    for input in 0..inputs {
        let Some(follows) = trial.follows(&[input])? else { return Ok(None) };
        outputs.push(none_of(&follows));
    }
    Ok(Some(outputs))
}

fn none_of(follows: &[bool]) -> Vec<bool> {
    follows.iter().map(|follows| !follows).collect()
}
