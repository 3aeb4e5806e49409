//! Initialization: from start values to a first communication point at which all values are consistent.
//!
//! Instances that have been used return to their initial state first (`renewal.rs`).
//!
//! Start reading at `initialize` (`start.rs`): instances are initialized in dependency order. Loops of direct feedthrough
//! (`feedthrough_loop.rs`, their equations in `loop_equations.rs`) are solved by Newton's method (`newton.rs`). `survey`
//! (`survey.rs`) checks these loops for anything the user should know, above all other solutions. `find_steady_state`
//! (`steady_state.rs`) finds start values for which rates vanish.

mod feedthrough_loop;
mod loop_equations;
mod newton;
mod stand_in;
mod start;
mod starting_points;
mod steady_state;
mod survey;

pub(crate) use stand_in::{end_stand_in, set_starts, stand_in};
pub use start::initialize;
pub use steady_state::{Residual, ResidualSource, SteadyState, Unknown, find_steady_state};
pub use survey::{has_loops, survey};
