//! Checks start values against the types of their variables.

use std::{borrow::Cow, collections::HashMap, fmt::Display};

use lotka_instance::{
    ModelDescription, TypedValue,
    description::{Causality, EnumerationItem, IntegerType, Variability, Variable, VariableKind},
};
use lotka_message::{Code, Findings, nearest};
use lotka_plan::{
    graph,
    link::{Link, LinkIndex, VariableIndex},
};

use super::arrays;
use crate::{
    StartSetting, StartValue, SystemDescription, hex,
    locate::{Names, Offer},
    units::{self, Doubt, Units},
};

const OFFER: Offer = Variable::start_is_settable;

pub fn resolve(
    system: &SystemDescription,
    names: &Names<'_>,
    index: &LinkIndex<'_>,
    links: &[Link],
    findings: &mut Findings,
) -> Vec<Vec<(usize, TypedValue)>> {
    let located = locate(system, names, findings);
    // Connected inputs of loops start from their start values until the loop is solved.
    let guesses = graph::inputs_in_loops_at_start(names.descriptions(), links);
    let mut resolved: Vec<Vec<(usize, TypedValue)>> = vec![Vec::new(); names.list().len()];
    let mut given = HashMap::new();
    let units = Units::new(&system.units);
    for Given { at, setting, value } in located {
        let name = &setting.variable;
        if index.into_input(at).is_some() && !guesses.contains(&at) {
            let full_name = names.full_name(at);
            findings.warning(
                Code::StartOfConnected,
                &name.span,
                format!("the start value of `{full_name}` has no effect: the input is connected"),
                "remove the start value or the connection".to_owned(),
            );
        }
        if let Some(value) = check(names, at, (setting, &value), units, findings) {
            given.insert(at, (resolved[at.0].len(), setting));
            resolved[at.0].push((at.1, value));
        }
    }
    // The last value of a variable counts.
    for (instance, values) in resolved.iter_mut().enumerate() {
        let mut number = 0..;
        values.retain(|(variable, _)| given.get(&(instance, *variable)).map(|(last, _)| *last) == number.next());
    }
    for (instance, values) in resolved.iter().enumerate() {
        for (variable, value) in values {
            let at = (instance, *variable);
            if let Some((_, setting)) = given.get(&at) {
                check_built(names, at, (setting, value), findings);
            }
        }
    }
    resolved
}

/// A start value of a variable.
pub(super) struct Given<'s> {
    pub(super) at: VariableIndex,
    pub(super) setting: &'s StartSetting,
    /// That of the setting, or one of its elements.
    pub(super) value: Cow<'s, StartValue>,
}

/// The variables of all start values, in the order in which they replace each other. Those of arrays are the values of their
/// elements.
pub(super) fn locate<'s>(system: &'s SystemDescription, names: &Names<'_>, findings: &mut Findings) -> Vec<Given<'s>> {
    let mut located = Vec::new();
    for (number, instance) in system.instances.iter().enumerate() {
        for setting in &instance.start {
            let name = &setting.variable;
            let array = names.find_array_of(number, &name.value);
            if setting.is_optional && array.is_none() && names.find_variable(number, &name.value).is_none() {
                let message = format!("instance `{}` has no variable `{}`: its value is ignored", names.name(number), name.value);
                findings.warning(Code::IgnoredValue, &name.span, message, None);
                continue;
            }
            if let Some(array) = array {
                located.extend(arrays::start_values(names, (number, array), setting, findings));
                continue;
            }
            let variable = names.locate_in(number, &name.value, (name, OFFER), findings);
            located.extend(variable.map(|variable| Given::of((number, variable), setting)));
        }
    }
    for setting in &system.start_values {
        if let Some(array) = names.find_array(&setting.variable.value) {
            located.extend(arrays::start_values(names, array, setting, findings));
            continue;
        }
        let at = names.locate(&setting.variable, OFFER, findings);
        located.extend(at.map(|at| Given::of(at, setting)));
    }
    located
}

impl<'s> Given<'s> {
    pub(super) fn of(at: VariableIndex, setting: &'s StartSetting) -> Self {
        Self { at, setting, value: Cow::Borrowed(&setting.value.value) }
    }
}

