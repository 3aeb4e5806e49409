//! Construction of the plan.

use std::{
    collections::{HashMap, HashSet, hash_map::Entry},
    ops::Range,
};

use lotka_instance::{
    BinaryRef, BooleanRef, IntegerRef, ModelDescription, RealRef, StringRef,
    description::{Causality, Variability, VariableKind},
};

use super::{Discrete, DiscreteSource, Feed, Gather, InstancePlan, Mapped, Plan, StepLevels, Term};
use crate::{
    graph::{Declarations, Graph, dependencies},
    link::{Link, LinkIndex, LinkSource, PerModel, SignalType, VariableIndex},
};

impl Plan {
    /// Creates the builder. `reads_slopes` states which instances provide slopes of their connected outputs. `levels` are the
    /// outputs that events monitor, by value reference. `recorded` states which variables of which instances are recorded, and
    /// which are set during the run.
    pub fn new(
        names: &[&str],
        descriptions: &[&ModelDescription],
        links: &[Link],
        graph: Graph,
        reads_slopes: &[bool],
        (n_stepping, levels): (usize, &[(usize, RealRef)]),
        recorded: Recorded<'_>,
    ) -> Self {
        let mut builder = Builder {
            levels: levels.iter().copied().collect(),
            recorded: recorded.variables.iter().copied().collect(),
            names,
            descriptions,
            declarations: PerModel::new(descriptions, Declarations::new),
            links,
            link_index: LinkIndex::new(links),
            inputs: HashMap::new(),
            mapped: HashMap::new(),
            converted: HashMap::new(),
            index: descriptions.iter().map(|description| vec![None; description.variables.len()]).collect(),
            plan: Self {
                instances: Vec::new(),
                n_stepping,
                gathers: Vec::new(),
                terms: Vec::new(),
                degrees: Vec::new(),
                signal_names: Vec::new(),
                is_held: Vec::new(),
                is_immediate: Vec::new(),
                slopes: 0,
                loop_tolerance: 0.0,
                longest_chain: dependencies::longest_chain(names.len(), &graph.immediate),
                step_levels: StepLevels::default(),
                components: graph.components,
                has_single: false,
                singles: Vec::new(),
                nominals: Vec::new(),
                integers: Vec::new(),
                booleans: Vec::new(),
                texts: Vec::new(),
                binaries: Vec::new(),
                columns: Vec::new(),
                column_sources: Vec::new(),
                column_traits: Vec::new(),
                row_reads: None,
            },
        };
        for instance in 0..names.len() {
            builder.outputs(instance);
        }
        builder.mapped_integers();
        builder.converted_signals();
        for instance in 0..names.len() {
            builder.inputs(instance);
        }
        builder.record(recorded);
        builder.slopes(reads_slopes);
        builder.plan
    }
}

/// Recorded variables, and the value references of variables that are set during the run.
#[derive(Debug, Clone, Copy)]
pub struct Recorded<'a> {
    /// Recorded variables, by instance and variable.
    pub variables: &'a [(usize, usize)],
    /// Variables that are set during the run, by instance and value reference.
    pub overridden: &'a [(usize, u32)],
}

/// Replacements of whole numbers.
type Map<'a> = &'a [(i128, i128)];

pub(super) struct Builder<'a> {
    pub(super) names: &'a [&'a str],
    pub(super) descriptions: &'a [&'a ModelDescription],
    pub(super) links: &'a [Link],
    pub(super) link_index: LinkIndex<'a>,
    declarations: PerModel<Declarations<'a>>,
    levels: HashSet<(usize, RealRef)>,
    recorded: HashSet<VariableIndex>,
    /// Per instance and variable: its index in the array of its type.
    pub(super) index: Vec<Vec<Option<usize>>>,
    /// Per connected input of an instance, by type and value reference: its gather, or its position among the inputs of its type
    /// that are not Real.
    pub(super) inputs: HashMap<(usize, SignalType, u32), usize>,
    /// Per integer or boolean and map: the integer that follows.
    mapped: HashMap<(DiscreteSource, Map<'a>), usize>,
    /// Per integer or boolean: the Real signal that follows.
    converted: HashMap<DiscreteSource, usize>,
    pub(super) plan: Plan,
}

