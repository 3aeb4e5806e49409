//! Construction of a simulation from a resolved system and its models.

use std::{collections::HashMap, sync::Arc};

use lotka_instance::{
    BehaviorRecord, Experiment, ModelDescription, RealRef,
    description::{Causality, Variability},
};
use lotka_message::{Code, Warning};
use lotka_plan::{
    graph::{Graph, Plan, Recorded, StepLevels},
    link::{SignalType, VariableIndex, signal_type},
};
use lotka_prepare::initialize::{Residual, ResidualSource, SteadyState, Unknown};
use lotka_step::{
    Error,
    algorithm::{EstimatorMethod, Overrides},
    model::Model,
    renewal::{SetUp, Setting, input_starts},
    resolved::{self, InputDelivery, Interface, Resolved, Stepping, Target},
};

use super::{
    CancelToken, ProgressToken, Series, Simulation,
    concurrent::{ConcurrentModel, ConcurrentModels},
    instance_set::InstanceSetFactory,
    known::Known,
    shared_system::SharedSystem,
};

/// The parts of a simulation. Instances come first, then sources; names, models and experiments have the same order.
#[derive(Debug)]
pub struct Setup {
    /// The system in indices.
    pub resolved: Resolved,
    /// Names of all instances and sources.
    pub names: Vec<String>,
    /// Their models.
    pub models: Vec<Model>,
    /// The models of concurrent runs, for instances not known to be thread-safe; may be shorter than `models`.
    pub concurrent: Vec<Option<Arc<dyn ConcurrentModel>>>,
    /// Start, stop and tolerance per instance.
    pub experiments: Vec<Experiment>,
    /// What test runs have measured of the models; may be shorter than `models`.
    pub records: Vec<Option<Arc<BehaviorRecord>>>,
    /// Warnings about the system.
    pub warnings: Vec<Warning>,
    /// Whether instances are to write debug logs.
    pub debug_logging: bool,
    /// Maximum number of threads for concurrent runs.
    pub threads: Option<usize>,
    /// What makes the runs for a `tolerance`.
    pub series: Series,
}

/// Instantiates all models.
pub(super) fn build(setup: Setup) -> Result<Simulation, Error> {
    let Setup { mut resolved, names, models, concurrent, experiments, records, mut warnings, debug_logging, threads, series } =
        setup;
    let interfaces: Vec<_> = models.iter().map(Interface::of).collect();
    let descriptions: Vec<&ModelDescription> = interfaces.iter().map(|interface| interface.description).collect();
    expect_events(&mut resolved, &interfaces);
    let graph = resolved.graph(&descriptions);
    if !graph.components.iter().any(|component| component.is_loop) {
        resolved.algorithm.iteration = None;
    }
    let short: Vec<_> = names.iter().map(String::as_str).collect();
    let (plan, overrides) = lay_out(&resolved, &graph, &short, &interfaces);
    let set_up = set_up(experiments, &resolved, &descriptions);
    let same_size = models.iter().any(|model| !model.capabilities().variable_step);
    let steady_state = steady_state(&resolved, &short, &descriptions, &plan);
    let set_factory = InstanceSetFactory {
        input_polynomials: has_polynomials(&resolved),
        plan,
        slack: resolved.time_events.slack,
        overrides,
        concurrent: ConcurrentModels::new(&names, &models, concurrent, threads),
        names: names.clone(),
        fmus: models.clone(),
        debug_logging,
        trial_step: resolved.experiment.stepping.trial_step(),
    };
    let instance_set = set_factory.instance_set().map_err(|error| *error)?;
    warnings.extend(oddities(&names, &models));
    let known = Known { resolved: &resolved, graph: &graph, names: &names, interfaces: &interfaces, records: &records };
    warnings.extend(known.warnings());
    let (refused_sizes, own_steps) = known.of_runs();
    let system = SharedSystem {
        resolved,
        graph,
        set_up,
        steady_state,
        same_size,
        refused_sizes,
        own_steps,
        seeks_switches: true,
        switches: Vec::new(),
        bends: Vec::new(),
        acts: Vec::new(),
        scan: None,
        cancel: CancelToken::new(),
        progress: ProgressToken::default(),
    };
    Ok(Simulation { series, system, set_factory, instance_set, keeping: None, warnings, prepared: None, records })
}

/// Warnings about the models.
fn oddities(names: &[String], models: &[Model]) -> Vec<Warning> {
    let all = names.iter().zip(models).flat_map(|(name, model)| model.warnings().into_iter().map(move |warning| (name, warning)));
    all.map(|(name, warning)| Warning::new(Code::OddFmu, format!("instance `{name}`: {warning}"))).collect()
}

