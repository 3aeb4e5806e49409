//! Describes the declarations of an FMU as JSON.

use lotka::{
    FmuInfo,
    fmi2::description::{ScalarVariable, VariableKind},
};
use serde_json::{Map, Value, json};

use crate::inspect::{codes, texts};

/// Returns one JSON object, with all variables.
pub(super) fn json(info: &FmuInfo) -> Value {
    let general: Map<_, _> = general(info).into_iter().map(|(name, value)| (name.to_owned(), value.into())).collect();
    let experiment: Map<_, _> = experiment(info).into_iter().map(|(name, value)| (name.to_owned(), value.into())).collect();
    let mut object = json!({ "kind": "fmu", "path": info.path });
    if let Value::Object(object) = &mut object {
        object.extend(general);
    }
    object["platforms"] = json!(info.platforms);
    object["capabilities"] = capabilities(info).into();
    object["default_experiment"] = experiment.into();
    object["log_categories"] = json!(log_categories(info));
    object["variables"] = info.description.variables.iter().map(|variable| variable_json(info, variable)).collect();
    object["warnings"] = texts(&info.warnings).into();
    object["warning_codes"] = codes(&info.warnings).into();
    object
}

fn variable_json(info: &FmuInfo, variable: &ScalarVariable) -> Value {
    let [min, max] = info.description.range_of(variable);
    json!({
        "name": variable.name,
        "value_reference": variable.value_reference,
        "causality": variable.causality().name(),
        "variability": variable.variability().name(),
        "type": variable.kind.type_name(),
        "unit": info.description.unit_of(variable),
        "start": start(variable),
        "min": min,
        "max": max,
        "nominal": info.description.nominal_of(variable),
        "description": variable.description,
    })
}

/// Returns the texts that describe the model, if they exist.
fn general(info: &FmuInfo) -> Vec<(&'static str, String)> {
    let description = &info.description;
    let co_simulation = description.co_simulation.as_ref();
    let facts = [
        ("model_name", Some(description.model_name.clone())),
        ("description", description.description.clone()),
        ("guid", Some(description.guid.clone())),
        ("fmi_version", Some(description.fmi_version.clone())),
        ("model_identifier", co_simulation.map(|co_simulation| co_simulation.interface.model_identifier.clone())),
        ("version", description.version.clone()),
        ("author", description.author.clone()),
        ("license", description.license.clone()),
        ("generation_tool", description.generation_tool.clone()),
        ("generation_date_and_time", description.generation_date_and_time.clone()),
    ];
    facts.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
}

fn capabilities(info: &FmuInfo) -> Map<String, Value> {
    let declared = &info.capabilities;
    let list: [(&str, Value); 9] = [
        ("co_simulation", info.description.co_simulation.is_some().into()),
        ("variable_step", declared.variable_step.into()),
        ("save_state", declared.save_state.into()),
        ("serialize_state", declared.serialize_state.into()),
        ("directional_derivative", declared.directional_derivative.into()),
        ("interpolate_inputs", declared.interpolate_inputs.into()),
        ("max_output_derivative_order", declared.max_output_derivative_order.into()),
        ("run_asynchronously", declared.run_asynchronously.into()),
        ("only_once_per_process", declared.only_once_per_process.into()),
    ];
    list.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// Returns the default experiment; times are in seconds.
fn experiment(info: &FmuInfo) -> [(&'static str, Option<f64>); 4] {
    let experiment = info.description.default_experiment.unwrap_or_default();
    [
        ("start_time", experiment.start_time),
        ("stop_time", experiment.stop_time),
        ("tolerance", experiment.tolerance),
        ("step_size", experiment.step_size),
    ]
}

pub(super) fn log_categories(info: &FmuInfo) -> Vec<&str> {
    info.description.log_categories.iter().map(|category| category.name.as_str()).collect()
}

/// Returns the start value of a variable; for an enumeration, its number.
pub(super) fn start(variable: &ScalarVariable) -> Option<Value> {
    match &variable.kind {
        VariableKind::Real(real) => real.start.map(Value::from),
        VariableKind::Integer(integer) => integer.start.map(Value::from),
        VariableKind::Boolean(boolean) => boolean.start.map(Value::from),
        VariableKind::String(string) => string.start.clone().map(Value::from),
        VariableKind::Enumeration(enumeration) => enumeration.start.map(Value::from),
    }
}
