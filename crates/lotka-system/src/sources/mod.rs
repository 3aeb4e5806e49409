//! The sources of a system, created from its description: tables in files and formulas.

mod model;
mod read;
mod units;

use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
};

use lotka_instance::{
    ModelDescription,
    description::{IntegerType, Variable, VariableKind},
};
use lotka_message::Findings;
use lotka_plan::{link::signal_type, source::SourceModel};
use lotka_step::resolved::Interface;
use model::{Reader, SourceContext};

use super::{
    EventLevel, SystemDescription,
    locate::{Names, split},
};

/// Makes all sources; `descriptions` are those of the instances. Problems of the files are among the findings.
pub fn models(
    system: &SystemDescription,
    base: &std::path::Path,
    descriptions: &[&ModelDescription],
    findings: &mut Findings,
) -> Vec<Arc<SourceModel>> {
    let start = system.experiment.start.as_ref().map_or(0.0, |start| start.value);
    let stop = system.experiment.stop.as_ref().map(|stop| stop.value);
    let mut readers = if system.sources.is_empty() { HashMap::new() } else { readers(system, descriptions) };
    let model = |source: &super::SourceSettings| {
        let readers = readers.remove(source.name.value.as_str()).unwrap_or_default();
        let context = SourceContext { base, span: (start, stop), units: &system.units, descriptions, readers };
        Arc::new(model::model(source, &context, findings))
    };
    system.sources.iter().map(model).collect()
}

/// Per source: the readers of each output, which are inputs and levels of events.
fn readers<'a>(
    system: &'a SystemDescription,
    descriptions: &[&'a ModelDescription],
) -> HashMap<&'a str, BTreeMap<&'a str, Vec<Reader<'a>>>> {
    let mut found: HashMap<_, _> = system.sources.iter().map(|source| (source.name.value.as_str(), BTreeMap::new())).collect();
    let mut note = |output: &'a str, reader: &dyn Fn() -> Reader<'a>| {
        let Some((source, output)) = split(output) else { return };
        if let Some(outputs) = found.get_mut(source) {
            outputs.entry(output).or_insert_with(Vec::new).push(reader());
        }
    };
    let instances = system.instances.iter().map(|instance| instance.name.value.as_str());
    let names = Names::new(instances.collect(), descriptions.to_vec());
    for connection in &system.connections {
        connection.sources.iter().for_each(|source| note(&source.from.value, &|| reader(&names, &connection.input.value)));
    }
    for indicator in &system.events.indicators {
        if let EventLevel::Output(name) = &indicator.level {
            note(&name.value, &|| Reader::default());
        }
    }
    found
}

/// An input that reads an output. Missing ones are reported elsewhere.
fn reader<'a>(names: &Names<'a>, input: &str) -> Reader<'a> {
    let of_variable = |place| {
        let variable = names.variable(place);
        Reader { signal: signal_type(variable), unit: variable.unit(), integers: width(variable) }
    };
    names.find_full(input).map_or(Reader::default(), of_variable)
}

/// What the rest of the system sees of a source.
#[must_use]
pub fn interface(model: &SourceModel) -> Interface<'_> {
    Interface {
        path: &model.path,
        description: &model.description,
        capabilities: model.description.capabilities,
        source: Some(model),
    }
}

/// The integers that a variable can have.
fn width(variable: &Variable) -> IntegerType {
    match &variable.kind {
        VariableKind::Integer(integer) => integer.width,
        _ => IntegerType::Int32,
    }
}