impl Builder<'_> {
    fn outputs(&mut self, instance: usize) {
        let variables = &self.descriptions[instance].variables;
        let outputs = variables.iter().enumerate().filter(|(_, variable)| variable.causality == Causality::Output);
        let (mut connected, mut other): (Vec<_>, Vec<_>) =
            outputs.map(|(index, _)| index).partition(|&variable| self.link_index.is_read((instance, variable)));
        if instance >= self.plan.n_stepping {
            // Of a table, only the columns in use count.
            let is_level = |variable: usize| self.levels.contains(&(instance, RealRef(variables[variable].value_reference)));
            other.retain(|&variable| is_level(variable) || self.recorded.contains(&(instance, variable)));
        }
        let start = self.plan.signal_names.len();
        let mut references = Vec::new();
        let mut discrete = Discrete::default();
        let first_other = connected.len();
        connected.extend(other);
        let mut connected_reals = 0;
        for (position, &variable) in connected.iter().enumerate() {
            let is_connected = position < first_other;
            let is_real = self.output(instance, variable, &mut references, &mut discrete);
            connected_reals += usize::from(is_connected && is_real);
            discrete.every_step |= is_connected && !is_real;
        }
        let has_discrete = discrete.writes();
        self.plan.instances.push(InstancePlan {
            outputs: start..start + references.len(),
            output_references: references.into(),
            n_connected: connected_reals,
            discrete: has_discrete.then(|| Box::new(discrete)),
            ..InstancePlan::default()
        });
    }

    /// Assigns a place to one output; returns whether it is Real.
    fn output(&mut self, instance: usize, variable: usize, reals: &mut Vec<RealRef>, discrete: &mut Discrete) -> bool {
        let scalar = &self.descriptions[instance].variables[variable];
        let (reference, name) = (scalar.value_reference, format!("{}.{}", self.names[instance], scalar.name));
        let plan = &mut self.plan;
        let index = match scalar.kind {
            VariableKind::Real(_) => {
                reals.push(RealRef(reference));
                plan.signal_names.push(name);
                plan.nominals.push(scalar.nominal());
                if scalar.is_single() {
                    plan.has_single = true;
                    plan.singles.push(plan.signal_names.len() - 1);
                }
                plan.is_held.push(scalar.variability == Variability::Discrete);
                plan.is_immediate.push(self.declarations[instance].is_immediate(variable));
                plan.signal_names.len() - 1
            }
            VariableKind::Integer(_) | VariableKind::Enumeration(_) => {
                plan.integers.push(name);
                append(&mut discrete.integer_outputs, IntegerRef(reference), plan.integers.len() - 1)
            }
            VariableKind::Boolean(_) => {
                plan.booleans.push(name);
                append(&mut discrete.boolean_outputs, BooleanRef(reference), plan.booleans.len() - 1)
            }
            VariableKind::String(_) => {
                plan.texts.push(name);
                append(&mut discrete.text_outputs, StringRef(reference), plan.texts.len() - 1)
            }
            VariableKind::Binary(_) => {
                plan.binaries.push(name);
                append(&mut discrete.binary_outputs, BinaryRef(reference), plan.binaries.len() - 1)
            }
        };
        self.index[instance][variable] = Some(index);
        matches!(scalar.kind, VariableKind::Real(_))
    }

    /// Adds the integers that follow others by a map. They come after the outputs of all instances.
    fn mapped_integers(&mut self) {
        for source in self.links.iter().flat_map(|link| &link.sources).filter(|source| !source.map.is_empty()) {
            let Some(index) = self.index[source.instance][source.variable] else { continue };
            let of = output_source(source.signal, index);
            let Some(discrete) = &mut self.plan.instances[source.instance].discrete else { continue };
            if let Entry::Vacant(entry) = self.mapped.entry((of, source.map.as_slice())) {
                let integer = *entry.insert(self.plan.integers.len());
                discrete.mapped.push(Mapped { integer, of, map: source.map.clone().into() });
                let variable = &self.descriptions[source.instance].variables[source.variable].name;
                self.plan.integers.push(format!("{}.{variable}", self.names[source.instance]));
            }
        }
    }

    /// The place of the whole number that a source provides.
    pub(super) fn discrete_source(&self, source: &LinkSource) -> Option<DiscreteSource> {
        let of = output_source(source.signal, self.index[source.instance][source.variable]?);
        if source.map.is_empty() {
            return Some(of);
        }
        self.mapped.get(&(of, source.map.as_slice())).map(|integer| DiscreteSource::Integer(*integer))
    }

    /// Adds the Real signals converted from integers and booleans that feed Real inputs. They come after the outputs of all
    /// instances.
    fn converted_signals(&mut self) {
        let real_links = self.links.iter().filter(|link| link.signal == SignalType::Real);
        for source in real_links.flat_map(|link| &link.sources).filter(|source| source.signal != SignalType::Real) {
            let Some(from) = self.discrete_source(source) else { continue };
            let Some(discrete) = &mut self.plan.instances[source.instance].discrete else { continue };
            if let Entry::Vacant(entry) = self.converted.entry(from) {
                discrete.converted.push((*entry.insert(self.plan.signal_names.len()), from));
                let variable = &self.descriptions[source.instance].variables[source.variable].name;
                self.plan.signal_names.push(format!("{}.{variable}", self.names[source.instance]));
                self.plan.is_held.push(true);
                self.plan.is_immediate.push(true);
            }
        }
    }

    fn inputs(&mut self, instance: usize) {
        let (start, mut references) = (self.plan.gathers.len(), Vec::new());
        let links = self.link_index.into_instance(instance).to_vec();
        let (reals, others): (Vec<_>, Vec<_>) = links.into_iter().partition(|link| link.signal == SignalType::Real);
        let declarations = &self.declarations[instance];
        let has_feedthrough = reals.iter().any(|link| declarations.has_feedthrough(link.variable));
        let variables = self.descriptions[instance].variables.iter().enumerate();
        let mut variables = variables.map(|(index, variable)| (variable.causality, variable.variability, index));
        let follows_at_once = variables.any(|(causality, variability, index)| match causality {
            Causality::Input => declarations.has_feedthrough(index),
            causality => causality == Causality::Parameter && variability == Variability::Tunable,
        });
        let mut reals: Vec<_> = reals.into_iter().map(|link| (self.terms_of(link), link)).collect();
        reals.sort_by_key(|(terms, _)| terms.first().map(|term| term.signal));
        for (terms, link) in reals {
            let first = self.plan.terms.len();
            self.plan.terms.extend(terms);
            self.plan.degrees.extend(link.sources.iter().map(|source| source.degree));
            let offset = link.sources.iter().map(|source| source.offset).sum();
            let input = &self.descriptions[instance].variables[link.variable];
            let reference = input.value_reference;
            self.plan.has_single |= input.is_single();
            self.inputs.entry((instance, SignalType::Real, reference)).or_insert(self.plan.gathers.len());
            self.plan.gathers.push(Gather { terms: first..self.plan.terms.len(), offset });
            references.push(RealRef(reference));
        }
        let gathers = start..self.plan.gathers.len();
        let feed = self.feed(gathers.clone(), &self.plan.instances[instance].outputs);
        let instance_plan = &mut self.plan.instances[instance];
        (instance_plan.feed, instance_plan.gathers, instance_plan.has_feedthrough) = (feed, gathers, has_feedthrough);
        (instance_plan.input_references, instance_plan.follows_at_once) = (references.into(), follows_at_once);
        for link in others {
            self.discrete_input(link);
        }
    }

    fn terms_of(&self, link: &Link) -> Vec<Term> {
        let signal = |source: &LinkSource| {
            if source.signal == SignalType::Real {
                return self.index[source.instance][source.variable];
            }
            self.converted.get(&self.discrete_source(source)?).copied()
        };
        link.sources.iter().filter_map(|source| Some(Term { signal: signal(source)?, factor: source.factor })).collect()
    }

    /// Direct if the inputs are an unchanged image of adjacent signals that are not the instance's own outputs.
    fn feed(&self, inputs: Range<usize>, own: &Range<usize>) -> Feed {
        let plan = &self.plan;
        let source = |gather: &Gather| match plan.terms[gather.terms.clone()] {
            [Term { signal, factor: 1.0 }] if gather.offset == 0.0 => Some(signal),
            _ => None,
        };
        let Some(first) = plan.gathers[inputs.clone()].first().and_then(source) else { return Feed::Gather };
        let is_image =
            plan.gathers[inputs.clone()].iter().zip(first..).all(|(gather, expected)| source(gather) == Some(expected));
        let range = first..first + inputs.len();
        let overlaps = range.start < own.end && own.start < range.end;
        if is_image && !overlaps { Feed::Direct(range) } else { Feed::Gather }
    }

    /// Assigns places to the slopes of connected outputs.
    fn slopes(&mut self, reads_slopes: &[bool]) {
        for instance in (0..reads_slopes.len()).filter(|&instance| reads_slopes[instance]) {
            let description = self.descriptions[instance];
            let instance_plan = &mut self.plan.instances[instance];
            let inputs = self.link_index.inputs_of(instance, |signal| signal == SignalType::Real);
            let (mut references, mut signals) = (Vec::new(), Vec::new());
            for (variable, signal) in self.index[instance].iter().enumerate() {
                let scalar = &description.variables[variable];
                let Some(signal) = signal.filter(|signal| {
                    matches!(scalar.kind, VariableKind::Real(_))
                        && instance_plan.connected().contains(signal)
                        && !self.declarations[instance].follows(variable, &inputs)
                }) else {
                    continue;
                };
                references.push(RealRef(scalar.value_reference));
                signals.push(signal);
            }
            instance_plan.slopes = self.plan.slopes..self.plan.slopes + signals.len();
            self.plan.slopes = instance_plan.slopes.end;
            (instance_plan.slope_references, instance_plan.slope_signals) = (references.into(), signals.into());
        }
    }

    fn discrete_input(&mut self, link: &Link) {
        let [source] = link.sources.as_slice() else { return };
        let Some(index) = self.index[source.instance][source.variable] else { return };
        let Some(from) = self.discrete_source(source) else { return };
        let reference = self.descriptions[link.instance].variables[link.variable].value_reference;
        let discrete = self.plan.instances[link.instance].discrete.get_or_insert_default();
        let position = match link.signal {
            SignalType::Integer => push(&mut discrete.integer_inputs, (IntegerRef(reference), from)),
            SignalType::Boolean => push(&mut discrete.boolean_inputs, (BooleanRef(reference), from)),
            SignalType::Text => push(&mut discrete.text_inputs, (StringRef(reference), index)),
            SignalType::Binary => push(&mut discrete.binary_inputs, (BinaryRef(reference), index)),
            SignalType::Real => return,
        };
        self.inputs.entry((link.instance, link.signal, reference)).or_insert(position);
    }
}

/// Adds an item and returns its position.
fn push<T>(list: &mut Vec<T>, item: T) -> usize {
    list.push(item);
    list.len() - 1
}

/// Adds a reference whose value goes to `index`, just after those of the references before it; returns that index.
pub(super) fn append<R>(references: &mut (Vec<R>, Range<usize>), reference: R, index: usize) -> usize {
    if references.0.is_empty() {
        references.1 = index..index;
    }
    references.0.push(reference);
    references.1.end = index + 1;
    index
}

fn output_source(signal: SignalType, index: usize) -> DiscreteSource {
    if signal == SignalType::Boolean { DiscreteSource::Boolean(index) } else { DiscreteSource::Integer(index) }
}
