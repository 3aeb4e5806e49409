//! Transformations of values by connections and mappings.

use roxmltree::Node;

use super::document::{Space, is};
use crate::{
    StartValue,
    units::Conversion,
    xml::{Reader, boolean},
};
use lotka_message::Code;

/// The transformation of a value.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) enum Transformation {
    /// Identity.
    #[default]
    None,
    /// `factor * value + offset`, in the unit of the target.
    Linear(Conversion),
    /// Replacement of some values by others.
    Map(Vec<(StartValue, StartValue)>),
}

/// The transformation in the child elements of a connection or of an entry of a mapping.
pub(super) fn read(node: Node<'_, '_>, reader: &mut Reader<'_>) -> Transformation {
    let spaces = [Space::Common, Space::Description];
    let mut found = Transformation::None;
    for child in node.children().filter(Node::is_element) {
        let integer = |text: &str| text.trim().parse().ok().map(StartValue::Integer);
        let read = match child.tag_name().name() {
            "LinearTransformation" if is(child, &spaces, "LinearTransformation") => linear(child, reader),
            "BooleanMappingTransformation" => map(child, reader, |text| boolean(text).map(StartValue::Boolean)),
            "IntegerMappingTransformation" => map(child, reader, integer),
            "EnumerationMappingTransformation" => map(child, reader, |text| Some(StartValue::Text(text.to_owned()))),
            "ConnectionGeometry" | "Annotations" | "MetaData" | "Signature" => continue,
            _ => {
                reader.unknown(child);
                continue;
            }
        };
        if found != Transformation::None {
            reader.error(Code::SspTransformation, child, "there is more than one transformation", "keep one of them".to_owned());
        }
        found = read;
    }
    found
}

fn linear(node: Node<'_, '_>, reader: &mut Reader<'_>) -> Transformation {
    let factor = reader.number(node, "factor").map_or(1.0, |factor| factor.value);
    let offset = reader.number(node, "offset").map_or(0.0, |offset| offset.value);
    Transformation::Linear(Conversion { factor, offset })
}

fn map(node: Node<'_, '_>, reader: &mut Reader<'_>, value: impl Fn(&str) -> Option<StartValue>) -> Transformation {
    let mut map = Vec::new();
    for entry in node.children().filter(Node::is_element) {
        if !is(entry, &[Space::Common], "MapEntry") {
            reader.unknown(entry);
            continue;
        }
        let pair = (reader.required(entry, "source"), reader.required(entry, "target"));
        let (Some(source), Some(target)) = pair else { continue };
        match (value(&source.value), value(&target.value)) {
            (Some(source), Some(target)) => map.push((source, target)),
            _ => reader.error(
                Code::SspTransformation,
                entry,
                format!("the entry `{}` to `{}` does not match the type of the map", source.value, target.value),
                None,
            ),
        }
    }
    Transformation::Map(map)
}

impl Transformation {
    /// The composition of this one and then the other one; `None` if it is not possible.
    pub(super) fn then(self, next: Self) -> Option<Self> {
        match (self, next) {
            (first, Self::None) => Some(first),
            (Self::None, next) => Some(next),
            (Self::Linear(first), Self::Linear(next)) => Some(Self::Linear(first.then(next))),
            (Self::Map(first), Self::Map(next)) => {
                let through = |value: &StartValue| replaced(&next, value);
                let mut map: Vec<_> = first.iter().map(|(key, value)| (key.clone(), through(value))).collect();
                let untouched = next.iter().filter(|(key, _)| first.iter().all(|(known, _)| known != key));
                map.extend(untouched.cloned());
                Some(Self::Map(map))
            }
            _ => None,
        }
    }

    /// The transformed value.
    pub(super) fn apply(&self, value: StartValue) -> StartValue {
        match (self, value) {
            (Self::Linear(linear), StartValue::Real(value)) => StartValue::Real(linear.apply(value)),
            (Self::Linear(linear), StartValue::Integer(value)) => StartValue::Real(linear.apply(value as f64)),
            (Self::Map(map), value) => replaced(map, &value),
            (_, value) => value,
        }
    }
}

fn replaced(map: &[(StartValue, StartValue)], value: &StartValue) -> StartValue {
    map.iter().find(|(key, _)| key == value).map_or_else(|| value.clone(), |(_, by)| by.clone())
}
