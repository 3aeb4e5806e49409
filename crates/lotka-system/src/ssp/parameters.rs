//! Parameter sets and parameter mappings, and the bindings that apply them.

use roxmltree::Node;

use super::{
    document::{Space, check_space, described, is},
    transformation::{self, Transformation},
};
use crate::{
    Located, StartValue, UnitSettings, hex,
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
    check_space(root, reader);
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
        let sizes = sizes(child, reader);
        for inner in child.children().filter(Node::is_element) {
            let kind = inner.tag_name().name();
            if matches!(kind, "Annotations" | "MetaData" | "Signature" | "Dimension") {
                continue;
            }
            let Some(values) = values(inner, kind, &name.value, !sizes.is_empty(), reader) else { continue };
            let is_real = matches!(values.first(), Some(StartValue::Real(_)));
            let unit = if is_real { unit(inner, &name.value, reader) } else { None };
            let Some(indices) = indices(inner, &name.value, &sizes, values.len(), reader) else { continue };
            parameters.extend(values.into_iter().zip(indices).map(|(value, index)| {
                let name = Located { value: format!("{}{index}", name.value), span: name.span.clone() };
                Parameter { name, value, unit: unit.clone() }
            }));
        }
    }
    parameters
}

/// The sizes of an array; `None` where a dimension has no fixed size.
fn sizes(parameter: Node<'_, '_>, reader: &mut Reader<'_>) -> Vec<Option<usize>> {
    let dimensions = parameter.children().filter(|child| is(*child, &[Space::Common, Space::Values], "Dimension"));
    dimensions.map(|dimension| reader.text(dimension, "size").and_then(|size| size.value.trim().parse().ok())).collect()
}

/// What follows the name of a parameter in the names of its elements, in row-major order: `[1,2]`, and nothing for a scalar.
/// `None` if the values do not fill the array.
fn indices(
    node: Node<'_, '_>,
    name: &str,
    sizes: &[Option<usize>],
    count: usize,
    reader: &mut Reader<'_>,
) -> Option<Vec<String>> {
    let sizes: Vec<usize> = match sizes {
        [] => return Some(vec![String::new(); count]),
        [None] => vec![count],
        sizes => sizes.iter().copied().collect::<Option<_>>().or_else(|| {
            let message = format!("the value of `{name}` is an array with dimensions of unknown size: Lotka ignores it");
            reader.warning(Code::SspIgnored, node, message, None);
            None
        })?,
    };
    if sizes.iter().try_fold(1_usize, |product, size| product.checked_mul(*size)) != Some(count) {
        let shape = sizes.iter().map(ToString::to_string).collect::<Vec<_>>().join(" x ");
        let message = format!("the value of `{name}` has the wrong size: expected {shape} elements, found {count}");
        reader.error(Code::ValueType, node, message, None);
        return None;
    }
    let index = |mut element: usize| {
        let mut index = Vec::new();
        for size in sizes.iter().rev() {
            index.push((element % size + 1).to_string());
            element /= size;
        }
        index.reverse();
        format!("[{}]", index.join(","))
    };
    Some((0..count).map(index).collect())
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

/// The value of a scalar, or those of the elements of an array: a list of words, or elements `<Value>`. `None` if one is refused.
fn values(node: Node<'_, '_>, kind: &str, name: &str, is_array: bool, reader: &mut Reader<'_>) -> Option<Vec<StartValue>> {
    let is_text = matches!(kind, "String" | "Enumeration" | "Binary");
    let inner: Vec<_> = node.children().filter(|child| is(*child, &[Space::Values], "Value")).collect();
    let holders = if is_text && !inner.is_empty() { inner } else { vec![node] };
    let mut values = Vec::new();
    for holder in holders {
        let text = reader.required(holder, "value")?.value;
        let words = match is_text {
            true => vec![text.as_str()],
            false if is_array => text.split_whitespace().collect(),
            false => vec![text.trim()],
        };
        for word in words {
            values.push(value(node, kind, name, word, reader)?);
        }
    }
    Some(values)
}

fn value(node: Node<'_, '_>, kind: &str, name: &str, text: &str, reader: &mut Reader<'_>) -> Option<StartValue> {
    let value = match kind {
        "Real" | "Float64" | "Float32" => text.parse().ok().filter(|value: &f64| value.is_finite()).map(StartValue::Real),
        "Boolean" => boolean(text).map(StartValue::Boolean),
        "String" | "Enumeration" => Some(StartValue::Text(text.to_owned())),
        "Binary" => hex::parse(text).map(|bytes| StartValue::Text(hex::text(&bytes))),
        // Numbers that only integers without sign have are text, as in system files.
        kind if kind.starts_with("Int") || kind.starts_with("UInt") => {
            let large = || text.parse().ok().map(|value: u64| StartValue::Text(value.to_string()));
            text.parse().ok().map(StartValue::Integer).or_else(large)
        }
        _ => {
            let message = format!("the value of `{name}` has the unsupported type {kind}: Lotka ignores it");
            reader.warning(Code::SspIgnored, node, message, None);
            return None;
        }
    };
    if value.is_none() {
        let message = format!("the value \"{text}\" of `{name}` has the wrong type: expected {kind}");
        reader.error(Code::ValueType, node, message, None);
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
    check_space(root, reader);
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
