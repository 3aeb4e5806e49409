//! Units and types.

use fmi_xml::{Cursor, Element, Parsed};

use super::super::{TypeDefinition, TypeKind, Unit};
use super::annotations::{annotated, annotations};

/// Reads a `Unit`.
pub(super) fn unit<'x>(cursor: &mut Cursor<'x>, element: &mut Element<'x>) -> Parsed<Option<Unit>> {
    let mut unit = Unit::default();
    let usable = element.fill(&mut unit, &mut cursor.problems);
    let mut seen = Vec::new();
    while let Some(mut child) = cursor.child()? {
        cursor.expect_order(&child, &["BaseUnit", "DisplayUnit", "Annotations"], &["DisplayUnit"], &mut seen);
        match child.name {
            "BaseUnit" => unit.base_unit = cursor.item(&mut child)?,
            "DisplayUnit" => unit.display_units.extend(annotated(cursor, &mut child)?),
            "Annotations" => unit.annotations.extend(annotations(cursor, &mut child)?),
            _ => cursor.unknown(&child)?,
        }
    }
    Ok(usable.then_some(unit))
}

/// Reads an element of `TypeDefinitions`.
pub(super) fn type_definition<'x>(
    cursor: &mut Cursor<'x>,
    element: &mut Element<'x>,
    kind: TypeKind,
) -> Parsed<Option<TypeDefinition>> {
    let mut definition = TypeDefinition { name: String::new(), description: None, kind, annotations: Vec::new() };
    let usable = element.fill_part(&mut definition, &mut cursor.problems);
    element.fill(&mut definition.kind, &mut cursor.problems);
    let (mut no_items, mut seen) = (Vec::new(), Vec::new());
    let (items, order): (_, &[_]) = match &mut definition.kind {
        TypeKind::Enumeration { items, .. } => (items, &["Annotations", "Item"]),
        _ => (&mut no_items, &["Annotations"]),
    };
    while let Some(mut child) = cursor.child()? {
        cursor.expect_order(&child, order, &["Item"], &mut seen);
        match child.name {
            "Annotations" => definition.annotations.extend(annotations(cursor, &mut child)?),
            "Item" if order.contains(&"Item") => items.extend(annotated(cursor, &mut child)?),
            _ => cursor.unknown(&child)?,
        }
    }
    Ok(usable.then_some(definition))
}
