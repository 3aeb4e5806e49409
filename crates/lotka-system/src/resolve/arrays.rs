//! Names of arrays: each stands for all elements. Start values of arrays are lists of theirs.

use std::borrow::Cow;

use lotka_instance::description::Array;
use lotka_message::{Code, Findings};

use super::start::Given;
use crate::{Connection, Located, StartSetting, StartValue, Summand, locate::Names, toml};

/// The connections of the elements, if the input of a connection is an array; otherwise the connection itself. Arrays must have
/// the same shape: elements in the same place are connected.
pub(crate) fn connections<'c>(
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
            Some((_, array)) if array.elements().is_empty() && array.shape == input.shape => {
                let (from, to) = (&source.from.value, &connection.input.value);
                let message = format!("`{from}` and `{to}` have no elements: a structural parameter is 0");
                let help = "remove the connection, or set the size in `start` of the instances".to_owned();
                findings.error(Code::IncompatibleTypes, &source.from.span, message, help);
            }
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

/// The start values of the elements of an array: a list has one for each, anything else is that of all.
pub(super) fn start_values<'s>(
    names: &Names<'_>,
    (instance, array): (usize, &Array),
    setting: &'s StartSetting,
    findings: &mut Findings,
) -> Vec<Given<'s>> {
    let name = || format!("{}.{}", names.name(instance), array.name);
    if array.elements().is_empty() {
        let message = format!("`{}` has no elements, as a structural parameter is 0: its start value is ignored", name());
        findings.warning(Code::IgnoredValue, &setting.variable.span, message, "remove the start value".to_owned());
    }
    let value = match &setting.value.value {
        StartValue::Unparsed(text) => toml::list(text).map_or(Cow::Borrowed(&setting.value.value), Cow::Owned),
        value => Cow::Borrowed(value),
    };
    let of = |(variable, value)| Given { at: (instance, variable), setting, value };
    let StartValue::List(_) = &*value else {
        return array.elements().map(|variable| of((variable, value.clone()))).collect();
    };
    let Some(positions) = elements(&value, &array.shape) else {
        let expected = shape(array);
        let found = match sizes(&value) {
            Some(sizes) => joined(&sizes),
            None => "lists of different lengths".to_owned(),
        };
        let message = format!("the start value of `{}` has the wrong size: expected {expected} values, found {found}", name());
        let help = format!("write a list of {expected} values, row by row, or one value for all elements");
        findings.error(Code::ValueType, &setting.value.span, message, help);
        return Vec::new();
    };
    let positions: Vec<_> = positions.into_iter().cloned().map(Cow::Owned).collect();
    array.elements().zip(positions).map(of).collect()
}

/// The values of a list for an array of this shape: one for each element, or a list for each row.
fn elements<'v>(list: &'v StartValue, shape: &[usize]) -> Option<Vec<&'v StartValue>> {
    let StartValue::List(items) = list else { return shape.is_empty().then(|| vec![list]) };
    let is_flat = !items.iter().any(|item| matches!(item, StartValue::List(_)));
    if is_flat && !shape.is_empty() && items.len() == shape.iter().product::<usize>() {
        return Some(items.iter().collect());
    }
    let (size, rest) = shape.split_first()?;
    if items.len() != *size {
        return None;
    }
    let rows: Vec<_> = items.iter().map(|item| elements(item, rest)).collect::<Option<_>>()?;
    Some(rows.concat())
}

/// The sizes of nested lists; `None` if they differ.
fn sizes(list: &StartValue) -> Option<Vec<usize>> {
    let StartValue::List(items) = list else { return Some(Vec::new()) };
    let mut all = items.iter().map(sizes);
    let first = all.next().unwrap_or(Some(Vec::new()))?;
    all.all(|other| other.as_ref() == Some(&first)).then(|| [vec![items.len()], first].concat())
}

/// The instance of a full name.
fn owner(name: &str) -> &str {
    name.split_once('.').map_or(name, |(owner, _)| owner)
}

/// Such as `2 × 3`.
fn shape(array: &Array) -> String {
    joined(&array.shape)
}

fn joined(sizes: &[usize]) -> String {
    sizes.iter().map(ToString::to_string).collect::<Vec<_>>().join(" × ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str, shape: &[usize]) -> Option<String> {
        let list = toml::list(text).unwrap();
        let found = elements(&list, shape)?;
        Some(found.into_iter().map(ToString::to_string).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn lists_have_the_elements_row_by_row() {
        assert_eq!(of("[1, 2, 3]", &[3]).unwrap(), "1 2 3");
        for text in ["[[1, 2, 3], [4, 5, 6]]", "[1, 2, 3, 4, 5, 6]"] {
            assert_eq!(of(text, &[2, 3]).unwrap(), "1 2 3 4 5 6");
        }
        assert_eq!(of("[[[1], [2]], [[3], [4]]]", &[2, 2, 1]).unwrap(), "1 2 3 4");
        assert_eq!(of("[]", &[0]).unwrap(), "");
    }

    #[test]
    fn lists_of_another_shape_have_none() {
        let others: [(&str, &[usize]); 6] = [
            ("[1, 2]", &[3]),
            ("[[1, 2], [3, 4], [5, 6]]", &[2, 3]),
            ("[[1, 2, 3], [4, 5]]", &[2, 3]),
            ("[[1, 2, 3], 4]", &[2, 3]),
            ("[[1], [2]]", &[2]),
            ("[1]", &[]),
        ];
        for (text, shape) in others {
            assert_eq!(of(text, shape), None, "{text}");
        }
        assert_eq!(sizes(&toml::list("[[1, 2, 3], [4, 5, 6]]").unwrap()), Some(vec![2, 3]));
        assert_eq!(sizes(&toml::list("[[1, 2, 3], [4, 5]]").unwrap()), None);
    }

    #[test]
    fn texts_of_lists_are_lists() {
        assert_eq!(toml::list(" [1, 2.5] "), Some([StartValue::Integer(1), StartValue::Real(2.5)].to_vec().into()));
        for other in ["1", "[1", "[1]\nx = 2", "[{ a = 1 }]", "x"] {
            assert_eq!(toml::list(other), None, "{other}");
        }
    }
}
