//! Trial steps: what instances do that no model description declares. Each trial saves the state of an instance, takes a few
//! steps, and returns to it.

pub mod feedthrough;
pub mod grids;
mod inputs;
pub mod noise;
pub mod plain;
mod probe;
mod rollback_guarantee;
mod saved;
pub mod stiffness;
pub mod switches;

pub use grids::{StepAlone, find_own_steps};
pub use inputs::{ResolvedInputs, depends_on_trials, settle, settle_fresh};
pub use plain::shortest;
pub use probe::Trials;
pub use rollback_guarantee::find_needing_guarantee;
pub use saved::save;