impl Simulation {
    /// Makes room for the values of variables that a session may set: connected integers, booleans and strings, and recorded
    /// parameters.
    pub(super) fn make_settable(&mut self) {
        let Self { system, set_factory, instance_set, .. } = self;
        let InstanceSetFactory { names, fmus, .. } = &*set_factory;
        let interfaces: Vec<_> = fmus.iter().map(Interface::of).collect();
        let variable = |(instance, variable): VariableIndex| &interfaces[instance].description.variables[variable];
        let target = |place: VariableIndex, is_connected| Target {
            instance: place.0,
            reference: variable(place).value_reference,
            signal: signal_type(variable(place)),
            is_connected,
        };
        let inputs =
            system.resolved.links.iter().filter(|link| link.signal != SignalType::Real).map(|link| target(link.input(), true));
        let is_tunable = |place: &&VariableIndex| {
            let variable = variable(**place);
            variable.causality == Causality::Parameter && variable.variability == Variability::Tunable && !variable.is_structural
        };
        let parameters = system.resolved.recorded.iter().filter(is_tunable).map(|place| target(*place, false));
        let known = &system.resolved.overrides.targets;
        let missing: Vec<_> = inputs.chain(parameters).filter(|target| !known.contains(target)).collect();
        if missing.is_empty() {
            return;
        }
        system.resolved.overrides.targets.extend(missing);
        let short: Vec<_> = names.iter().map(String::as_str).collect();
        (set_factory.plan, set_factory.overrides) = lay_out(&system.resolved, &system.graph, &short, &interfaces);
        set_factory.couple_again(instance_set);
    }

    /// Takes other start values for later runs. `resolved` differs from the system of [`Setup`] in start values only; experiments
    /// and warnings are those that belong to it.
    pub fn set_start_values(&mut self, mut resolved: Resolved, experiments: Vec<Experiment>, warnings: Vec<Warning>) {
        let Self { system, set_factory, instance_set, records, .. } = self;
        let InstanceSetFactory { names, fmus, .. } = &*set_factory;
        let interfaces: Vec<_> = fmus.iter().map(Interface::of).collect();
        let descriptions: Vec<&ModelDescription> = interfaces.iter().map(|interface| interface.description).collect();
        let short: Vec<_> = names.iter().map(String::as_str).collect();
        expect_events(&mut resolved, &interfaces);
        if system.resolved.algorithm.iteration.is_none() {
            resolved.algorithm.iteration = None;
        }
        let set_up = set_up(experiments, &resolved, &descriptions);
        if let Some(renewal) = &mut instance_set.coupled.renewal {
            let differs = |index: &usize| system.resolved.start_values[*index] != resolved.start_values[*index];
            (0..set_up.len()).filter(differs).for_each(|index| renewal.forget(index));
        }
        system.set_up = set_up;
        // Overrides return to start values.
        let laid_out =
            (resolved.overrides != system.resolved.overrides).then(|| lay_out(&resolved, &system.graph, &short, &interfaces));
        system.steady_state = steady_state(&resolved, &short, &descriptions, &set_factory.plan);
        let known = Known { resolved: &resolved, graph: &system.graph, names, interfaces: &interfaces, records };
        self.warnings = warnings.into_iter().chain(oddities(names, fmus)).chain(known.warnings()).collect();
        (system.refused_sizes, system.own_steps) = known.of_runs();
        system.graph.unconnected = resolved::unconnected(&resolved, &descriptions);
        system.resolved = resolved;
        if let Some((plan, overrides)) = laid_out {
            (set_factory.plan, set_factory.overrides) = (plan, overrides);
            set_factory.couple_again(instance_set);
        }
        self.prepared = None;
    }
}

