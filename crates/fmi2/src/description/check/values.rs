//! Values that a file cannot hold.

use fmi_xml::{Attributes, Place};

use super::super::Annotation;
use super::Check;

impl Check<'_> {
    /// Checks that every value can be written and read back.
    pub(super) fn values(&mut self) {
        let d = self.description;
        self.show(Place::Root, d);
        self.interface_values();
        self.definition_values();
        for (index, variable) in d.variables.iter().enumerate() {
            let place = Place::Variable(index);
            self.show(place, variable);
            self.show(place, &variable.kind);
            variable.annotations.iter().for_each(|annotation| self.annotation(place, annotation));
        }
    }

    fn interface_values(&mut self) {
        let d = self.description;
        let interfaces = [
            (Place::ModelExchange, d.model_exchange.as_ref()),
            (Place::CoSimulation, d.co_simulation.as_ref().map(|c| &c.interface)),
        ];
        for (place, interface) in interfaces {
            let Some(interface) = interface else { continue };
            self.show(place, interface);
            interface.source_files.iter().for_each(|file| self.show(place, file));
        }
    }

    fn definition_values(&mut self) {
        let d = self.description;
        for (index, unit) in d.units.iter().enumerate() {
            self.show(Place::Unit(index), unit);
            unit.base_unit.iter().for_each(|base| self.show(Place::Unit(index), base));
            unit.display_units.iter().for_each(|display| self.show(Place::Unit(index), display));
        }
        for (index, definition) in d.types.iter().enumerate() {
            self.show(Place::Type(index), definition);
            self.show(Place::Type(index), &definition.kind);
            definition.kind.items().iter().for_each(|item| self.show(Place::Type(index), item));
        }
        for (index, category) in d.log_categories.iter().enumerate() {
            self.show(Place::LogCategory(index), category);
        }
        d.default_experiment.iter().for_each(|experiment| self.show(Place::DefaultExperiment, experiment));
        for (index, annotation) in d.vendor_annotations.iter().enumerate() {
            self.annotation(Place::Annotation(index), annotation);
        }
    }

    fn show(&mut self, place: Place, element: &impl Attributes) {
        self.findings.values(place, element);
    }

    fn annotation(&mut self, place: Place, annotation: &Annotation) {
        self.show(place, annotation);
        self.findings.annotation_content(place, &annotation.tool, &annotation.xml);
    }
}
