//! What happens in a run, told to observers. They cannot change the run.

mod bars;
mod csv;
mod event;
mod mat;
mod memory;
#[cfg(feature = "parquet")]
mod parquet;
mod row;
mod steps;

pub use bars::ERROR_BARS;
pub use csv::Csv;
pub use event::{Event, Observer, Rejection};
pub use mat::Mat;
pub use memory::{LocatedEvent, Memory};
#[cfg(feature = "parquet")]
pub use parquet::Parquet;
pub use row::{Column, EnumerationItem, Row, Value, ValueType};
pub use steps::{RejectedStep, StepSizes};
