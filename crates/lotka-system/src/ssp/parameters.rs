//! Parameter sets and parameter mappings, and the bindings that apply them.

use roxmltree::Node;

use super::{
    document::{Space, described, is},
    transformation::{self, Transformation},
};
use crate::{
    Located, StartValue, UnitSettings,
    toml::BASE_UNITS,
    xml::{Reader, boolean},
};
use lotka_message::Code;

/// Values for the variables of an element.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Binding {
    pub(super) prefix: String,
    pub(super) values: Origin<ParameterSet>,
    pub(super) mapping: Option<Origin<Vec<MappingEntry>>>,
}

/// Written in the file itself, or in another one.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Origin<T> {
    Here(T),
    File { source: Located<String>, is_in_component: bool },
}

impl<T: Default> Default for Origin<T> {
    fn default() -> Self {
        Self::Here(T::default())
    }
}

/// Values by name.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct ParameterSet {
    pub(super) parameters: Vec<Parameter>,
    pub(super) units: Vec<UnitSettings>,
}

/// A value and its unit, if it has one.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Parameter {
    pub(super) name: Located<String>,
    pub(super) value: StartValue,
    pub(super) unit: Option<String>,
}

/// A value of a set that is assigned to another name.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct MappingEntry {
    pub(super) source: String,
    pub(super) target: String,
    pub(super) transformation: Transformation,
    pub(super) keeps_units: bool,
}

pub(super) fn bindings(node: Node<'_, '_>, reader: &mut Reader<'_>) -> Vec<Binding> {
    let mut bindings = Vec::new();
    for child in node.children().filter(Node::is_element) {
        if is(child, &[Space::Description], "ParameterBinding") {
            bindings.push(binding(child, reader));
        } else {
            reader.unknown(child);
        }
    }
    bindings
}

fn binding(node: Node<'_, '_>, reader: &mut Reader<'_>) -> Binding {
    let mut binding =
        Binding { prefix: reader.text(node, "prefix").map(|prefix| prefix.value).unwrap_or_default(), ..Binding::default() };
    if let Some(kind) = reader.text(node, "type").filter(|kind| kind.value != "application/x-ssp-parameter-set") {
        reader.warning(Code::SspIgnored, node, format!("parameter sets of the type `{}` are not supported", kind.value), None);
        return binding;
    }
    let source = reader.text(node, "source");
    if let Some(source) = source.clone() {
        binding.values = Origin::File { source, is_in_component: is_in_component(node, reader) };
    }
    for child in node.children().filter(Node::is_element) {
        match child.tag_name().name() {
            "ParameterValues" if source.is_none() => {
                let set = child.children().find(Node::is_element);
                binding.values = Origin::Here(set.map(|set| parameter_set(set, reader)).unwrap_or_default());
            }
            "ParameterValues" => {
                reader.warning(Code::SspIgnored, child, "the values have no effect: the binding also refers to a file", None)
            }
            "ParameterMapping" => binding.mapping = Some(mapping_origin(child, reader)),
            "Annotations" | "MetaData" | "Signature" => {}
            _ => reader.unknown(child),
        }
    }
    binding
}

fn is_in_component(node: Node<'_, '_>, reader: &Reader<'_>) -> bool {
    reader.text(node, "sourceBase").is_some_and(|base| base.value == "component")
}

fn mapping_origin(node: Node<'_, '_>, reader: &mut Reader<'_>) -> Origin<Vec<MappingEntry>> {
    if let Some(source) = reader.text(node, "source") {
        return Origin::File { source, is_in_component: is_in_component(node, reader) };
    }
    let entries = node.children().find(Node::is_element).map(|inner| mapping(inner, reader));
    Origin::Here(entries.unwrap_or_default())
}

/// `ssv:ParameterSet`.
pub(super) fn parameter_set(root: Node<'_, '_>, reader: &mut Reader<'_>) -> ParameterSet {
    let mut set = ParameterSet::default();
    if !is(root, &[Space::Values], "ParameterSet") {
        reader.error(Code::NotSsp, root, format!("expected a <ParameterSet> of SSP, found {}", described(root)), None);
        return set;
    }
    for child in root.children().filter(Node::is_element) {
        match child.tag_name().name() {
            "Parameters" => set.parameters = parameters(child, reader),
            "Units" => set.units = units(child, reader),
            "Enumerations" | "Annotations" | "MetaData" | "Signature" => {}
            _ => reader.unknown(child),
        }
    }
    set
}

