//! Describes the declarations of an FMU as JSON.

use lotka::{
    BehaviorRecord, FmuInfo,
    instance::description::{IntegerType, Variable, VariableKind},
};
use serde_json::{Map, Value, json};

use crate::inspect::description::{codes, texts};

/// Returns one JSON object, with all variables.
pub(super) fn json(info: &FmuInfo, record: Option<&BehaviorRecord>) -> Value {
    let general: Map<_, _> = general(info).into_iter().map(|(name, value)| (name.to_owned(), value.into())).collect();
    let experiment: Map<_, _> = experiment(info).into_iter().map(|(name, value)| (name.to_owned(), value.into())).collect();
    let mut object = json!({ "kind": "fmu", "path": info.path });
    if let Value::Object(object) = &mut object {
        object.extend(general);
    }
    object["platforms"] = json!(info.platforms);
    object["capabilities"] = capabilities(info).into();
    object["behavior"] = json!(record);
    object["default_experiment"] = experiment.into();
    object["log_categories"] = json!(log_categories(info));
    object["variables"] = info.interface.variables.iter().map(variable_json).collect();
    object["warnings"] = texts(&info.warnings).into();
    object["warning_codes"] = codes(&info.warnings).into();
    object
}

fn variable_json(variable: &Variable) -> Value {
    let [min, max] = variable.range();
    json!({
        "name": variable.name,
        "value_reference": variable.value_reference,
        "causality": variable.causality.name(),
        "variability": variable.variability.name(),
        "type": type_name(variable),
        "unit": variable.unit(),
        "start": start(variable),
        "min": min,
        "max": max,
        "nominal": variable.nominal(),
        "description": variable.description,
    })
}

/// Returns the texts that describe the model, if they exist.
fn general(info: &FmuInfo) -> Vec<(&'static str, String)> {
    let (description, interface) = (&info.description, &info.interface);
    let facts = [
        ("model_name", Some(interface.model_name.clone())),
        ("description", interface.description.clone()),
        ("guid", Some(interface.token.clone())),
        ("fmi_version", Some(description.fmi_version().to_owned())),
        ("model_identifier", description.model_identifier().map(str::to_owned)),
        ("version", interface.version.clone()),
        ("author", description.author().map(str::to_owned)),
        ("license", description.license().map(str::to_owned)),
        ("generation_tool", interface.generation_tool.clone()),
        ("generation_date_and_time", interface.generation_date_and_time.clone()),
    ];
    facts.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
}

fn capabilities(info: &FmuInfo) -> Map<String, Value> {
    let declared = &info.interface.capabilities;
    let list: [(&str, Value); 10] = [
        ("co_simulation", info.description.model_identifier().is_some().into()),
        ("variable_step", declared.variable_step.into()),
        ("save_state", declared.save_state.into()),
        ("serialize_state", declared.serialize_state.into()),
        ("directional_derivative", declared.directional_derivative.into()),
        ("interpolate_inputs", declared.interpolate_inputs.into()),
        ("max_output_derivative_order", declared.max_output_derivative_order.into()),
        ("run_asynchronously", declared.run_asynchronously.into()),
        ("only_once_per_process", declared.only_once_per_process.into()),
        ("event_mode", declared.event_mode.into()),
    ];
    list.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// Returns the default experiment; times are in seconds.
fn experiment(info: &FmuInfo) -> [(&'static str, Option<f64>); 4] {
    let experiment = info.interface.default_experiment.unwrap_or_default();
    [
        ("start_time", experiment.start_time),
        ("stop_time", experiment.stop_time),
        ("tolerance", experiment.tolerance),
        ("step_size", experiment.step_size),
    ]
}

pub(super) fn log_categories(info: &FmuInfo) -> Vec<&str> {
    info.description.log_categories().collect()
}

/// Returns the start value of a variable; for an enumeration, its number.
pub(super) fn start(variable: &Variable) -> Option<Value> {
    match &variable.kind {
        VariableKind::Real(real) => real.start.map(Value::from),
        VariableKind::Integer(integer) => integer.start.map(whole),
        VariableKind::Boolean(boolean) => boolean.start.map(Value::from),
        VariableKind::String(string) => string.start.clone().map(Value::from),
        VariableKind::Binary(binary) => binary.start.as_deref().map(lotka::hash_of).map(Value::from),
        VariableKind::Enumeration(enumeration) => enumeration.start.map(whole),
    }
}

/// All integers of variables have 64 bits, with or without sign.
fn whole(value: i128) -> Value {
    i64::try_from(value).map_or_else(|_| json!(value as u64), Value::from)
}

/// Returns the type of a variable, exactly where FMI 3.0 knows more than one.
pub(super) fn type_name(variable: &Variable) -> &'static str {
    match &variable.kind {
        VariableKind::Real(real) if real.is_single => "Float32",
        VariableKind::Integer(integer) if integer.width != IntegerType::Int32 => integer.width.name(),
        kind => kind.type_name(),
    }
}