/// Checks that a structural parameter has the value with which the model was made: sizes of arrays follow from it.
fn check_built(names: &Names<'_>, at: VariableIndex, (setting, value): (&StartSetting, &TypedValue), findings: &mut Findings) {
    let variable = names.variable(at);
    let own = variable.kind.start();
    if !variable.is_structural || own.as_ref() == Some(value) {
        return;
    }
    let own = own.map_or("its start value".to_owned(), |own| own.to_string());
    let name = names.full_name(at);
    findings.error(
        Code::CannotChange,
        &setting.value.span,
        format!(
            "the structural parameter `{name}` is {own} in this simulation and cannot become {value}: arrays have their sizes"
        ),
        "set it in `start` of its instance, and build a simulation for each value".to_owned(),
    );
}

/// A value in the type and the unit of its variable, if it is one that may be set.
pub(super) fn check(
    names: &Names<'_>,
    at: VariableIndex,
    (setting, value): (&StartSetting, &StartValue),
    units: Units<'_>,
    findings: &mut Findings,
) -> Option<TypedValue> {
    let (instance, description, variable) = (names.name(at.0), names.description(at.0), names.variable(at));
    let (name, span) = (&setting.variable, &setting.value.span);
    if !variable.start_is_settable() {
        let message = format!("the start value of `{instance}.{}` cannot be set: it is {}", variable.name, role(variable));
        if setting.is_optional {
            findings.warning(Code::IgnoredValue, &name.span, format!("{message}; the value is ignored"), None);
        } else {
            findings.error(Code::NoStartValue, &name.span, message, settable(description));
        }
        return None;
    }
    if let Some(limit) = beyond_type(variable, value) {
        let message = format!("the start value of `{instance}.{}` is {limit}", variable.name);
        findings.error(Code::BeyondLimits, span, message, "use a value within the limits of its type".to_owned());
        return None;
    }
    let Some(typed) = convert(description, variable, value) else {
        let (name, kind) = (&variable.name, variable.kind.type_name());
        let message = format!("the start value of `{instance}.{name}` has the wrong type: expected {kind}, found {value}");
        findings.error(Code::ValueType, span, message, nearest_item(description, variable, value));
        return None;
    };
    let typed = in_unit_of((description, variable), typed, setting, units, findings)?;
    if let Some(limit) = beyond(variable, &typed) {
        findings.error(
            Code::BeyondLimits,
            span,
            format!("the start value of `{instance}.{}` is {limit}", variable.name),
            "use a value within the limits of the model description".to_owned(),
        );
    }
    Some(typed)
}

/// A value in the unit of its variable.
pub(super) fn in_unit_of(
    (description, variable): (&ModelDescription, &Variable),
    value: TypedValue,
    setting: &StartSetting,
    units: Units<'_>,
    findings: &mut Findings,
) -> Option<TypedValue> {
    let (Some(unit), TypedValue::Real(number)) = (&setting.unit, &value) else { return Some(value) };
    if setting.is_optional && !units.defines(&unit.value, description) {
        let message = format!(
            "the unit `{}` of the start value of `{}` is not defined: Lotka uses the unit of the variable",
            unit.value, setting.variable.value
        );
        findings.warning(Code::UndefinedUnit, &setting.variable.span, message, "define the unit, or remove it".to_owned());
        return Some(value);
    }
    let given = units.named(unit, &[description], findings)?;
    match units::conversion(Some(given), units.of(description, variable)) {
        Ok(conversion) => Some(TypedValue::Real(conversion.apply(*number))),
        Err(Doubt::Incompatible(what) | Doubt::Undefined(what)) => {
            findings.error(
                Code::IncompatibleUnits,
                &unit.span,
                format!("the unit of the start value of `{}` is incompatible: {what}", variable.name),
                "give the value in the unit of the variable, and remove the unit".to_owned(),
            );
            None
        }
    }
}

/// The bound of the variable that a value violates. Inputs may violate theirs.
fn beyond(variable: &Variable, value: &TypedValue) -> Option<String> {
    let (value, min, max) = match (&variable.kind, value) {
        (VariableKind::Real(real), TypedValue::Real(value)) => (*value, real.min, real.max),
        (VariableKind::Integer(integer), TypedValue::Integer(value)) => {
            return (variable.causality != Causality::Input).then(|| outside(*value, integer.min, integer.max))?;
        }
        _ => return None,
    };
    if variable.causality == Causality::Input { None } else { outside(value, min, max) }
}

fn outside<T: PartialOrd + Display>(value: T, min: Option<T>, max: Option<T>) -> Option<String> {
    let below = min.filter(|min| value < *min).map(|min| format!("{value}, less than the minimum {min}"));
    below.or_else(|| max.filter(|max| value > *max).map(|max| format!("{value}, greater than the maximum {max}")))
}

