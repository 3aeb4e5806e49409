//! A description with explicit default settings.

use lotka_instance::ModelDescription;
use lotka_plan::graph::Graph;
use lotka_step::resolved::{Resolved, Stepping};
use lotka_system::{
    ALL_OUTPUTS, AlgorithmSettings, ExperimentSettings, Isolation, IsolationSettings, Located, NoConvergence, StartSetting,
    StartValue, SystemDescription, experiments,
};

/// Writes every default that was chosen into `system`. What was given stays; what is settled only by trying the FMUs is left
/// open.
pub fn complete(
    system: &SystemDescription,
    resolved: &Resolved,
    graph: &Graph,
    descriptions: &[&ModelDescription],
) -> SystemDescription {
    let experiments = experiments(system, resolved, descriptions);
    let mut system = system.clone();
    complete_experiment(&mut system.experiment, &mut system.algorithm, resolved);
    complete_algorithm(&mut system, resolved, graph);
    set(&mut system.results.variables, vec![ALL_OUTPUTS.to_owned().into()]);
    system.start_values.clear();
    let all = system.instances.iter_mut().zip(&resolved.start_values).zip(descriptions).zip(experiments);
    for (((instance, values), description), experiment) in all {
        complete_isolation(&mut instance.isolation, &system.isolation);
        instance.fmu_tolerance = experiment.tolerance.map(Located::from);
        let named = values
            .iter()
            .map(|(variable, value)| StartSetting::new(description.variables[*variable].name.clone(), StartValue::from(value)));
        instance.start = named.collect();
    }
    system
}

fn complete_experiment(experiment: &mut ExperimentSettings, algorithm: &mut AlgorithmSettings, resolved: &Resolved) {
    let settled = &resolved.experiment;
    set(&mut experiment.start, settled.start);
    set(&mut experiment.stop, settled.stop);
    match &settled.stepping {
        Stepping::Fixed(_) => {}
        Stepping::Controlled(steps) => {
            set(&mut experiment.first_step, steps.first);
            set(&mut experiment.min_step, steps.minimum);
            if let Some(local) = &steps.local {
                set(&mut experiment.absolute_tolerance, local.tolerances.absolute);
                set(&mut experiment.max_step, steps.maximum);
                set(&mut algorithm.estimator, local.estimator.to_string());
                set(&mut algorithm.controller, local.controller.to_string());
            }
        }
        Stepping::Verified(verified) => {
            set(&mut experiment.output_interval, verified.output_interval);
            set(&mut experiment.max_step, verified.max_step);
        }
    }
}

/// An instance without a setting of its own has that of the system.
fn complete_isolation(own: &mut IsolationSettings, all: &IsolationSettings) {
    let IsolationSettings { isolation, init_timeout, step_timeout, sandbox, preload_global, thread_safe } = all.clone();
    own.init_timeout = own.init_timeout.take().or(init_timeout);
    own.step_timeout = own.step_timeout.take().or(step_timeout);
    own.sandbox = own.sandbox.take().or(sandbox);
    own.preload_global = own.preload_global.take().or(preload_global);
    own.thread_safe = own.thread_safe.take().or(thread_safe);
    let is_confined = own.sandbox.as_ref().is_some_and(|sandbox| sandbox.value.is_some());
    let default = if is_confined { Isolation::Process } else { Isolation::None };
    own.isolation = own.isolation.take().or(isolation).or(Some(default.into()));
}

fn complete_algorithm(system: &mut SystemDescription, resolved: &Resolved, graph: &Graph) {
    let (settings, settled) = (&mut system.algorithm, &resolved.algorithm);
    set(&mut settings.sweep, settled.sweep.to_string());
    let order = graph.order.iter().map(|&index| Located::from(system.instances[index].name.value.clone()));
    set(&mut settings.order, order.collect());
    set(&mut settings.input_degree, settled.inputs.degree as i64);
    set(&mut settings.output_derivatives, settled.inputs.output_derivatives);
    set(&mut settings.feedthrough_outputs, settled.inputs.feedthrough);
    let has_loops = graph.components.iter().any(|component| component.is_loop);
    match settled.iteration.as_ref().filter(|_| has_loops) {
        Some(iteration) => {
            set(&mut settings.iterations, iteration.limit.into());
            set(&mut settings.iteration_tolerance, iteration.tolerances.relative);
            set(&mut settings.acceleration, iteration.acceleration.to_string());
            set(&mut settings.on_no_convergence, NoConvergence::default());
        }
        None => set(&mut settings.iterations, 1),
    }
}

/// Sets missing values.
fn set<T>(setting: &mut Option<Located<T>>, value: T) {
    setting.get_or_insert_with(|| value.into());
}
