//! What an FMU logs, from the C callback to the listener.
//!
//! [`journal`] keeps the last lines and passes every line on; [`callback`] is the side that C sees.

mod callback;
mod journal;

pub(crate) use callback::Environment;
pub(crate) use journal::Journal;
