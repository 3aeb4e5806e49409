//! `ModelExchange`, `CoSimulation` and `ScheduledExecution`. Importers must ignore attributes that they do not know.

use fmi_xml::{Cursor, Element, Parsed};

use super::super::{CoSimulation, Interface, ModelExchange};
use super::annotations::only_annotations;

/// Reads `ModelExchange`.
pub(super) fn model_exchange<'x>(cursor: &mut Cursor<'x>, element: &mut Element<'x>) -> Parsed<ModelExchange> {
    let mut exchange = ModelExchange::default();
    element.fill_part(&mut exchange, &mut cursor.problems);
    exchange.interface = interface(cursor, element)?;
    Ok(exchange)
}

/// Reads `CoSimulation`.
pub(super) fn co_simulation<'x>(cursor: &mut Cursor<'x>, element: &mut Element<'x>) -> Parsed<CoSimulation> {
    let mut co_simulation = CoSimulation::default();
    element.fill_part(&mut co_simulation, &mut cursor.problems);
    co_simulation.interface = interface(cursor, element)?;
    Ok(co_simulation)
}

/// Reads what all interfaces share, and the rest of the element.
pub(super) fn interface<'x>(cursor: &mut Cursor<'x>, element: &mut Element<'x>) -> Parsed<Interface> {
    let mut interface = Interface::default();
    element.fill_part(&mut interface, &mut cursor.problems);
    element.finish_extensible(&mut cursor.problems);
    interface.annotations = only_annotations(cursor)?;
    Ok(interface)
}
