//! The root element and the order of its children.

use fmi_xml::{Cursor, Element, Parsed, Places};

use super::super::{DefaultExperiment, ModelDescription};
use super::{annotations, definitions, interface, structure, variables};

/// The parts of a description in the order of the standard. The two interfaces may be in either order.
pub(super) const ORDER: [&[&str]; 8] = [
    &["ModelExchange", "CoSimulation"],
    &["UnitDefinitions"],
    &["TypeDefinitions"],
    &["LogCategories"],
    &["DefaultExperiment"],
    &["VendorAnnotations"],
    &["ModelVariables"],
    &["ModelStructure"],
];

/// Reads a child of the root element.
pub(super) fn read_part<'x>(
    d: &mut ModelDescription,
    element: &mut Element<'x>,
    cursor: &mut Cursor<'x>,
    p: &mut Places,
) -> Parsed<()> {
    match element.name {
        "ModelExchange" => {
            p.model_exchange = Some(element.offset);
            d.model_exchange = Some(interface::model_exchange(cursor, element)?);
        }
        "CoSimulation" => {
            p.co_simulation = Some(element.offset);
            d.co_simulation = Some(interface::co_simulation(cursor, element)?);
        }
        "DefaultExperiment" => {
            p.default_experiment = Some(element.offset);
            d.default_experiment = cursor.item::<DefaultExperiment>(element)?;
        }
        "ModelStructure" => {
            p.model_structure = Some(element.offset);
            structure::read(cursor, element, &mut d.model_structure, p)?;
        }
        "UnitDefinitions" => (p.units, d.units) = cursor.items(element, "Unit", definitions::unit)?,
        "TypeDefinitions" => (p.types, d.types) = cursor.items(element, "SimpleType", definitions::simple_type)?,
        "LogCategories" => (p.log_categories, d.log_categories) = cursor.items(element, "Category", Cursor::item)?,
        "VendorAnnotations" => (p.annotations, d.vendor_annotations) = cursor.items(element, "Tool", annotations::annotation)?,
        "ModelVariables" => (p.variables, d.variables) = cursor.items(element, "ScalarVariable", variables::variable)?,
        _ => cursor.unknown(element)?,
    }
    Ok(())
}

/// Stops at another version of FMI: its elements differ, so all further findings would be misleading.
pub(super) fn refuse_other_versions(version: &str, offset: usize, cursor: &mut Cursor<'_>) -> Parsed<()> {
    for known in ["1.0", "3.0"] {
        if version == known || version.strip_prefix(known).is_some_and(|rest| rest.starts_with(['.', '-'])) {
            let message = format!("FMI {known} is not supported");
            return cursor.stop(offset, "fmi-version", message, "export the model for FMI 2.0 co-simulation");
        }
    }
    Ok(())
}
