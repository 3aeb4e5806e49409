//! What instances of all versions of FMI share.
//!
//! [`create()`] makes an instance with its [`identity`], and [`progress`] is how far it is. Every method of
//! [`lotka_instance::Instance`] checks the call table, makes one call, and processes the status ([`status`]). [`slots`] keeps
//! saved states, and [`envelope`] serializes them. [`next_event`] is the time at which an instance waits for event mode.
//! [`changes`] reports what an FMU changes of the process, and [`apart`] gives FMUs that can change its state one of their own.
//! [`single`] guards FMUs that allow one instance per process. [`blame`] names the variables of a failed call, and [`unwritten`]
//! finds values that a call did not write. The calls are in the folders of the versions, and [`common`] is what is equal there.

mod apart;
mod blame;
mod changes;
mod common;
mod create;
mod envelope;
mod identity;
mod next_event;
mod progress;
mod single;
mod slots;
mod status;
mod unwritten;

pub(crate) use self::{
    apart::Apart,
    blame::{Access, Lane, Named as NamesVariables},
    changes::warn_of_changes,
    common::{common_calls, common_instance, common_methods},
    create::create,
    identity::Identity,
    next_event::NextEvent,
    progress::Progress,
    slots::{SavedState, Slots, StateCalls, Stateful},
    status::{Imported, Refused, Reply},
    unwritten::{Marked, has_values, read, read_some, read_texts},
};
