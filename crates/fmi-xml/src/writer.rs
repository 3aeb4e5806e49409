//! Writes XML: elements with indentation, attributes from the tables that the reader uses.

use crate::schema::{Attributes, Sink};
use crate::value::{Show, is_xml_char};

/// The text so far.
#[derive(Debug)]
pub struct Writer {
    out: String,
    depth: usize,
}

impl Sink for Writer {
    fn put(&mut self, name: &'static str, value: &dyn Show) {
        let mut text = String::new();
        if value.print(&mut text) {
            self.out.push(' ');
            self.out.push_str(name);
            self.out.push_str("=\"");
            text.chars().for_each(|c| self.escaped(c));
            self.out.push('"');
        }
    }
}

impl Writer {
    /// Returns the text of a file with this root element.
    #[must_use]
    pub fn document(name: &str, attributes: &dyn Attributes, content: impl FnOnce(&mut Self)) -> String {
        let mut writer = Self { out: "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".to_owned(), depth: 0 };
        writer.element(name, &[attributes], content);
        writer.out
    }

    fn escaped(&mut self, c: char) {
        match c {
            '&' => self.out.push_str("&amp;"),
            '<' => self.out.push_str("&lt;"),
            '>' => self.out.push_str("&gt;"),
            '"' => self.out.push_str("&quot;"),
            // Written literally, these would be read as blanks.
            '\t' => self.out.push_str("&#9;"),
            '\n' => self.out.push_str("&#10;"),
            '\r' => self.out.push_str("&#13;"),
            c if is_xml_char(c) => self.out.push(c),
            _ => self.out.push(char::REPLACEMENT_CHARACTER),
        }
    }

    fn indent(&mut self) {
        self.out.extend(std::iter::repeat_n("  ", self.depth));
    }

    /// Writes an element with the given attributes; `content` writes the children.
    pub fn element(&mut self, name: &str, attributes: &[&dyn Attributes], content: impl FnOnce(&mut Self)) {
        self.indent();
        self.out.push('<');
        self.out.push_str(name);
        attributes.iter().for_each(|part| part.show(self));
        let tag = self.out.len();
        self.out.push_str(">\n");
        let children = self.out.len();
        self.depth += 1;
        content(self);
        self.depth -= 1;
        if self.out.len() == children {
            self.out.truncate(tag);
            self.out.push_str("/>\n");
        } else {
            self.indent();
            self.close(name);
        }
    }

    fn close(&mut self, name: &str) {
        self.out.push_str("</");
        self.out.push_str(name);
        self.out.push_str(">\n");
    }

    /// Writes an element without children.
    pub fn leaf(&mut self, name: &str, attributes: &dyn Attributes) {
        self.element(name, &[attributes], |_| {});
    }

    /// Writes a list, unless it is empty.
    pub fn list<T>(&mut self, name: &str, items: &[T], item: impl Fn(&mut Self, &T)) {
        if !items.is_empty() {
            self.element(name, &[], |xml| items.iter().for_each(|value| item(xml, value)));
        }
    }

    /// Writes an element whose content is XML, exactly as it was read.
    pub fn raw(&mut self, name: &str, attributes: &dyn Attributes, xml: &str) {
        self.indent();
        self.out.push('<');
        self.out.push_str(name);
        attributes.show(self);
        self.out.push('>');
        self.out.push_str(xml);
        self.close(name);
    }
}
