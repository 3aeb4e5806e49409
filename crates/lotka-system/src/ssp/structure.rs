//! The tree of a system structure description, with the names of the standard.

use lotka_instance::description::Causality;
use roxmltree::Node;

use super::{
    annotations::{self, Hints},
    document::{Space, described, is},
    parameters::{self, Binding},
    transformation::{self, Transformation},
};
use crate::{Located, UnitSettings, xml::Reader};
use lotka_message::Code;

const HERE: [Space; 1] = [Space::Description];

/// Elements about appearance and authorship.
const ORNAMENTS: [&str; 8] = [
    "ElementGeometry",
    "ConnectorGeometry",
    "ConnectionGeometry",
    "SystemGeometry",
    "GraphicalElements",
    "MetaData",
    "Signature",
    "SSDVariant",
];

/// A whole file.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Structure {
    pub(super) system: SubSystem,
    pub(super) units: Vec<UnitSettings>,
    pub(super) start: Option<Located<f64>>,
    pub(super) stop: Option<Located<f64>>,
    pub(super) hints: Hints,
}

/// A nested system, or the topmost one.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct SubSystem {
    pub(super) name: String,
    pub(super) id: Option<String>,
    pub(super) connectors: Vec<Connector>,
    pub(super) bindings: Vec<Binding>,
    pub(super) elements: Vec<Element>,
    pub(super) connections: Vec<Connection>,
}

impl SubSystem {
    /// This system or one in it, by its `id`.
    pub(super) fn with_id(&self, id: &str) -> Option<&Self> {
        if self.id.as_deref() == Some(id) {
            return Some(self);
        }
        self.elements.iter().find_map(|element| match element {
            Element::System(inner) => inner.with_id(id),
            _ => None,
        })
    }
}

/// The contents of a system.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Element {
    System(SubSystem),
    Component(Component),
    /// Signals that are defined elsewhere, under this name.
    Dictionary(String),
}

/// An FMU, or a system in a file of its own.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Component {
    pub(super) name: Located<String>,
    pub(super) source: Option<Located<String>>,
    pub(super) kind: Option<String>,
    pub(super) implementation: Option<String>,
    pub(super) connectors: Vec<Connector>,
    pub(super) bindings: Vec<Binding>,
}

/// A variable that can be connected.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Connector {
    pub(super) name: String,
    /// Its direction; `None` for both or unspecified.
    pub(super) causality: Option<Causality>,
    pub(super) unit: Option<String>,
    /// The reason why it cannot be connected, if there is one.
    pub(super) obstacle: Option<&'static str>,
}

/// Two connectors of elements, or of the system itself.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Connection {
    pub(super) start: End,
    pub(super) end: End,
    pub(super) transformation: Transformation,
    pub(super) keeps_units: bool,
}

/// One end of a connection.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct End {
    pub(super) element: Option<String>,
    pub(super) connector: Located<String>,
}

/// The root element and everything in it.
pub(super) fn read(root: Node<'_, '_>, reader: &mut Reader<'_>) -> Option<Structure> {
    if !is(root, &HERE, "SystemStructureDescription") {
        let message = format!("expected the root element <SystemStructureDescription> of SSP, found {}", described(root));
        let help = "use the namespace http://ssp-standard.org/SSP1/SystemStructureDescription, with any prefix".to_owned();
        reader.error(Code::NotSsp, root, message, help);
        return None;
    }
    if let Some(version) =
        reader.text(root, "version").filter(|text| !text.value.starts_with("1.") && !text.value.starts_with("2."))
    {
        reader.warning(Code::SspIgnored, root, format!("unknown version {}; Lotka reads it like 2.0", version.value), None);
    }
    let mut structure = Structure::default();
    let mut has_system = false;
    for child in root.children().filter(Node::is_element) {
        match child.tag_name().name() {
            "System" if is(child, &HERE, "System") => {
                has_system = true;
                structure.system = system(child, reader, &mut structure.hints);
            }
            "Units" => structure.units = parameters::units(child, reader),
            "DefaultExperiment" => {
                structure.start = reader.number(child, "startTime");
                structure.stop = reader.number(child, "stopTime");
                annotations::read_in(child, reader, &mut structure.hints);
            }
            "Annotations" => annotations::read(child, reader, &mut structure.hints),
            "Enumerations" => {}
            other if ORNAMENTS.contains(&other) => {}
            _ => reader.unknown(child),
        }
    }
    if !has_system {
        reader.error(Code::NotSsp, root, "missing <System>", None);
    }
    has_system.then_some(structure)
}

fn system(node: Node<'_, '_>, reader: &mut Reader<'_>, hints: &mut Hints) -> SubSystem {
    let name = reader.required(node, "name").map(|name| name.value).unwrap_or_default();
    let id = reader.text(node, "id").map(|id| id.value);
    let mut system = SubSystem { name, id, ..SubSystem::default() };
    for child in node.children().filter(Node::is_element) {
        match child.tag_name().name() {
            "Connectors" => system.connectors = connectors(child, reader),
            "ParameterBindings" => system.bindings = parameters::bindings(child, reader),
            "Elements" => system.elements = elements(child, reader, hints),
            "Connections" => system.connections = connections(child, reader),
            "Annotations" => annotations::read(child, reader, hints),
            // They matter only if they are connected, which is reported there.
            "SignalDictionaries" => {}
            other if ORNAMENTS.contains(&other) => {}
            _ => reader.unknown(child),
        }
    }
    system
}

