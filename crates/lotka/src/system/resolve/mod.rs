//! A description held against the model descriptions: names become indices, every problem is found.
//!
//! Start reading at [`resolve`].

mod algorithm;
mod choice;
mod connections;
mod estimator;
mod events;
mod experiment;
mod initialization;
mod isolation;
mod iteration;
mod map;
mod overrides;
mod power_bonds;
mod results;
mod sources;
mod start;
mod step_sizes;
mod time_events;

use std::path::Path;

use fmi2::{Capabilities, ModelDescription, RealRef, description::ScalarVariable};

pub(crate) use algorithm::{Algorithm, Inputs};
pub use connections::UnitConversion;
pub(crate) use connections::{Link, LinkSource, SignalType, signal_type};
pub(crate) use events::{Events, Indicator, IndicatorLevel};
pub(crate) use experiment::{ResolvedExperiment, Stepping, Verified};
pub(crate) use initialization::Solve;
pub(crate) use isolation::{Guard, resolve as resolve_isolation};
pub(crate) use iteration::Iteration;
pub(crate) use overrides::{Action, Overrides, Target};
pub(crate) use power_bonds::PowerBond;
pub(crate) use results::{ALL_OUTPUTS, is_constant};
pub(crate) use sources::Knots;
pub(crate) use start::TypedValue;
pub(crate) use step_sizes::{ControlledSteps, LocalControl};

use super::{Located, Problems, SystemDescription, Warning, problem::Findings};
use crate::{
    Code,
    error_control::global::corner::{Corner, Kind},
    graph::{self, Graph},
    simulation::Loaded,
    source::{Change, Knot, SourceModel, merged},
};

/// What is known of an FMU without running it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Interface<'a> {
    pub(crate) path: &'a Path,
    pub(crate) description: &'a ModelDescription,
    pub(crate) capabilities: Capabilities,
    /// The source, if it is no FMU.
    pub(crate) source: Option<&'a SourceModel>,
}

impl<'a> Interface<'a> {
    /// Of an FMU that is loaded.
    pub(crate) fn of(fmu: &'a Loaded) -> Self {
        Self {
            path: fmu.path(),
            description: fmu.description(),
            capabilities: *fmu.capabilities(),
            source: fmu.source().map(|source| &**source),
        }
    }
}

/// A system in indices. Variables are indices into their model description.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Resolved {
    pub(crate) experiment: ResolvedExperiment,
    pub(crate) algorithm: Algorithm,
    /// Per instance: start values that differ from the FMU's own.
    pub(crate) start_values: Vec<Vec<(usize, TypedValue)>>,
    pub(crate) links: Vec<Link>,
    /// Start values that are solved for; each is among those of its instance, where its value is the guess.
    pub(crate) solves: Vec<Solve>,
    /// Share of its terms by which a loop may miss its equations at the start; 0 if the user does not say it.
    pub(crate) loop_tolerance: f64,
    pub(crate) events: Option<Events>,
    pub(crate) power_bonds: Vec<PowerBond>,
    /// So many of all are instances; sources follow them.
    pub(crate) instances: usize,
    pub(crate) knots: Knots,
    pub(crate) overrides: Overrides,
    /// Instance and variable of each column of the rows, in this order.
    pub(crate) recorded: Vec<(usize, usize)>,
}

