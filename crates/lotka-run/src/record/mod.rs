//! Notifications of a run, sent to observers, which cannot change the run.

mod again;
mod memory;
mod notification;
mod row;
mod steps;
mod stored;

pub use memory::{LocatedEvent, Memory};
pub use notification::{Notification, Observer, Rejection, emit};
pub use row::{Row, Value};
pub use steps::{RejectedStep, StepSizes};
