//! XML as a tree: names and values keep their escapes.

use quick_xml::{
    Reader,
    events::{BytesStart, Event},
};

use super::node::{Body, Node};

/// Reads a document, without its declaration and its comments; `None` if it is not sound.
pub(super) fn read(text: &str) -> Option<Node> {
    let mut reader = Reader::from_str(text);
    let mut open = vec![Node::new("", Body::Named(Vec::new()))];
    loop {
        match reader.read_event().ok()? {
            Event::Start(start) => open.push(element(&start)?),
            Event::Empty(start) => open.last_mut()?.children_mut()?.push(element(&start)?),
            Event::End(_) => {
                let element = open.pop()?;
                open.last_mut()?.children_mut()?.push(element);
            }
            Event::Text(text) => raw(&mut open, &text)?,
            Event::GeneralRef(name) => raw(&mut open, &format!("&{};", &*name))?,
            Event::Eof => break,
            _ => {}
        }
    }
    let root = open.pop()?;
    open.is_empty().then_some(root)
}

fn element(start: &BytesStart<'_>) -> Option<Node> {
    let attributes = start.attributes().map(|attribute| {
        let attribute = attribute.ok()?;
        Some(Node::new(attribute.key.as_ref(), Body::Attribute(attribute.value.into_owned())))
    });
    Some(Node::new(start.name().as_ref(), Body::Named(attributes.collect::<Option<_>>()?)))
}

/// Adds text to the innermost element that is open.
fn raw(open: &mut [Node], text: &str) -> Option<()> {
    let children = open.last_mut()?.children_mut()?;
    match children.last_mut().map(|last| &mut last.body) {
        Some(Body::Raw(known)) => *known += text,
        _ if text.trim().is_empty() => {}
        _ => children.push(Node::raw(text)),
    }
    Some(())
}

/// Writes a part. An attribute outside of a tag is text.
pub(super) fn write(node: &Node, text: &mut String) {
    let children = match &node.body {
        Body::Named(children) | Body::List(children) => children,
        Body::Attribute(value) | Body::Raw(value) => return *text += value,
    };
    let name = &node.name;
    *text += &format!("<{name}");
    for child in children {
        if let Body::Attribute(value) = &child.body {
            let quote = if value.contains('"') { '\'' } else { '"' };
            *text += &format!(" {}={quote}{value}{quote}", child.name);
        }
    }
    let mut rest = children.iter().filter(|child| !matches!(child.body, Body::Attribute(_))).peekable();
    if rest.peek().is_none() {
        return *text += "/>\n";
    }
    *text += ">";
    rest.for_each(|child| write(child, text));
    *text += &format!("</{name}>\n");
}
