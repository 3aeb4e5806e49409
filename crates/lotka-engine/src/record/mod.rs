//! Events of a run, sent to observers, which cannot change the run.

mod event;
mod memory;
mod row;
mod steps;

pub use event::{Event, Observer, Rejection};
pub use memory::{LocatedEvent, Memory};
pub use row::{Column, EnumerationItem, Row, Value, ValueType};
pub use steps::{RejectedStep, StepSizes};
