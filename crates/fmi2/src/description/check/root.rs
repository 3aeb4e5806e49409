//! The root element, the interfaces and the log categories.

use fmi_xml::{Place, repeated};

use super::super::Interface;
use super::Check;

impl Check<'_> {
    /// Checks the root element and the interfaces.
    pub(super) fn root(&mut self) {
        self.version();
        let d = self.description;
        if d.guid.is_empty() {
            self.findings.error(
                Place::Root,
                "missing-guid",
                "there is no guid".to_owned(),
                "add the one the library was built with",
            );
        }
        self.findings.model_name(&d.model_name);
        self.findings.generation_date(d.generation_date_and_time.as_deref());
        if d.model_exchange.is_none() && d.co_simulation.is_none() {
            let message = "there is neither <CoSimulation> nor <ModelExchange>".to_owned();
            self.findings.error(Place::Root, "no-interface", message, "add <CoSimulation modelIdentifier=\"...\"/>");
        }
        if let Some(interface) = &d.model_exchange {
            self.interface(Place::ModelExchange, interface);
        }
        if let Some(co_simulation) = &d.co_simulation {
            self.interface(Place::CoSimulation, &co_simulation.interface);
            if co_simulation.interface.completed_integrator_step_not_needed.is_some() {
                let message = "completedIntegratorStepNotNeeded is not an attribute of <CoSimulation>".to_owned();
                self.findings.warn(Place::CoSimulation, "model-exchange-attribute", message, "remove it");
            }
        }
        for index in repeated(d.vendor_annotations.iter().map(|annotation| &annotation.tool)) {
            let message = format!("there are two annotations of the tool \"{}\"", d.vendor_annotations[index].tool);
            self.findings.warn(Place::Annotation(index), "duplicate-tool", message, "join them");
        }
        let names = d.log_categories.iter().map(|category| category.name.as_str());
        let place = Place::LogCategory;
        self.findings.unique_definitions(names, place, "duplicate-log-category", ("log categories", "remove one"));
    }

    fn version(&mut self) {
        let version = &self.description.fmi_version;
        if version.starts_with("2.0.") {
            self.findings.warn(
                Place::Root,
                "fmi-version",
                format!("fmiVersion is \"{version}\""),
                "write \"2.0\" for all versions 2.0.x",
            );
        } else if version.is_empty() {
            self.findings.error(Place::Root, "fmi-version", "there is no fmiVersion".to_owned(), "add fmiVersion=\"2.0\"");
        } else if version != "2.0" {
            self.findings.error(
                Place::Root,
                "fmi-version",
                format!("unknown fmiVersion \"{version}\""),
                "only \"2.0\" is supported",
            );
        }
    }

    fn interface(&mut self, place: Place, interface: &Interface) {
        self.findings.model_identifier(place, &interface.model_identifier);
        for index in repeated(interface.source_files.iter().map(|file| &file.name)) {
            let message = format!("the source file \"{}\" is listed twice", interface.source_files[index].name);
            self.findings.warn(place, "duplicate-source-file", message, "remove one");
        }
        if interface.can_serialize_fmu_state == Some(true) && interface.can_get_and_set_fmu_state != Some(true) {
            let message = "canSerializeFMUstate is set without canGetAndSetFMUstate".to_owned();
            self.findings.warn(place, "serialize-without-state", message, "set both or neither");
        }
    }
}
