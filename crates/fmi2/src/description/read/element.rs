//! An element with its attributes, and how a description takes them.

use std::borrow::Cow;

use quick_xml::XmlVersion;
use quick_xml::events::attributes::{AttrError, Attributes as RawAttributes};

use super::super::attributes::Attributes;
use super::super::value::{Field, is_xml_char, is_xml_space};
use super::problems::{Collector, quoted};

/// The start of an element.
pub(super) struct Element<'x> {
    pub name: &'x str,
    /// Of its `<`.
    pub offset: usize,
    attributes: Vec<Attribute<'x>>,
}

struct Attribute<'x> {
    name: &'x str,
    value: Cow<'x, str>,
    offset: usize,
}

impl<'x> Element<'x> {
    /// Reads `tag`, which is the part of `text` behind the `<` at `offset`; an error has an offset and a message.
    pub fn parse(text: &'x str, offset: usize, tag: &'x str, name: usize) -> Result<Self, (usize, String)> {
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

    /// The prefixes that the element declares, with what they stand for.
    pub fn namespaces(&self) -> impl Iterator<Item = (&'x str, &str)> {
        self.attributes.iter().filter_map(|attribute| Some((attribute.name.strip_prefix("xmlns:")?, &*attribute.value)))
    }

    /// Lets `target` take its attributes and reports those that nobody knows. False when an attribute is missing
    /// without which the element says nothing; that has been reported.
    pub fn fill(&mut self, target: &mut impl Attributes, problems: &mut Collector) -> bool {
        let usable = self.fill_part(target, problems);
        self.finish(problems);
        usable
    }

    /// As [`Element::fill`], with attributes left for somebody else.
    pub fn fill_part(&mut self, target: &mut impl Attributes, problems: &mut Collector) -> bool {
        let mut source = Source { element: self, problems, usable: true };
        target.read(&mut source);
        source.usable
    }

    /// Reports the attributes that nobody took. Those that declare prefixes or name a schema may stand anywhere.
    pub fn finish(&mut self, problems: &mut Collector) {
        for attribute in self.attributes.drain(..) {
            if attribute.name == "xmlns" {
                let message = format!("<{}> has the namespace {}", self.name, quoted(&attribute.value));
                problems.warn(attribute.offset, "namespace", message, "remove xmlns: the elements of FMI 2.0 have no namespace");
            } else if attribute.name.starts_with("xml:") {
                let message = format!("{} is not an FMI attribute", quoted(attribute.name));
                problems.note(
                    attribute.offset,
                    "unknown-attribute",
                    message,
                    "remove it: validators refuse it, importers ignore it",
                );
            } else if !attribute.name.starts_with("xmlns:") && !attribute.name.starts_with("xsi:") {
                let message = format!("unknown attribute {} of <{}>", quoted(attribute.name), self.name);
                problems.warn(attribute.offset, "unknown-attribute", message, "remove it");
            }
        }
    }
}

/// Where a description finds its attributes; the methods are the modes of the table of attributes.
pub(in super::super) struct Source<'a, 'x> {
    element: &'a mut Element<'x>,
    problems: &'a mut Collector,
    usable: bool,
}

/// What to do about a malformed value that matters.
const CORRECT: &str = "correct it; this value is required";

impl Source<'_, '_> {
    /// Missing or malformed: an error.
    pub fn required(&mut self, name: &'static str, field: &mut impl Field) {
        match self.take(name, field) {
            Some(Ok(())) => {}
            Some(Err((offset, message))) => self.problems.error(offset, "malformed-value", message, CORRECT),
            None => self.problems.error(self.element.offset, "missing-attribute", self.missing(name), "add it"),
        }
    }

    /// Missing or malformed: a warning, and the element is left out.
    pub fn key(&mut self, name: &'static str, field: &mut impl Field) {
        const LEFT_OUT: &str = "correct it; until then, importers ignore the element";
        match self.take(name, field) {
            Some(Ok(())) => return,
            Some(Err((offset, message))) => self.problems.warn(offset, "malformed-value", message, LEFT_OUT),
            None => self.problems.warn(self.element.offset, "missing-attribute", self.missing(name), LEFT_OUT),
        }
        self.usable = false;
    }

    /// Malformed: an error. Missing: absent.
    pub fn matters(&mut self, name: &'static str, field: &mut impl Field) {
        if let Some(Err((offset, message))) = self.take(name, field) {
            self.problems.error(offset, "malformed-value", message, CORRECT);
        }
    }

    /// Malformed: a warning, and taken as absent.
    pub fn spare(&mut self, name: &'static str, field: &mut impl Field) {
        if let Some(Err((offset, message))) = self.take(name, field) {
            self.problems.warn(offset, "malformed-value", message, "correct it; until then, importers treat it as absent");
        }
    }

    /// Text that the rules of the description look at: missing is like empty.
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

/// Whether XML allows this as a name (letters beyond ASCII are not told apart).
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
