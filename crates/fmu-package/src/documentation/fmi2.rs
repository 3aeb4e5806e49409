//! What the page shows of a description of FMI 2.0.

use fmi2::description::{ModelDescription, ScalarVariable, VariableKind};

use super::{Page, Row, causality};

pub(super) fn page(description: &ModelDescription) -> Page<'_> {
    Page {
        title: &description.model_name,
        about: description.description.as_deref(),
        rows: description.variables.iter().map(|variable| row(description, variable)).collect(),
        experiment: description.default_experiment,
        origin: [&description.version, &description.author, &description.copyright, &description.license].map(Option::as_deref),
    }
}

fn row<'a>(description: &'a ModelDescription, variable: &'a ScalarVariable) -> Row<'a> {
    Row {
        name: &variable.name,
        kind: variable.kind.type_name().into(),
        causality: causality(variable.causality().name()),
        variability: variable.variability(),
        unit: description.unit_of(variable),
        start: start(&variable.kind),
        initial: variable.initial(),
        description: variable.description.as_deref(),
    }
}

fn start(kind: &VariableKind) -> Option<String> {
    match kind {
        VariableKind::Real(real) => real.start.map(|x| format!("{x:?}")),
        VariableKind::Integer(integer) => integer.start.map(|n| n.to_string()),
        VariableKind::Boolean(boolean) => boolean.start.map(|b| b.to_string()),
        VariableKind::String(string) => string.start.clone(),
        VariableKind::Enumeration(item) => item.start.map(|n| n.to_string()),
    }
}
