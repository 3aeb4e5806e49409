//! Trees.

/// A part of a document: an element, an attribute, a key with its value, a row, a cell, or text between elements.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Node {
    /// As in the file, without quotes; empty for items of lists and for text.
    pub name: String,
    pub body: Body,
}

/// What a part holds.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Body {
    /// Parts with names: an element of XML, an object, a table.
    Named(Vec<Node>),
    /// Parts in a row.
    List(Vec<Node>),
    /// A value of an attribute, as in the file.
    Attribute(String),
    /// Anything else, as in the file.
    Raw(String),
}

impl Node {
    pub fn new(name: &str, body: Body) -> Self {
        Self { name: name.to_owned(), body }
    }

    pub fn raw(text: impl Into<String>) -> Self {
        Self::new("", Body::Raw(text.into()))
    }

    pub fn children(&self) -> &[Self] {
        match &self.body {
            Body::Named(children) | Body::List(children) => children,
            Body::Attribute(_) | Body::Raw(_) => &[],
        }
    }

    pub fn children_mut(&mut self) -> Option<&mut Vec<Self>> {
        match &mut self.body {
            Body::Named(children) | Body::List(children) => Some(children),
            Body::Attribute(_) | Body::Raw(_) => None,
        }
    }

    /// The number of parts in it, at any depth.
    pub fn count(&self) -> usize {
        self.children().iter().map(|child| 1 + child.count()).sum()
    }

    /// The part of this number, counted from 1 in the order of the file, as the list that it stands in and its place there.
    pub fn place(&mut self, mut number: usize) -> Option<(&mut Vec<Self>, usize)> {
        let children = self.children_mut()?;
        for index in 0..children.len() {
            let within = children[index].count();
            if number == 1 {
                return Some((children, index));
            }
            if number <= within + 1 {
                return children[index].place(number - 1);
            }
            number -= within + 1;
        }
        None
    }
}
