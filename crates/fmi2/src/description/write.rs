//! The writer of `modelDescription.xml`: elements in the order of the standard, attributes from the shared table.

use fmi_xml::Writer;

use super::{Annotation, Interface, ModelDescription, ModelStructure, ScalarVariable, SimpleType, Unit, Unknown};

impl ModelDescription {
    /// Returns the description as the text of a `modelDescription.xml`, to be stored as UTF-8.
    ///
    /// Reading the text returns the same description: reals have as many digits as that needs; empty lists and absent attributes
    /// are left out. Values and annotations that [`ModelDescription::check`] reports as `value` or `annotation` are the
    /// exception: they are written as well as XML allows, but do not read back.
    ///
    /// ```
    /// use fmi2::ModelDescription;
    ///
    /// let description = ModelDescription { model_name: "a < b".to_owned(), ..ModelDescription::default() };
    /// assert!(description.to_xml().contains("modelName=\"a &lt; b\""));
    /// ```
    #[must_use]
    pub fn to_xml(&self) -> String {
        Writer::document("fmiModelDescription", self, |xml| {
            interfaces(xml, self);
            xml.list("UnitDefinitions", &self.units, unit);
            xml.list("TypeDefinitions", &self.types, simple_type);
            xml.list("LogCategories", &self.log_categories, |xml, category| xml.leaf("Category", category));
            self.default_experiment.iter().for_each(|experiment| xml.leaf("DefaultExperiment", experiment));
            xml.list("VendorAnnotations", &self.vendor_annotations, annotation);
            xml.element("ModelVariables", &[], |xml| self.variables.iter().for_each(|v| variable(xml, v)));
            structure(xml, &self.model_structure);
        })
    }
}

fn interfaces(xml: &mut Writer, description: &ModelDescription) {
    if let Some(interface) = &description.model_exchange {
        xml.element("ModelExchange", &[interface], |xml| source_files(xml, interface));
    }
    if let Some(co_simulation) = &description.co_simulation {
        let interface = &co_simulation.interface;
        xml.element("CoSimulation", &[interface, co_simulation], |xml| source_files(xml, interface));
    }
}

fn source_files(xml: &mut Writer, interface: &Interface) {
    xml.list("SourceFiles", &interface.source_files, |xml, file| xml.leaf("File", file));
}

fn unit(xml: &mut Writer, unit: &Unit) {
    xml.element("Unit", &[unit], |xml| {
        unit.base_unit.iter().for_each(|base| xml.leaf("BaseUnit", base));
        unit.display_units.iter().for_each(|display| xml.leaf("DisplayUnit", display));
    });
}

fn simple_type(xml: &mut Writer, definition: &SimpleType) {
    let kind = &definition.kind;
    xml.element("SimpleType", &[definition], |xml| {
        xml.element(kind.element_name(), &[kind], |xml| kind.items().iter().for_each(|item| xml.leaf("Item", item)));
    });
}

fn annotation(xml: &mut Writer, annotation: &Annotation) {
    xml.raw("Tool", annotation, &annotation.xml);
}

fn variable(xml: &mut Writer, variable: &ScalarVariable) {
    xml.element("ScalarVariable", &[variable], |xml| {
        xml.leaf(variable.kind.type_name(), &variable.kind);
        xml.list("Annotations", &variable.annotations, annotation);
    });
}

fn structure(xml: &mut Writer, structure: &ModelStructure) {
    let unknown = |xml: &mut Writer, unknown: &Unknown| xml.leaf("Unknown", unknown);
    xml.element("ModelStructure", &[], |xml| {
        xml.list("Outputs", &structure.outputs, unknown);
        xml.list("Derivatives", &structure.derivatives, unknown);
        xml.list("InitialUnknowns", &structure.initial_unknowns, unknown);
    });
}
