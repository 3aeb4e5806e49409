//! The importer's logger.

use std::ffi::{CStr, CString, c_void};

use lotka_instance::Status;

/// A log category.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Category {
    Events,
    Warning,
    Discard,
    Error,
    Fatal,
    All,
}

/// All categories, as listed in the model description.
pub(crate) const CATEGORIES: [Category; 6] =
    [Category::Events, Category::Warning, Category::Discard, Category::Error, Category::Fatal, Category::All];

impl Category {
    fn c_name(self) -> &'static CStr {
        match self {
            Self::Events => c"logEvents",
            Self::Warning => c"logStatusWarning",
            Self::Discard => c"logStatusDiscard",
            Self::Error => c"logStatusError",
            Self::Fatal => c"logStatusFatal",
            Self::All => c"logAll",
        }
    }

    /// Name of the standard.
    pub fn name(self) -> &'static str {
        self.c_name().to_str().unwrap_or_default()
    }
}

/// Destination of log lines: the importer's callback.
///
/// A call that fails is always explained; everything else is logged only while its category is switched on.
pub(crate) struct Logger {
    callback: Callback,
    environment: *mut c_void,
    events: bool,
}

/// The importer's function for log lines.
#[derive(Debug)]
pub(crate) enum Callback {
    Missing,
    Fmi2 { log: fmi2::ffi::CallbackLogger, instance: CString },
    Fmi3(fmi3::ffi::LogMessageCallback),
}

impl Logger {
    /// # Safety
    /// `callback` is missing, or a logger as FMI defines it that stays callable with `environment` as long as the value lives.
    pub unsafe fn new(callback: Callback, environment: *mut c_void, on: bool) -> Self {
        Self { callback, environment, events: on }
    }

    /// Switches categories on or off; categories that the FMU does not have are ignored. Explanations of failed calls stay on.
    pub fn switch<'a>(&mut self, on: bool, mut categories: impl Iterator<Item = &'a CStr>) {
        if categories.any(|name| name == Category::Events.c_name() || name == Category::All.c_name()) {
            self.events = on;
        }
    }

    /// Switches all categories.
    pub fn switch_all(&mut self, on: bool) {
        self.events = on;
    }

    /// Logs an event, if the category is switched on.
    pub fn event(&self, text: &str) {
        if self.events {
            self.send(Status::Ok, Category::Events, text);
        }
    }

    /// Logs a warning of a successful call.
    #[cold]
    pub fn warn(&self, text: &str) {
        self.send(Status::Warning, Category::Warning, text);
    }

    /// Explains why a call returns `status`.
    #[cold]
    pub fn explain(&self, status: Status, text: &str) {
        let category = match status {
            Status::Discard => Category::Discard,
            Status::Fatal => Category::Fatal,
            _ => Category::Error,
        };
        self.send(status, category, text);
    }

    fn send(&self, status: Status, category: Category, text: &str) {
        let (status, category) = (status as i32, category.c_name().as_ptr());
        match &self.callback {
            Callback::Missing => {}
            Callback::Fmi2 { log, instance } => {
                #[cfg(miri)]
                // SAFETY: under Miri, loggers are functions of this type.
                let log: fmi2::ffi::FixedLogger = unsafe { std::mem::transmute(*log) };
                let text = escaped(text);
                // SAFETY: `new` promises a logger that is callable with this environment; all strings end in NUL and outlive the
                // call.
                unsafe { log(self.environment, instance.as_ptr(), status, category, c"%s".as_ptr(), text.as_ptr()) };
            }
            Callback::Fmi3(log) => {
                let text = escaped(text);
                // SAFETY: as above.
                unsafe { log(self.environment, status, category, text.as_ptr()) };
            }
        }
    }
}

/// Returns the text in the form required by FMI: `#` doubled, because a single one refers to a variable; no NUL inside, no line
/// break at the end.
fn escaped(text: &str) -> CString {
    let doubled = text.trim_end().replace('\0', "").replace('#', "##");
    CString::new(doubled).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped_and_trimmed() {
        assert_eq!(escaped("50 % of #r1#\0!\n").as_c_str(), c"50 % of ##r1##!");
    }
}
