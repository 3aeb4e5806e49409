//! The points of runs with a `tolerance`: a base mesh, its refinement, and the signals that it must resolve.

mod base;
mod gradual;
mod scan;

pub use base::{Base, Between, Dues, Point, equally_between};
pub use scan::{SHORT, Scan, Suspect, densities, points};
