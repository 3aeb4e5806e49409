//! What SSP leaves to tools: how steps are made. Hints of OMSimulator and of the Open Simulation Platform, and our own settings.

use roxmltree::Node;

use super::document::{Space, is};
use crate::{
    Code,
    system::{Located, xml::Reader},
};

/// The type of our own annotation.
pub(in crate::system) const TYPE: &str = "lotka";

/// The namespace of its content.
pub(in crate::system) const NAMESPACE: &str = "urn:lotka:system-settings:1";

/// How steps are made, as far as it is said.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Hints {
    /// Fixed steps \[s\].
    pub(super) step: Option<Located<f64>>,
    /// Control of the local error.
    pub(super) control: Option<Control>,
    /// Our own settings: sections of a system file, and where they begin.
    pub(super) settings: Option<Located<String>>,
}

/// Error control of OMSimulator.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Control {
    pub(super) relative: Option<Located<f64>>,
    pub(super) absolute: Option<Located<f64>>,
    pub(super) first: Option<Located<f64>>,
    pub(super) minimum: Option<Located<f64>>,
    pub(super) maximum: Option<Located<f64>>,
}

/// Reads the annotations among the children of an element.
pub(super) fn read_in(node: Node<'_, '_>, reader: &mut Reader<'_>, hints: &mut Hints) {
    for child in node.children().filter(Node::is_element) {
        if child.tag_name().name() == "Annotations" {
            read(child, reader, hints);
        } else {
            reader.unknown(child);
        }
    }
}

/// Reads the children of `<Annotations>`.
pub(super) fn read(node: Node<'_, '_>, reader: &mut Reader<'_>, hints: &mut Hints) {
    for annotation in node.children().filter(Node::is_element) {
        if !is(annotation, &[Space::Common, Space::Description], "Annotation") {
            reader.unknown(annotation);
            continue;
        }
        let kind = annotation.attribute("type").unwrap_or_default();
        let is_known = matches!(kind, TYPE | "org.openmodelica" | "com.opensimulationplatform");
        let mut is_understood = is_known;
        for element in annotation.descendants().skip(1).filter(Node::is_element) {
            is_understood |= hint(element, reader, hints);
        }
        if !is_understood {
            reader.warning(
                Code::SspIgnored,
                annotation,
                format!("the annotation of type `{kind}` is not understood and has no effect"),
                None,
            );
        }
    }
}

/// Whether this element says something about steps.
fn hint(node: Node<'_, '_>, reader: &mut Reader<'_>, hints: &mut Hints) -> bool {
    match node.tag_name().name() {
        "Settings" if node.tag_name().namespace() == Some(NAMESPACE) => {
            let text = node.text().unwrap_or_default();
            let begin = node.first_child().map(|child| reader.in_file(child.range()).start);
            hints.settings = Some(Located { value: text.to_owned(), span: begin.map(|begin| begin..begin) });
            true
        }
        "FixedStepMaster" => step(node, "stepSize", reader, hints),
        "FixedStepAlgorithm" => step(node, "baseStepSize", reader, hints),
        "VariableStepMaster" => {
            let control = Control {
                relative: reader.number(node, "relativeTolerance"),
                absolute: reader.number(node, "absoluteTolerance"),
                first: reader.number(node, "initialStepSize"),
                minimum: reader.number(node, "minimumStepSize"),
                maximum: reader.number(node, "maximumStepSize"),
            };
            hints.control.get_or_insert(control);
            true
        }
        _ => false,
    }
}

fn step(node: Node<'_, '_>, name: &str, reader: &mut Reader<'_>, hints: &mut Hints) -> bool {
    let Some(step) = reader.number(node, name) else { return false };
    match &hints.step {
        Some(known) if known.value != step.value => {
            reader.warning(
                Code::SspIgnored,
                node,
                format!("another step size, {} s, was found before: {} s has no effect", known.value, step.value),
                None,
            );
        }
        _ => hints.step = Some(step),
    }
    true
}