/// The limit of the type of an integer variable that a whole number violates.
fn beyond_type(variable: &Variable, value: &StartValue) -> Option<String> {
    let VariableKind::Integer(integer) = &variable.kind else { return None };
    let value = match value {
        StartValue::Integer(value) => i128::from(*value),
        StartValue::Unparsed(text) => text.parse().ok()?,
        _ => return None,
    };
    let (min, max) = integer.width.range();
    outside(value, Some(min), Some(max)).map(|limit| format!("{limit} of the type {}", integer.width.name()))
}

fn role(variable: &Variable) -> &'static str {
    match variable.causality {
        _ if variable.variability == Variability::Constant => "a constant",
        Causality::Parameter => "a constant parameter",
        Causality::CalculatedParameter => "a calculated parameter",
        Causality::Input => "an input",
        Causality::Output => "a calculated output",
        Causality::Local => "a calculated local variable",
        Causality::Independent => "the independent variable",
    }
}

fn settable(description: &ModelDescription) -> Option<String> {
    let names: Vec<_> = description
        .variables
        .iter()
        .filter(|variable| variable.start_is_settable())
        .take(12)
        .map(|v| format!("`{}`", v.name))
        .collect();
    (!names.is_empty()).then(|| format!("variables with a settable start value: {}", names.join(", ")))
}

pub(super) fn convert(description: &ModelDescription, variable: &Variable, value: &StartValue) -> Option<TypedValue> {
    match (&variable.kind, value) {
        (VariableKind::Real(_), StartValue::Real(value)) => Some(TypedValue::Real(*value)),
        (VariableKind::Real(_), StartValue::Integer(value)) => Some(TypedValue::Real(*value as f64)),
        (VariableKind::Real(_), StartValue::Unparsed(text)) => {
            text.parse().ok().filter(|value: &f64| value.is_finite()).map(TypedValue::Real)
        }
        (VariableKind::Integer(integer), StartValue::Integer(value)) => whole(integer.width, (*value).into()),
        // A text, because system files have no larger numbers than those with a sign.
        (VariableKind::Integer(integer), StartValue::Unparsed(text)) => whole(integer.width, text.parse().ok()?),
        (VariableKind::Integer(integer), StartValue::Text(text)) if integer.width == IntegerType::UInt64 => {
            whole(integer.width, text.parse().ok()?)
        }
        (VariableKind::Enumeration(_), value) => item(items(description, variable), value).map(TypedValue::Integer),
        (VariableKind::Boolean(_), StartValue::Boolean(value)) => Some(TypedValue::Boolean(*value)),
        (VariableKind::Boolean(_), StartValue::Unparsed(text)) => text.parse().ok().map(TypedValue::Boolean),
        (VariableKind::String(_), StartValue::Text(text) | StartValue::Unparsed(text)) => Some(TypedValue::Text(text.clone())),
        (VariableKind::Binary(_), StartValue::Text(text) | StartValue::Unparsed(text)) => {
            hex::parse(text).map(TypedValue::Binary)
        }
        _ => None,
    }
}

/// A value of this type.
fn whole(width: IntegerType, value: i128) -> Option<TypedValue> {
    let (min, max) = width.range();
    (min..=max).contains(&value).then_some(TypedValue::Integer(value))
}

fn items<'a>(description: &'a ModelDescription, variable: &Variable) -> &'a [EnumerationItem] {
    let VariableKind::Enumeration(enumeration) = &variable.kind else { return &[] };
    description.items(&enumeration.declared_type)
}

/// The number of the item with this name or number. Without items, any number is valid.
fn item(items: &[EnumerationItem], value: &StartValue) -> Option<i128> {
    let named = |name: &String| items.iter().find(|item| item.name == *name).map(|item| item.value);
    let numbered = |number: &i128| items.is_empty() || items.iter().any(|item| item.value == *number);
    match value {
        StartValue::Integer(number) => Some(i128::from(*number)).filter(numbered),
        StartValue::Text(text) => named(text),
        StartValue::Unparsed(text) => named(text).or_else(|| text.parse().ok().filter(numbered)),
        _ => None,
    }
}

/// The most similar item, or all of them.
pub(super) fn nearest_item(description: &ModelDescription, variable: &Variable, value: &StartValue) -> Option<String> {
    let items = items(description, variable);
    let wrong = match value {
        StartValue::Text(text) | StartValue::Unparsed(text) => text,
        _ => "",
    };
    nearest(wrong, items.iter().map(|item| item.name.as_str()))
}
