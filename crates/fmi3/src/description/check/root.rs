//! The root element, the interfaces and the log categories.

use fmi_xml::Place;

use super::super::{CoSimulation, Interface, VariableKind};
use super::Check;

impl Check<'_> {
    /// Checks the root element and the interfaces.
    pub(super) fn root(&mut self) {
        self.version();
        let d = self.description;
        if d.instantiation_token.is_empty() {
            let message = "there is no instantiationToken".to_owned();
            self.findings.warn(Place::Root, "missing-token", message, "add the one the library was built with");
        }
        self.findings.model_name(&d.model_name);
        if let Some(date) = d.generation_date_and_time.as_deref().filter(|date| !is_date_and_time(date)) {
            let message = format!("generationDateAndTime is \"{date}\"");
            let remedy = "write it as YYYY-MM-DDThh:mm:ssZ, with a fraction or another time zone if needed";
            self.findings.warn(Place::Root, "generation-date", message, remedy);
        }
        if d.model_exchange.is_none() && d.co_simulation.is_none() && d.scheduled_execution.is_none() {
            let message = "<CoSimulation>, <ModelExchange> and <ScheduledExecution> are all missing".to_owned();
            self.findings.error(Place::Root, "no-interface", message, "add <CoSimulation modelIdentifier=\"...\"/>");
        }
        let exchange = d.model_exchange.iter().map(|exchange| (Place::ModelExchange, &exchange.interface));
        let co_simulation = d.co_simulation.iter().map(|co_simulation| (Place::CoSimulation, &co_simulation.interface));
        let scheduled = d.scheduled_execution.iter().map(|interface| (Place::ScheduledExecution, interface));
        exchange.chain(co_simulation).chain(scheduled).for_each(|(place, interface)| self.interface(place, interface));
        d.co_simulation.iter().for_each(|co_simulation| self.co_simulation(co_simulation));
        let names = d.log_categories.iter().map(|category| category.name.as_str());
        let place = Place::LogCategory;
        self.findings.unique_definitions(names, place, "duplicate-log-category", ("log categories", "remove one"));
    }

    fn version(&mut self) {
        let version = &self.description.fmi_version;
        if version.is_empty() {
            self.findings.error(Place::Root, "fmi-version", "there is no fmiVersion".to_owned(), "add fmiVersion=\"3.0\"");
        } else if !is_version(version) {
            let message = format!("unknown fmiVersion \"{version}\"");
            self.findings.error(Place::Root, "fmi-version", message, "only \"3.0\" is supported");
        }
    }

    fn interface(&mut self, place: Place, interface: &Interface) {
        self.findings.model_identifier(place, &interface.model_identifier);
        if interface.can_serialize_fmu_state == Some(true) && interface.can_get_and_set_fmu_state != Some(true) {
            let message = "canSerializeFMUState is set without canGetAndSetFMUState".to_owned();
            self.findings.warn(place, "serialize-without-state", message, "set both or neither");
        }
    }

    fn co_simulation(&mut self, co_simulation: &CoSimulation) {
        let provides_update = co_simulation.provides_intermediate_update == Some(true);
        if co_simulation.can_return_early_after_intermediate_update == Some(true) && !provides_update {
            let message = "canReturnEarlyAfterIntermediateUpdate is set without providesIntermediateUpdate".to_owned();
            self.findings.warn(Place::CoSimulation, "early-return", message, "set both or neither");
        }
        if let Some(step) = co_simulation.fixed_internal_step_size.filter(|step| *step <= 0.0) {
            let message = format!("fixedInternalStepSize is {step}, expected a positive number");
            let remedy = "correct it, or remove it if the step size varies; until then, importers ignore it";
            self.findings.warn(Place::CoSimulation, "internal-step", message, remedy);
        }
        let clock = self.description.variables.iter().find(|variable| matches!(variable.kind, VariableKind::Clock(_)));
        if let Some(clock) = clock.filter(|_| co_simulation.has_event_mode != Some(true)) {
            let message = format!("the FMU has the clock \"{}\", but no event mode", clock.name);
            self.findings.warn(Place::CoSimulation, "event-mode", message, "set hasEventMode: clocks tick in event mode");
        }
    }
}

/// Returns whether this is a version that the reader supports: `3.0` or `3.0.x`, with or without the suffix of a development
/// version.
fn is_version(version: &str) -> bool {
    let (numbers, suffix) = version.split_once('-').map_or((version, None), |(numbers, suffix)| (numbers, Some(suffix)));
    let patch = numbers.strip_prefix("3.0").map(|rest| rest.strip_prefix('.').or(rest.is_empty().then_some("0")));
    let is_number =
        |text: &str| text.bytes().all(|b| b.is_ascii_digit()) && (text == "0" || !text.starts_with('0')) && !text.is_empty();
    suffix != Some("") && patch.flatten().is_some_and(is_number)
}

/// Returns whether a text is a date with a time, as XML schemas define them.
fn is_date_and_time(text: &str) -> bool {
    const SECONDS: usize = "YYYY-MM-DDThh:mm:ss".len();
    let Some((date, rest)) = text.split_at_checked(SECONDS) else { return false };
    let after_fraction = rest.strip_prefix('.').map_or(Some(rest), |fraction| {
        let zone = fraction.trim_start_matches(|c: char| c.is_ascii_digit());
        (zone.len() < fraction.len()).then_some(zone)
    });
    let is_zone = |zone: &str| {
        let hours = zone.strip_prefix(['+', '-']).filter(|hours| hours.len() == 5).map(|hours| format!("2000-01-01T{hours}:00Z"));
        zone.is_empty() || zone == "Z" || hours.is_some_and(|time| fmi_xml::is_date_and_time(&time))
    };
    fmi_xml::is_date_and_time(&format!("{date}Z")) && after_fraction.is_some_and(is_zone)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_xml_schemas() {
        for text in [
            "2024-11-30T23:59:00Z",
            "2025-06-12T19:14:14.839539+02:00",
            "2025-06-12T19:14:14-11:30",
            "2025-06-12T19:14:14",
            "2025-06-12T19:14:14.5",
        ] {
            assert!(is_date_and_time(text), "{text}");
        }
        for text in [
            "2024-11-30",
            "2024-13-30T00:00:00Z",
            "2024-11-30T24:00:00Z",
            "2024-11-30 00:00:00",
            "2024-11-30T00:00:00.Z",
            "2024-11-30T00:00:00+2",
            "2024-11-30T00:00:00+25:00",
            "2024-11-30T00:00:00Zulu",
            "2024-11-3éT00:00:00Z",
        ] {
            assert!(!is_date_and_time(text), "{text}");
        }
    }

    #[test]
    fn versions_are_those_of_this_minor_version() {
        for version in ["3.0", "3.0.1", "3.0.12", "3.0-beta.2", "3.0.1-rc.1", "3.0.0"] {
            assert!(is_version(version), "{version}");
        }
        for version in ["3", "3.", "3.0.", "3.0.01", "3.0.x", "3.0-", "3.00", "3.0 ", "3.1", "2.0", "3.0.1.2"] {
            assert!(!is_version(version), "{version}");
        }
    }
}
