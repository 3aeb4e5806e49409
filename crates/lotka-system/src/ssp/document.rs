//! The schemas of SSP.

use roxmltree::Node;

use crate::xml::{Codes, Reader};
use lotka_message::Code;

/// The codes of messages about SSP.
pub(super) const CODES: Codes = Codes { form: Code::SspAttribute, ignored: Code::SspIgnored };

/// The schemas of SSP. Their URIs differ in the version of the standard only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Space {
    /// Descriptions of systems.
    Description,
    /// Elements common to all schemas.
    Common,
    /// Parameter values.
    Values,
    /// Parameter mappings.
    Mapping,
}

impl Space {
    fn of(node: Node<'_, '_>) -> Option<Self> {
        let (version, name) = node.tag_name().namespace()?.strip_prefix("http://ssp-standard.org/SSP")?.split_once('/')?;
        let is_version = matches!(version, "1" | "2");
        match name {
            "SystemStructureDescription" if is_version => Some(Self::Description),
            "SystemStructureCommon" if is_version => Some(Self::Common),
            "SystemStructureParameterValues" if is_version => Some(Self::Values),
            "SystemStructureParameterMapping" if is_version => Some(Self::Mapping),
            // Of tools that follow a draft of the standard.
            OLD_VALUES if is_version => Some(Self::Values),
            OLD_MAPPING if is_version => Some(Self::Mapping),
            _ => None,
        }
    }
}

/// Names of schemas in drafts of the standard.
const OLD_VALUES: &str = "ParameterValues";
const OLD_MAPPING: &str = "ParameterMapping";

/// Warns of a root element in a schema that a draft of the standard named.
pub(super) fn check_space(root: Node<'_, '_>, reader: &mut Reader<'_>) {
    let Some((start, name)) = root.tag_name().namespace().and_then(|space| space.rsplit_once('/')) else { return };
    if matches!(name, OLD_VALUES | OLD_MAPPING) {
        let message = format!("the namespace {start}/{name} is that of a draft of SSP");
        let help = format!("use {start}/SystemStructure{name}");
        reader.warning(Code::SspIgnored, root, message, Some(help));
    }
}

/// Whether an element has this name, in any of these schemas.
pub(super) fn is(node: Node<'_, '_>, spaces: &[Space], name: &str) -> bool {
    node.tag_name().name() == name && Space::of(node).is_some_and(|space| spaces.contains(&space))
}

/// The name of a root element that does not belong to SSP, with its namespace.
pub(super) fn described(root: Node<'_, '_>) -> String {
    let name = root.tag_name().name();
    match root.tag_name().namespace() {
        Some(space) => format!("<{name}> in the namespace \"{space}\""),
        None => format!("<{name}> without a namespace"),
    }
}
