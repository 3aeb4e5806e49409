//! From a description and loaded FMUs to a simulation.

use fmi2::{ModelDescription, RealRef, description::Causality};
use lotka_host::HostOptions;

use super::{
    CancelToken, Loaded, ProgressToken, Simulation,
    profile::Stopwatch,
    scenario::{Casting, Scenario},
    understudies::Understudies,
};
use crate::{
    Code, Error,
    algorithm::{Overrides, PARALLEL_EMBEDDED},
    graph::{Graph, Plan, Recorded},
    initialize::{Residual, ResidualSource, SetUp, Setting, SteadyState, Unknown, input_starts},
    system::{
        InstanceSettings, SystemDescription, Warning,
        problem::Findings,
        resolve::{self, Interface, Resolved, Stepping},
    },
};

/// Share of the tolerance of a verified run that the FMUs get for their own integration.
pub(super) const FMU_SHARE: f64 = 0.01;

/// How a simulation is made and watched; nothing of it shows in the results.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Watch {
    /// The time spent in each instance is measured.
    pub(crate) profile: bool,
    /// The FMUs are asked to log what they do.
    pub(crate) debug_logging: bool,
    /// Runs are made at the same time on so many threads at most.
    pub(crate) threads: Option<usize>,
}

/// Resolves `system` against `fmus` (one per instance) and instantiates them; `hosts` says how those are hosted that may not be used on two threads.
pub(crate) fn build(
    system: &SystemDescription,
    findings: Findings,
    fmus: &[Loaded],
    hosts: Vec<Option<HostOptions>>,
    watch: Watch,
) -> Result<Simulation, Error> {
    let interfaces: Vec<_> = fmus.iter().map(Interface::of).collect();
    let (mut resolved, mut warnings) = resolve::resolve(system, findings, &interfaces).map_err(Error::System)?;
    let descriptions: Vec<&ModelDescription> = interfaces.iter().map(|interface| interface.description).collect();
    let names = system.names();
    let graph = resolved.graph(&descriptions);
    if !graph.components.iter().any(|component| component.is_loop) {
        resolved.algorithm.iteration = None;
    }
    let (plan, overrides) = lay_out(&resolved, &graph, &names, &interfaces);
    let names_of_all: Vec<_> = names.iter().map(|&name| name.to_owned()).collect();
    let casting = Casting {
        plan,
        slack: resolved.knots.slack,
        overrides,
        understudies: Understudies::new(&names_of_all, fmus, hosts, watch.threads),
        names: names_of_all,
        fmus: fmus.to_vec(),
        debug_logging: watch.debug_logging,
        stopwatches: names.iter().filter(|_| watch.profile).map(|_| Stopwatch::default()).collect(),
    };
    let ensemble = casting.ensemble().map_err(|error| *error)?;
    for (name, fmu) in names.iter().zip(fmus) {
        warnings.extend(fmu.warnings().iter().map(|warning| Warning::new(Code::OddFmu, format!("instance `{name}`: {warning}"))));
    }
    let set_up = set_up(system, &resolved, &descriptions);
    let same_size = fmus.iter().any(|fmu| !fmu.capabilities().variable_step);
    let steady_state = steady_state(&resolved, &names, &descriptions, &casting.plan);
    let scenario = Scenario {
        resolved,
        graph,
        set_up,
        steady_state,
        same_size,
        seeks_switches: true,
        switches: Vec::new(),
        acts: Vec::new(),
        scan: None,
        cancel: CancelToken::new(),
        progress: ProgressToken::default(),
    };
    Ok(Simulation::new(scenario, casting, ensemble, system.clone(), warnings))
}

