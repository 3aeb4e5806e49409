//! A system in indices: the input of a simulation. Front ends create it from descriptions of systems; this module knows no file
//! format.
//!
//! Start reading at [`Resolved`].

mod algorithm;
mod choice;
mod events;
mod initialization;
mod interface;
mod overrides;
mod power_bonds;
mod steps;
mod system;
mod time_events;
mod unconnected;

pub use crate::error_control::Compatibility;
pub use algorithm::{Algorithm, FeedthroughOutputs, InputDelivery, Inputs, Iteration};
pub use choice::{Choice, Iterates, Traits, choose};
pub use events::{Direction, Events, Indicator, IndicatorLevel, is_reactor, is_real_output, readers};
pub use initialization::Solve;
pub use interface::Interface;
pub use overrides::{Action, Overrides, Target};
pub use power_bonds::PowerBond;
pub use steps::{ControlledSteps, FMU_SHARE, LARGEST_REFINEMENT, LocalControl, ResolvedExperiment, Stepping, Verified};
pub use system::Resolved;
pub use time_events::{
    KnownTimes, MOST_TIMES, SHARE_OF_DISTANCE, SMALLEST_TOLERANCE, Sampling, multiples, time_events, time_events_at,
};
pub use unconnected::unconnected;
