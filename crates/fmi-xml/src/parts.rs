//! The children of the root element and their order.

use crate::cursor::Cursor;
use crate::element::Element;

/// Parts of the root that have been read.
#[derive(Debug)]
pub struct Parts<'x> {
    order: &'static [&'static [&'static str]],
    seen: Vec<&'x str>,
}

impl<'x> Parts<'x> {
    /// Starts with none. `order` lists the names in the order of the standard; names that may be in either order are one entry.
    #[must_use]
    pub fn new(order: &'static [&'static [&'static str]]) -> Self {
        Self { order, seen: Vec::new() }
    }

    /// Returns whether this part may be read: each part only once. Reports a wrong order.
    pub fn is_expected(&mut self, part: &Element<'x>, cursor: &mut Cursor<'x>) -> bool {
        let rank = |name: &str| self.order.iter().position(|names| names.contains(&name));
        let Some(own) = rank(part.name) else { return true };
        if self.seen.contains(&part.name) {
            cursor.problems.error(part.offset, "duplicate-element", format!("there is a second <{}>", part.name), "join them");
            return false;
        }
        if let Some(later) = self.seen.iter().find(|seen| rank(seen) > Some(own)) {
            let message = format!("<{}> occurs after <{later}>", part.name);
            cursor.problems.warn(part.offset, "element-order", message, "move it up");
        }
        self.seen.push(part.name);
        true
    }

    /// Reports the parts without which a root at `offset` is incomplete.
    pub fn report_missing(&self, offset: usize, cursor: &mut Cursor<'x>) {
        if !self.seen.contains(&"ModelVariables") {
            cursor.problems.error(offset, "missing-element", "there is no <ModelVariables>".to_owned(), "add it");
        }
        if !self.seen.contains(&"ModelStructure") {
            cursor.problems.warn(offset, "missing-element", "there is no <ModelStructure>".to_owned(), "add it");
        }
    }
}
