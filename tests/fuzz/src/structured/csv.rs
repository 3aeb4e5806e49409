//! Tables, and projects of lines, as trees of rows and cells.

use super::node::{Body, Node};

/// The character that separates the cells of a text.
pub(super) fn separator(text: &str) -> char {
    let first = text.lines().next().unwrap_or_default();
    [';', '\t', ','].into_iter().find(|separator| first.contains(*separator)).unwrap_or(' ')
}

pub(super) fn read(text: &str, separator: char) -> Node {
    let row = |line: &str| Node::new("", Body::List(line.split(separator).map(Node::raw).collect()));
    Node::new("", Body::List(text.lines().map(row).collect()))
}

pub(super) fn write(table: &Node, separator: char, text: &mut String) {
    for row in table.children() {
        cells(row, separator, text);
        text.push('\n');
    }
}

fn cells(node: &Node, separator: char, text: &mut String) {
    match &node.body {
        Body::Named(children) | Body::List(children) => {
            for (index, child) in children.iter().enumerate() {
                if index > 0 {
                    text.push(separator);
                }
                cells(child, separator, text);
            }
        }
        Body::Attribute(value) | Body::Raw(value) => *text += value,
    }
}
