//! The reason why a question has no answer from the FMU itself.

use lotka_instance::{CallError, Cause, Discard};

/// A call that failed, in one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Trouble {
    pub text: String,
    /// The process of the FMU came to an end.
    pub process_ended: bool,
    /// A step was discarded.
    pub is_discarded: bool,
}

impl Trouble {
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), process_ended: false, is_discarded: false }
    }

    /// With what was being done in front.
    pub fn during(self, what: &str) -> Self {
        Self { text: format!("{what}: {}", self.text), ..self }
    }

    /// A step that was discarded where nothing gave cause to.
    pub fn discarded(t: f64, h: f64, discard: &Discard, log: Option<&str>) -> Self {
        let until = discard.last_successful_time.map(|time| format!(", reached {time} s")).unwrap_or_default();
        let log = log.map(|line| format!("; it logged: {}", one_line(line))).unwrap_or_default();
        Self { is_discarded: true, ..Self::new(format!("the step of {h} s at t = {t} s was discarded{until}{log}")) }
    }
}

impl From<Box<CallError>> for Trouble {
    fn from(error: Box<CallError>) -> Self {
        let at = error.time.map(|time| format!(" at t = {time} s")).unwrap_or_default();
        let log = error.log.last().map(|line| format!("; it logged: {}", one_line(line))).unwrap_or_default();
        let process_ended = matches!(error.cause, Cause::ProcessEnded(_));
        Self { text: format!("{}{at} {}{log}", error.function, error.what()), process_ended, is_discarded: false }
    }
}

impl From<lotka_host::Error> for Trouble {
    fn from(error: lotka_host::Error) -> Self {
        Self {
            text: one_line(&error.to_string()),
            process_ended: matches!(error, lotka_host::Error::Ended { .. }),
            is_discarded: false,
        }
    }
}

fn one_line(text: &str) -> String {
    text.split('\n').map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join("; ")
}
