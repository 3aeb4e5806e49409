//! Input signals: what an input is assumed to do during a step.
//!
//! Over one step an input is a polynomial of degree 0 to 3 through what is known of its sources: values at past communication points at
//! unequal distances, the value at the end where the source has stepped already or a loop is iterated, and output derivatives where the
//! source gives them. All of it is linear in the known values, so a step computes a few weights (`polynomial`) and applies them to
//! every input. An instance gets the polynomial as value and derivatives if it can interpolate, else its exact mean over the step;
//! a memoryless one gets its value at the end.
//!
//! Start reading at [`InputSignals`]. Degree 0 everywhere needs none of this and costs nothing.

mod block;
mod exact;
mod history;
mod input_signals;
mod polynomial;
mod rules;
mod weighting;

pub(crate) use block::Block;
pub(crate) use history::History;
pub use input_signals::InputSignals;
pub(crate) use input_signals::Knowledge;
pub use input_signals::{Delivery, InputSettings};
pub use polynomial::{CONDITIONS, MAX_DEGREE};
