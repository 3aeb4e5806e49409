//! Variables.

use fmi_xml::{Cursor, Element, Parsed};

use super::super::variable::{RawDimension, StartBytes, StartText};
use super::super::{Dimension, Variable, VariableKind};
use super::annotations::annotations;

/// The children of a variable in the order of the standard.
const ORDER: [&str; 4] = ["Annotations", "Dimension", "Start", "Alias"];

/// The children that may be repeated.
const MANY: [&str; 3] = ["Dimension", "Start", "Alias"];

/// Reads a variable.
pub(super) fn variable<'x>(cursor: &mut Cursor<'x>, element: &mut Element<'x>, kind: VariableKind) -> Parsed<Option<Variable>> {
    let mut variable = Variable { kind, ..Variable::default() };
    element.fill_part(&mut variable, &mut cursor.problems);
    element.fill(&mut variable.kind, &mut cursor.problems);
    let mut seen = Vec::new();
    while let Some(mut child) = cursor.child()? {
        cursor.expect_order(&child, &ORDER, &MANY, &mut seen);
        match (child.name, &mut variable.kind) {
            ("Annotations", _) => variable.annotations.extend(annotations(cursor, &mut child)?),
            ("Dimension", _) => variable.dimensions.extend(dimension(cursor, &mut child)?),
            ("Start", VariableKind::String(text)) => {
                let start: Option<StartText> = cursor.item(&mut child)?;
                text.start.extend(start.map(|start| start.value.unwrap_or_default()));
            }
            ("Start", VariableKind::Binary(binary)) => {
                let start: Option<StartBytes> = cursor.item(&mut child)?;
                binary.start.extend(start.map(|start| start.value.unwrap_or_default()));
            }
            ("Alias", _) => variable.aliases.extend(cursor.item(&mut child)?),
            _ => cursor.unknown(&child)?,
        }
    }
    Ok(Some(variable))
}

fn dimension<'x>(cursor: &mut Cursor<'x>, element: &mut Element<'x>) -> Parsed<Option<Dimension>> {
    let raw: Option<RawDimension> = cursor.item(element)?;
    let Some(RawDimension { start, value_reference }) = raw else { return Ok(None) };
    let found = match (start, value_reference) {
        (Some(start), None) => return Ok(Some(Dimension::Fixed(start))),
        (None, Some(reference)) => return Ok(Some(Dimension::Variable(reference))),
        (None, None) => "neither start nor valueReference",
        (Some(_), Some(_)) => "both start and valueReference",
    };
    let message = format!("<Dimension> has {found}, expected one of them");
    cursor.problems.error(
        element.offset,
        "dimension",
        message,
        "set start to a fixed size, or valueReference to refer to a variable",
    );
    Ok(None)
}
