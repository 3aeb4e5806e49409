//! Tool annotations, whose XML is kept as text.

use fmi_xml::{Cursor, Element, Parsed, quoted, self_contained};

use super::super::Annotation;

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
