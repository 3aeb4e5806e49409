//! Input signals: how an input is assumed to change during a step.
//!
//! Over one step an input is a polynomial of degree 0 to 3 through the known values of its sources. These are values at past
//! communication points at unequal distances, and output derivatives if the source provides them. The end value is known if the
//! source has stepped already or a loop is iterated. Everything is linear in the known values, so a step computes a few weights
//! (`polynomial`) and applies them to every input. An instance receives the polynomial as value and derivatives if it can
//! interpolate, otherwise its exact mean over the step. A memoryless instance receives its end value.
//!
//! Start reading at [`InputSignals`]. If all degrees are 0, this module is not used and costs nothing.

mod block;
mod course;
mod delivered;
mod exact;
mod history;
mod input_signals;
mod polynomial;
mod rules;
mod sources;

pub use block::Block;
pub use delivered::DeliveredInput;
pub(crate) use history::History;
pub(crate) use input_signals::Knowledge;
pub use input_signals::{Delivery, InputSettings, InputSignals};
pub use polynomial::{CONDITIONS, MAX_DEGREE};
pub use sources::{Moment, Sources};
