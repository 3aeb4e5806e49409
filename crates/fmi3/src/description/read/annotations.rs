//! Annotations, whose XML is kept as text.

use fmi_xml::{Attributes, Cursor, Element, Parsed, self_contained};

use super::super::{Annotation, DisplayUnit, EnumerationItem, LogCategory, Unknown};

/// An element that consists of attributes and annotations.
pub(super) trait Annotated: Attributes + Default {
    /// Returns its annotations.
    fn annotations(&mut self) -> &mut Vec<Annotation>;
}

macro_rules! annotated {
    ($($type:ty),*) => {$(
        impl Annotated for $type {
            fn annotations(&mut self) -> &mut Vec<Annotation> {
                &mut self.annotations
            }
        }
    )*};
}

annotated!(DisplayUnit, EnumerationItem, LogCategory, Unknown);

/// Reads the list `Annotations`.
pub(super) fn annotations<'x>(cursor: &mut Cursor<'x>, element: &mut Element<'x>) -> Parsed<Vec<Annotation>> {
    Ok(cursor.items(element, "Annotation", annotation)?.1)
}

/// Reads an `Annotation` with all its content.
pub(super) fn annotation<'x>(cursor: &mut Cursor<'x>, element: &mut Element<'x>) -> Parsed<Option<Annotation>> {
    let mut annotation = Annotation::default();
    let usable = element.fill(&mut annotation, &mut cursor.problems);
    let outer = cursor.namespaces().to_vec();
    annotation.xml = self_contained(&cursor.inner()?, &outer);
    Ok(usable.then_some(annotation))
}

/// Reads the children of an element that has no others than `Annotations`.
pub(super) fn only_annotations(cursor: &mut Cursor<'_>) -> Parsed<Vec<Annotation>> {
    let (mut list, mut seen) = (Vec::new(), Vec::new());
    while let Some(mut child) = cursor.child()? {
        cursor.expect_order(&child, &["Annotations"], &[], &mut seen);
        match child.name {
            "Annotations" => list.extend(annotations(cursor, &mut child)?),
            _ => cursor.unknown(&child)?,
        }
    }
    Ok(list)
}

/// Reads an element that consists of attributes and annotations; `None` if a key attribute is missing or malformed.
pub(super) fn annotated<'x, T: Annotated>(cursor: &mut Cursor<'x>, element: &mut Element<'x>) -> Parsed<Option<T>> {
    let mut value = T::default();
    let usable = element.fill(&mut value, &mut cursor.problems);
    *value.annotations() = only_annotations(cursor)?;
    Ok(usable.then_some(value))
}
