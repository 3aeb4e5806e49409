//! Feedthrough that is declared, and whether it is there: many tools declare that every output follows every input without delay, or declare
//! nothing, which means the same. Methods for such systems cost several times as much as those for systems without.
//!
//! [`trial`] changes inputs of one instance and looks at how far its outputs react at once. [`measure`] does so for all instances at the
//! start, [`descriptions`] writes down what came of it, [`cheaper`] chooses the method that suits it, and [`watch`] repeats the trials during
//! each run. A trial knows one point only (a dead zone, a saturation, a factor of zero look like no feedthrough): it may choose the
//! cheaper method for the steps, but initialization keeps to what is declared, and runs that do not converge as the cheaper method
//! must are discarded.

mod cheaper;
mod descriptions;
mod measure;
mod trial;
mod watch;

pub(super) use cheaper::Cheaper;
pub(super) use watch::{Watch, Watched};
