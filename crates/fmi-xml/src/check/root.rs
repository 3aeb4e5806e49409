//! Attributes of the root and of interfaces.

use crate::finding::Findings;
use crate::place::Place;

impl Findings {
    /// Checks the name of the model.
    pub fn model_name(&mut self, name: &str) {
        if name.is_empty() {
            self.warn(Place::Root, "missing-model-name", "there is no modelName".to_owned(), "add it");
        }
    }

    /// Checks `generationDateAndTime`.
    pub fn generation_date(&mut self, date: Option<&str>) {
        if let Some(date) = date.filter(|date| !is_date_and_time(date)) {
            let message = format!("generationDateAndTime is \"{date}\"");
            self.warn(Place::Root, "generation-date", message, "write it as YYYY-MM-DDThh:mm:ssZ");
        }
    }

    /// Checks `modelIdentifier`.
    pub fn model_identifier(&mut self, place: Place, name: &str) {
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
    }

    /// Adds advice about an interface for co-simulation.
    pub fn advice_about_interface(&mut self, needs_execution_tool: Option<bool>, only_once_per_process: Option<bool>) {
        if needs_execution_tool == Some(true) {
            let message = "the FMU needs the tool that exported it".to_owned();
            self.note(
                Place::CoSimulation,
                "needs-execution-tool",
                message,
                "install the tool on the machine that runs the FMU, or export the FMU without this dependency",
            );
        }
        if only_once_per_process == Some(true) {
            let message = "the FMU can be instantiated only once per process".to_owned();
            self.note(Place::CoSimulation, "once-per-process", message, "a second instance needs a process of its own");
        }
    }

    /// Adds a note if there is no default experiment.
    pub fn advise_experiment(&mut self, is_present: bool) {
        if !is_present {
            let message = "there is no <DefaultExperiment>".to_owned();
            let remedy = "add it; importers read the stop time and step size from it";
            self.note(Place::Root, "no-default-experiment", message, remedy);
        }
    }
}

fn is_c_identifier(name: &str) -> bool {
    !name.starts_with(|c: char| c.is_ascii_digit()) && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

/// Returns whether a text has the form `YYYY-MM-DDThh:mm:ssZ`.
#[must_use]
pub fn is_date_and_time(text: &str) -> bool {
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
