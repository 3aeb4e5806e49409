//! XML with namespaces by their URI, and places for messages.

use std::ops::Range;

use roxmltree::{Attribute, Document, Node, ParsingOptions};

use crate::{
    Code,
    system::{Located, SourceFile, problem::Findings},
};

/// More elements than this are refused.
const MOST_NODES: u32 = 10_000_000;

/// The schemas of SSP. Their URIs differ in the version of the standard only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Space {
    /// Descriptions of systems.
    Description,
    /// What all have in common.
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
            _ => None,
        }
    }
}

/// Whether an element has this name, in any of these schemas.
pub(super) fn is(node: Node<'_, '_>, spaces: &[Space], name: &str) -> bool {
    node.tag_name().name() == name && Space::of(node).is_some_and(|space| spaces.contains(&space))
}

/// Reads one file, and what is wrong with it.
pub(super) struct Reader<'f> {
    file: &'f SourceFile,
    /// Places are kept for those of the main file only: all other ones are told here and now.
    is_main: bool,
    pub(super) findings: Findings,
}

impl<'f> Reader<'f> {
    pub(super) fn new(file: &'f SourceFile, is_main: bool) -> Self {
        Self { file, is_main, findings: Findings::default() }
    }

    /// The tree, if the text is XML without DTD.
    pub(super) fn parse(&mut self) -> Option<Document<'f>> {
        let options = ParsingOptions { nodes_limit: MOST_NODES, ..ParsingOptions::default() };
        match Document::parse_with_options(&self.file.text, options) {
            Ok(document) => Some(document),
            Err(error) => {
                let at = offset(&self.file.text, error.pos());
                self.findings.error(Code::Syntax, &Some(at..at), format!("this is no XML that can be read: {error}"), None);
                None
            }
        }
    }

    pub(super) fn error(&mut self, code: Code, node: Node<'_, '_>, message: impl Into<String>, help: impl Into<Option<String>>) {
        self.findings.error(code, &Some(tag(node)), message, help);
    }

    pub(super) fn warning(
        &mut self,
        code: Code,
        node: Node<'_, '_>,
        message: impl Into<String>,
        help: impl Into<Option<String>>,
    ) {
        self.findings.warning(code, &Some(tag(node)), message, help);
    }

    /// An element that nothing is made of.
    pub(super) fn unknown(&mut self, node: Node<'_, '_>) {
        let parent = node.parent_element().map(|parent| format!(" in <{}>", parent.tag_name().name())).unwrap_or_default();
        self.warning(
            Code::SspIgnored,
            node,
            format!("the element <{}>{parent} is unknown and has no effect", node.tag_name().name()),
            None,
        );
    }

    /// An attribute, with its place.
    pub(super) fn text(&self, node: Node<'_, '_>, name: &str) -> Option<Located<String>> {
        node.attribute_node(name).map(|attribute| self.located(attribute))
    }

    fn located(&self, attribute: Attribute<'_, '_>) -> Located<String> {
        Located { value: attribute.value().to_owned(), span: self.is_main.then(|| attribute.range_value()) }
    }

    /// An attribute that has to be there.
    pub(super) fn required(&mut self, node: Node<'_, '_>, name: &str) -> Option<Located<String>> {
        let found = self.text(node, name);
        if found.is_none() {
            self.error(
                Code::SspAttribute,
                node,
                format!("<{}> has no attribute `{name}`", node.tag_name().name()),
                "add it".to_owned(),
            );
        }
        found
    }

    /// A finite number.
    pub(super) fn number(&mut self, node: Node<'_, '_>, name: &str) -> Option<Located<f64>> {
        let attribute = node.attribute_node(name)?;
        let value = attribute.value().trim().parse().ok().filter(|value: &f64| value.is_finite());
        if value.is_none() {
            let message = format!("{name}=\"{}\" of <{}> is no finite number", attribute.value(), node.tag_name().name());
            self.findings.error(Code::SspAttribute, &Some(attribute.range_value()), message, None);
        }
        Some(Located { value: value?, span: self.is_main.then(|| attribute.range_value()) })
    }

    /// A boolean as XML writes it, default no.
    pub(super) fn flag(&mut self, node: Node<'_, '_>, name: &str) -> bool {
        let Some(attribute) = node.attribute_node(name) else { return false };
        boolean(attribute.value()).unwrap_or_else(|| {
            let message = format!("{name}=\"{}\" of <{}> is neither true nor false", attribute.value(), node.tag_name().name());
            self.findings.error(Code::SspAttribute, &Some(attribute.range_value()), message, None);
            false
        })
    }
}

/// A boolean as XML writes it.
pub(super) fn boolean(text: &str) -> Option<bool> {
    match text.trim() {
        "true" | "1" => Some(true),
        "false" | "0" => Some(false),
        _ => None,
    }
}

/// The beginning of an element, up to its name.
fn tag(node: Node<'_, '_>) -> Range<usize> {
    let start = node.range().start;
    let text = &node.document().input_text()[node.range()];
    let length = text.find(|c: char| c.is_whitespace() || c == '>').unwrap_or(text.len());
    start..start + length
}

fn offset(text: &str, position: roxmltree::TextPos) -> usize {
    let line_start: usize = text.split_inclusive('\n').take(position.row.saturating_sub(1) as usize).map(str::len).sum();
    let line = text[line_start..].split('\n').next().unwrap_or_default();
    line_start + line.chars().take(position.col.saturating_sub(1) as usize).map(char::len_utf8).sum::<usize>()
}
