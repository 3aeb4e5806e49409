//! What an instance is given before its first step, and its return to the state in which a run begins.

mod begin_again;
mod replacement;
mod reset_trial;
mod set_up;

pub use begin_again::begin_again;
pub use replacement::{Maker, Renewal};
pub use set_up::{SetUp, Setting, enter, failed, input_starts, read_back};
