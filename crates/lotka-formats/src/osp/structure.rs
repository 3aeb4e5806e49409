//! The elements of a system structure.

use lotka_message::Code;
use lotka_system::{
    Located, StartSetting, StartValue,
    xml::{Reader, boolean},
};
use roxmltree::Node;

/// A whole file.
#[derive(Debug, Default)]
pub(super) struct Structure {
    pub(super) start: Option<Located<f64>>,
    pub(super) stop: Option<Located<f64>>,
    pub(super) base_step: Option<Located<f64>>,
    pub(super) algorithm: Option<Located<String>>,
    /// Numbers of the algorithm `ecco`, by their names.
    pub(super) ecco: Vec<(String, Located<f64>)>,
    pub(super) simulators: Vec<Simulator>,
    pub(super) functions: Vec<Function>,
    pub(super) links: Vec<Link>,
}

/// An instance of an FMU.
#[derive(Debug)]
pub(super) struct Simulator {
    pub(super) name: Located<String>,
    pub(super) source: Located<String>,
    pub(super) step: Option<Located<f64>>,
    pub(super) values: Vec<StartSetting>,
}

/// A function between outputs and inputs.
#[derive(Debug)]
pub(super) struct Function {
    pub(super) name: Located<String>,
    pub(super) factor: f64,
    pub(super) offset: f64,
    /// Number of signals, or groups of signals, in the sum.
    pub(super) inputs: usize,
    /// Signals of a group, for a function of groups.
    pub(super) dimension: Option<usize>,
}

/// A variable, or a group of variables, of a simulator or of a function.
#[derive(Debug, Clone)]
pub(super) struct End {
    pub(super) owner: Located<String>,
    pub(super) name: Located<String>,
}

/// A connection. Variables of two simulators have a direction by their causalities, those of functions by their names.
#[derive(Debug)]
pub(super) enum Link {
    /// Variables of two simulators, and the name of their power bond.
    Variables([End; 2], Option<Located<String>>),
    Groups([End; 2]),
    /// A signal of a function, and a variable.
    Signal {
        signal: End,
        variable: End,
    },
    SignalGroup {
        signal: End,
        group: End,
    },
}

/// The root element and everything in it.
pub(super) fn read(root: Node<'_, '_>, reader: &mut Reader<'_>) -> Option<Structure> {
    let name = root.tag_name().name();
    if name != "OspSystemStructure" {
        reader.error(Code::OspForm, root, format!("expected the root element <OspSystemStructure>, found <{name}>"), None);
        return None;
    }
    let mut structure = Structure::default();
    for child in elements(root) {
        match child.tag_name().name() {
            "StartTime" => structure.start = reader.content(child),
            "EndTime" => structure.stop = reader.content(child),
            "BaseStepSize" => structure.base_step = reader.content(child),
            "Algorithm" => structure.algorithm = Some(reader.text_of(child)),
            "EccoConfiguration" => {
                let number = |child: Node<'_, '_>| Some((child.tag_name().name().to_owned(), reader.content(child)?));
                structure.ecco = elements(child).filter_map(number).collect();
            }
            "Simulators" => structure.simulators = each(child, "Simulator", simulator, reader),
            "Functions" => structure.functions = elements(child).filter_map(|child| function(child, reader)).collect(),
            "Connections" => structure.links = elements(child).filter_map(|child| link(child, reader)).collect(),
            "Description" => {}
            _ => reader.unknown(child),
        }
    }
    Some(structure)
}

fn elements<'a, 'i>(node: Node<'a, 'i>) -> impl Iterator<Item = Node<'a, 'i>> {
    node.children().filter(Node::is_element)
}

