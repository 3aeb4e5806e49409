//! Events: points of time at which what the instances do changes, so that a step must end there.
//!
//! `Events` watches indicators and remembers on which side of their levels they are; `Bracket` says where to look for a crossing. Time
//! and rollback belong to the loop (`simulation/run_loop`).

mod bracket;
mod events;
mod excursion;
mod indicator;

pub(crate) use bracket::Bracket;
pub(crate) use events::{Cause, Events, MOST_SHORTER_STEPS, Pending, Seen, TOLERANCE, Touch, just_after, tolerance};
