//! What the page shows of a description of FMI 3.0.

use fmi3::description::{Dimension, ModelDescription, Variable, VariableKind};

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

fn row<'a>(description: &'a ModelDescription, variable: &'a Variable) -> Row<'a> {
    Row {
        name: &variable.name,
        kind: kind(description, variable),
        causality: causality(variable.causality().name()),
        variability: variable.variability(),
        unit: unit(&variable.kind),
        start: start(&variable.kind),
        initial: variable.initial(),
        description: variable.description.as_deref(),
    }
}

/// Returns the type, and the sizes of an array: `Float64[3,n]`.
fn kind(description: &ModelDescription, variable: &Variable) -> String {
    let size = |dimension: &Dimension| match dimension {
        Dimension::Fixed(size) => size.to_string(),
        Dimension::Variable(reference) => {
            let named = description.variables.iter().find(|other| other.value_reference == *reference);
            named.map_or_else(String::new, |other| other.name.clone())
        }
    };
    let sizes: Vec<_> = variable.dimensions.iter().map(size).collect();
    let name = variable.kind.type_name();
    if sizes.is_empty() { name.into() } else { format!("{name}[{}]", sizes.join(",")) }
}

fn unit(kind: &VariableKind) -> Option<&str> {
    match kind {
        VariableKind::Float64(float) | VariableKind::Float32(float) => float.unit.as_deref(),
        _ => None,
    }
}

fn start(kind: &VariableKind) -> Option<String> {
    match kind {
        VariableKind::Float64(float) | VariableKind::Float32(float) => {
            float.start.as_ref().map(|x| list(x, |x| format!("{x:?}")))
        }
        VariableKind::Integer(_, integer) => integer.start.as_ref().map(|n| list(n, ToString::to_string)),
        VariableKind::Boolean(boolean) => boolean.start.as_ref().map(|b| list(b, ToString::to_string)),
        VariableKind::Enumeration(item) => item.start.as_ref().map(|n| list(n, ToString::to_string)),
        VariableKind::String(string) => (!string.start.is_empty()).then(|| string.start.join(" ")),
        VariableKind::Binary(binary) => (!binary.start.is_empty())
            .then(|| list(&binary.start, |bytes| bytes.iter().map(|byte| format!("{byte:02x}")).collect())),
        VariableKind::Clock(_) => None,
    }
}

fn list<T>(values: &[T], text: impl Fn(&T) -> String) -> String {
    values.iter().map(text).collect::<Vec<_>>().join(" ")
}
