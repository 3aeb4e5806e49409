//! Tool annotations, whose XML is kept as text.

use super::super::Annotation;
use super::cursor::{Cursor, Inner, Namespace, Parsed};
use super::element::Element;
use super::problems::quoted;

/// Reads a `Tool` with all its content.
pub(super) fn annotation<'x>(cursor: &mut Cursor<'x>, element: &mut Element<'x>) -> Parsed<Option<Annotation>> {
    let mut annotation = Annotation::default();
    let usable = element.fill(&mut annotation, &mut cursor.problems);
    let outer = cursor.namespaces().to_vec();
    let inner = cursor.inner()?;
    if inner.children.len() > 1 || inner.has_text {
        let message = format!("the annotation of {} has more than one element", quoted(&annotation.tool));
        cursor.problems.note(element.offset, "annotation-content", message, "put its content into one element");
    }
    annotation.xml = self_contained(&inner, &outer);
    Ok(usable.then_some(annotation))
}

/// Returns the text plus the namespace declarations that its elements use but that the file declares further out.
fn self_contained(inner: &Inner<'_>, outer: &[Namespace<'_>]) -> String {
    let mut xml = String::with_capacity(inner.xml.len());
    let mut copied = 0;
    for (position, child) in inner.children.iter().enumerate() {
        let start = child.offset - inner.start;
        let end = inner.children.get(position + 1).map_or(inner.xml.len(), |next| next.offset - inner.start);
        let behind_name = start + 1 + child.name.len();
        xml.push_str(&inner.xml[copied..behind_name]);
        copied = behind_name;
        for (index, Namespace { prefix, uri, .. }) in outer.iter().enumerate() {
            let is_hidden = outer[index + 1..].iter().any(|inner| inner.prefix == *prefix)
                || child.namespaces().any(|(declared, _)| declared == *prefix);
            if !is_hidden && inner.xml[start..end].contains(&format!("{prefix}:")) {
                let uri = quick_xml::escape::escape(&**uri);
                xml.push_str(&format!(" xmlns:{prefix}=\"{uri}\""));
            }
        }
    }
    xml.push_str(&inner.xml[copied..]);
    xml
}
