//! Other instances in the place of one whose state cannot be saved, for trials that change it.

use lotka_instance::{
    CallResult, Instance, Phase, RealRef,
    description::{Causality, Variability, VariableKind},
};
use lotka_step::{
    algorithm::{Coupled, conclude},
    renewal::{SetUp, enter},
};

/// Puts another instance in the place of one at the first communication point; nobody hears what it logs. Returns the former one;
/// `None` if there is no other one, because its FMU permits one per process or refuses another one.
pub(crate) fn stand_in(coupled: &mut Coupled, index: usize, set_up: &SetUp) -> Option<Box<dyn Instance>> {
    let another = coupled.renewal.as_ref()?.make_for_trial(index)?;
    put(coupled, index, another, set_up)
}

/// Sets the Real inputs and tunable parameters of an instance that stands in, connected or not, to the start values of its model
/// description.
pub(crate) fn set_starts(coupled: &mut Coupled, index: usize) -> CallResult<()> {
    let Some(renewal) = &coupled.renewal else { return Ok(()) };
    let instance = &mut coupled.instances[index].inner;
    for variable in &renewal.description(index).variables {
        let is_set = match variable.causality {
            Causality::Input => true,
            Causality::Parameter => variable.variability == Variability::Tunable && !variable.is_structural,
            _ => false,
        };
        if let (true, VariableKind::Real(real)) = (is_set, &variable.kind) {
            instance.set_real(&[RealRef(variable.value_reference)], &[real.start.unwrap_or(0.0)])?;
        }
    }
    Ok(())
}

/// Ends the trials of an instance that other ones stood in for. A new one takes its place where that is possible: the others may
/// have changed memory that instances share.
pub(crate) fn end_stand_in(coupled: &mut Coupled, index: usize, former: Box<dyn Instance>, set_up: &SetUp) {
    let Some(renewal) = coupled.renewal.take() else { return };
    let mut former = Some(former);
    renewal.unheard(&mut || {
        let Some(former) = former.take() else { return };
        let _ = coupled.exchange(index, former).map(Instance::free);
        if let Some(new) = renewal.make(index)
            && let Some(used) = put(coupled, index, new, set_up)
        {
            // How it ends does not matter to the run.
            let _ = used.free();
        }
    });
    coupled.renewal = Some(renewal);
}

/// Exchanges an instance for another one, which is taken to the first communication point; `None` if it does not get there.
fn put(coupled: &mut Coupled, index: usize, another: Box<dyn Instance>, set_up: &SetUp) -> Option<Box<dyn Instance>> {
    let former = coupled.exchange(index, another).ok()?;
    if begin_alone(coupled, index, set_up).is_ok() {
        return Some(former);
    }
    let _ = coupled.exchange(index, former).map(Instance::free);
    None
}

/// Initializes one instance with the newest values as inputs.
fn begin_alone(coupled: &mut Coupled, index: usize, set_up: &SetUp) -> CallResult<()> {
    enter(&mut *coupled.instances[index].inner, set_up)?;
    coupled.set_real_inputs(index)?;
    coupled.set_discrete_inputs(index, false)?;
    let (instance, plan) = (&mut *coupled.instances[index].inner, &coupled.plan.instances[index]);
    instance.exit_initialization_mode()?;
    if instance.phase() == Phase::Event {
        conclude(instance)?;
    }
    instance.bind(&plan.input_references, &plan.output_references)
}
