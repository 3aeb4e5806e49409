//! `ScalarVariable`.

use fmi_xml::{Cursor, Element, Parsed};

use super::super::{BooleanVariable, ScalarVariable, VariableKind};
use super::annotations::annotation;

/// Reads a `ScalarVariable`. Always keeps it, because indices count variables.
pub(super) fn variable<'x>(cursor: &mut Cursor<'x>, element: &mut Element<'x>) -> Parsed<Option<ScalarVariable>> {
    let kind = VariableKind::Boolean(BooleanVariable::default());
    let mut variable = ScalarVariable { kind, ..ScalarVariable::default() };
    element.fill(&mut variable, &mut cursor.problems);
    let (mut kinds, mut seen) = (0, Vec::new());
    while let Some(mut child) = cursor.child()? {
        if let Some(late) = seen.first().filter(|_| VariableKind::empty(child.name).is_some()) {
            let message = format!("<{}> occurs after <{late}>", child.name);
            cursor.problems.warn(child.offset, "element-order", message, "move it up");
        }
        cursor.expect_order(&child, &["Annotations"], &[], &mut seen);
        match (child.name, VariableKind::empty(child.name)) {
            (_, Some(kind)) => {
                variable.kind = kind;
                kinds += 1;
                child.fill(&mut variable.kind, &mut cursor.problems);
                cursor.leaf()?;
            }
            ("Annotations", None) => {
                variable.annotations.extend(cursor.items(&mut child, "Tool", annotation)?.1);
            }
            _ => cursor.unknown(&child)?,
        }
    }
    if kinds != 1 {
        let message = format!("the variable \"{}\" has {kinds} types", variable.name);
        let remedy = "give it exactly one of <Real>, <Integer>, <Boolean>, <String> and <Enumeration>";
        cursor.problems.error(element.offset, "variable-kind", message, remedy);
    }
    Ok(Some(variable))
}
