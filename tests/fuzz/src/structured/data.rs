//! JSON and TOML as trees: values keep their form.

use serde_json::Value;

use super::node::{Body, Node};

/// The tree of a value.
pub(super) fn read(value: Value) -> Node {
    named(String::new(), value)
}

fn named(name: String, value: Value) -> Node {
    let body = match value {
        Value::Object(entries) => Body::Named(entries.into_iter().map(|(name, value)| named(name, value)).collect()),
        Value::Array(items) => Body::List(items.into_iter().map(|item| named(String::new(), item)).collect()),
        // Strings of JSON are basic strings of TOML.
        other => Body::Raw(other.to_string()),
    };
    Node { name, body }
}

pub(super) fn write_json(node: &Node, text: &mut String) {
    match &node.body {
        Body::Named(children) => {
            joined(children, ['{', '}'], text, |child, text| {
                *text += &format!("{}: ", quoted(&child.name));
                write_json(child, text);
            });
        }
        Body::List(children) => joined(children, ['[', ']'], text, write_json),
        Body::Attribute(value) | Body::Raw(value) => *text += value,
    }
}

/// Tables of the document are sections, those within them are inline.
pub(super) fn write_toml(root: &Node, text: &mut String) {
    let is_section = |node: &&Node| matches!(node.body, Body::Named(_));
    for node in root.children().iter().filter(|node| !is_section(node)) {
        entry(node, text);
        *text += "\n";
    }
    for section in root.children().iter().filter(is_section) {
        *text += &format!("[{}]\n", quoted(&section.name));
        for node in section.children() {
            entry(node, text);
            *text += "\n";
        }
    }
}

fn entry(node: &Node, text: &mut String) {
    *text += &format!("{} = ", quoted(&node.name));
    inline(node, text);
}

fn inline(node: &Node, text: &mut String) {
    match &node.body {
        Body::Named(children) => joined(children, ['{', '}'], text, entry),
        Body::List(children) => joined(children, ['[', ']'], text, inline),
        Body::Attribute(value) | Body::Raw(value) => *text += value,
    }
}

fn joined(children: &[Node], ends: [char; 2], text: &mut String, write: impl Fn(&Node, &mut String)) {
    text.push(ends[0]);
    for (index, child) in children.iter().enumerate() {
        *text += if index == 0 { "" } else { ", " };
        write(child, text);
    }
    text.push(ends[1]);
}

/// A name as both formats write it.
fn quoted(name: &str) -> String {
    Value::from(name).to_string()
}
