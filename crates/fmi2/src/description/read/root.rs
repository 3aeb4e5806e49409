//! The root element and the order of its children.

use super::super::{DefaultExperiment, ModelDescription};
use super::cursor::{Cursor, Parsed};
use super::element::Element;
use super::places::Places;
use super::{annotations, definitions, interface, structure, variables};

/// The parts of a description in the order of the standard. The two interfaces may be in either order.
const ORDER: [&[&str]; 8] = [
    &["ModelExchange", "CoSimulation"],
    &["UnitDefinitions"],
    &["TypeDefinitions"],
    &["LogCategories"],
    &["DefaultExperiment"],
    &["VendorAnnotations"],
    &["ModelVariables"],
    &["ModelStructure"],
];

/// A description being read.
#[derive(Default)]
pub(super) struct Document<'x> {
    pub description: ModelDescription,
    pub places: Places,
    seen: Vec<&'x str>,
}

impl<'x> Document<'x> {
    /// Reads the whole text.
    pub fn read(&mut self, cursor: &mut Cursor<'x>) -> Parsed<()> {
        let Some(mut root) = cursor.child()? else { return Ok(()) };
        if root.name != "fmiModelDescription" {
            let message = format!("the root element is <{}>", root.name);
            return cursor.stop(root.offset, "root", message, "use <fmiModelDescription>");
        }
        self.places.root = root.offset;
        root.fill_part(&mut self.description, &mut cursor.problems);
        refuse_other_versions(&self.description.fmi_version, root.offset, cursor)?;
        root.finish(&mut cursor.problems);
        while let Some(part) = cursor.child()? {
            self.part(part, cursor)?;
        }
        self.report_missing(cursor);
        cursor.rest()
    }

    fn part(&mut self, mut part: Element<'x>, cursor: &mut Cursor<'x>) -> Parsed<()> {
        if !self.is_expected(&part, cursor) {
            return cursor.skip();
        }
        let element = &mut part;
        let (description, places) = (&mut self.description, &mut self.places);
        match element.name {
            "ModelExchange" => {
                places.model_exchange = Some(element.offset);
                description.model_exchange = Some(interface::model_exchange(cursor, element)?);
            }
            "CoSimulation" => {
                places.co_simulation = Some(element.offset);
                description.co_simulation = Some(interface::co_simulation(cursor, element)?);
            }
            "DefaultExperiment" => {
                places.default_experiment = Some(element.offset);
                description.default_experiment = cursor.item::<DefaultExperiment>(element)?;
            }
            "ModelStructure" => {
                places.model_structure = Some(element.offset);
                structure::read(cursor, element, &mut description.model_structure, places)?;
            }
            _ => self.list(element, cursor)?,
        }
        Ok(())
    }

    fn list(&mut self, element: &mut Element<'x>, cursor: &mut Cursor<'x>) -> Parsed<()> {
        let (d, p) = (&mut self.description, &mut self.places);
        match element.name {
            "UnitDefinitions" => (p.units, d.units) = cursor.items(element, "Unit", definitions::unit)?,
            "TypeDefinitions" => (p.types, d.types) = cursor.items(element, "SimpleType", definitions::simple_type)?,
            "LogCategories" => (p.log_categories, d.log_categories) = cursor.items(element, "Category", Cursor::item)?,
            "VendorAnnotations" => {
                (p.vendor_annotations, d.vendor_annotations) = cursor.items(element, "Tool", annotations::annotation)?;
            }
            "ModelVariables" => (p.variables, d.variables) = cursor.items(element, "ScalarVariable", variables::variable)?,
            _ => cursor.unknown(element)?,
        }
        Ok(())
    }

    /// Returns whether this part may be read: each part only once. Reports a wrong order.
    fn is_expected(&mut self, part: &Element<'x>, cursor: &mut Cursor<'x>) -> bool {
        let rank = |name: &str| ORDER.iter().position(|names| names.contains(&name));
        let Some(own) = rank(part.name) else { return true };
        if self.seen.contains(&part.name) {
            cursor.problems.error(part.offset, "duplicate-element", format!("there is a second <{}>", part.name), "join them");
            return false;
        }
        if let Some(later) = self.seen.iter().find(|seen| rank(seen) > Some(own)) {
            let message = format!("<{}> occurs after <{later}>", part.name);
            cursor.problems.warn(part.offset, "element-order", message, "move it up");
        }
        self.seen.push(part.name);
        true
    }

    fn report_missing(&self, cursor: &mut Cursor<'x>) {
        if !self.seen.contains(&"ModelVariables") {
            cursor.problems.error(self.places.root, "missing-element", "there is no <ModelVariables>".to_owned(), "add it");
        }
        if !self.seen.contains(&"ModelStructure") {
            cursor.problems.warn(self.places.root, "missing-element", "there is no <ModelStructure>".to_owned(), "add it");
        }
    }
}

/// Stops at another version of FMI: its elements differ, so all further findings would be misleading.
fn refuse_other_versions(version: &str, offset: usize, cursor: &mut Cursor<'_>) -> Parsed<()> {
    for known in ["1.0", "3.0"] {
        if version == known || version.strip_prefix(known).is_some_and(|rest| rest.starts_with(['.', '-'])) {
            let message = format!("FMI {known} is not supported");
            return cursor.stop(offset, "fmi-version", message, "export the model for FMI 2.0 co-simulation");
        }
    }
    Ok(())
}
