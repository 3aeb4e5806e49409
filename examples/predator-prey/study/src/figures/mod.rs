//! The figures of Nicolai (2018), reproduced, and an overview of one run.

mod global_error;
mod overview;
mod populations;
mod steps;

use crate::{Error, Study};
pub use overview::overview;

/// Draws a figure as SVG.
type Draw = fn(&Study) -> Result<String, Error>;

/// Figures 1 to 8.
pub(crate) const NUMBERED: [Draw; 8] = [
    populations::exact,
    populations::tenth_second,
    populations::half_second,
    populations::two_seconds,
    populations::error_control,
    steps::sizes,
    steps::estimates,
    global_error::global_error,
];
