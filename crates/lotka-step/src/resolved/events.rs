//! Events that end a step.

use std::collections::BTreeSet;

use lotka_instance::{
    ModelDescription, RealRef,
    description::{Causality, Variability, Variable},
};
use lotka_plan::{
    graph::{Declarations, Preferences},
    link::{LinkIndex, SignalType, VariableIndex, signal_type},
};
use serde::Serialize;

/// Events that end a step.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Events {
    /// Outputs that cross levels.
    pub indicators: Vec<Indicator>,
    /// Instances that limit a step by discarding it.
    pub discards: Vec<usize>,
    /// Instances whose events are handled in event mode, because the user asks for it.
    pub event_mode: Vec<usize>,
    /// Accuracy of event localization \[s\], if the user specifies it.
    pub tolerance: Option<f64>,
    /// Per instance: whether its connected outputs are discrete. It then steps after all instances for which this is not the
    /// case, and reads its inputs at the end of a step.
    pub is_reactor: Vec<bool>,
    /// Instances with an indicator and those that read it: sources step first.
    pub readers: Vec<(usize, usize)>,
}

/// An output that crosses a level.
#[derive(Debug, Clone, PartialEq)]
pub struct Indicator {
    /// Index of the instance.
    pub instance: usize,
    /// Value reference.
    pub reference: RealRef,
    /// The level that it crosses.
    pub level: IndicatorLevel,
    /// By how much the level must be passed: one that was measured is known up to rounding, and instances must react.
    pub margin: f64,
    /// The direction of crossings that count.
    pub direction: Direction,
    /// Whether the output follows an input without delay: its slope, which the FMU cannot know, is then not read.
    pub follows_input: bool,
    /// Index of the variable in its model.
    pub variable: usize,
}

/// The level that an indicator crosses.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum IndicatorLevel {
    /// A number.
    Value(f64),
    /// Another output.
    Output {
        /// Index of its instance.
        instance: usize,
        /// Its value reference.
        reference: RealRef,
    },
}

impl Events {
    /// Returns the outputs that are levels of indicators.
    #[must_use]
    pub fn levels(&self) -> Vec<(usize, RealRef)> {
        let level = |indicator: &Indicator| match indicator.level {
            IndicatorLevel::Output { instance, reference } => Some((instance, reference)),
            IndicatorLevel::Value(_) => None,
        };
        self.indicators.iter().filter_map(level).collect()
    }

    /// Returns no events, with the instances that react to some.
    #[must_use]
    pub fn none(links: &LinkIndex<'_>, (descriptions, stepwise): (&[&ModelDescription], &[(usize, RealRef)])) -> Self {
        let is_reactor = |instance| is_reactor(instance, links, descriptions, stepwise);
        Self { is_reactor: (0..descriptions.len()).map(is_reactor).collect(), ..Self::default() }
    }

    /// Returns these events and another one: an output that crosses a level, which it must pass by a margin.
    #[must_use]
    pub fn with_level(
        events: Option<Self>,
        output: VariableIndex,
        (level, margin): (f64, f64),
        links: &LinkIndex<'_>,
        (descriptions, stepwise): (&[&ModelDescription], &[(usize, RealRef)]),
    ) -> Self {
        let mut events = events.unwrap_or_else(|| Self::none(links, (descriptions, stepwise)));
        let indicator =
            Indicator { margin, ..Indicator::new(output, IndicatorLevel::Value(level), Direction::Both, links, descriptions) };
        let known: BTreeSet<_> = events.readers.iter().copied().chain(readers(&indicator, links)).collect();
        events.readers = known.into_iter().collect();
        events.indicators.push(indicator);
        events
    }

    /// Returns the preferences of events for the order in which instances step.
    #[must_use]
    pub fn preferences<'a>(events: &'a Option<Self>, chosen: Option<&'a [usize]>) -> Preferences<'a> {
        match events {
            Some(events) => Preferences { chosen, last: &events.is_reactor, before: &events.readers },
            None => Preferences { chosen, ..Preferences::default() },
        }
    }
}

impl Indicator {
    /// Creates an indicator for an output that crosses a level.
    #[must_use]
    pub fn new(
        (instance, variable): VariableIndex,
        level: IndicatorLevel,
        direction: Direction,
        links: &LinkIndex<'_>,
        descriptions: &[&ModelDescription],
    ) -> Self {
        let inputs = links.inputs_of(instance, |_| true);
        Self {
            instance,
            reference: RealRef(descriptions[instance].variables[variable].value_reference),
            level,
            margin: 0.0,
            direction,
            follows_input: Declarations::new(descriptions[instance]).follows(variable, &inputs),
            variable,
        }
    }
}

/// Whether a variable is a Real output.
#[must_use]
pub fn is_real_output(variable: &Variable) -> bool {
    variable.causality == Causality::Output && signal_type(variable) == SignalType::Real
}

/// Returns an instance with an indicator, paired with each instance that reads it.
pub fn readers<'a>(indicator: &Indicator, links: &'a LinkIndex<'_>) -> impl Iterator<Item = (usize, usize)> + use<'a> {
    let source = indicator.instance;
    let readers = links.from_output((source, indicator.variable)).map(move |link| (source, link.instance));
    readers.filter(|(source, reader)| source != reader)
}

/// Whether all outputs of an instance that others read are discrete, or among those that are constant between jumps. An instance
/// without readers or without inputs reacts to nothing.
#[must_use]
pub fn is_reactor(
    instance: usize,
    links: &LinkIndex<'_>,
    descriptions: &[&ModelDescription],
    stepwise: &[(usize, RealRef)],
) -> bool {
    let is_discrete = |variable: usize| {
        let scalar = &descriptions[instance].variables[variable];
        let is_continuous = signal_type(scalar) == SignalType::Real && scalar.variability == Variability::Continuous;
        !is_continuous || stepwise.contains(&(instance, RealRef(scalar.value_reference)))
    };
    let mut outputs = links.from_instance(instance).map(|(output, _)| is_discrete(output)).peekable();
    outputs.peek().is_some() && outputs.all(|is_discrete| is_discrete) && !links.into_instance(instance).is_empty()
}

/// The direction of crossings that are events.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Direction {
    /// From below to above.
    Up,
    /// From above to below.
    Down,
    /// Both.
    #[default]
    Both,
}