fn each<T>(
    node: Node<'_, '_>,
    name: &str,
    read: fn(Node<'_, '_>, &mut Reader<'_>) -> Option<T>,
    reader: &mut Reader<'_>,
) -> Vec<T> {
    let mut list = Vec::new();
    for child in elements(node) {
        if child.tag_name().name() == name {
            list.extend(read(child, reader));
        } else {
            reader.unknown(child);
        }
    }
    list
}

fn simulator(node: Node<'_, '_>, reader: &mut Reader<'_>) -> Option<Simulator> {
    let (name, source) = (reader.required(node, "name"), reader.required(node, "source"));
    let step = reader.number(node, "stepSize");
    let lists = each(node, "InitialValues", |list, reader| Some(each(list, "InitialValue", value, reader)), reader);
    Some(Simulator { name: name?, source: source?, step, values: lists.into_iter().flatten().collect() })
}

fn value(node: Node<'_, '_>, reader: &mut Reader<'_>) -> Option<StartSetting> {
    let variable = reader.required(node, "variable")?;
    let Some(typed) = elements(node).next() else {
        reader.error(Code::OspForm, node, format!("the initial value of `{}` is missing", variable.value), None);
        return None;
    };
    let kind = typed.tag_name().name();
    let text = reader.required(typed, "value")?;
    let value = match kind {
        "Real" => text.value.trim().parse().ok().filter(|value: &f64| value.is_finite()).map(StartValue::Real),
        "Integer" | "Enumeration" => text.value.trim().parse().ok().map(StartValue::Integer),
        "Boolean" => boolean(&text.value).map(StartValue::Boolean),
        "String" => Some(StartValue::Text(text.value.clone())),
        _ => {
            reader.unknown(typed);
            return None;
        }
    };
    let Some(value) = value else {
        let message = format!("the initial value \"{}\" of `{}` has the wrong type: expected {kind}", text.value, variable.value);
        reader.error(Code::ValueType, typed, message, None);
        return None;
    };
    Some(StartSetting::new(variable, Located { value, span: text.span }))
}

fn function(node: Node<'_, '_>, reader: &mut Reader<'_>) -> Option<Function> {
    let kind = node.tag_name().name();
    let (is_sum, is_vector) = (matches!(kind, "Sum" | "VectorSum"), kind == "VectorSum");
    if !is_sum && kind != "LinearTransformation" {
        let help = "use LinearTransformation, Sum or VectorSum".to_owned();
        reader.error(Code::OspForm, node, format!("unknown function <{kind}>"), help);
        return None;
    }
    let name = reader.required(node, "name");
    let factor = reader.number(node, "factor").map_or(1.0, |factor| factor.value);
    let offset = reader.number(node, "offset").map_or(0.0, |offset| offset.value);
    let inputs = if is_sum { count(node, "inputCount", reader)? } else { 1 };
    let dimension = if is_vector { Some(count(node, "dimension", reader)?) } else { None };
    Some(Function { name: name?, factor, offset, inputs, dimension })
}

/// A number of signals. A number above the limit of connections is invalid.
fn count(node: Node<'_, '_>, name: &str, reader: &mut Reader<'_>) -> Option<usize> {
    let text = reader.required(node, name)?;
    let count = text.value.trim().parse().ok().filter(|count| (1..=lotka_message::limits::SYSTEM_PARTS).contains(count));
    if count.is_none() {
        let message = format!("{name}=\"{}\" of <{}>: expected a number of signals", text.value, node.tag_name().name());
        reader.error(Code::OspForm, node, message, None);
    }
    count
}

fn link(node: Node<'_, '_>, reader: &mut Reader<'_>) -> Option<Link> {
    let kind = node.tag_name().name();
    let bond = reader.text(node, "powerBond").filter(|bond| !bond.value.is_empty());
    match kind {
        "VariableConnection" => pair(node, "Variable", reader).map(|ends| Link::Variables(ends, bond)),
        "VariableGroupConnection" => {
            if let Some(bond) = bond {
                let message = format!("Lotka ignores the power bond `{}` of two groups", bond.value);
                reader.warning(Code::OspIgnored, node, message, "connect the variables one by one".to_owned());
            }
            pair(node, "VariableGroup", reader).map(Link::Groups)
        }
        "SignalConnection" => {
            let (signal, variable) = (one(node, "Signal", reader), one(node, "Variable", reader));
            Some(Link::Signal { signal: signal?, variable: variable? })
        }
        "SignalGroupConnection" => {
            let (signal, group) = (one(node, "SignalGroup", reader), one(node, "VariableGroup", reader));
            Some(Link::SignalGroup { signal: signal?, group: group? })
        }
        _ => {
            reader.unknown(node);
            None
        }
    }
}

fn pair(node: Node<'_, '_>, name: &str, reader: &mut Reader<'_>) -> Option<[End; 2]> {
    let ends: Vec<_> = elements(node).filter(|child| child.tag_name().name() == name).collect();
    let [a, b] = ends[..] else {
        let message = format!("<{}> has {} elements <{name}>, expected two", node.tag_name().name(), ends.len());
        reader.error(Code::OspForm, node, message, None);
        return None;
    };
    let ends = [end(a, reader), end(b, reader)];
    let [Some(a), Some(b)] = ends else { return None };
    Some([a, b])
}

fn one(node: Node<'_, '_>, name: &str, reader: &mut Reader<'_>) -> Option<End> {
    let found = elements(node).find(|child| child.tag_name().name() == name);
    if found.is_none() {
        reader.error(Code::OspForm, node, format!("<{}> has no <{name}>", node.tag_name().name()), "add it".to_owned());
    }
    end(found?, reader)
}

fn end(node: Node<'_, '_>, reader: &mut Reader<'_>) -> Option<End> {
    let owner = if node.tag_name().name().starts_with("Signal") { "function" } else { "simulator" };
    let (owner, name) = (reader.required(node, owner), reader.required(node, "name"));
    Some(End { owner: owner?, name: name? })
}
