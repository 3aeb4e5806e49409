//! Values that a file cannot hold.

use fmi_xml::{Attributes, Place};

use super::super::variable::StartText;
use super::super::{Annotation, VariableKind};
use super::{Check, unknowns};

impl Check<'_> {
    /// Checks that every value can be written and read back.
    pub(super) fn values(&mut self) {
        let d = self.description;
        self.show(Place::Root, d);
        for (index, annotation) in d.annotations.iter().enumerate() {
            self.annotation(Place::Annotation(index), annotation);
        }
        self.interface_values();
        self.definition_values();
        self.variable_values();
        for (place, unknown) in unknowns(&d.model_structure) {
            self.annotated(place, unknown, &unknown.annotations);
        }
    }

    fn interface_values(&mut self) {
        let d = self.description;
        if let Some(exchange) = &d.model_exchange {
            self.annotated(Place::ModelExchange, &exchange.interface, &exchange.interface.annotations);
        }
        if let Some(co_simulation) = &d.co_simulation {
            self.show(Place::CoSimulation, co_simulation);
            self.annotated(Place::CoSimulation, &co_simulation.interface, &co_simulation.interface.annotations);
        }
        if let Some(interface) = &d.scheduled_execution {
            self.annotated(Place::ScheduledExecution, interface, &interface.annotations);
        }
        if let Some(experiment) = &d.default_experiment {
            self.annotated(Place::DefaultExperiment, experiment, &d.default_experiment_annotations);
        }
    }

    fn definition_values(&mut self) {
        let d = self.description;
        for (index, unit) in d.units.iter().enumerate() {
            let place = Place::Unit(index);
            self.annotated(place, unit, &unit.annotations);
            unit.base_unit.iter().for_each(|base| self.show(place, base));
            unit.display_units.iter().for_each(|display| self.annotated(place, display, &display.annotations));
        }
        for (index, definition) in d.types.iter().enumerate() {
            let place = Place::Type(index);
            self.annotated(place, definition, &definition.annotations);
            self.show(place, &definition.kind);
            definition.kind.items().iter().for_each(|item| self.annotated(place, item, &item.annotations));
        }
        for (index, category) in d.log_categories.iter().enumerate() {
            self.annotated(Place::LogCategory(index), category, &category.annotations);
        }
    }

    fn variable_values(&mut self) {
        for (index, variable) in self.description.variables.iter().enumerate() {
            let place = Place::Variable(index);
            self.annotated(place, variable, &variable.annotations);
            self.show(place, &variable.kind);
            variable.aliases.iter().for_each(|alias| self.show(place, alias));
            if let VariableKind::String(text) = &variable.kind {
                text.start.iter().for_each(|value| self.show(place, &StartText { value: Some(value.clone()) }));
            }
        }
    }

    fn annotated(&mut self, place: Place, element: &impl Attributes, annotations: &[Annotation]) {
        self.show(place, element);
        annotations.iter().for_each(|annotation| self.annotation(place, annotation));
    }

    fn show(&mut self, place: Place, element: &impl Attributes) {
        self.findings.values(place, element);
    }

    fn annotation(&mut self, place: Place, annotation: &Annotation) {
        self.show(place, annotation);
        self.findings.annotation_content(place, &annotation.kind, &annotation.xml);
    }
}
