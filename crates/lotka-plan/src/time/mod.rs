//! Times: points by number, their resolution, when two are equal, and how they are printed.
//!
//! Communication points, rows and repeated events are numbers of steps, `start + n h`, never sums of steps: a sum drifts.
//! [`Points`] counts them. Doubles have a [`Resolution`] that is coarser the farther a time is from 0: steps of a few of its
//! units have uneven sizes, and shorter ones are none. [`whole`] is the one rounding of a quotient of two times, [`Shown`] the
//! one way to print a step size.

mod points;
mod resolution;

pub use lotka_instance::Shown;
pub use points::{Points, passed, whole};
pub use resolution::{Resolution, ulp};
