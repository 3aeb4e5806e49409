//! `ModelExchange` and `CoSimulation`.

use fmi_xml::{Cursor, Element, Parsed};

use super::super::{CoSimulation, Interface, SourceFile};

/// Reads `ModelExchange`.
pub(super) fn model_exchange<'x>(cursor: &mut Cursor<'x>, element: &mut Element<'x>) -> Parsed<Interface> {
    let mut interface = Interface::default();
    element.fill(&mut interface, &mut cursor.problems);
    interface.source_files = source_files(cursor)?;
    Ok(interface)
}

/// Reads `CoSimulation`.
pub(super) fn co_simulation<'x>(cursor: &mut Cursor<'x>, element: &mut Element<'x>) -> Parsed<CoSimulation> {
    let mut co_simulation = CoSimulation::default();
    element.fill_part(&mut co_simulation.interface, &mut cursor.problems);
    element.fill(&mut co_simulation, &mut cursor.problems);
    co_simulation.interface.source_files = source_files(cursor)?;
    Ok(co_simulation)
}

fn source_files(cursor: &mut Cursor<'_>) -> Parsed<Vec<SourceFile>> {
    let (mut files, mut seen) = (Vec::new(), Vec::new());
    while let Some(mut child) = cursor.child()? {
        cursor.expect_order(&child, &["SourceFiles"], &[], &mut seen);
        match child.name {
            "SourceFiles" => files.extend(cursor.items(&mut child, "File", Cursor::item)?.1),
            _ => cursor.unknown(&child)?,
        }
    }
    Ok(files)
}