impl Resolved {
    /// The algorithm if model descriptions declared other dependencies of outputs on inputs than they do.
    pub(crate) fn algorithm_for(&self, interfaces: &[Interface<'_>]) -> Algorithm {
        let algorithm = &self.algorithm;
        let traits = choice::Traits::new(&self.links, interfaces, algorithm.has_events, algorithm.has_jumps);
        algorithm.suited_to(&traits, &self.experiment)
    }

    /// The same system with another event: a Real output of an instance that crosses a level. `None` where the method is given, or the output is that
    /// of a source.
    pub(crate) fn with_event(
        &self,
        (instance, reference): (usize, RealRef),
        level: f64,
        interfaces: &[Interface<'_>],
    ) -> Option<Self> {
        let descriptions: Vec<_> = interfaces.iter().map(|interface| interface.description).collect();
        let is_output = |variable: &ScalarVariable| events::is_real_output(variable) && variable.value_reference == reference.0;
        let variable = descriptions[instance].variables.iter().position(is_output)?;
        if !self.algorithm.is_open || instance >= self.instances {
            return None;
        }
        let events = Events::with_level(self.events.clone(), (instance, variable), level, &self.links, &descriptions);
        let algorithm = Algorithm { has_events: true, ..self.algorithm.clone() };
        let resolved = Self { events: Some(events), algorithm, ..self.clone() };
        Some(Self { algorithm: resolved.algorithm_for(interfaces), ..resolved })
    }

    /// The same system with times at which an instance acts: `offset` and whole periods `every` before and after it \[s\]. `None` if there are too many of
    /// them, or they are not exact enough for the tolerance.
    pub(crate) fn with_times(&self, actor: usize, (every, offset): (f64, f64), interfaces: &[Interface<'_>]) -> Option<Self> {
        let span = (self.experiment.start, self.experiment.stop);
        let Stepping::Verified(verified) = &self.experiment.stepping else { return None };
        if verified.tolerance < time_events::SMALLEST_TOLERANCE {
            return None;
        }
        let times = time_events::multiples((every, offset), span)?;
        let mut resolved = self.with_knots(time_events::knots(times, every, span), true, interfaces);
        resolved.knots.actors.push(actor);
        Some(resolved)
    }

    /// The same system with steps that end where signals of instances jump or bend.
    pub(crate) fn with_corners(&self, corners: &[Corner], interfaces: &[Interface<'_>]) -> Self {
        let span = (self.experiment.start, self.experiment.stop);
        let jumps = corners.iter().any(|corner| corner.kind == Kind::Jump);
        self.with_knots(corners.iter().flat_map(|corner| time_events::knots_at(corner, span)), jumps, interfaces)
    }

    fn with_knots(&self, more: impl Iterator<Item = Knot>, jumps: bool, interfaces: &[Interface<'_>]) -> Self {
        let span = (self.experiment.start, self.experiment.stop);
        let list = self.knots.list.iter().copied().chain(more).collect();
        let knots = Knots { list: merged(list, span, self.knots.slack), ..self.knots.clone() };
        let algorithm = Algorithm { has_jumps: self.algorithm.has_jumps || jumps, ..self.algorithm.clone() };
        let resolved = Self { knots, algorithm, ..self.clone() };
        let is_open = resolved.algorithm.is_open;
        let algorithm = if is_open { resolved.algorithm_for(interfaces) } else { resolved.algorithm.clone() };
        Self { algorithm, ..resolved }
    }

    /// Loops and evaluation order.
    pub(crate) fn graph(&self, descriptions: &[&ModelDescription]) -> Graph {
        let preferences = Events::preferences(&self.events, self.algorithm.order.as_deref());
        let mut graph = graph::analyze(descriptions, &self.links, preferences);
        graph.leave_sources(self.instances);
        graph
    }
}

/// Resolves `system`, adding to what was found before; `interfaces` has one entry per instance, in the same order.
pub(crate) fn resolve(
    system: &SystemDescription,
    mut findings: Findings,
    interfaces: &[Interface<'_>],
) -> Result<(Resolved, Vec<Warning>), Problems> {
    let names = system.names();
    check_names(system, &mut findings);
    let experiment = experiment::resolve(&system.experiment, &system.instances, &system.algorithm, &mut findings);
    let links = connections::resolve(system, interfaces, &names, &mut findings);
    let mut start_values = start::resolve(system, interfaces, &names, &links, &mut findings);
    let solves = initialization::resolve(system, interfaces, &names, &links, &mut start_values, &mut findings);
    let loop_tolerance = initialization::loop_tolerance(system, &mut findings);
    let overrides = overrides::resolve(system, interfaces, &names, &links, &start_values, &mut findings);
    let samples = time_events::resolve(system, &names, &experiment, &mut findings);
    let knots = sources::resolve(system, interfaces, &experiment, &overrides, samples, &mut findings);
    let events = events::resolve(system, interfaces, &names, &links, &mut findings);
    let power_bonds = power_bonds::resolve(system, &links, interfaces, &names, &mut findings);
    let traits =
        choice::Traits::new(&links, interfaces, events.is_some(), knots.list.iter().any(|knot| knot.change > Change::Slope));
    let instances = system.instances.len();
    let recorded = results::resolve(system, interfaces, &names, &links, &mut findings);
    let algorithm = algorithm::resolve(system, &experiment, &names[..instances], &traits, &mut findings);
    algorithm::check_capabilities(system, &experiment, &algorithm, &links, interfaces, &mut findings);
    if let Some(events) = &events {
        events::check(system, events, &algorithm, &links, interfaces, &mut findings);
    }
    let resolved = Resolved {
        experiment,
        algorithm,
        start_values,
        links,
        solves,
        loop_tolerance,
        events,
        power_bonds,
        instances,
        knots,
        overrides,
        recorded,
    };
    findings.finish(resolved, system.file.as_ref())
}

fn check_names(system: &SystemDescription, findings: &mut Findings) {
    // Instances that could not be read are told of already.
    if system.instances.is_empty() && findings.n_errors() == 0 {
        findings.error(Code::NoInstances, &None, "the system has no instances", "name at least one FMU".to_owned());
    }
    let instances = system.instances.iter().map(|instance| (&instance.name, "an instance"));
    let all: Vec<_> = instances.chain(system.sources.iter().map(|source| (&source.name, "a source"))).collect();
    for (n, (Located { value: name, span }, kind)) in all.iter().enumerate() {
        if name.is_empty() || name.contains('.') {
            let help = "use a name without dots".to_owned();
            findings.error(Code::BadName, span, format!("`{name}` cannot be the name of {kind}"), help);
        }
        match all[..n].iter().find(|(earlier, _)| earlier.value == *name) {
            Some((_, "an instance")) if *kind == "an instance" => {
                findings.error(
                    Code::NameTaken,
                    span,
                    format!("there are two instances named `{name}`"),
                    "rename one of them".to_owned(),
                );
            }
            Some((_, earlier)) => findings.error(
                Code::NameTaken,
                span,
                format!("`{name}` is the name of {earlier} already"),
                "rename one of them".to_owned(),
            ),
            None => {}
        }
    }
}
