//! Events: times at which the behavior of the instances changes, so that a step must end there.
//!
//! `Events` watches indicators and stores their side of the level; `Bracket` chooses where to look for a crossing. Time
//! and rollback are part of the loop (`simulation/run_loop`).

mod bracket;
mod events;
mod excursion;
mod indicator;
mod latest;
mod response;
mod watched;

pub(crate) use bracket::Bracket;
pub use events::{Cause, Events, Grazing, MOST_SHORTER_STEPS, Pending, Seen, TOLERANCE, just_after, tolerance};
pub(crate) use response::WatchedResponse;