fn elements(node: Node<'_, '_>, reader: &mut Reader<'_>, hints: &mut Hints) -> Vec<Element> {
    let mut elements = Vec::new();
    for child in node.children().filter(Node::is_element) {
        match child.tag_name().name() {
            "System" => elements.push(Element::System(system(child, reader, hints))),
            "Component" => elements.extend(component(child, reader, hints).map(Element::Component)),
            "SignalDictionaryReference" => {
                elements.extend(reader.required(child, "name").map(|name| Element::Dictionary(name.value)));
            }
            _ => reader.unknown(child),
        }
    }
    elements
}

fn component(node: Node<'_, '_>, reader: &mut Reader<'_>, hints: &mut Hints) -> Option<Component> {
    let mut component = Component {
        name: reader.required(node, "name")?,
        source: reader.text(node, "source"),
        kind: reader.text(node, "type").map(|kind| kind.value),
        implementation: reader.text(node, "implementation").map(|implementation| implementation.value),
        connectors: Vec::new(),
        bindings: Vec::new(),
    };
    for child in node.children().filter(Node::is_element) {
        match child.tag_name().name() {
            "Connectors" => component.connectors = connectors(child, reader),
            "ParameterBindings" => component.bindings = parameters::bindings(child, reader),
            "Annotations" => annotations::read(child, reader, hints),
            other if ORNAMENTS.contains(&other) => {}
            _ => reader.unknown(child),
        }
    }
    Some(component)
}

fn connectors(node: Node<'_, '_>, reader: &mut Reader<'_>) -> Vec<Connector> {
    let mut connectors = Vec::new();
    for child in node.children().filter(Node::is_element) {
        if !is(child, &HERE, "Connector") {
            reader.unknown(child);
            continue;
        }
        let Some(name) = reader.required(child, "name") else { continue };
        let causality = causality(child, reader);
        let mut connector = Connector { name: name.value, causality, unit: None, obstacle: None };
        for inner in child.children().filter(Node::is_element) {
            match inner.tag_name().name() {
                "Real" | "Float64" | "Float32" => {
                    connector.unit = reader.text(inner, "unit").map(|unit| unit.value).filter(|unit| !unit.is_empty())
                }
                "Clock" => connector.obstacle = Some("clocks are not supported"),
                "Dimension" => {}
                name if is_scalar(name) || ORNAMENTS.contains(&name) || name == "Annotations" => {}
                _ => reader.unknown(inner),
            }
        }
        connectors.push(connector);
    }
    connectors
}

fn is_scalar(name: &str) -> bool {
    matches!(
        name,
        "Integer"
            | "Int8"
            | "UInt8"
            | "Int16"
            | "UInt16"
            | "Int32"
            | "UInt32"
            | "Int64"
            | "UInt64"
            | "Boolean"
            | "String"
            | "Binary"
            | "Enumeration"
    )
}

fn causality(node: Node<'_, '_>, reader: &mut Reader<'_>) -> Option<Causality> {
    match reader.text(node, "kind")?.value.as_str() {
        "input" => Some(Causality::Input),
        "parameter" | "structuralParameter" => Some(Causality::Parameter),
        "output" => Some(Causality::Output),
        "calculatedParameter" | "constant" => Some(Causality::CalculatedParameter),
        "local" => Some(Causality::Local),
        "inout" | "unspecified" => None,
        other => {
            reader.warning(Code::SspIgnored, node, format!("unknown connector kind `{other}`"), None);
            None
        }
    }
}

fn connections(node: Node<'_, '_>, reader: &mut Reader<'_>) -> Vec<Connection> {
    let mut connections = Vec::new();
    for child in node.children().filter(Node::is_element) {
        if !is(child, &HERE, "Connection") {
            reader.unknown(child);
            continue;
        }
        let ends = (end(child, reader, "startElement", "startConnector"), end(child, reader, "endElement", "endConnector"));
        if ["startIndices", "endIndices"].iter().any(|name| child.has_attribute(*name)) {
            reader.error(
                Code::SspUnsupported,
                child,
                "the elements of an array that `startIndices` and `endIndices` select cannot be connected",
                "connect whole arrays, or connectors of elements, such as `y[2]`".to_owned(),
            );
        }
        let keeps_units = reader.flag(child, "suppressUnitConversion");
        let transformation = transformation::read(child, reader);
        if let (Some(start), Some(end)) = ends {
            connections.push(Connection { start, end, transformation, keeps_units });
        }
    }
    connections
}

fn end(node: Node<'_, '_>, reader: &mut Reader<'_>, element: &str, connector: &str) -> Option<End> {
    // Some tools write an empty name for the system itself.
    let element = reader.text(node, element).map(|element| element.value).filter(|element| !element.is_empty());
    Some(End { element, connector: reader.required(node, connector)? })
}
