//! Events: indicators are Real outputs, every FMU can be rolled back, and what reacts steps after what it reacts to.

use std::collections::BTreeSet;

use fmi2::{
    ModelDescription, RealRef,
    description::{Causality, ScalarVariable, Variability},
};

use super::{Algorithm, Interface, Link, SignalType, connections::signal_type};
use crate::{
    Code,
    graph::{self, Preferences},
    source,
    system::{
        Direction, IndicatorSettings, Level, Located, SystemDescription, locate,
        problem::{Findings, nearest},
        units::{self, Conversion, Doubt, Units},
    },
};

/// What must end a step.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Events {
    pub(crate) indicators: Vec<Indicator>,
    /// Instances that say by discarding how far a step may go.
    pub(crate) discards: Vec<usize>,
    /// How exactly events are located \[s\], if the user says so.
    pub(crate) tolerance: Option<f64>,
    /// Per instance: its connected outputs are discrete, so that it steps after all that are not like it, and reads its inputs at the end of a
    /// step.
    pub(crate) is_reactor: Vec<bool>,
    /// Instances with an indicator and those that read it: sources step first.
    pub(crate) readers: Vec<(usize, usize)>,
}

/// An output that crosses a level.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Indicator {
    pub(crate) instance: usize,
    pub(crate) reference: RealRef,
    pub(crate) level: IndicatorLevel,
    pub(crate) direction: Direction,
    /// The output follows an input without delay: its slope, which the FMU cannot know, is not asked for.
    pub(crate) follows_input: bool,
    pub(crate) variable: usize,
}

/// What it crosses.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum IndicatorLevel {
    Value(f64),
    Output { instance: usize, reference: RealRef },
}

impl Events {
    /// Outputs that are levels of indicators.
    pub(crate) fn levels(&self) -> Vec<(usize, RealRef)> {
        let level = |indicator: &Indicator| match indicator.level {
            IndicatorLevel::Output { instance, reference } => Some((instance, reference)),
            IndicatorLevel::Value(_) => None,
        };
        self.indicators.iter().filter_map(level).collect()
    }

    /// These events and another one: an output that crosses a level.
    pub(super) fn with_level(
        events: Option<Self>,
        (instance, variable): (usize, usize),
        level: f64,
        links: &[Link],
        descriptions: &[&ModelDescription],
    ) -> Self {
        let mut events = events.unwrap_or_else(|| Self {
            is_reactor: (0..descriptions.len()).map(|instance| is_reactor(instance, links, descriptions)).collect(),
            ..Self::default()
        });
        let indicator = Indicator::new((instance, variable), IndicatorLevel::Value(level), Direction::Both, links, descriptions);
        let known: BTreeSet<_> = events.readers.iter().copied().chain(readers(&indicator, links)).collect();
        events.readers = known.into_iter().collect();
        events.indicators.push(indicator);
        events
    }

    /// What events ask of the order in which instances step.
    pub(crate) fn preferences<'a>(events: &'a Option<Self>, chosen: Option<&'a [usize]>) -> Preferences<'a> {
        match events {
            Some(events) => Preferences { chosen, last: &events.is_reactor, before: &events.readers },
            None => Preferences { chosen, ..Preferences::default() },
        }
    }
}

impl Indicator {
    fn new(
        (instance, variable): (usize, usize),
        level: IndicatorLevel,
        direction: Direction,
        links: &[Link],
        descriptions: &[&ModelDescription],
    ) -> Self {
        let inputs: Vec<_> = links.iter().filter(|link| link.instance == instance).map(|link| link.variable).collect();
        Self {
            instance,
            reference: RealRef(descriptions[instance].variables[variable].value_reference),
            level,
            direction,
            follows_input: graph::follows(descriptions[instance], variable, &inputs),
            variable,
        }
    }
}

