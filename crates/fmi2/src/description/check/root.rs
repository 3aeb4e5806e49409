//! The root element, the interfaces and the log categories.

use super::super::Interface;
use super::definitions::repeated;
use super::{Check, Place};

impl Check<'_> {
    /// Checks the root element and the interfaces.
    pub(super) fn root(&mut self) {
        self.version();
        let d = self.description;
        if d.guid.is_empty() {
            self.error(Place::Root, "missing-guid", "there is no guid".to_owned(), "add the one the library was built with");
        }
        if d.model_name.is_empty() {
            self.warn(Place::Root, "missing-model-name", "there is no modelName".to_owned(), "add it");
        }
        if let Some(date) = d.generation_date_and_time.as_deref().filter(|date| !is_date_and_time(date)) {
            let message = format!("generationDateAndTime is \"{date}\"");
            self.warn(Place::Root, "generation-date", message, "write it as YYYY-MM-DDThh:mm:ssZ");
        }
        if d.model_exchange.is_none() && d.co_simulation.is_none() {
            let message = "there is neither <CoSimulation> nor <ModelExchange>".to_owned();
            self.error(Place::Root, "no-interface", message, "add <CoSimulation modelIdentifier=\"...\"/>");
        }
        if let Some(interface) = &d.model_exchange {
            self.interface(Place::ModelExchange, interface);
        }
        if let Some(co_simulation) = &d.co_simulation {
            self.interface(Place::CoSimulation, &co_simulation.interface);
            if co_simulation.interface.completed_integrator_step_not_needed.is_some() {
                let message = "completedIntegratorStepNotNeeded is not an attribute of <CoSimulation>".to_owned();
                self.warn(Place::CoSimulation, "model-exchange-attribute", message, "remove it");
            }
        }
        for index in repeated(d.vendor_annotations.iter().map(|annotation| &annotation.tool)) {
            let message = format!("there are two annotations of the tool \"{}\"", d.vendor_annotations[index].tool);
            self.warn(Place::VendorAnnotation(index), "duplicate-tool", message, "join them");
        }
        for index in repeated(d.log_categories.iter().map(|category| &category.name)) {
            let message = format!("there are two log categories \"{}\"", d.log_categories[index].name);
            self.warn(Place::LogCategory(index), "duplicate-log-category", message, "remove one");
        }
    }

    fn version(&mut self) {
        let version = &self.description.fmi_version;
        if version.starts_with("2.0.") {
            self.warn(Place::Root, "fmi-version", format!("fmiVersion is \"{version}\""), "write \"2.0\" for all versions 2.0.x");
        } else if version.is_empty() {
            self.error(Place::Root, "fmi-version", "there is no fmiVersion".to_owned(), "add fmiVersion=\"2.0\"");
        } else if version != "2.0" {
            self.error(Place::Root, "fmi-version", format!("unknown fmiVersion \"{version}\""), "only \"2.0\" is supported");
        }
    }

    fn interface(&mut self, place: Place, interface: &Interface) {
        let name = &interface.model_identifier;
        if name.is_empty() {
            let message = "there is no modelIdentifier".to_owned();
            self.error(place, "model-identifier", message, "add the name of the library file without its extension");
        } else if name.contains(['/', '\\']) || name.contains(char::is_control) {
            let message = format!("the modelIdentifier \"{name}\" cannot be the name of a library");
            self.error(place, "model-identifier", message, "use letters, digits and _ only");
        } else if !is_c_identifier(name) {
            let message = format!("the modelIdentifier \"{name}\" is not a C identifier");
            self.warn(place, "model-identifier", message, "use letters, digits and _ only");
        }
        for index in repeated(interface.source_files.iter().map(|file| &file.name)) {
            let message = format!("the source file \"{}\" is listed twice", interface.source_files[index].name);
            self.warn(place, "duplicate-source-file", message, "remove one");
        }
        if interface.can_serialize_fmu_state == Some(true) && interface.can_get_and_set_fmu_state != Some(true) {
            let message = "canSerializeFMUstate is set without canGetAndSetFMUstate".to_owned();
            self.warn(place, "serialize-without-state", message, "set both or neither");
        }
    }
}

fn is_c_identifier(name: &str) -> bool {
    !name.starts_with(|c: char| c.is_ascii_digit()) && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

fn is_date_and_time(text: &str) -> bool {
    const PATTERN: &[u8] = b"0000-00-00T00:00:00Z";
    let fits = |(have, want): (u8, &u8)| if *want == b'0' { have.is_ascii_digit() } else { have == *want };
    let number = |from: usize| text.get(from..from + 2).and_then(|digits| digits.parse().ok()).unwrap_or(u8::MAX);
    text.len() == PATTERN.len()
        && text.bytes().zip(PATTERN).all(fits)
        && (1..=12).contains(&number(5))
        && (1..=31).contains(&number(8))
        && number(11) <= 23
        && number(14) <= 59
        && number(17) <= 59
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_have_one_form() {
        assert!(is_date_and_time("2024-11-30T23:59:00Z"));
        for text in ["2024-11-30", "2024-13-30T00:00:00Z", "2024-11-30T24:00:00Z", "2024-11-30T00:00:00", "2024-11-3éT00:00:00Z"]
        {
            assert!(!is_date_and_time(text), "{text}");
        }
    }

    #[test]
    fn identifiers_are_those_of_c() {
        assert!(is_c_identifier("_a1"));
        for name in ["1a", "a-b", "a.b", "ä"] {
            assert!(!is_c_identifier(name), "{name}");
        }
    }
}
