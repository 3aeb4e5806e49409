//! `ModelStructure`.

use fmi_xml::{Cursor, Element, Parsed, Places};

use super::super::ModelStructure;
use super::annotations::annotated;

/// The elements in the order of the standard. All of them may be repeated.
const ORDER: [&str; 5] = ["Output", "ContinuousStateDerivative", "ClockedState", "InitialUnknown", "EventIndicator"];

/// Reads `ModelStructure`.
pub(super) fn read<'x>(
    cursor: &mut Cursor<'x>,
    element: &mut Element<'x>,
    structure: &mut ModelStructure,
    places: &mut Places,
) -> Parsed<()> {
    element.finish(&mut cursor.problems);
    let mut seen = Vec::new();
    while let Some(mut child) = cursor.child()? {
        cursor.expect_order(&child, &ORDER, &ORDER, &mut seen);
        let (offsets, unknowns) = match child.name {
            "Output" => (&mut places.outputs, &mut structure.outputs),
            "ContinuousStateDerivative" => (&mut places.derivatives, &mut structure.continuous_state_derivatives),
            "ClockedState" => (&mut places.clocked_states, &mut structure.clocked_states),
            "InitialUnknown" => (&mut places.initial_unknowns, &mut structure.initial_unknowns),
            "EventIndicator" => (&mut places.event_indicators, &mut structure.event_indicators),
            _ => {
                cursor.unknown(&child)?;
                continue;
            }
        };
        if let Some(unknown) = annotated(cursor, &mut child)? {
            offsets.push(child.offset);
            unknowns.push(unknown);
        }
    }
    Ok(())
}
