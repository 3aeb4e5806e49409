//! The sources of a system, created from its description: tables in files and formulas.

mod model;
mod read;
mod units;

use std::sync::Arc;

use lotka_instance::ModelDescription;

use super::{EventLevel, Located, SystemDescription, locate};
use lotka_engine::resolved::{Interface, SignalType, signal_type};
use lotka_engine::source::SourceModel;
use lotka_message::Findings;

pub use read::column_names;

use model::{Reader, SourceContext};

/// Makes all sources; `descriptions` are those of the instances. Problems of the files are among the findings.
pub fn models(
    system: &SystemDescription,
    base: &std::path::Path,
    descriptions: &[&ModelDescription],
    findings: &mut Findings,
) -> Vec<Arc<SourceModel>> {
    let start = system.experiment.start.as_ref().map_or(0.0, |start| start.value);
    let stop = system.experiment.stop.as_ref().map(|stop| stop.value);
    let model = |source: &super::SourceSettings| {
        let readers = readers(system, &source.name.value, descriptions);
        let context = SourceContext { base, span: (start, stop), units: &system.units, descriptions, readers };
        Arc::new(model::model(source, &context, findings))
    };
    system.sources.iter().map(model).collect()
}

/// Outputs of a source and their readers: inputs, and levels of events.
fn readers<'a>(system: &'a SystemDescription, source: &str, descriptions: &[&'a ModelDescription]) -> Vec<(&'a str, Reader<'a>)> {
    let output =
        |name: &'a Located<String>| locate::split(&name.value).filter(|(known, _)| *known == source).map(|(_, name)| name);
    let connected = system.connections.iter().flat_map(|connection| {
        connection
            .sources
            .iter()
            .filter_map(move |from| Some((output(&from.from)?, reader(system, &connection.input.value, descriptions))))
    });
    let levels = system.events.indicators.iter().filter_map(|indicator| match &indicator.level {
        EventLevel::Output(name) => Some((output(name)?, Reader { signal: SignalType::Real, unit: None })),
        EventLevel::Value(_) => None,
    });
    connected.chain(levels).collect()
}

/// An input that reads an output. Missing ones are reported elsewhere.
fn reader<'a>(system: &SystemDescription, input: &str, descriptions: &[&'a ModelDescription]) -> Reader<'a> {
    let find = || {
        let (instance, name) = locate::split(input)?;
        let instance = system.instances.iter().position(|known| known.name.value == instance)?;
        let description = descriptions.get(instance)?;
        let variable = description.variables.iter().find(|variable| variable.name == name)?;
        Some(Reader { signal: signal_type(variable), unit: variable.unit() })
    };
    find().unwrap_or(Reader { signal: SignalType::Real, unit: None })
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
