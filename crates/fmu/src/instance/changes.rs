//! Reports of what FMUs change of the process.

use crate::{
    log::Journal,
    process_state::{Parts, ProcessState},
};

/// Restores what an FMU changed, and says so.
pub(crate) fn warn_of_changes(journal: &Journal, process_state: ProcessState) {
    warn_of(journal, process_state.put_back());
}

/// Says what an FMU changed of the process.
pub(super) fn warn_of(journal: &Journal, changed: Parts) {
    let undone = changed.without(Parts::EXCHANGED);
    for (parts, effect) in [(undone, "this was undone"), (changed.without(undone), "no other FMU sees it")] {
        if !parts.is_empty() {
            journal.warn(format!("the FMU changed {parts} of the process; {effect}"));
        }
    }
}
