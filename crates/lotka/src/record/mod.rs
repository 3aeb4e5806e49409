//! What happens in a run, told to observers. They cannot change the run.

mod csv;
mod event;
mod memory;
mod steps;

pub use csv::Csv;
pub use event::{Column, Event, Observer, Rejection, Row, Value, ValueType};
pub use memory::{LocatedEvent, Memory};
pub use steps::{RejectedStep, StepSizes};
