//! Reader for an XML tree that keeps source positions for messages.

use std::ops::Range;

use lotka_message::limits::XML_NODES;
use roxmltree::{Attribute, Document, Node, ParsingOptions};

use super::Xml;
use crate::Located;
use lotka_message::{Code, Findings, SourceFile};

/// Message codes of a file format.
#[derive(Debug, Clone, Copy)]
pub struct Codes {
    /// An attribute is missing or wrong.
    pub form: Code,
    /// Something has no effect.
    pub ignored: Code,
}

/// Reads one file, and collects what is wrong with it.
pub struct Reader<'f> {
    file: &'f SourceFile,
    /// Whether this is the main file. Only its values keep their positions; for other files, the reader reports everything while
    /// it reads.
    is_main: bool,
    codes: Codes,
    /// Text from which the tree is parsed.
    xml: Option<Xml<'f>>,
    /// What is wrong so far.
    pub findings: Findings,
}

impl<'f> Reader<'f> {
    /// Begins to read a file.
    #[must_use]
    pub fn new(file: &'f SourceFile, is_main: bool, codes: Codes) -> Self {
        Self { file, is_main, codes, xml: None, findings: Findings::default() }
    }

    /// Parses the text and returns the result of `read` for the root element; `None` if the text is not XML or has a DTD.
    pub fn tree<T>(&mut self, read: impl FnOnce(Node<'_, '_>, &mut Self) -> T) -> Option<T> {
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

    /// Converts a range of the parsed text into a range of the file.
    #[must_use]
    pub fn in_file(&self, range: Range<usize>) -> Range<usize> {
        self.xml.as_ref().map_or(range.clone(), |xml| xml.in_file(range))
    }

    fn tag(&self, node: Node<'_, '_>) -> Range<usize> {
        self.in_file(tag(node))
    }

    fn value(&self, attribute: Attribute<'_, '_>) -> Range<usize> {
        self.in_file(attribute.range_value())
    }

    /// Adds a problem at a node.
    pub fn error(&mut self, code: Code, node: Node<'_, '_>, message: impl Into<String>, help: impl Into<Option<String>>) {
        self.findings.error(code, &Some(self.tag(node)), message, help);
    }

    /// Adds a warning at a node.
    pub fn warning(&mut self, code: Code, node: Node<'_, '_>, message: impl Into<String>, help: impl Into<Option<String>>) {
        self.findings.warning(code, &Some(self.tag(node)), message, help);
    }

    /// Warns about an unknown element, which has no effect.
    pub fn unknown(&mut self, node: Node<'_, '_>) {
        let parent = node.parent_element();
        let within = parent.map(|parent| format!(" in <{}>", parent.tag_name().name())).unwrap_or_default();
        let own = node.tag_name().namespace();
        // Name the namespace if it differs from that of the parent: this may be why the element is unknown.
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

    /// Returns an attribute with its position.
    #[must_use]
    pub fn text(&self, node: Node<'_, '_>, name: &str) -> Option<Located<String>> {
        node.attribute_node(name).map(|attribute| self.located(attribute))
    }

    fn located(&self, attribute: Attribute<'_, '_>) -> Located<String> {
        Located { value: attribute.value().to_owned(), span: self.is_main.then(|| self.value(attribute)) }
    }

    /// Returns a required attribute; reports an error if it is missing.
    pub fn required(&mut self, node: Node<'_, '_>, name: &str) -> Option<Located<String>> {
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

    /// Returns an attribute as a finite number; reports an error if it is anything else.
    pub fn number(&mut self, node: Node<'_, '_>, name: &str) -> Option<Located<f64>> {
        let attribute = node.attribute_node(name)?;
        let value = attribute.value().trim().parse().ok().filter(|value: &f64| value.is_finite());
        if value.is_none() {
            let message = format!("{name}=\"{}\" of <{}>: expected a finite number", attribute.value(), node.tag_name().name());
            self.findings.error(self.codes.form, &Some(self.value(attribute)), message, None);
        }
        Some(Located { value: value?, span: self.is_main.then(|| self.value(attribute)) })
    }

    /// Returns the text of an element without surrounding whitespace.
    #[must_use]
    pub fn text_of(&self, node: Node<'_, '_>) -> Located<String> {
        let value = node.text().unwrap_or_default().trim().to_owned();
        Located { value, span: self.is_main.then(|| self.tag(node)) }
    }

    /// Returns the text of an element as a finite number; reports an error if it is anything else.
    pub fn content(&mut self, node: Node<'_, '_>) -> Option<Located<f64>> {
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

    /// Returns a boolean attribute; false if it is missing or, with an error, if it is not a boolean.
    pub fn flag(&mut self, node: Node<'_, '_>, name: &str) -> bool {
        let Some(attribute) = node.attribute_node(name) else { return false };
        boolean(attribute.value()).unwrap_or_else(|| {
            let message = format!("{name}=\"{}\" of <{}>: expected true or false", attribute.value(), node.tag_name().name());
            self.findings.error(self.codes.form, &Some(self.value(attribute)), message, None);
            false
        })
    }
}

/// Parses a boolean in XML notation: `true`, `1`, `false` or `0`.
#[must_use]
pub fn boolean(text: &str) -> Option<bool> {
    match text.trim() {
        "true" | "1" => Some(true),
        "false" | "0" => Some(false),
        _ => None,
    }
}

/// Returns the range from the `<` of an element to the end of its name.
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
