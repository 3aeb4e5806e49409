//! Events: indicators must be Real outputs, every FMU must support rollback, and reacting instances step after those that they
//! react to.

use std::collections::BTreeSet;

use lotka_instance::{RealRef, description::Causality};
use lotka_message::{Code, Findings, nearest};
use lotka_plan::{
    graph::{self},
    link::{Link, LinkIndex, VariableIndex},
};
use lotka_step::resolved::{Algorithm, Events, Indicator, IndicatorLevel, Interface, is_reactor, is_real_output, readers};

use crate::{
    EventLevel, IndicatorSettings, Located, SystemDescription,
    locate::Names,
    units::{self, Conversion, Doubt, Units},
};

pub fn resolve(system: &SystemDescription, names: &Names<'_>, links: &LinkIndex<'_>, findings: &mut Findings) -> Option<Events> {
    let (settings, tolerance) = (&system.events, &system.experiment.event_tolerance);
    if settings.indicators.is_empty() && settings.discards.is_empty() && settings.event_mode.is_empty() {
        if let Some(tolerance) = tolerance {
            let help = "list the events in [events], or remove it".to_owned();
            findings.error(Code::MeaninglessSetting, &tolerance.span, "`event-tolerance` has no effect without events", help);
        }
        return None;
    }
    let units = Units::new(&system.units);
    let mut resolver = Resolver { system, names, links, units, findings };
    let indicators: Vec<_> = settings.indicators.iter().filter_map(|indicator| resolver.indicator(indicator)).collect();
    let discards = instances(system, &settings.discards, names, findings);
    let event_mode = instances(system, &settings.event_mode, names, findings);
    // In event mode, instances react at once, whatever their place in the order.
    let react_late = !indicators.is_empty() || !discards.is_empty();
    let readers: BTreeSet<_> = indicators.iter().flat_map(|indicator| readers(indicator, links)).collect();
    Some(Events {
        readers: readers.into_iter().collect(),
        indicators,
        discards,
        event_mode,
        tolerance: tolerance.as_ref().map(|tolerance| tolerance.value),
        is_reactor: (0..names.list().len())
            .map(|instance| react_late && is_reactor(instance, links, names.descriptions(), &[]))
            .collect(),
    })
}

/// Finds the outputs of indicators.
struct Resolver<'a, 'f> {
    system: &'a SystemDescription,
    names: &'a Names<'a>,
    units: Units<'a>,
    links: &'a LinkIndex<'a>,
    findings: &'f mut Findings,
}

impl Resolver<'_, '_> {
    fn indicator(&mut self, settings: &IndicatorSettings) -> Option<Indicator> {
        let output = self.output(&settings.output, INDICATOR);
        let level = match &settings.level {
            EventLevel::Value(value) => Some(IndicatorLevel::Value(*value)),
            EventLevel::Output(name) => self.level(name, &settings.output, output),
        };
        let (output, level) = output.zip(level)?;
        Some(Indicator::new(output, level, settings.direction, self.links, self.names.descriptions()))
    }

    /// A level that is an output, in the unit of the indicator.
    fn level(
        &mut self,
        name: &Located<String>,
        indicator: &Located<String>,
        output: Option<VariableIndex>,
    ) -> Option<IndicatorLevel> {
        let (instance, variable) = self.output(name, "the level of an event indicator")?;
        let unit = |at: VariableIndex| self.units.of(self.names.description(at.0), self.names.variable(at));
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
        Some(IndicatorLevel::Output { instance, reference: RealRef(self.names.variable((instance, variable)).value_reference) })
    }

    /// A Real output, to be used as `what`.
    fn output(&mut self, name: &Located<String>, what: &str) -> Option<VariableIndex> {
        let (instance, variable) = self.names.locate(name, is_real_output, self.findings)?;
        let (description, scalar) = (self.names.description(instance), self.names.variable((instance, variable)));
        let is_sampled = self.system.is_sampled(instance);
        let is_known = what == INDICATOR && (description.is_source || is_sampled);
        if is_real_output(scalar) && !is_known {
            return Some((instance, variable));
        }
        let reason = match scalar.causality {
            _ if is_known && is_sampled => "its instance is sampled, and steps already end where it jumps",
            _ if is_known => "it is a source, and steps already end at its jumps and kinks",
            Causality::Output => "it is not a Real variable",
            Causality::Input => "it is an input",
            _ => "it is not an output",
        };
        let outputs = description.variables.iter().filter(|variable| is_real_output(variable));
        let help = match self.source_of((instance, variable)) {
            Some(source) => Some(format!("name the output that feeds it, `{source}`")),
            None if is_known => Some("remove it, or make it the level of an output".to_owned()),
            None => nearest(&scalar.name, outputs.map(|variable| variable.name.as_str())),
        };
        self.findings.error(Code::NotAnEvent, &name.span, format!("`{}` cannot be {what}: {reason}", name.value), help);
        None
    }