pub(super) fn resolve(
    system: &SystemDescription,
    interfaces: &[Interface<'_>],
    names: &[&str],
    links: &[Link],
    findings: &mut Findings,
) -> Option<Events> {
    let (settings, tolerance) = (&system.events, &system.experiment.event_tolerance);
    if settings.indicators.is_empty() && settings.discards.is_empty() {
        if let Some(tolerance) = tolerance {
            let help = "name the events in [events], or leave it out".to_owned();
            findings.error(Code::MeaninglessSetting, &tolerance.span, "`event-tolerance` has no meaning without events", help);
        }
        return None;
    }
    let descriptions: Vec<_> = interfaces.iter().map(|interface| interface.description).collect();
    let units = Units::new(&system.units);
    let mut resolver = Resolver { names, descriptions: &descriptions, links, units, findings };
    let indicators: Vec<_> = settings.indicators.iter().filter_map(|indicator| resolver.indicator(indicator)).collect();
    let discards = discards(system, &names[..system.instances.len()], findings);
    let readers: BTreeSet<_> = indicators.iter().flat_map(|indicator| readers(indicator, links)).collect();
    Some(Events {
        readers: readers.into_iter().collect(),
        indicators,
        discards,
        tolerance: tolerance.as_ref().map(|tolerance| tolerance.value),
        is_reactor: (0..names.len()).map(|instance| is_reactor(instance, links, &descriptions)).collect(),
    })
}

/// Finds the outputs of indicators.
struct Resolver<'a, 'f> {
    names: &'a [&'a str],
    descriptions: &'a [&'a ModelDescription],
    units: Units<'a>,
    links: &'a [Link],
    findings: &'f mut Findings,
}

impl Resolver<'_, '_> {
    fn indicator(&mut self, settings: &IndicatorSettings) -> Option<Indicator> {
        let output = self.output(&settings.output, INDICATOR);
        let level = match &settings.level {
            Level::Value(value) => Some(IndicatorLevel::Value(*value)),
            Level::Output(name) => self.level(name, &settings.output, output),
        };
        let (output, level) = output.zip(level)?;
        Some(Indicator::new(output, level, settings.direction, self.links, self.descriptions))
    }

    /// A level that is an output, in the unit of the indicator.
    fn level(
        &mut self,
        name: &Located<String>,
        indicator: &Located<String>,
        output: Option<(usize, usize)>,
    ) -> Option<IndicatorLevel> {
        let (instance, variable) = self.output(name, "the level of an event indicator")?;
        let variable_of = |(instance, variable): (usize, usize)| &self.descriptions[instance].variables[variable];
        let unit = |at: (usize, usize)| self.units.of(self.descriptions[at.0], variable_of(at));
        let difference = match units::conversion(unit((instance, variable)), unit(output?)) {
            Ok(Conversion::IDENTITY) => None,
            Ok(_) => Some("they have different units".to_owned()),
            Err(Doubt::Incompatible(reason) | Doubt::Undefined(reason)) => Some(reason),
        };
        if let Some(reason) = difference {
            let message = format!("`{}` cannot be the level of `{}`: {reason}", name.value, indicator.value);
            self.findings.error(
                Code::IncompatibleUnits,
                &name.span,
                message,
                "name a level with the unit of the output, or give a number".to_owned(),
            );
            return None;
        }
        Some(IndicatorLevel::Output { instance, reference: RealRef(variable_of((instance, variable)).value_reference) })
    }

    /// A Real output, to be used as `what`.
    fn output(&mut self, name: &Located<String>, what: &str) -> Option<(usize, usize)> {
        let (instance, variable) = locate::variable(name, self.names, self.descriptions, is_real_output, self.findings)?;
        let scalar = &self.descriptions[instance].variables[variable];
        let is_known = what == INDICATOR && source::is_source(self.descriptions[instance]);
        if is_real_output(scalar) && !is_known {
            return Some((instance, variable));
        }
        let reason = match scalar.causality() {
            _ if is_known => "it is a source, and steps end at its jumps and kinks anyhow",
            Causality::Output => "it is no Real",
            Causality::Input => "it is an input",
            _ => "it is no output",
        };
        let outputs = self.descriptions[instance].variables.iter().filter(|variable| is_real_output(variable));
        let help = match self.source_of(instance, variable) {
            Some(source) => Some(format!("name the output that feeds it, `{source}`")),
            None if is_known => Some("leave it out, or make it the level of an output".to_owned()),
            None => nearest(&scalar.name, outputs.map(|variable| variable.name.as_str())),
        };
        self.findings.error(Code::NotAnEvent, &name.span, format!("`{}` cannot be {what}: {reason}", name.value), help);
        None
    }

    /// The first output that feeds an input.
    fn source_of(&self, instance: usize, variable: usize) -> Option<String> {
        let link = self.links.iter().find(|link| (link.instance, link.variable) == (instance, variable))?;
        let source = link.sources.first()?;
        Some(format!("{}.{}", self.names[source.instance], self.descriptions[source.instance].variables[source.variable].name))
    }
}

/// What the first of the two outputs of an event is.
const INDICATOR: &str = "an event indicator";

pub(super) fn is_real_output(variable: &ScalarVariable) -> bool {
    variable.causality() == Causality::Output && signal_type(variable) == SignalType::Real
}

