//! Walks through XML element by element: with size limits, without DTD and entities, and with the byte offset of every element.

use std::rc::Rc;

use quick_xml::Reader;
use quick_xml::events::{BytesRef, Event};

use lotka_message::limits::{DESCRIPTION_DEPTH, XML_PREFIXES};

use crate::collector::{Collector, quoted};
use crate::element::Element;
use crate::format::Format;
use crate::schema::Attributes;
use crate::value::{is_xml_char, is_xml_space};

/// The text is not well-formed, so reading stops here. The reason is already in the collector.
#[derive(Debug)]
pub struct Stop;

/// Result of a reading step.
pub type Parsed<T> = Result<T, Stop>;

/// A position in the XML.
#[derive(Debug)]
pub struct Cursor<'x> {
    text: &'x str,
    reader: Reader<&'x [u8]>,
    open: Vec<&'x str>,
    namespaces: Vec<Namespace<'x>>,
    root_seen: bool,
    /// Problems found so far.
    pub problems: Collector,
}

/// The content between the tags of an element.
#[derive(Debug)]
pub struct Inner<'x> {
    /// Offset of the content.
    pub start: usize,
    /// The XML exactly as in the file.
    pub xml: &'x str,
    /// The direct children.
    pub children: Vec<Element<'x>>,
    /// Whether there is text between the children.
    pub has_text: bool,
}

/// A namespace prefix that is in scope inside an open element.
#[derive(Debug, Clone)]
pub struct Namespace<'x> {
    /// The prefix.
    pub prefix: &'x str,
    /// What it stands for.
    pub uri: Rc<str>,
    depth: usize,
}

/// The next node, with its offset.
enum Node<'x> {
    Start(Element<'x>),
    Text(usize),
    End(usize),
}

impl<'x> Cursor<'x> {
    /// Creates a cursor at the start of a text.
    #[must_use]
    pub fn new(text: &'x str, problems: Collector) -> Self {
        let mut reader = Reader::from_str(text);
        reader.config_mut().expand_empty_elements = true;
        reader.config_mut().check_comments = true;
        reader.config_mut().trim_markup_names_in_closing_tags = true;
        Self { text, reader, open: Vec::new(), namespaces: Vec::new(), root_seen: false, problems }
    }

