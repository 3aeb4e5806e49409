//! Changes of trees.

use std::mem;

use super::node::{Body, Node};

/// A change, and where it is made: parts by number, modulo those that there are.
#[derive(Debug, Clone)]
pub struct Edit {
    /// The part that is changed.
    pub at: usize,
    /// How it is changed.
    pub change: Change,
}

/// A change of a part.
#[derive(Debug, Clone)]
pub enum Change {
    /// It is missing.
    Remove,
    /// It is there twice.
    Double,
    /// It stands where another part is, which moves on.
    Move(usize),
    /// A copy of another part takes its place, under its name.
    Replace(usize),
    /// It has another name.
    Rename(String),
    /// It has another value: text as it stands in the file.
    Set(String),
    /// This text is put into its value, or into its name if it has none.
    Insert(usize, String),
    /// It lies within as many copies of what holds it.
    Nest(usize),
}

impl Edit {
    pub(super) fn make(&self, root: &mut Node) {
        let number = |at: usize, root: &Node| 1 + at % root.count().max(1);
        let other = match self.change {
            Change::Replace(other) => {
                let number = number(other, root);
                root.place(number).map(|(list, index)| list[index].clone())
            }
            _ => None,
        };
        let at = number(self.at, root);
        let Some((list, index)) = root.place(at) else { return };
        let node = &mut list[index];
        match &self.change {
            Change::Remove => drop(list.remove(index)),
            Change::Double => {
                let copy = node.clone();
                list.insert(index, copy);
            }
            Change::Move(target) => {
                let moved = list.remove(index);
                let target = number(*target, root);
                match root.place(target) {
                    Some((list, index)) => list.insert(index, moved),
                    None => root.children_mut().into_iter().for_each(|list| list.push(moved.clone())),
                }
            }
            Change::Replace(_) => other.into_iter().for_each(|other| node.body = other.body),
            Change::Rename(name) => node.name.clone_from(name),
            Change::Set(value) => match &mut node.body {
                Body::Attribute(text) | Body::Raw(text) => text.clone_from(value),
                Body::Named(children) | Body::List(children) => *children = vec![Node::raw(value)],
            },
            Change::Insert(place, piece) => {
                let text = match &mut node.body {
                    Body::Attribute(text) | Body::Raw(text) => text,
                    Body::Named(_) | Body::List(_) => &mut node.name,
                };
                let places: Vec<_> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
                text.insert_str(places[place % places.len()], piece);
            }
            Change::Nest(depth) => {
                let is_list = matches!(node.body, Body::List(_));
                let name = node.name.clone();
                for _ in 0..*depth {
                    let within = vec![mem::replace(node, Node::raw(""))];
                    *node = Node::new(&name, if is_list { Body::List(within) } else { Body::Named(within) });
                }
            }
        }
    }
}
