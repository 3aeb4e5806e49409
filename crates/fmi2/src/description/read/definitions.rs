//! Units and types.

use fmi_xml::{Cursor, Element, Parsed};

use super::super::{SimpleType, TypeKind, Unit};

/// Reads a `Unit`.
pub(super) fn unit<'x>(cursor: &mut Cursor<'x>, element: &mut Element<'x>) -> Parsed<Option<Unit>> {
    let mut unit = Unit::default();
    let usable = element.fill(&mut unit, &mut cursor.problems);
    let mut seen = Vec::new();
    while let Some(mut child) = cursor.child()? {
        cursor.expect_order(&child, &["BaseUnit", "DisplayUnit"], &["DisplayUnit"], &mut seen);
        match child.name {
            "BaseUnit" => unit.base_unit = cursor.item(&mut child)?,
            "DisplayUnit" => unit.display_units.extend(cursor.item(&mut child)?),
            _ => cursor.unknown(&child)?,
        }
    }
    Ok(usable.then_some(unit))
}

/// Reads a `SimpleType`.
pub(super) fn simple_type<'x>(cursor: &mut Cursor<'x>, element: &mut Element<'x>) -> Parsed<Option<SimpleType>> {
    let mut simple_type = SimpleType { name: String::new(), description: None, kind: TypeKind::Boolean {} };
    let usable = element.fill(&mut simple_type, &mut cursor.problems);
    let mut kinds = 0;
    while let Some(mut child) = cursor.child()? {
        match TypeKind::empty(child.name) {
            Some(kind) => {
                simple_type.kind = type_kind(cursor, &mut child, kind)?;
                kinds += 1;
            }
            None => cursor.unknown(&child)?,
        }
    }
    if kinds != 1 {
        let message = format!("the type \"{}\" has {kinds} type elements, expected one", simple_type.name);
        cursor.problems.warn(element.offset, "type-kind", message, "keep exactly one; until then, importers ignore the type");
    }
    Ok((usable && kinds == 1).then_some(simple_type))
}

fn type_kind<'x>(cursor: &mut Cursor<'x>, element: &mut Element<'x>, mut kind: TypeKind) -> Parsed<TypeKind> {
    element.fill(&mut kind, &mut cursor.problems);
    if let TypeKind::Enumeration { items, .. } = &mut kind {
        *items = cursor.items(element, "Item", Cursor::item)?.1;
    } else {
        cursor.leaf()?;
    }
    Ok(kind)
}
