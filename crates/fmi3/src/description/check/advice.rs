//! Advice: findings that break no rule, but help those who use the FMU or build the next one.

use fmi_xml::{Place, repeated};

use super::super::Annotation;
use super::{Check, unknowns};

impl Check<'_> {
    /// Adds advice about the whole description.
    pub(super) fn advise(&mut self) {
        let d = self.description;
        if let Some((_, suffix)) = d.fmi_version.split_once('-') {
            let message = format!("fmiVersion names the development version \"{suffix}\"");
            self.findings.note(
                Place::Root,
                "fmi-version",
                message,
                "export the model with a tool that supports the final version",
            );
        }
        if let Some(co_simulation) = &d.co_simulation {
            let interface = &co_simulation.interface;
            let (tool, once) = (interface.needs_execution_tool, interface.can_be_instantiated_only_once_per_process);
            self.findings.advice_about_interface(tool, once);
            if co_simulation.provides_intermediate_update != Some(true) {
                self.idle_intermediate_updates();
            }
        }
        if d.log_categories.is_empty() {
            let message = "there are no <LogCategories>".to_owned();
            let remedy = "list the categories that the FMU logs, so that importers can choose among them";
            self.findings.note(Place::Root, "no-log-categories", message, remedy);
        }
        self.findings.advise_experiment(d.default_experiment.is_some());
        self.annotations();
    }

    /// Notes variables that importers could access inside of steps, if the FMU called them there.
    fn idle_intermediate_updates(&mut self) {
        let has_flag = self.description.variables.iter().position(|variable| variable.intermediate_update == Some(true));
        if let Some(index) = has_flag {
            let name = &self.description.variables[index].name;
            let message = format!("\"{name}\" has intermediateUpdate, but the FMU has no providesIntermediateUpdate");
            let remedy = "set providesIntermediateUpdate, or remove intermediateUpdate";
            self.findings.note(Place::Variable(index), "intermediate-update", message, remedy);
        }
    }

    /// Notes annotations of the same type in one place.
    fn annotations(&mut self) {
        let d = self.description;
        self.types_of(Place::Annotation, "the root", &d.annotations);
        let co_simulation = d.co_simulation.iter().map(|c| (Place::CoSimulation, "<CoSimulation>", &c.interface));
        let exchange = d.model_exchange.iter().map(|m| (Place::ModelExchange, "<ModelExchange>", &m.interface));
        let scheduled = d.scheduled_execution.iter().map(|s| (Place::ScheduledExecution, "<ScheduledExecution>", s));
        for (place, owner, interface) in exchange.chain(co_simulation).chain(scheduled) {
            self.types_at(place, owner, &interface.annotations);
        }
        for (index, unit) in d.units.iter().enumerate() {
            self.types_at(Place::Unit(index), &quoted(&unit.name), &unit.annotations);
            for display in &unit.display_units {
                self.types_at(Place::Unit(index), &quoted(&display.name), &display.annotations);
            }
        }
        for (index, definition) in d.types.iter().enumerate() {
            self.types_at(Place::Type(index), &quoted(&definition.name), &definition.annotations);
            for item in definition.kind.items() {
                self.types_at(Place::Type(index), &quoted(&item.name), &item.annotations);
            }
        }
        for (index, category) in d.log_categories.iter().enumerate() {
            self.types_at(Place::LogCategory(index), &quoted(&category.name), &category.annotations);
        }
        self.types_at(Place::DefaultExperiment, "<DefaultExperiment>", &d.default_experiment_annotations);
        for (index, variable) in d.variables.iter().enumerate() {
            self.types_at(Place::Variable(index), &quoted(&variable.name), &variable.annotations);
        }
        for (place, unknown) in unknowns(&d.model_structure) {
            self.types_at(place, &format!("the entry of {}", unknown.value_reference), &unknown.annotations);
        }
    }

    fn types_at(&mut self, place: Place, owner: &str, annotations: &[Annotation]) {
        self.types_of(|_| place, owner, annotations);
    }

    fn types_of(&mut self, place: impl Fn(usize) -> Place, owner: &str, annotations: &[Annotation]) {
        for index in repeated(annotations.iter().map(|annotation| &annotation.kind)) {
            let message = format!("{owner} has two annotations of the type \"{}\"", annotations[index].kind);
            self.findings.note(place(index), "duplicate-annotation", message, "join them; programs may read only one");
        }
    }
}

fn quoted(name: &str) -> String {
    format!("\"{name}\"")
}
