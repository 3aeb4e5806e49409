//! An element with its attributes, and how the attributes get into the description.

use std::borrow::Cow;

use quick_xml::XmlVersion;
use quick_xml::events::attributes::{AttrError, Attributes as RawAttributes};

use crate::collector::{Collector, quoted};
use crate::schema::Attributes;
use crate::value::{Field, is_xml_char, is_xml_space};

/// A start tag.
#[derive(Debug)]
pub struct Element<'x> {
    /// Its name.
    pub name: &'x str,
    /// Offset of its `<`.
    pub offset: usize,
    attributes: Vec<Attribute<'x>>,
}

#[derive(Debug)]
struct Attribute<'x> {
    name: &'x str,
    value: Cow<'x, str>,
    offset: usize,
}

impl<'x> Element<'x> {
    /// Parses `tag`, the part of `text` after the `<` at `offset`. An error holds an offset and a message.
    pub(crate) fn parse(text: &'x str, offset: usize, tag: &'x str, name: usize) -> Result<Self, (usize, String)> {
        let mut element = Self { name: &tag[..name], offset, attributes: Vec::new() };
        if !is_name(element.name) {
            return Err((offset, format!("{} is not a valid XML name", quoted(element.name))));
        }
        for raw in RawAttributes::new(tag, name) {
            let raw = raw.map_err(|error| (offset + 1 + position(&error), error.to_string()))?;
            let key: &'x str = raw.key.0;
            let at = key.as_ptr() as usize - text.as_ptr() as usize;
            let raw_value: &str = &raw.value;
            if !is_name(key) || raw_value.contains('<') || !text[..at].ends_with(is_xml_space) {
                return Err((at, format!("the attribute {} is malformed", quoted(key))));
            }
            let value = raw.normalized_value(XmlVersion::Explicit1_0).map_err(|error| (at, error.to_string()))?;
            if let Some(c) = value.chars().find(|c| !is_xml_char(*c)) {
                return Err((at, format!("the character U+{:04X} is not allowed in XML", u32::from(c))));
            }
            element.attributes.push(Attribute { name: key, value, offset: at });
        }
        Ok(element)
    }

    /// Returns the value of an attribute that no target has taken.
    #[must_use]
    pub fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|attribute| attribute.name == name).map(|attribute| &*attribute.value)
    }

    /// Returns the namespace prefixes that the element declares, with their values.
    pub fn namespaces(&self) -> impl Iterator<Item = (&'x str, &str)> {
        self.attributes.iter().filter_map(|attribute| Some((attribute.name.strip_prefix("xmlns:")?, &*attribute.value)))
    }

    /// Lets `target` take its attributes and reports unknown ones. Returns false, after reporting it, if an attribute without
    /// which the element is meaningless is missing.
    pub fn fill(&mut self, target: &mut impl Attributes, problems: &mut Collector) -> bool {
        let usable = self.fill_part(target, problems);
        self.finish(problems);
        usable
    }

    /// Same as [`Element::fill`], but leaves the remaining attributes to another target.
    pub fn fill_part(&mut self, target: &mut impl Attributes, problems: &mut Collector) -> bool {
        let mut source = Source { element: self, problems, usable: true };
        target.read(&mut source);
        source.usable
    }

    /// Reports the attributes that no target took. Those that declare prefixes or name a schema are allowed everywhere.
    pub fn finish(&mut self, problems: &mut Collector) {
        self.report_rest(problems, false);
    }

    /// Same as [`Element::finish`] for an element that may have further attributes. Other standards define those with a prefix;
    /// those without, which newer minor versions define, are only noted.
    pub fn finish_extensible(&mut self, problems: &mut Collector) {
        self.report_rest(problems, true);
    }

    fn report_rest(&mut self, problems: &mut Collector, is_extensible: bool) {
        for attribute in self.attributes.drain(..) {
            let (name, offset) = (attribute.name, attribute.offset);
            if name.starts_with("xmlns:") || name.starts_with("xsi:") {
                continue;
            }
            if name == "xmlns" {
                let message = format!("<{}> has the namespace {}", self.name, quoted(&attribute.value));
                let remedy = format!("remove xmlns: the elements of {} have no namespace", problems.format().name);
                problems.warn(offset, "namespace", message, &remedy);
            } else if name.starts_with("xml:") {
                let message = format!("{} is not an FMI attribute", quoted(name));
                problems.note(offset, "unknown-attribute", message, "remove it: validators refuse it, importers ignore it");
            } else if !is_extensible || !name.contains(':') {
                let message = format!("unknown attribute {} of <{}>", quoted(name), self.name);
                if is_extensible {
                    problems.note(
                        offset,
                        "unknown-attribute",
                        message,
                        "check its spelling; importers ignore unknown attributes",
                    );
                } else {
                    problems.warn(offset, "unknown-attribute", message, "remove it");
                }
            }
        }
    }
}