    /// The first output that feeds an input.
    fn source_of(&self, input: VariableIndex) -> Option<String> {
        let source = self.links.into_input(input)?.sources.first()?;
        Some(self.names.full_name(source.output()))
    }
}

/// The role of the first of the two outputs of an event.
const INDICATOR: &str = "an event indicator";

fn instances(system: &SystemDescription, listed: &[Located<String>], names: &Names<'_>, findings: &mut Findings) -> Vec<usize> {
    let mut found = Vec::new();
    for name in listed {
        match names.find(&name.value).filter(|index| *index < system.instances.len()) {
            Some(index) if system.is_sampled(index) => {
                let message = format!("[events] does not apply to `{}`: it is sampled, and steps already end there", name.value);
                findings.error(Code::MeaninglessSetting, &name.span, message, "remove it, or its `sample-time`".to_owned());
            }
            Some(index) => found.push(index),
            None => {
                let help = nearest(&name.value, names.list()[..system.instances.len()].iter().copied());
                findings.error(Code::UnknownInstance, &name.span, format!("unknown instance `{}`", name.value), help);
            }
        }
    }
    found
}

/// Checks the properties of the whole system: coupling scheme, order, iteration of loops.
pub(super) fn check(
    system: &SystemDescription,
    events: &Events,
    algorithm: &Algorithm,
    links: &[Link],
    interfaces: &[Interface<'_>],
    findings: &mut Findings,
) {
    let place = system.algorithm.sweep.as_ref().and_then(|sweep| sweep.span.clone());
    let react_late = !events.indicators.is_empty() || !events.discards.is_empty();
    if react_late && !algorithm.sweep.make().steps_in_order() {
        let message = format!("[events] does not support the sweep {}: instances would react one step late", algorithm.sweep);
        findings.error(Code::ConflictingSettings, &place, message, "remove `sweep`, or set sweep = \"gauss-seidel\"".to_owned());
    }
    check_event_mode(system, events, interfaces, findings);
    let descriptions: Vec<_> = interfaces.iter().map(|interface| interface.description).collect();
    let graph = graph::analyze(&descriptions, links, Events::preferences(&Some(events.clone()), algorithm.order.as_deref()));
    let rank = graph.ranks();
    let name = |instance: usize| system.name_of(instance);
    let place = system.algorithm.order.as_ref().and_then(|order| order.span.clone());
    for &(source, reader) in events.readers.iter().filter(|&&(source, reader)| rank[reader] < rank[source]) {
        let message = format!("`{}` reads an event indicator of `{}` but steps before it", name(reader), name(source));
        let help = format!("put `{}` first in `order`; otherwise the reaction is one step late", name(source));
        findings.error(Code::EventOrder, &place, message, help);
    }
    for (reactor, follower) in followers(events, links).into_iter().filter(|&(reactor, follower)| rank[reactor] < rank[follower])
    {
        let (reactor, follower) = (name(reactor), name(follower));
        let message = format!("`{reactor}` has discrete outputs but steps before `{follower}`, which reads them");
        let help = format!(
            "put `{reactor}` after `{follower}` in `order`, or remove `order`; otherwise `{follower}` reads an event before it \
             occurs"
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
        let message = format!("cannot iterate the loop {}: it has discrete outputs that react to events", names.join(", "));
        let place = system.algorithm.iterations.as_ref().and_then(|iterations| iterations.span.clone());
        let by_default = algorithm.iteration.as_ref().is_some_and(|iteration| iteration.is_default);
        let help = if by_default { "set iterations = 1" } else { "remove `iterations`" };
        findings.error(Code::EventLoop, &place, message, help.to_owned());
    }
}

/// Checks that instances have event mode where it is asked for.
fn check_event_mode(system: &SystemDescription, events: &Events, interfaces: &[Interface<'_>], findings: &mut Findings) {
    for &index in events.event_mode.iter().filter(|index| !interfaces[**index].capabilities.event_mode) {
        let name = system.name_of(index);
        let place = system.events.event_mode.iter().find(|listed| listed.value == name).and_then(|listed| listed.span.clone());
        findings.error(
            Code::NotAnEvent,
            &place,
            format!("the events of `{name}` cannot be handled in event mode: its FMU has none"),
            format!(
                "name an output that crosses a level, or set {name} = \"discard\" if the FMU discards steps that go past an event"
            ),
        );
    }
}

/// Pairs of a reactor and an instance that is not a reactor but reads from it.
fn followers(events: &Events, links: &[Link]) -> BTreeSet<VariableIndex> {
    let readers = links.iter().filter(|link| !events.is_reactor[link.instance]);
    let pairs = readers.flat_map(|link| link.sources.iter().map(|source| (source.instance, link.instance)));
    pairs.filter(|(source, reader)| events.is_reactor[*source] && source != reader).collect()
}