fn discards(system: &SystemDescription, names: &[&str], findings: &mut Findings) -> Vec<usize> {
    let mut found = Vec::new();
    for name in &system.events.discards {
        match names.iter().position(|known| *known == name.value) {
            Some(index) => found.push(index),
            None => {
                let help = nearest(&name.value, names.iter().copied());
                findings.error(Code::UnknownInstance, &name.span, format!("there is no instance `{}`", name.value), help);
            }
        }
    }
    found
}

fn readers<'a>(indicator: &Indicator, links: &'a [Link]) -> impl Iterator<Item = (usize, usize)> + use<'a> {
    let source = (indicator.instance, indicator.variable);
    let reads = move |link: &&Link| link.sources.iter().any(|other| (other.instance, other.variable) == source);
    links.iter().filter(reads).map(move |link| (source.0, link.instance)).filter(|(source, reader)| source != reader)
}

/// Whether all outputs of an instance that others read are discrete. One that nobody reads or that reads nothing reacts to nothing.
fn is_reactor(instance: usize, links: &[Link], descriptions: &[&ModelDescription]) -> bool {
    let sources = links.iter().flat_map(|link| &link.sources).filter(|source| source.instance == instance);
    let is_discrete = |variable: usize| {
        let scalar = &descriptions[instance].variables[variable];
        signal_type(scalar) != SignalType::Real || scalar.variability() != Variability::Continuous
    };
    let mut outputs = sources.map(|source| is_discrete(source.variable)).peekable();
    outputs.peek().is_some() && outputs.all(|is_discrete| is_discrete) && links.iter().any(|link| link.instance == instance)
}

/// Checks what only the whole system shows: the sweep, the order, the iteration of loops.
pub(super) fn check(
    system: &SystemDescription,
    events: &Events,
    algorithm: &Algorithm,
    links: &[Link],
    interfaces: &[Interface<'_>],
    findings: &mut Findings,
) {
    let place = system.algorithm.sweep.as_ref().and_then(|sweep| sweep.span.clone());
    if algorithm.sweep != "gauss-seidel" {
        let message =
            format!("events do not go with the sweep {}: what reacts to an event would do so a step late", algorithm.sweep);
        findings.error(
            Code::ConflictingSettings,
            &place,
            message,
            "leave `sweep` out, or write sweep = \"gauss-seidel\"".to_owned(),
        );
    }
    let descriptions: Vec<_> = interfaces.iter().map(|interface| interface.description).collect();
    let graph = graph::analyze(&descriptions, links, Events::preferences(&Some(events.clone()), algorithm.order.as_deref()));
    let rank = graph.ranks();
    let name = |instance: usize| system.name_of(instance);
    let place = system.algorithm.order.as_ref().and_then(|order| order.span.clone());
    for &(source, reader) in events.readers.iter().filter(|&&(source, reader)| rank[reader] < rank[source]) {
        let message = format!("`{}` reads an event indicator of `{}` but steps before it", name(reader), name(source));
        let help = format!("it would react a step late; put `{}` first in `order`", name(source));
        findings.error(Code::EventOrder, &place, message, help);
    }
    for (reactor, follower) in followers(events, links).into_iter().filter(|&(reactor, follower)| rank[reactor] < rank[follower])
    {
        let (reactor, follower) = (name(reactor), name(follower));
        let message = format!("`{reactor}` has discrete outputs and steps before `{follower}`, which reads them");
        let help = format!(
            "`{follower}` would see an event before it happens; put `{reactor}` after it in `order`, or leave `order` out"
        );
        findings.error(Code::EventOrder, &place, message, help);
    }
    if algorithm.iteration.is_some()
        && let Some(looped) = graph
            .components
            .iter()
            .find(|component| component.members.len() > 1 && component.members.iter().any(|&member| events.is_reactor[member]))
    {
        let names: Vec<_> = looped.members.iter().map(|&member| format!("`{}`", name(member))).collect();
        let message = format!("the loop {} has discrete outputs that react to events; it cannot be iterated", names.join(", "));
        let place = system.algorithm.iterations.as_ref().and_then(|iterations| iterations.span.clone());
        let by_default = algorithm.iteration.is_some_and(|iteration| iteration.is_default);
        let help = if by_default { "write iterations = 1" } else { "leave `iterations` out" };
        findings.error(Code::EventLoop, &place, message, help.to_owned());
    }
}

/// Reactors and those that are none and read them.
fn followers(events: &Events, links: &[Link]) -> BTreeSet<(usize, usize)> {
    let readers = links.iter().filter(|link| !events.is_reactor[link.instance]);
    let pairs = readers.flat_map(|link| link.sources.iter().map(|source| (source.instance, link.instance)));
    pairs.filter(|(source, reader)| events.is_reactor[*source] && source != reader).collect()
}
