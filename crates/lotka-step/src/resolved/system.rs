//! A system in indices.

use lotka_instance::{ModelDescription, RealRef, TypedValue, description::Variable};
use lotka_plan::{
    graph::{self, Graph},
    link::{Link, LinkIndex},
    source::{TimeEvent, merged},
};

use super::{
    algorithm::Algorithm,
    choice::Traits,
    events::{Events, is_reactor, is_real_output},
    initialization::Solve,
    interface::Interface,
    overrides::Overrides,
    power_bonds::PowerBond,
    steps::{ResolvedExperiment, Stepping},
    time_events::{KnownTimes, SMALLEST_TOLERANCE, multiples, time_events, time_events_at},
    unconnected::unconnected,
};
use crate::corner::{Corner, Kind};

/// A system in indices. Variables are indices into their model description.
#[derive(Debug, Clone, PartialEq)]
pub struct Resolved {
    /// Times and tolerances.
    pub experiment: ResolvedExperiment,
    /// The method.
    pub algorithm: Algorithm,
    /// Per instance: start values that differ from the FMU's own.
    pub start_values: Vec<Vec<(usize, TypedValue)>>,
    /// Connected inputs.
    pub links: Vec<Link>,
    /// Start values to be solved for. Each is among those of its instance, where its value is the initial guess.
    pub solves: Vec<Solve>,
    /// Permitted residual of a loop at the start, relative to its terms; 0 if the user does not specify it.
    pub loop_tolerance: f64,
    /// Events in instances that end steps.
    pub events: Option<Events>,
    /// Real outputs that are constant between jumps although their variability is not discrete, by instance; trials show them.
    pub stepwise: Vec<(usize, RealRef)>,
    /// Pairs of connections whose energy is tracked.
    pub power_bonds: Vec<PowerBond>,
    /// Number of instances; sources follow them.
    pub instances: usize,
    /// Times that are known before the run.
    pub time_events: KnownTimes,
    /// Variables that are set at known times.
    pub overrides: Overrides,
    /// Instance and variable of each column of the rows, in this order.
    pub recorded: Vec<(usize, usize)>,
}

