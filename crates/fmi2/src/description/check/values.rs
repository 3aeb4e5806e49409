//! Values that a file cannot hold.

use super::super::Annotation;
use super::super::attributes::{Attributes, Sink};
use super::super::read::is_content;
use super::super::value::Field;
use super::{Check, Finding, Place};

/// Checks every attribute it receives.
struct Values<'c> {
    place: Place,
    findings: &'c mut Vec<Finding>,
}

const REMEDY: &str = "give it a value that XML can hold";

impl Sink for Values<'_> {
    fn put(&mut self, name: &'static str, value: &dyn Field) {
        if let Some(flaw) = value.flaw() {
            self.findings.push(Finding::error(self.place, "value", format!("the attribute {name} {flaw}"), REMEDY));
        }
    }
}

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
            self.annotation(Place::VendorAnnotation(index), annotation);
        }
    }

    fn show(&mut self, place: Place, element: &impl Attributes) {
        element.show(&mut Values { place, findings: &mut self.findings });
    }

    fn annotation(&mut self, place: Place, annotation: &Annotation) {
        self.show(place, annotation);
        if !is_content(&annotation.xml) {
            let message = format!("the annotation of \"{}\" is not well-formed XML", annotation.tool);
            self.error(place, "annotation", message, "close every element, and escape < and &");
        }
    }
}
