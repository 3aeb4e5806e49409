//! A tree of XML, with places for messages.

use std::ops::Range;

use lotka_message::limits::XML_NODES;
use roxmltree::{Attribute, Document, Node, ParsingOptions};

use super::Xml;
use crate::Located;
use lotka_message::{Code, Findings, SourceFile};

/// The codes of a format.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Codes {
    /// An attribute is missing or wrong.
    pub(crate) form: Code,
    /// Something has no effect.
    pub(crate) ignored: Code,
}

/// Reads one file and collects its problems.
pub(crate) struct Reader<'f> {
    file: &'f SourceFile,
    /// Only problems of the main file have places; others are reported as texts.
    is_main: bool,
    codes: Codes,
    /// The text of the tree.
    xml: Option<Xml<'f>>,
    pub(crate) findings: Findings,
}

impl<'f> Reader<'f> {
    pub(crate) fn new(file: &'f SourceFile, is_main: bool, codes: Codes) -> Self {
        Self { file, is_main, codes, xml: None, findings: Findings::default() }
    }

    /// The result of `read` for the root element, if the text is XML without DTD.
    pub(crate) fn tree<T>(&mut self, read: impl FnOnce(Node<'_, '_>, &mut Self) -> T) -> Option<T> {
        let xml = Xml::survey(&self.file.text, &mut self.findings)?;
        let text = xml.text.clone();
        self.xml = Some(xml);
        let options = ParsingOptions { nodes_limit: XML_NODES, ..ParsingOptions::default() };
        match Document::parse_with_options(&text, options) {
            Ok(document) => Some(read(document.root_element(), self)),
            Err(error) => {
                let at = offset(&text, error.pos());
                let place = self.in_file(at..at);
                self.findings.error(Code::Syntax, &Some(place), format!("cannot parse the XML: {error}"), None);
                None
            }
        }
    }

    /// Converts a range of the text of the tree to one of the file.
    pub(crate) fn in_file(&self, range: Range<usize>) -> Range<usize> {
        self.xml.as_ref().map_or(range.clone(), |xml| xml.in_file(range))
    }

    fn tag(&self, node: Node<'_, '_>) -> Range<usize> {
        self.in_file(tag(node))
    }

    fn value(&self, attribute: Attribute<'_, '_>) -> Range<usize> {
        self.in_file(attribute.range_value())
    }

    pub(crate) fn error(&mut self, code: Code, node: Node<'_, '_>, message: impl Into<String>, help: impl Into<Option<String>>) {
        self.findings.error(code, &Some(self.tag(node)), message, help);
    }

    pub(crate) fn warning(
        &mut self,
        code: Code,
        node: Node<'_, '_>,
        message: impl Into<String>,
        help: impl Into<Option<String>>,
    ) {
        self.findings.warning(code, &Some(self.tag(node)), message, help);
    }

    /// An ignored element.
    pub(crate) fn unknown(&mut self, node: Node<'_, '_>) {
        let parent = node.parent_element();
        let within = parent.map(|parent| format!(" in <{}>", parent.tag_name().name())).unwrap_or_default();
        let own = node.tag_name().namespace();
        // An element that would be known in the namespace of the enclosing ones.
        let space = match own.filter(|_| parent.is_some_and(|parent| parent.tag_name().namespace() != own)) {
            Some(own) => format!(" of the namespace \"{own}\""),
            None => String::new(),
        };
        self.warning(
            self.codes.ignored,
            node,
            format!("unknown element <{}>{space}{within}: it has no effect", node.tag_name().name()),
            None,
        );
    }

    /// An attribute, with its place.
    pub(crate) fn text(&self, node: Node<'_, '_>, name: &str) -> Option<Located<String>> {
        node.attribute_node(name).map(|attribute| self.located(attribute))
    }

    fn located(&self, attribute: Attribute<'_, '_>) -> Located<String> {
        Located { value: attribute.value().to_owned(), span: self.is_main.then(|| self.value(attribute)) }
    }

    /// A mandatory attribute.
    pub(crate) fn required(&mut self, node: Node<'_, '_>, name: &str) -> Option<Located<String>> {
        let found = self.text(node, name);
        if found.is_none() {
            self.error(
                self.codes.form,
                node,
                format!("<{}> has no attribute `{name}`", node.tag_name().name()),
                "add it".to_owned(),
            );
        }
        found
    }

    /// A finite number.
    pub(crate) fn number(&mut self, node: Node<'_, '_>, name: &str) -> Option<Located<f64>> {
        let attribute = node.attribute_node(name)?;
        let value = attribute.value().trim().parse().ok().filter(|value: &f64| value.is_finite());
        if value.is_none() {
            let message = format!("{name}=\"{}\" of <{}>: expected a finite number", attribute.value(), node.tag_name().name());
            self.findings.error(self.codes.form, &Some(self.value(attribute)), message, None);
        }
        Some(Located { value: value?, span: self.is_main.then(|| self.value(attribute)) })
    }

    /// The text of an element, without blanks around it.
    pub(crate) fn text_of(&self, node: Node<'_, '_>) -> Located<String> {
        let value = node.text().unwrap_or_default().trim().to_owned();
        Located { value, span: self.is_main.then(|| self.tag(node)) }
    }

    /// The text of an element as a finite number.
    pub(crate) fn content(&mut self, node: Node<'_, '_>) -> Option<Located<f64>> {
        let text = node.text().unwrap_or_default().trim();
        let value = text.parse().ok().filter(|value: &f64| value.is_finite());
        if value.is_none() {
            self.error(
                self.codes.form,
                node,
                format!("\"{text}\" in <{}>: expected a finite number", node.tag_name().name()),
                None,
            );
        }
        Some(Located { value: value?, span: self.is_main.then(|| self.tag(node)) })
    }

    /// A boolean as XML writes it, default no.
    pub(crate) fn flag(&mut self, node: Node<'_, '_>, name: &str) -> bool {
        let Some(attribute) = node.attribute_node(name) else { return false };
        boolean(attribute.value()).unwrap_or_else(|| {
            let message = format!("{name}=\"{}\" of <{}>: expected true or false", attribute.value(), node.tag_name().name());
            self.findings.error(self.codes.form, &Some(self.value(attribute)), message, None);
            false
        })
    }
}

/// A boolean as XML writes it.
pub(crate) fn boolean(text: &str) -> Option<bool> {
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
