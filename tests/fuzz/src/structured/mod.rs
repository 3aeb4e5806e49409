//! Documents that are almost right: a valid file becomes a tree, the tree is changed, and what results is written again.
//!
//! Bytes that change at random rarely get past the syntax. These changes keep it, and reach what is behind it: elements, keys and
//! cells that are removed, doubled, renamed, moved, nested deeply, or set to odd values. Start reading at [`Document`].

mod csv;
mod data;
mod edit;
mod encoding;
mod node;
mod xml;

pub use edit::{Change, Edit};
pub use encoding::Encoding;

use std::fmt;

use node::Node;

/// How a tree is read from text and written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Syntax {
    Xml,
    Json,
    Toml,
    /// Cells between these characters.
    Cells(char),
}

/// A file as a tree.
#[derive(Clone)]
pub struct Document {
    syntax: Syntax,
    root: Node,
}

/// Its text is what a reader wants to see, after the changes.
impl fmt::Debug for Document {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Document").field("syntax", &self.syntax).finish_non_exhaustive()
    }
}

impl Document {
    /// Reads a file whose name says what it is; `None` if it is of another kind, or not sound.
    pub fn read(name: &str, bytes: &[u8]) -> Option<Self> {
        let text = str::from_utf8(bytes).ok()?;
        let (syntax, root) = match name.rsplit_once('.')?.1 {
            "xml" | "ssd" => (Syntax::Xml, xml::read(text)?),
            "json" => (Syntax::Json, data::read(serde_json::from_str(text).ok()?)),
            "toml" => (Syntax::Toml, data::read(toml::from_str(text).ok()?)),
            "csv" | "tsv" | "msim" => {
                let separator = csv::separator(text);
                (Syntax::Cells(separator), csv::read(text, separator))
            }
            _ => return None,
        };
        Some(Self { syntax, root })
    }

    /// Makes a change. One that the document has no place for changes nothing.
    pub fn change(&mut self, edit: &Edit) {
        edit.make(&mut self.root);
    }

    /// The document as text.
    pub fn text(&self) -> String {
        let mut text = String::new();
        match self.syntax {
            Syntax::Xml => self.root.children().iter().for_each(|node| xml::write(node, &mut text)),
            Syntax::Json => data::write_json(&self.root, &mut text),
            Syntax::Toml => data::write_toml(&self.root, &mut text),
            Syntax::Cells(separator) => csv::write(&self.root, separator, &mut text),
        }
        text
    }
}

#[cfg(test)]
mod tests;
