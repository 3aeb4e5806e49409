//! Trials of declared feedthrough. Many tools declare that every output follows every input without delay, or declare
//! nothing, which means the same. Methods for such systems cost several times as much as those for systems without feedthrough.
//!
//! `trial` changes inputs of one instance and measures how its outputs react at once. [`absent_feedthrough`] does so for all
//! instances at the start, [`measured`] declares the results, a series of runs chooses the method that suits them, and
//! [`FeedthroughMonitor`] repeats the trials during each run. A trial covers one point only: a dead zone, a saturation or a
//! factor of zero looks like no feedthrough. Therefore it may choose a cheaper method for the steps, but initialization relies on
//! the declarations. Runs that do not converge as the cheaper method must are discarded.

mod descriptions;
mod measure;
mod monitor;
mod trial;

pub use descriptions::measured;
pub use measure::{Absent, absent_feedthrough};
pub use monitor::{AbsentFeedthrough, FeedthroughMonitor};