/// Returns the plan and the overrides.
pub fn lay_out(
    resolved: &Resolved,
    graph: &Graph,
    names: &[&str],
    interfaces: &[Interface<'_>],
) -> (Plan, Option<Box<Overrides>>) {
    let descriptions: Vec<&ModelDescription> = interfaces.iter().map(|interface| interface.description).collect();
    let reads_slopes = reads_slopes(resolved, interfaces);
    let levels = resolved.events.as_ref().map_or_else(Vec::new, resolved::Events::levels);
    let overridden: Vec<_> = resolved.overrides.targets.iter().map(|target| (target.instance, target.reference)).collect();
    let recorded = Recorded { variables: &resolved.recorded, overridden: &overridden };
    let scope = (resolved.instances, levels.as_slice());
    let mut plan = Plan::new(names, &descriptions, &resolved.links, graph.clone(), &reads_slopes, scope, recorded);
    plan.loop_tolerance = resolved.loop_tolerance;
    for (instance, reference) in &resolved.stepwise {
        let instance_plan = &plan.instances[*instance];
        let place = instance_plan.output_references.iter().position(|other| other == reference);
        place.into_iter().for_each(|place| plan.is_held[instance_plan.outputs.start + place] = true);
    }
    let connections = resolved.links.iter().flat_map(|link| link.sources.iter().map(|source| (source.instance, link.instance)));
    plan.step_levels = StepLevels::new(&graph.order, names.len(), connections);
    if let Some(events) = &resolved.events {
        plan.instances
            .iter_mut()
            .zip(&events.is_reactor)
            .for_each(|(instance_plan, is_reactor)| instance_plan.is_reactor = *is_reactor);
    }
    for index in with_event_mode(resolved, interfaces) {
        plan.instances[index].uses_event_mode = true;
    }
    for sampling in &resolved.time_events.sampled {
        let instance_plan = &mut plan.instances[sampling.instance];
        (instance_plan.uses_event_mode, instance_plan.sample_time) = (true, Some(sampling.every));
    }
    let has_overrides = !resolved.overrides.targets.is_empty();
    let overrides = has_overrides.then(|| Box::new(Overrides::new(&resolved.overrides, &mut plan)));
    (plan, overrides)
}

/// Instances that find their events themselves, which are handled in event mode. Under error control these are all that have it,
/// if all instances can roll back to events and make steps that end there. Without error control this costs more than it gains,
/// unless the user asks for it: the FMUs then handle their events inside their steps.
fn with_event_mode(resolved: &Resolved, interfaces: &[Interface<'_>]) -> Vec<usize> {
    let is_controlled = match &resolved.experiment.stepping {
        Stepping::Fixed(_) => false,
        Stepping::Controlled(steps) => steps.compatibility().is_none(),
        // Steps that end at events are no multiples of internal steps.
        Stepping::Verified(_) => resolved.experiment.internal_step.is_none(),
    };
    let instances = &interfaces[..resolved.instances];
    if !instances.iter().all(|interface| interface.capabilities.save_state && interface.capabilities.variable_step) {
        return Vec::new();
    }
    let is_asked = |index| resolved.events.as_ref().is_some_and(|events| events.event_mode.contains(&index));
    let is_sampled = |index| resolved.time_events.sampled.iter().any(|sampling| sampling.instance == index);
    let uses = |index: &usize| instances[*index].capabilities.event_mode && (is_controlled || is_asked(*index));
    (0..instances.len()).filter(|index| uses(index) && !is_sampled(*index)).collect()
}

/// Whether inputs may be delivered as polynomials of time.
#[must_use]
pub fn has_polynomials(resolved: &Resolved) -> bool {
    has_degree(resolved) && resolved.algorithm.inputs.delivery != Some(InputDelivery::Mean)
}

/// Whether an input is a signal of degree 1 or higher.
fn has_degree(resolved: &Resolved) -> bool {
    let mut sources = resolved.links.iter().flat_map(|link| &link.sources);
    resolved.algorithm.inputs.degree > 0 || sources.any(|source| source.degree.is_some_and(|degree| degree > 0))
}

/// Lets steps end at events if an instance handles them in event mode.
fn expect_events(resolved: &mut Resolved, interfaces: &[Interface<'_>]) {
    if !with_event_mode(resolved, interfaces).is_empty() {
        let none = || resolved::Events { is_reactor: vec![false; interfaces.len()], ..resolved::Events::default() };
        resolved.events.get_or_insert_with(none);
    }
}

/// Whether the slopes of the outputs of each instance are read.
fn reads_slopes(resolved: &Resolved, interfaces: &[Interface<'_>]) -> Vec<bool> {
    let integrates = matches!(&resolved.experiment.stepping, Stepping::Controlled(steps) if steps.estimator() == Some(&EstimatorMethod::ParallelEmbedded));
    let are_used = resolved.algorithm.inputs.output_derivatives && (has_degree(resolved) || integrates);
    interfaces.iter().map(|interface| are_used && interface.capabilities.max_output_derivative_order > 0).collect()
}

fn set_up(experiments: Vec<Experiment>, resolved: &Resolved, descriptions: &[&ModelDescription]) -> Vec<SetUp> {
    let instances = experiments.into_iter().zip(&resolved.start_values).zip(descriptions);
    instances
        .map(|((experiment, values), description)| SetUp {
            experiment,
            settings: values.iter().map(|(variable, value)| Setting::new(description, *variable, value.clone())).collect(),
            inputs: input_starts(description),
        })
        .collect()
}

/// Locates the unknowns and residuals of `[initialization]`.
fn steady_state(resolved: &Resolved, names: &[&str], descriptions: &[&ModelDescription], plan: &Plan) -> SteadyState {
    let variable = |(instance, variable): (usize, usize)| &descriptions[instance].variables[variable];
    let name = |at: (usize, usize)| format!("{}.{}", names[at.0], variable(at).name);
    let mut wanted = SteadyState::default();
    if resolved.solves.is_empty() {
        return wanted;
    }
    let signals: HashMap<_, _> =
        plan.signal_names.iter().enumerate().rev().map(|(signal, name)| (name.as_str(), signal)).collect();
    for solve in &resolved.solves {
        let (unknown, residual) = (solve.unknown, solve.residual);
        let setting = resolved.start_values[unknown.0].iter().position(|(known, _)| *known == unknown.1);
        let input = RealRef(variable(residual).value_reference);
        let input = plan.instances[residual.0].input_references.iter().position(|known| *known == input);
        let is_input = variable(residual).causality == Causality::Input;
        let source = match input.filter(|_| is_input) {
            Some(position) => Some(ResidualSource::Input { instance: residual.0, position }),
            None => signals.get(name(residual).as_str()).copied().map(ResidualSource::Signal),
        };
        // A resolved system has both.
        let (Some(setting), Some(source)) = (setting, source) else { continue };
        wanted.unknowns.push(Unknown { name: name(unknown), instance: unknown.0, setting });
        wanted.residuals.push(Residual { name: name(residual), source, target: solve.target });
    }
    wanted
}
