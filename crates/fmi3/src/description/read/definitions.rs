//! Units and types.

use fmi_xml::{Cursor, Element, Parsed};

use super::super::{ClockAttributes, IntegerType, TypeDefinition, TypeKind, Unit};
use super::annotations::{annotated, annotations};

/// The names of the elements of `TypeDefinitions`.
pub(super) const TYPES: [&str; 15] = [
    "Float32Type",
    "Float64Type",
    "Int8Type",
    "UInt8Type",
    "Int16Type",
    "UInt16Type",
    "Int32Type",
    "UInt32Type",
    "Int64Type",
    "UInt64Type",
    "BooleanType",
    "StringType",
    "BinaryType",
    "EnumerationType",
    "ClockType",
];

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
pub(super) fn type_definition<'x>(cursor: &mut Cursor<'x>, element: &mut Element<'x>) -> Parsed<Option<TypeDefinition>> {
    let kind = empty_kind(element.name);
    let mut definition = TypeDefinition { name: String::new(), description: None, kind, annotations: Vec::new() };
    let usable = element.fill_part(&mut definition, &mut cursor.problems);
    if let TypeKind::Clock(clock) = &mut definition.kind {
        element.fill_part(clock, &mut cursor.problems);
    }
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

/// Returns the kind of a type that has this element name.
fn empty_kind(name: &str) -> TypeKind {
    match name {
        "Float32Type" | "Float64Type" => TypeKind::Float {
            is_single: name == "Float32Type",
            quantity: None,
            unit: None,
            display_unit: None,
            relative_quantity: None,
            unbounded: None,
            min: None,
            max: None,
            nominal: None,
        },
        "BooleanType" => TypeKind::Boolean,
        "StringType" => TypeKind::String,
        "BinaryType" => TypeKind::Binary { mime_type: None, max_size: None },
        "EnumerationType" => TypeKind::Enumeration { quantity: None, min: None, max: None, items: Vec::new() },
        "ClockType" => TypeKind::Clock(ClockAttributes::default()),
        _ => {
            let of = IntegerType::ALL.into_iter().find(|of| name.strip_suffix("Type") == Some(of.name()));
            TypeKind::Integer { of: of.unwrap_or(IntegerType::Int32), quantity: None, min: None, max: None }
        }
    }
}
