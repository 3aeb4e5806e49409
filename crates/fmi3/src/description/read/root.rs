//! The root element and the order of its children.

use fmi_xml::{Cursor, Element, Parsed, Places};

use super::super::{DefaultExperiment, ModelDescription, TypeKind, VariableKind};
use super::annotations::{annotated, annotation, only_annotations};
use super::{definitions, interface, structure, variables};

/// The parts of a description in the order of the standard.
pub(super) const ORDER: [&[&str]; 10] = [
    &["ModelExchange"],
    &["CoSimulation"],
    &["ScheduledExecution"],
    &["UnitDefinitions"],
    &["TypeDefinitions"],
    &["LogCategories"],
    &["DefaultExperiment"],
    &["ModelVariables"],
    &["ModelStructure"],
    &["Annotations"],
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
        "ScheduledExecution" => {
            p.scheduled_execution = Some(element.offset);
            d.scheduled_execution = Some(interface::interface(cursor, element)?);
        }
        "UnitDefinitions" => (p.units, d.units) = cursor.items(element, "Unit", definitions::unit)?,
        "TypeDefinitions" => {
            (p.types, d.types) = cursor.items_of(element, TypeKind::empty, definitions::type_definition)?;
        }
        "LogCategories" => (p.log_categories, d.log_categories) = cursor.items(element, "Category", annotated)?,
        "DefaultExperiment" => {
            p.default_experiment = Some(element.offset);
            let mut experiment = DefaultExperiment::default();
            element.fill(&mut experiment, &mut cursor.problems);
            d.default_experiment = Some(experiment);
            d.default_experiment_annotations = only_annotations(cursor)?;
        }
        "ModelVariables" => {
            (p.variables, d.variables) = cursor.items_of(element, VariableKind::empty, variables::variable)?;
        }
        "ModelStructure" => {
            p.model_structure = Some(element.offset);
            structure::read(cursor, element, &mut d.model_structure, p)?;
        }
        "Annotations" => {
            (p.annotations, d.annotations) = cursor.items(element, "Annotation", annotation)?;
        }
        _ => cursor.unknown(element)?,
    }
    Ok(())
}

/// Stops at another version of FMI: its elements may differ, so all further findings would be misleading.
pub(super) fn refuse_other_versions(version: &str, offset: usize, cursor: &mut Cursor<'_>) -> Parsed<()> {
    let Some((major, rest)) = version.split_once('.') else { return Ok(()) };
    let minor = rest.split(['.', '-']).next().unwrap_or_default();
    let is_number = |text: &str| (1..4).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
    if !is_number(major) || !is_number(minor) || (major, minor) == ("3", "0") {
        return Ok(());
    }
    let message = match major {
        "2" => format!("fmiVersion is \"{version}\", expected \"3.0\""),
        _ => format!("FMI {major}.{minor} is not supported"),
    };
    cursor.stop(offset, "fmi-version", message, "export the model for FMI 3.0 co-simulation")
}
