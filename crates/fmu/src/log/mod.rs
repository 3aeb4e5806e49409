//! Log lines of an FMU, from the C callback to the receiver.
//!
//! [`journal`] stores the last lines and passes every line on; [`callback`] is the C side.

mod callback;
mod journal;

pub(crate) use callback::Environment;
pub(crate) use journal::Journal;
