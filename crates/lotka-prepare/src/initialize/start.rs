//! Initialization mode in dependency order.

use lotka_plan::graph::{self, Graph, InstancePlan};
use lotka_step::{
    Error,
    algorithm::{Coupled, CoupledInstance},
    renewal::{SetUp, begin_again, enter, failed},
};

use super::feedthrough_loop::FeedthroughLoop;

/// Takes all instances to their first communication point, in the order in which outputs determine start values.
///
/// # Errors
/// A call to an instance fails, a loop has no solution, or a connected output is not finite.
pub fn initialize(coupled: &mut Coupled, set_up: &[SetUp], graph: &Graph) -> Result<(), Box<Error>> {
    let components = graph::components_along(set_up.len(), &graph.initial);
    begin(coupled, set_up, &components)?;
    for component in &components {
        if component.is_loop {
            FeedthroughLoop::new(&component.members, coupled).solve(coupled, set_up)?;
        } else {
            exchange(coupled, component.members[0])?;
        }
    }
    for (CoupledInstance { inner: instance, .. }, instance_plan) in coupled.instances.iter_mut().zip(&coupled.plan.instances) {
        instance.exit_initialization_mode().map_err(failed)?;
        instance.bind(&instance_plan.input_references, &instance_plan.output_references).map_err(failed)?;
    }
    for &index in components.iter().flat_map(|component| &component.members) {
        coupled.read_outputs(index).map_err(failed)?;
    }
    let start = set_up.first().map_or(0.0, |first| first.experiment.start);
    coupled.handle_first_events(start)?;
    coupled.forget_slopes();
    check_finite(coupled, start)
}

/// Takes all instances to initialization mode and reads their initial outputs.
pub(super) fn begin(
    coupled: &mut Coupled,
    set_up: &[SetUp],
    components: &[graph::StronglyConnectedComponent],
) -> Result<(), Box<Error>> {
    for (index, set_up) in set_up.iter().enumerate() {
        begin_again(coupled, index, set_up).map_err(failed)?;
        enter(&mut *coupled.instances[index].inner, set_up).map_err(failed)?;
    }
    for &index in components.iter().flat_map(|component| &component.members) {
        coupled.read_outputs(index).map_err(failed)?;
    }
    Ok(())
}

/// Sets the inputs of an instance to the newest values and reads the resulting outputs.
pub(super) fn exchange(coupled: &mut Coupled, index: usize) -> Result<(), Box<Error>> {
    coupled.exchange_now(index).map_err(failed)
}

fn check_finite(coupled: &Coupled, start: f64) -> Result<(), Box<Error>> {
    for signal in coupled.plan.instances.iter().flat_map(InstancePlan::connected) {
        let value = coupled.newest.reals[signal];
        if !value.is_finite() {
            let variable = coupled.signal_name(signal).to_owned();
            return Err(Box::new(Error::NotFinite { variable, value, time: start }));
        }
    }
    Ok(())
}
