//! Notifications of a run, sent to observers, which cannot change the run.

mod memory;
mod notification;
mod row;
mod steps;

pub use memory::{LocatedEvent, Memory};
pub use notification::{Notification, Observer, Rejection};
pub use row::{Column, EnumerationItem, Row, Value, ValueType};
pub use steps::{RejectedStep, StepSizes};
