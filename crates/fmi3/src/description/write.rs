//! The writer of `modelDescription.xml`: elements in the order of the standard, attributes from the shared table.

use fmi_xml::Writer;

use super::variable::{RawDimension, StartBytes, StartText};
use super::{
    Annotation, Dimension, DisplayUnit, EnumerationItem, LogCategory, ModelDescription, ModelStructure, TypeDefinition, Unit,
    Unknown, Variable, VariableKind,
};

impl ModelDescription {
    /// Returns the description as the text of a `modelDescription.xml`, to be stored as UTF-8.
    ///
    /// Reading the text returns the same description: numbers have as many digits as that needs; empty lists and absent
    /// attributes are left out. Values and annotations that [`ModelDescription::check`] reports as `value` or `annotation` are
    /// the exception: they are written as well as XML allows, but do not read back.
    ///
    /// ```
    /// use fmi3::ModelDescription;
    ///
    /// let description = ModelDescription { model_name: "a < b".to_owned(), ..ModelDescription::default() };
    /// assert!(description.to_xml().contains("modelName=\"a &lt; b\""));
    /// ```
    #[must_use]
    pub fn to_xml(&self) -> String {
        Writer::document("fmiModelDescription", self, |xml| {
            interfaces(xml, self);
            xml.list("UnitDefinitions", &self.units, unit);
            xml.list("TypeDefinitions", &self.types, type_definition);
            xml.list("LogCategories", &self.log_categories, log_category);
            if let Some(experiment) = &self.default_experiment {
                let content = |xml: &mut Writer| annotations(xml, &self.default_experiment_annotations);
                xml.element("DefaultExperiment", &[experiment], content);
            }
            xml.element("ModelVariables", &[], |xml| self.variables.iter().for_each(|v| variable(xml, v)));
            structure(xml, &self.model_structure);
            annotations(xml, &self.annotations);
        })
    }
}

fn annotations(xml: &mut Writer, list: &[Annotation]) {
    xml.list("Annotations", list, |xml, annotation| xml.raw("Annotation", annotation, &annotation.xml));
}

fn interfaces(xml: &mut Writer, description: &ModelDescription) {
    if let Some(exchange) = &description.model_exchange {
        let interface = &exchange.interface;
        xml.element("ModelExchange", &[interface, exchange], |xml| annotations(xml, &interface.annotations));
    }
    if let Some(co_simulation) = &description.co_simulation {
        let interface = &co_simulation.interface;
        xml.element("CoSimulation", &[interface, co_simulation], |xml| annotations(xml, &interface.annotations));
    }
    if let Some(interface) = &description.scheduled_execution {
        xml.element("ScheduledExecution", &[interface], |xml| annotations(xml, &interface.annotations));
    }
}

fn unit(xml: &mut Writer, unit: &Unit) {
    xml.element("Unit", &[unit], |xml| {
        unit.base_unit.iter().for_each(|base| xml.leaf("BaseUnit", base));
        unit.display_units.iter().for_each(|display| display_unit(xml, display));
        annotations(xml, &unit.annotations);
    });
}

fn display_unit(xml: &mut Writer, display: &DisplayUnit) {
    xml.element("DisplayUnit", &[display], |xml| annotations(xml, &display.annotations));
}

fn type_definition(xml: &mut Writer, definition: &TypeDefinition) {
    let kind = &definition.kind;
    let content = |xml: &mut Writer| {
        annotations(xml, &definition.annotations);
        kind.items().iter().for_each(|item| enumeration_item(xml, item));
    };
    xml.element(kind.element_name(), &[definition, kind], content);
}

fn enumeration_item(xml: &mut Writer, item: &EnumerationItem) {
    xml.element("Item", &[item], |xml| annotations(xml, &item.annotations));
}

fn log_category(xml: &mut Writer, category: &LogCategory) {
    xml.element("Category", &[category], |xml| annotations(xml, &category.annotations));
}

fn variable(xml: &mut Writer, variable: &Variable) {
    xml.element(variable.kind.type_name(), &[variable, &variable.kind], |xml| {
        annotations(xml, &variable.annotations);
        variable.dimensions.iter().for_each(|dimension| xml.leaf("Dimension", &raw_dimension(*dimension)));
        match &variable.kind {
            VariableKind::String(text) => {
                text.start.iter().for_each(|value| xml.leaf("Start", &StartText { value: Some(value.clone()) }));
            }
            VariableKind::Binary(binary) => {
                binary.start.iter().for_each(|value| xml.leaf("Start", &StartBytes { value: Some(value.clone()) }));
            }
            _ => {}
        }
        variable.aliases.iter().for_each(|alias| xml.leaf("Alias", alias));
    });
}

fn raw_dimension(dimension: Dimension) -> RawDimension {
    match dimension {
        Dimension::Fixed(start) => RawDimension { start: Some(start), value_reference: None },
        Dimension::Variable(reference) => RawDimension { start: None, value_reference: Some(reference) },
    }
}

fn structure(xml: &mut Writer, structure: &ModelStructure) {
    xml.element("ModelStructure", &[], |xml| {
        for (name, unknowns) in structure.lists() {
            unknowns.iter().for_each(|unknown| unknown_element(xml, name, unknown));
        }
    });
}

fn unknown_element(xml: &mut Writer, name: &str, unknown: &Unknown) {
    xml.element(name, &[unknown], |xml| annotations(xml, &unknown.annotations));
}