/// The source of a description's attributes. Its methods are the modes of the table of attributes.
#[derive(Debug)]
pub struct Source<'a, 'x> {
    element: &'a mut Element<'x>,
    problems: &'a mut Collector,
    usable: bool,
}

/// Remedy for a malformed value that matters.
const CORRECT: &str = "correct it; this value is required";

impl Source<'_, '_> {
    /// Reads an attribute that must be present and valid; otherwise reports an error.
    pub fn required(&mut self, name: &'static str, field: &mut impl Field) {
        match self.take(name, field) {
            Some(Ok(())) => {}
            Some(Err((offset, message))) => self.problems.error(offset, "malformed-value", message, CORRECT),
            None => self.problems.error(self.element.offset, "missing-attribute", self.missing(name), "add it"),
        }
    }

    /// Reads an attribute without which the element is left out, with a warning.
    pub fn key(&mut self, name: &'static str, field: &mut impl Field) {
        const LEFT_OUT: &str = "correct it; until then, importers ignore the element";
        match self.take(name, field) {
            Some(Ok(())) => return,
            Some(Err((offset, message))) => self.problems.warn(offset, "malformed-value", message, LEFT_OUT),
            None => self.problems.warn(self.element.offset, "missing-attribute", self.missing(name), LEFT_OUT),
        }
        self.usable = false;
    }

    /// Reads an attribute that may be absent; reports an error if it is malformed.
    pub fn matters(&mut self, name: &'static str, field: &mut impl Field) {
        if let Some(Err((offset, message))) = self.take(name, field) {
            self.problems.error(offset, "malformed-value", message, CORRECT);
        }
    }

    /// Reads an attribute that may be absent; if it is malformed, warns and treats it as absent.
    pub fn spare(&mut self, name: &'static str, field: &mut impl Field) {
        if let Some(Err((offset, message))) = self.take(name, field) {
            self.problems.warn(offset, "malformed-value", message, "correct it; until then, importers treat it as absent");
        }
    }

    /// Reads a text that the rules check later; a missing text is empty.
    pub fn checked(&mut self, name: &'static str, field: &mut String) {
        self.spare(name, field);
    }

    fn take(&mut self, name: &str, field: &mut impl Field) -> Option<Result<(), (usize, String)>> {
        let index = self.element.attributes.iter().position(|attribute| attribute.name == name)?;
        let Attribute { value, offset, .. } = self.element.attributes.remove(index);
        Some(
            field.set(&value).map_err(|expected| {
                (offset, format!("{name}={} of <{}>: expected {expected}", quoted(&value), self.element.name))
            }),
        )
    }

    fn missing(&self, name: &str) -> String {
        format!("<{}> has no attribute {name}", self.element.name)
    }
}

/// Returns whether XML allows this name (accepts every non-ASCII letter).
fn is_name(name: &str) -> bool {
    let start = |c: char| c.is_ascii_alphabetic() || matches!(c, '_' | ':') || !c.is_ascii();
    name.starts_with(start) && name.chars().all(|c| start(c) || c.is_ascii_digit() || matches!(c, '-' | '.'))
}

fn position(error: &AttrError) -> usize {
    match *error {
        AttrError::ExpectedEq(at)
        | AttrError::ExpectedValue(at)
        | AttrError::UnquotedValue(at)
        | AttrError::ExpectedQuote(at, _)
        | AttrError::Duplicated(at, _) => at,
    }
}
