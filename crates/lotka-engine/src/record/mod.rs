//! Notifications of a run, sent to observers, which cannot change the run.

mod again;
mod memory;
mod notification;
mod row;
mod steps;
mod stored;

pub use memory::{LocatedEvent, Memory};
pub use notification::{Notification, Observer, Rejection};
pub use row::{Column, EnumerationItem, IntegerType, Row, Value, ValueType};
pub use steps::{RejectedStep, StepSizes};