impl Resolved {
    /// Returns the algorithm for other dependencies of outputs on inputs than the model descriptions declare.
    #[must_use]
    pub fn algorithm_for(&self, interfaces: &[Interface<'_>]) -> Algorithm {
        let algorithm = &self.algorithm;
        let traits = Traits::new(&self.links, interfaces, algorithm.has_events, algorithm.has_jumps);
        algorithm.suited_to(&traits, &self.experiment)
    }

    /// Returns the same system with outputs that are constant between jumps, by instance.
    #[must_use]
    pub fn with_stepwise(&self, outputs: &[(usize, RealRef)], interfaces: &[Interface<'_>]) -> Self {
        let descriptions: Vec<_> = interfaces.iter().map(|interface| interface.description).collect();
        let links = LinkIndex::new(&self.links);
        let mut resolved = self.clone();
        resolved.stepwise.extend_from_slice(outputs);
        if let Some(events) = resolved.events.as_mut().filter(|_| self.algorithm.is_open) {
            for (instance, _) in outputs {
                events.is_reactor[*instance] = is_reactor(*instance, &links, &descriptions, &resolved.stepwise);
            }
        }
        resolved
    }

    /// Returns the same system with another event: a Real output of an instance that crosses a level, which it must pass by a
    /// margin. `None` if the method is specified by the user, or if the output belongs to a source.
    #[must_use]
    pub fn with_event(
        &self,
        (instance, reference): (usize, RealRef),
        (level, margin): (f64, f64),
        interfaces: &[Interface<'_>],
    ) -> Option<Self> {
        let descriptions: Vec<_> = interfaces.iter().map(|interface| interface.description).collect();
        let is_output = |variable: &Variable| is_real_output(variable) && variable.value_reference == reference.0;
        let variable = descriptions[instance].variables.iter().position(is_output)?;
        if !self.algorithm.is_open || instance >= self.instances {
            return None;
        }
        let links = LinkIndex::new(&self.links);
        let (place, events) = ((instance, variable), self.events.clone());
        let events = Events::with_level(events, place, (level, margin), &links, (&descriptions, &self.stepwise));
        Some(self.with_events(events, interfaces))
    }

    /// Returns the same system with steps that end at kinks of outputs. `None` if the method is specified by the user.
    #[must_use]
    pub fn with_kinks(&self, interfaces: &[Interface<'_>]) -> Option<Self> {
        let descriptions: Vec<_> = interfaces.iter().map(|interface| interface.description).collect();
        let links = LinkIndex::new(&self.links);
        let events = self.events.clone().unwrap_or_else(|| Events::none(&links, (&descriptions, &self.stepwise)));
        self.algorithm.is_open.then(|| self.with_events(events, interfaces))
    }

    fn with_events(&self, events: Events, interfaces: &[Interface<'_>]) -> Self {
        let algorithm = Algorithm { has_events: true, ..self.algorithm.clone() };
        let resolved = Self { events: Some(events), algorithm, ..self.clone() };
        Self { algorithm: resolved.algorithm_for(interfaces), ..resolved }
    }

    /// Whether every instance that reads an event indicator steps after the one that has it. In a ring of instances that read
    /// events of each other, none can.
    #[must_use]
    pub fn events_are_in_order(&self, interfaces: &[Interface<'_>]) -> bool {
        let descriptions: Vec<_> = interfaces.iter().map(|interface| interface.description).collect();
        let ranks = self.graph(&descriptions).ranks();
        self.events.iter().flat_map(|events| &events.readers).all(|&(source, reader)| ranks[source] < ranks[reader])
    }

    /// Returns the same system with times at which an instance acts: `offset` and all times whole periods `every` before and
    /// after it \[s\]. `None` if there are too many times, or if they are not exact enough for the tolerance.
    #[must_use]
    pub fn with_times(&self, actor: usize, (every, offset): (f64, f64), interfaces: &[Interface<'_>]) -> Option<Self> {
        let span = (self.experiment.start, self.experiment.stop);
        let Stepping::Verified(verified) = &self.experiment.stepping else { return None };
        if verified.tolerance < SMALLEST_TOLERANCE {
            return None;
        }
        let times = multiples((every, offset), span)?;
        let mut resolved = self.with_time_events(time_events(times, every, span), true, interfaces);
        resolved.time_events.actors.push(actor);
        Some(resolved)
    }

    /// Returns the same system with steps that end where signals of instances jump or have kinks.
    #[must_use]
    pub fn with_corners(&self, corners: &[Corner], interfaces: &[Interface<'_>]) -> Self {
        let span = (self.experiment.start, self.experiment.stop);
        let jumps = corners.iter().any(|corner| corner.kind == Kind::Jump);
        self.with_time_events(corners.iter().flat_map(|corner| time_events_at(corner, span)), jumps, interfaces)
    }

    fn with_time_events(&self, more: impl Iterator<Item = TimeEvent>, jumps: bool, interfaces: &[Interface<'_>]) -> Self {
        let span = (self.experiment.start, self.experiment.stop);
        let list = self.time_events.list.iter().copied().chain(more).collect();
        let time_events = KnownTimes { list: merged(list, span, self.time_events.slack).into(), ..self.time_events.clone() };
        let algorithm = Algorithm { has_jumps: self.algorithm.has_jumps || jumps, ..self.algorithm.clone() };
        let resolved = Self { time_events, algorithm, ..self.clone() };
        let is_open = resolved.algorithm.is_open;
        let algorithm = if is_open { resolved.algorithm_for(interfaces) } else { resolved.algorithm.clone() };
        Self { algorithm, ..resolved }
    }

    /// Returns loops and evaluation order.
    #[must_use]
    pub fn graph(&self, descriptions: &[&ModelDescription]) -> Graph {
        let preferences = Events::preferences(&self.events, self.algorithm.order.as_deref());
        let mut graph = graph::analyze(descriptions, &self.links, preferences);
        graph.leave_sources(self.instances);
        graph.unconnected = unconnected(self, descriptions);
        graph
    }
}