    /// Returns the next child of the open element, or `None` at its end. The caller must read each child to its end.
    ///
    /// # Errors
    /// The text is not well-formed; the reason is in the collector.
    pub fn child(&mut self) -> Parsed<Option<Element<'x>>> {
        loop {
            match self.next()? {
                Node::Start(element) => return Ok(Some(element)),
                Node::End(_) => return Ok(None),
                Node::Text(offset) => {
                    let parent = self.open.last().copied().unwrap_or_default();
                    self.problems.warn(
                        offset,
                        "text",
                        format!("<{parent}> contains text, which has no meaning here"),
                        "remove it",
                    );
                }
            }
        }
    }

    /// Returns the namespace prefixes in scope, innermost declaration last.
    #[must_use]
    pub fn namespaces(&self) -> &[Namespace<'x>] {
        &self.namespaces
    }

    /// Skips the rest of the open element.
    ///
    /// # Errors
    /// The text is not well-formed; the reason is in the collector.
    pub fn skip(&mut self) -> Parsed<()> {
        self.inner().map(|_| ())
    }

    /// Reads to the end of the open element and returns its content.
    ///
    /// # Errors
    /// The text is not well-formed; the reason is in the collector.
    pub fn inner(&mut self) -> Parsed<Inner<'x>> {
        let depth = self.open.len();
        let start = self.offset();
        let (mut children, mut has_text) = (Vec::new(), false);
        loop {
            match self.next()? {
                Node::Start(child) if self.open.len() == depth + 1 => children.push(child),
                Node::Text(_) if self.open.len() == depth => has_text = true,
                Node::End(end) if self.open.len() < depth => {
                    return Ok(Inner { start, xml: &self.text[start..end], children, has_text });
                }
                _ => {}
            }
        }
    }

    /// Reads to the end of the open element, which has no known children.
    ///
    /// # Errors
    /// The text is not well-formed; the reason is in the collector.
    pub fn leaf(&mut self) -> Parsed<()> {
        while let Some(element) = self.child()? {
            self.unknown(&element)?;
        }
        Ok(())
    }

    /// Reports an element that is out of order or repeated. `order` lists the valid names, `many` those that may be repeated;
    /// `seen` holds the names read so far.
    pub fn expect_order(&mut self, element: &Element<'x>, order: &[&str], many: &[&str], seen: &mut Vec<&'x str>) {
        let rank = |name: &str| order.iter().position(|known| *known == name);
        let Some(own) = rank(element.name) else { return };
        let is_repeated = seen.contains(&element.name);
        if is_repeated && !many.contains(&element.name) {
            let message = format!("there is a second <{}>", element.name);
            self.problems.warn(element.offset, "repeated-element", message, "join them");
        } else if let Some(later) = seen.iter().find(|seen| rank(seen) > Some(own)) {
            let message = format!("<{}> occurs after <{later}>", element.name);
            self.problems.warn(element.offset, "element-order", message, "move it up");
        }
        if !is_repeated {
            seen.push(element.name);
        }
    }

    /// Reports and skips an element that is not allowed here.
    ///
    /// # Errors
    /// The text is not well-formed; the reason is in the collector.
    pub fn unknown(&mut self, element: &Element<'x>) -> Parsed<()> {
        let parent = self.open.iter().rev().nth(1).copied().unwrap_or_default();
        let message = format!("unknown element {} in <{parent}>", quoted(element.name));
        self.problems.warn(element.offset, "unknown-element", message, "remove it, or move it to a vendor annotation");
        self.skip()
    }

    /// Reads the list `element` of children named `item`, each with its offset. `read` reads a child to its end, or drops it.
    ///
    /// # Errors
    /// The text is not well-formed; the reason is in the collector.
    pub fn items<T>(
        &mut self,
        element: &mut Element<'x>,
        item: &str,
        mut read: impl FnMut(&mut Self, &mut Element<'x>) -> Parsed<Option<T>>,
    ) -> Parsed<(Vec<usize>, Vec<T>)> {
        let start = |name: &str| (name == item).then_some(());
        self.list(element, &format!("has no <{item}>"), start, |cursor, child, ()| read(cursor, child))
    }

    /// Same as [`Cursor::items`] for children whose name determines how they are read: `start` returns with what, and `None` for
    /// names that do not belong in the list.
    ///
    /// # Errors
    /// The text is not well-formed; the reason is in the collector.
    pub fn items_of<K, T>(
        &mut self,
        element: &mut Element<'x>,
        start: impl Fn(&str) -> Option<K>,
        read: impl FnMut(&mut Self, &mut Element<'x>, K) -> Parsed<Option<T>>,
    ) -> Parsed<(Vec<usize>, Vec<T>)> {
        self.list(element, "is empty", start, read)
    }

    fn list<K, T>(
        &mut self,
        element: &mut Element<'x>,
        if_empty: &str,
        start: impl Fn(&str) -> Option<K>,
        mut read: impl FnMut(&mut Self, &mut Element<'x>, K) -> Parsed<Option<T>>,
    ) -> Parsed<(Vec<usize>, Vec<T>)> {
        element.finish(&mut self.problems);
        let (mut offsets, mut items, mut empty) = (Vec::new(), Vec::new(), true);
        while let Some(mut child) = self.child()? {
            let Some(kind) = start(child.name) else {
                self.unknown(&child)?;
                continue;
            };
            empty = false;
            if let Some(value) = read(self, &mut child, kind)? {
                offsets.push(child.offset);
                items.push(value);
            }
        }
        // The rules report a model without variables.
        if empty && element.name != "ModelVariables" {
            let message = format!("<{}> {if_empty}", element.name);
            self.problems.warn(element.offset, "empty-list", message, "remove empty lists");
        }
        Ok((offsets, items))
    }

    /// Reads an element that consists of attributes only; `None` if a key attribute is missing or malformed.
    ///
    /// # Errors
    /// The text is not well-formed; the reason is in the collector.
    pub fn item<T: Attributes + Default>(&mut self, element: &mut Element<'x>) -> Parsed<Option<T>> {
        let mut value = T::default();
        let usable = element.fill(&mut value, &mut self.problems);
        self.leaf()?;
        Ok(usable.then_some(value))
    }

    /// Reads the text after the root element.
    ///
    /// # Errors
    /// The text is not well-formed; the reason is in the collector.
    pub fn rest(&mut self) -> Parsed<()> {
        self.next().map(|_| ())
    }

    /// Reports an error and stops reading.
    ///
    /// # Errors
    /// The text is not well-formed; the reason is in the collector.
    pub fn stop<T>(&mut self, offset: usize, rule: &'static str, message: String, remedy: &str) -> Parsed<T> {
        self.problems.error(offset, rule, message, remedy);
        Err(Stop)
    }

    fn malformed<T>(&mut self, offset: usize, message: String) -> Parsed<T> {
        self.stop(offset, "not-well-formed", message, "correct the XML here; Lotka did not read the rest of the file")
    }

    fn offset(&self) -> usize {
        // The text is far smaller than usize::MAX.
        self.reader.buffer_position() as usize
    }

    fn next(&mut self) -> Parsed<Node<'x>> {
        loop {
            let from = self.offset();
            let event = match self.reader.read_event() {
                Ok(event) => event,
                Err(error) => return self.malformed(self.reader.error_position() as usize, error.to_string()),
            };
            if let Some(node) = self.node(from, event)? {
                return Ok(node);
            }
        }
    }

    /// Converts the event at this offset into a node; `None` for events without content.
    fn node(&mut self, from: usize, event: Event<'x>) -> Parsed<Option<Node<'x>>> {
        match event {
            Event::Start(tag) => self.start(from, tag.name().as_ref().len(), tag.len()).map(|element| Some(Node::Start(element))),
            Event::End(_) => Ok(Some(self.end(from))),
            Event::Text(text) if text.chars().all(is_xml_space) => Ok(None),
            Event::Text(text) if text.contains("]]>") => self.malformed(from, "text contains \"]]>\"".to_owned()),
            Event::GeneralRef(reference) if !is_known(&reference) => {
                let message = format!("the entity &{}; is not defined", &*reference);
                self.stop(from, "entity", message, "use only the five predefined entities of XML and character references")
            }
            Event::Text(_) | Event::CData(_) | Event::GeneralRef(_) if self.open.is_empty() => {
                self.malformed(from, "there is text outside the root element".to_owned())
            }
            Event::Text(_) | Event::CData(_) | Event::GeneralRef(_) => Ok(Some(Node::Text(from))),
            Event::DocType(_) => self.stop(from, "doctype", "a DOCTYPE is not allowed".to_owned(), "remove it"),
            Event::Decl(_) if from > 0 => self.malformed(from, "the XML declaration is not at the start of the file".to_owned()),
            Event::Decl(_) | Event::PI(_) | Event::Comment(_) => Ok(None),
            Event::Empty(_) | Event::Eof => self.end_of_file(from).map(Some),
        }
    }

    fn end(&mut self, from: usize) -> Node<'x> {
        self.open.pop();
        while self.namespaces.last().is_some_and(|namespace| namespace.depth > self.open.len()) {
            self.namespaces.pop();
        }
        Node::End(from)
    }

    fn start(&mut self, from: usize, name: usize, content: usize) -> Parsed<Element<'x>> {
        if self.open.is_empty() && self.root_seen {
            return self.malformed(from, "there is a second root element".to_owned());
        }
        if self.open.len() >= DESCRIPTION_DEPTH {
            return self.stop(
                from,
                "too-deep",
                format!("elements are nested more than {DESCRIPTION_DEPTH} deep"),
                "reduce the nesting",
            );
        }
        self.root_seen = true;
        let tag = &self.text[from + 1..from + 1 + content];
        self.open.push(&tag[..name]);
        let element = Element::parse(self.text, from, tag, name).or_else(|(offset, message)| self.malformed(offset, message))?;
        let depth = self.open.len();
        let declared = element.namespaces().map(|(prefix, uri)| Namespace { prefix, uri: uri.into(), depth });
        self.namespaces.extend(declared);
        if self.namespaces.len() > XML_PREFIXES {
            let message = format!("more than {XML_PREFIXES} prefixes are declared");
            return self.stop(from, "too-many-namespaces", message, "declare only the prefixes in use");
        }
        Ok(element)
    }

    fn end_of_file(&mut self, offset: usize) -> Parsed<Node<'x>> {
        match self.open.last() {
            Some(open) => self.malformed(offset, format!("the file ends inside <{open}>")),
            None if !self.root_seen => self.malformed(offset, "the file has no element".to_owned()),
            None => Ok(Node::End(offset)),
        }
    }
}

/// Returns whether a text is valid as the content of an annotation.
#[must_use]
pub fn is_content(xml: &str) -> bool {
    // Nested as deeply as the annotation of a variable is in a description.
    const OPEN: &str = "<fmiModelDescription><ModelVariables><ScalarVariable><Annotations><Tool>";
    const CLOSE: &str = "</Tool></Annotations></ScalarVariable></ModelVariables></fmiModelDescription>";
    let text = format!("{OPEN}{xml}{CLOSE}");
    let mut cursor = Cursor::new(&text, Collector::new(Format { name: "FMI", is_utf8_only: true }));
    let mut whole = || {
        for _ in 0..5 {
            cursor.child()?;
        }
        let inner = cursor.inner()?;
        Ok::<_, Stop>(inner.xml.len() == xml.len())
    };
    xml.chars().all(is_xml_char) && matches!(whole(), Ok(true))
}

/// Returns whether a reference in text can be resolved without a DTD.
fn is_known(reference: &BytesRef<'_>) -> bool {
    matches!(reference.resolve_char_ref(), Ok(Some(_))) || matches!(&**reference, "lt" | "gt" | "amp" | "apos" | "quot")
}
