//! Maps of connections: replacement of integers, booleans and enumerations.

use lotka_instance::{
    ModelDescription, TypedValue,
    description::{Variable, VariableKind},
};
use lotka_message::{Code, Findings};

use super::start;
use crate::{Located, StartValue, Summand};

/// One end of a connection.
type End<'a> = (&'a ModelDescription, &'a Variable);

/// The map of a source as whole numbers: booleans are 0 and 1, items of enumerations their values.
pub fn resolve(source: &Summand, from: End<'_>, to: End<'_>, findings: &mut Findings) -> Option<Vec<(i128, i128)>> {
    let mut map: Vec<(i128, i128)> = Vec::new();
    let mut is_sound = true;
    for (key, value) in &source.map {
        let pair = (whole(from, key, findings), whole(to, value, findings));
        let (Some(number), Some(value)) = pair else {
            is_sound = false;
            continue;
        };
        if map.iter().any(|(earlier, _)| *earlier == number) {
            findings.error(
                Code::DuplicateEntry,
                &key.span,
                format!("`{}` maps the value {} twice", source.from.value, key.value),
                "keep one of them".to_owned(),
            );
            is_sound = false;
        }
        map.push((number, value));
    }
    is_sound.then_some(map)
}

/// A value of an Integer, Boolean or Enumeration variable as a whole number; for a Real variable, any whole number.
fn whole((description, variable): End<'_>, value: &Located<StartValue>, findings: &mut Findings) -> Option<i128> {
    let found = match (&variable.kind, &value.value) {
        (VariableKind::Real(_), StartValue::Integer(whole)) => Some((*whole).into()),
        (VariableKind::Real(_) | VariableKind::String(_) | VariableKind::Binary(_), _) => None,
        _ => match start::convert(description, variable, &value.value) {
            Some(TypedValue::Integer(whole)) => Some(whole),
            Some(TypedValue::Boolean(whole)) => Some(whole.into()),
            _ => None,
        },
    };
    if found.is_none() {
        let message =
            format!("{} is not a value of `{}`, which has type {}", value.value, variable.name, variable.kind.type_name());
        findings.error(Code::ValueType, &value.span, message, start::nearest_item(description, variable, &value.value));
    }
    found
}
