//! One instance of a model behind the pointer that the importer holds, and the guard through which every call reaches it.

mod called;
mod guard;
mod instance;
mod options;
mod pointers;
mod saved;
mod state;
mod stops;

pub(crate) use called::Called;
pub(crate) use guard::{guard, guard_arrays, guard_often, guard_quick, guard_ready, isolate, refuse};
pub(crate) use instance::Component;
pub(crate) use options::{IntermediateUpdate, Options, POINTS};
pub(crate) use pointers::{all_three, both, fits, put, slice, slice_mut, text};
pub(crate) use saved::Saved;
pub(crate) use state::{Run, Slopes, State};
pub(crate) use stops::{Events, stops};
