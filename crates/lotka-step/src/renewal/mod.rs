//! What an instance is given before its first step, and its return to the state in which a run begins.

mod replacement;
mod reset_trial;
mod set_up;

pub use replacement::{Maker, Renewal, begin_again};
pub use set_up::{SetUp, Setting, enter, failed, input_starts, read_back};
