//! The size of a description after all references are replaced by their targets: a few lines can exceed the memory of any
//! machine.

use lotka_message::limits::{SYSTEM_BYTES, SYSTEM_CONNECTIONS, SYSTEM_ERRORS, SYSTEM_PARTS};

use super::structure::{Element, SubSystem};
use lotka_message::{Code, Findings};

/// The size so far.
#[derive(Debug, Default)]
pub(super) struct Expansion {
    /// Components and systems.
    parts: usize,
    /// Connectors, connections and values.
    pub(super) connections: usize,
    /// Text of descriptions; a file that is used twice counts twice.
    pub(super) bytes: u64,
    /// Whether the excess was reported.
    is_over: bool,
}

impl Expansion {
    /// Counts a system without its subsystems.
    pub(super) fn add(&mut self, system: &SubSystem) {
        self.parts += system.elements.len();
        let of_components = system.elements.iter().map(|element| match element {
            Element::Component(component) => component.connectors.len(),
            Element::System(_) | Element::Dictionary(_) => 0,
        });
        self.connections += system.connectors.len() + system.connections.len() + of_components.sum::<usize>();
    }

    /// Which limit is exceeded.
    fn excess(&self) -> Option<String> {
        if self.parts > SYSTEM_PARTS {
            Some(format!("more than {SYSTEM_PARTS} components and systems"))
        } else if self.connections > SYSTEM_CONNECTIONS {
            Some(format!("more than {SYSTEM_CONNECTIONS} connectors, connections and values"))
        } else if self.bytes > SYSTEM_BYTES {
            Some(format!("more than {} MiB of descriptions", SYSTEM_BYTES >> 20))
        } else {
            None
        }
    }

    /// Whether a limit is exceeded, so that nothing more is added at this path. Reports this once.
    pub(super) fn is_too_large(&mut self, path: &str, findings: &mut Findings) -> bool {
        if findings.n_errors() > SYSTEM_ERRORS {
            return true;
        }
        let Some(excess) = self.excess() else { return false };
        if !std::mem::replace(&mut self.is_over, true) {
            let place = path.trim_end_matches('/').split('/').take(3).collect::<Vec<_>>().join("/");
            let place = if place.is_empty() { String::new() } else { format!(" at `{place}`") };
            let message = format!("the system expands to {excess}{place}");
            findings.error(Code::LimitExceeded, &None, message, "use fewer references to nested systems".to_owned());
        }
        true
    }
}