/// The plan, and what is set at known times.
pub(super) fn lay_out(
    resolved: &Resolved,
    graph: &Graph,
    names: &[&str],
    interfaces: &[Interface<'_>],
) -> (Plan, Option<Box<Overrides>>) {
    let descriptions: Vec<&ModelDescription> = interfaces.iter().map(|interface| interface.description).collect();
    let reads_slopes = reads_slopes(resolved, interfaces);
    let levels = resolved.events.as_ref().map_or_else(Vec::new, resolve::Events::levels);
    let overridden: Vec<_> = resolved.overrides.targets.iter().map(|target| (target.instance, target.reference)).collect();
    let recorded = Recorded { variables: &resolved.recorded, overridden: &overridden };
    let scope = (resolved.instances, levels.as_slice());
    let mut plan = Plan::new(names, &descriptions, &resolved.links, graph.clone(), &reads_slopes, scope, recorded);
    plan.loop_tolerance = resolved.loop_tolerance;
    if let Some(events) = &resolved.events {
        plan.units.iter_mut().zip(&events.is_reactor).for_each(|(unit, is_reactor)| unit.is_reactor = *is_reactor);
    }
    let has_overrides = !resolved.overrides.actions.is_empty();
    let overrides = has_overrides.then(|| Box::new(Overrides::new(&resolved.overrides, &mut plan)));
    (plan, overrides)
}

/// Which instances are asked for the slopes of their outputs.
fn reads_slopes(resolved: &Resolved, interfaces: &[Interface<'_>]) -> Vec<bool> {
    let mut sources = resolved.links.iter().flat_map(|link| &link.sources);
    let inputs = resolved.algorithm.inputs;
    let has_degree = inputs.degree > 0 || sources.any(|source| source.degree.is_some_and(|degree| degree > 0));
    let integrates =
        matches!(&resolved.experiment.stepping, Stepping::Controlled(steps) if steps.estimator() == Some(PARALLEL_EMBEDDED));
    let are_used = inputs.output_derivatives && (has_degree || integrates);
    interfaces.iter().map(|interface| are_used && interface.capabilities.max_output_derivative_order > 0).collect()
}

fn set_up(system: &SystemDescription, resolved: &Resolved, descriptions: &[&ModelDescription]) -> Vec<SetUp> {
    let (start, stop) = (resolved.experiment.start, resolved.experiment.stop);
    let instances = system.instances.iter().map(Some).chain(system.sources.iter().map(|_| None));
    let instances = instances.zip(&resolved.start_values).zip(descriptions);
    instances
        .map(|((instance, values), description)| SetUp {
            experiment: fmi2::Experiment {
                start,
                stop: instance.is_none_or(|instance| instance.pass_stop_time).then_some(stop),
                tolerance: instance.and_then(|instance| fmu_tolerance(system, instance, resolved, description)),
            },
            settings: values.iter().map(|(variable, value)| Setting::new(description, *variable, value.clone())).collect(),
            inputs: input_starts(description),
        })
        .collect()
}

/// Whether it makes sense to ask for it; descriptions may have anything.
fn is_tolerance(value: f64) -> bool {
    value.is_finite() && value > 0.0
}

/// The tolerance that an FMU is asked for, if any.
pub(crate) fn fmu_tolerance(
    system: &SystemDescription,
    instance: &InstanceSettings,
    resolved: &Resolved,
    description: &ModelDescription,
) -> Option<f64> {
    let given = instance.fmu_tolerance.as_ref().or(system.experiment.fmu_tolerance.as_ref());
    given.map(|tolerance| tolerance.value).or_else(|| match &resolved.experiment.stepping {
        Stepping::Verified(verified) => Some(FMU_SHARE * verified.tolerance),
        _ => description.default_experiment.and_then(|default| default.tolerance).filter(|tolerance| is_tolerance(*tolerance)),
    })
}

/// Where the unknowns and residuals of `[initialization]` are.
fn steady_state(resolved: &Resolved, names: &[&str], descriptions: &[&ModelDescription], plan: &Plan) -> SteadyState {
    let variable = |(instance, variable): (usize, usize)| &descriptions[instance].variables[variable];
    let name = |at: (usize, usize)| format!("{}.{}", names[at.0], variable(at).name);
    let mut wanted = SteadyState::default();
    for solve in &resolved.solves {
        let (unknown, residual) = (solve.unknown, solve.residual);
        let setting = resolved.start_values[unknown.0].iter().position(|(known, _)| *known == unknown.1);
        let input = RealRef(variable(residual).value_reference);
        let input = plan.units[residual.0].input_references.iter().position(|known| *known == input);
        let is_input = variable(residual).causality() == Causality::Input;
        let source = match input.filter(|_| is_input) {
            Some(position) => Some(ResidualSource::Input { instance: residual.0, position }),
            None => plan.signal_names.iter().position(|known| *known == name(residual)).map(ResidualSource::Signal),
        };
        // What was resolved has both.
        let (Some(setting), Some(source)) = (setting, source) else { continue };
        wanted.unknowns.push(Unknown { name: name(unknown), instance: unknown.0, setting });
        wanted.residuals.push(Residual { name: name(residual), source, target: solve.target });
    }
    wanted
}
