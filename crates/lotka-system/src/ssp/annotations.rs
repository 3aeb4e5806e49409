//! Step settings, which SSP leaves to tools: annotations of OMSimulator, of the Open Simulation Platform, and of Lotka.

use roxmltree::Node;

use super::document::{Space, is};
use crate::{Located, xml::Reader};
use lotka_message::Code;

/// The type of Lotka's annotation.
pub(crate) const TYPE: &str = "lotka";

/// The namespace of its content.
pub(crate) const NAMESPACE: &str = "urn:lotka:system-settings:1";

/// The given step settings.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Hints {
    /// Fixed steps \[s\].
    pub(super) step: Option<Located<f64>>,
    /// Whether they are those of OMSimulator's master.
    pub(super) is_of_omsimulator: bool,
    /// Control of the local error.
    pub(super) control: Option<Control>,
    /// Lotka's settings: sections of a system file, and their offset.
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
                format!("unknown annotation type `{kind}`: the annotation has no effect"),
                None,
            );
        }
    }
}

/// Whether this element has step settings.
fn hint(node: Node<'_, '_>, reader: &mut Reader<'_>, hints: &mut Hints) -> bool {
    match node.tag_name().name() {
        "Settings" if node.tag_name().namespace() == Some(NAMESPACE) => {
            let text = node.text().unwrap_or_default();
            let begin = node.first_child().map(|child| reader.in_file(child.range()).start);
            hints.settings = Some(Located { value: text.to_owned(), span: begin.map(|begin| begin..begin) });
            true
        }
        "FixedStepAlgorithm" => {
            let size = reader.number(node, "baseStepSize");
            step(size, node, reader, hints);
            node.has_attribute("baseStepSize")
        }
        // Of OMSimulator 2.x.
        "FixedStepMaster" => master(node, "stepSize", reader, hints),
        "VariableStepMaster" => control(node, reader, hints),
        // Of OMSimulator 3.x.
        "SimulationInformation" => match node.attribute("method") {
            Some("oms_ma") => master(node, "fixedStepSize", reader, hints),
            Some("oms_mav" | "oms_mav2") => control(node, reader, hints),
            _ => false,
        },
        _ => false,
    }
}

fn master(node: Node<'_, '_>, name: &str, reader: &mut Reader<'_>, hints: &mut Hints) -> bool {
    let size = rounded(node, name, reader);
    hints.is_of_omsimulator |= size.is_some();
    step(size, node, reader, hints);
    node.has_attribute(name)
}

fn control(node: Node<'_, '_>, reader: &mut Reader<'_>, hints: &mut Hints) -> bool {
    let control = Control {
        relative: rounded(node, "relativeTolerance", reader),
        absolute: rounded(node, "absoluteTolerance", reader),
        first: rounded(node, "initialStepSize", reader),
        minimum: reader.number(node, "minimumStepSize").filter(|number| number.value != 0.0),
        maximum: rounded(node, "maximumStepSize", reader),
    };
    hints.control.get_or_insert(control);
    true
}

/// OMSimulator writes numbers with six decimals, so smaller ones become 0.
fn rounded(node: Node<'_, '_>, name: &str, reader: &mut Reader<'_>) -> Option<Located<f64>> {
    let number = reader.number(node, name)?;
    if number.value == 0.0 {
        let message = format!("`{name}` is 0, which has no effect; OMSimulator writes six decimals");
        reader.warning(Code::SspIgnored, node, message, "write the intended number, such as 1e-7".to_owned());
        return None;
    }
    Some(number)
}

fn step(number: Option<Located<f64>>, node: Node<'_, '_>, reader: &mut Reader<'_>, hints: &mut Hints) {
    let Some(step) = number else { return };
    match &hints.step {
        Some(known) if known.value != step.value => {
            reader.warning(
                Code::SspIgnored,
                node,
                format!("an earlier annotation sets the step size {} s: {} s has no effect", known.value, step.value),
                None,
            );
        }
        _ => hints.step = Some(step),
    }
}
