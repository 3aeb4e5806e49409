//! Names of arrays: each stands for all elements.

use std::borrow::Cow;

use lotka_instance::description::Array;
use lotka_message::{Code, Findings};

use crate::{Connection, Located, Summand, locate::Names};

/// The connections of the elements, if the input of a connection is an array; otherwise the connection itself. Arrays must have the same shape: elements in
/// the same place are connected.
pub(super) fn connections<'c>(
    connection: &'c Connection,
    names: &Names<'_>,
    findings: &mut Findings,
) -> Vec<Cow<'c, Connection>> {
    let arrays: Vec<_> = connection.sources.iter().map(|source| (source, names.find_array(&source.from.value))).collect();
    let Some((instance, input)) = names.find_array(&connection.input.value) else {
        if let Some((source, (_, array))) = arrays.iter().find_map(|(source, array)| Some((source, (*array)?))) {
            let target = &connection.input.value;
            // An unknown input is reported where connections are resolved.
            if names.find_full(target).is_some() {
                let message = format!("`{}` is an array ({}), `{target}` a scalar", source.from.value, shape(array));
                let help =
                    format!("connect one of its elements, such as `{}.{}`", owner(&source.from.value), array.element_name(0));
                findings.error(Code::IncompatibleTypes, &source.from.span, message, help);
                return Vec::new();
            }
        }
        return vec![Cow::Borrowed(connection)];
    };
    let mut outputs = Vec::new();
    for (source, array) in arrays {
        match array {
            Some((_, array)) if array.shape == input.shape => outputs.push((source, array)),
            Some((_, array)) => {
                let (from, to) = (&source.from.value, &connection.input.value);
                let message = format!("the shapes of `{from}` ({}) and `{to}` ({}) differ", shape(array), shape(input));
                let help = "connect arrays of equal shape, or single elements".to_owned();
                findings.error(Code::IncompatibleTypes, &source.from.span, message, help);
            }
            // An unknown output is reported as such.
            None if names.find_full(&source.from.value).is_none() => return vec![Cow::Borrowed(connection)],
            None => {
                let (from, to) = (&source.from.value, &connection.input.value);
                let message = format!("`{to}` is an array ({}), `{from}` a scalar", shape(input));
                let help = format!("connect it to one element, such as `{}.{}`", names.name(instance), input.element_name(0));
                findings.error(Code::IncompatibleTypes, &source.from.span, message, help);
            }
        }
    }
    if outputs.len() < connection.sources.len() {
        return Vec::new();
    }
    (0..input.elements().len()).map(|position| Cow::Owned(element(connection, (input, &outputs), position))).collect()
}

/// The connection of one element.
fn element(connection: &Connection, (input, outputs): (&Array, &[(&Summand, &Array)]), position: usize) -> Connection {
    let renamed = |name: &Located<String>, array: &Array| Located {
        value: format!("{}.{}", owner(&name.value), array.element_name(position)),
        ..name.clone()
    };
    Connection {
        input: renamed(&connection.input, input),
        sources: outputs
            .iter()
            .map(|(source, array)| Summand { from: renamed(&source.from, array), ..(*source).clone() })
            .collect(),
    }
}

/// The instance of a full name.
fn owner(name: &str) -> &str {
    name.split_once('.').map_or(name, |(owner, _)| owner)
}

/// Such as `2 × 3`.
fn shape(array: &Array) -> String {
    array.shape.iter().map(ToString::to_string).collect::<Vec<_>>().join(" × ")
}