fn parameters(node: Node<'_, '_>, reader: &mut Reader<'_>) -> Vec<Parameter> {
    let mut parameters = Vec::new();
    for child in node.children().filter(Node::is_element) {
        if !is(child, &[Space::Values], "Parameter") {
            reader.unknown(child);
            continue;
        }
        let Some(name) = reader.required(child, "name") else { continue };
        for inner in child.children().filter(Node::is_element) {
            let kind = inner.tag_name().name();
            if matches!(kind, "Annotations" | "MetaData" | "Signature") {
                continue;
            }
            if let Some(value) = value(inner, kind, &name.value, reader) {
                let is_real = matches!(value, StartValue::Real(_));
                let unit = if is_real { unit(inner, &name.value, reader) } else { None };
                parameters.push(Parameter { name: name.clone(), value, unit });
            }
        }
    }
    parameters
}

/// The unit of a value; `None` if it is empty.
fn unit(node: Node<'_, '_>, name: &str, reader: &mut Reader<'_>) -> Option<String> {
    let unit = reader.text(node, "unit")?.value;
    if unit.is_empty() {
        let message = format!("the unit of the value of `{name}` is empty: Lotka uses the unit of the variable");
        reader.warning(Code::SspAttribute, node, message, "remove `unit`, or name one".to_owned());
    }
    Some(unit).filter(|unit| !unit.is_empty())
}

fn value(node: Node<'_, '_>, kind: &str, name: &str, reader: &mut Reader<'_>) -> Option<StartValue> {
    if kind == "Dimension" || node.has_attribute("values") {
        reader.warning(
            Code::SspIgnored,
            node,
            format!("the value of `{name}` is an array, which FMI 2.0 does not support: Lotka ignores it"),
            None,
        );
        return None;
    }
    if matches!(kind, "Real" | "Float64" | "Float32") {
        return reader.number(node, "value").map(|value| StartValue::Real(value.value));
    }
    let text = reader.required(node, "value")?.value;
    let value = match kind {
        "Boolean" => boolean(&text).map(StartValue::Boolean),
        "String" | "Enumeration" => Some(StartValue::Text(text.clone())),
        kind if kind.starts_with("Int") || kind.starts_with("UInt") => text.trim().parse().ok().map(StartValue::Integer),
        _ => {
            reader.warning(
                Code::SspIgnored,
                node,
                format!("the value of `{name}` has the unsupported type {kind}: Lotka ignores it"),
                None,
            );
            return None;
        }
    };
    if value.is_none() {
        reader.error(
            Code::ValueType,
            node,
            format!("the value \"{text}\" of `{name}` has the wrong type: expected {kind}"),
            None,
        );
    }
    value
}

/// `ssm:ParameterMapping`.
pub(super) fn mapping(root: Node<'_, '_>, reader: &mut Reader<'_>) -> Vec<MappingEntry> {
    let mut entries = Vec::new();
    if !is(root, &[Space::Mapping], "ParameterMapping") {
        reader.error(Code::NotSsp, root, format!("expected a <ParameterMapping> of SSP, found {}", described(root)), None);
        return entries;
    }
    for child in root.children().filter(Node::is_element) {
        match child.tag_name().name() {
            "MappingEntry" => {
                let (source, target) = (reader.required(child, "source"), reader.required(child, "target"));
                let keeps_units = reader.flag(child, "suppressUnitConversion");
                let transformation = transformation::read(child, reader);
                if let (Some(source), Some(target)) = (source, target) {
                    let (source, target) = (source.value, target.value);
                    entries.push(MappingEntry { source, target, transformation, keeps_units });
                }
            }
            "Annotations" | "MetaData" | "Signature" => {}
            _ => reader.unknown(child),
        }
    }
    entries
}

/// `ssc:Units`.
pub(super) fn units(node: Node<'_, '_>, reader: &mut Reader<'_>) -> Vec<UnitSettings> {
    let mut units = Vec::new();
    for child in node.children().filter(Node::is_element) {
        if !is(child, &[Space::Common], "Unit") {
            reader.unknown(child);
            continue;
        }
        let Some(name) = reader.required(child, "name") else { continue };
        let Some(base) = child.children().find(|inner| is(*inner, &[Space::Common], "BaseUnit")) else {
            reader.warning(
                Code::UndefinedUnit,
                child,
                format!("the unit `{}` has no base unit: values in it are not converted", name.value),
                "add <BaseUnit>".to_owned(),
            );
            continue;
        };
        let exponents = BASE_UNITS.map(|exponent| whole(base, exponent, reader));
        let factor = reader.number(base, "factor").map_or(1.0, |factor| factor.value);
        let offset = reader.number(base, "offset").map_or(0.0, |offset| offset.value);
        units.push(UnitSettings { name, exponents, factor, offset });
    }
    units
}

fn whole(node: Node<'_, '_>, name: &str, reader: &mut Reader<'_>) -> i32 {
    let Some(exponent) = reader.number(node, name) else { return 0 };
    if exponent.value.fract() != 0.0 || exponent.value.abs() > 1e6 {
        reader.error(
            Code::OutOfRange,
            node,
            format!("expected a whole number for the exponent of {name}, found {}", exponent.value),
            None,
        );
        return 0;
    }
    exponent.value as i32
}
