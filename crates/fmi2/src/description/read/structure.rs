//! `ModelStructure`.

use fmi_xml::{Cursor, Element, Parsed, Places};

use super::super::ModelStructure;

/// Reads `ModelStructure`.
pub(super) fn read<'x>(
    cursor: &mut Cursor<'x>,
    element: &mut Element<'x>,
    structure: &mut ModelStructure,
    places: &mut Places,
) -> Parsed<()> {
    element.finish(&mut cursor.problems);
    let mut seen = Vec::new();
    while let Some(mut list) = cursor.child()? {
        cursor.expect_order(&list, &["Outputs", "Derivatives", "InitialUnknowns"], &[], &mut seen);
        let (offsets, unknowns) = match list.name {
            "Outputs" => (&mut places.outputs, &mut structure.outputs),
            "Derivatives" => (&mut places.derivatives, &mut structure.derivatives),
            "InitialUnknowns" => (&mut places.initial_unknowns, &mut structure.initial_unknowns),
            _ => {
                cursor.unknown(&list)?;
                continue;
            }
        };
        let (new_offsets, new_unknowns) = cursor.items(&mut list, "Unknown", Cursor::item)?;
        offsets.extend(new_offsets);
        unknowns.extend(new_unknowns);
    }
    Ok(())
}
