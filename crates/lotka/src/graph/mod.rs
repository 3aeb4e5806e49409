//! What depends on what: strongly connected components, the order of evaluation, and the [`Plan`]: flat arrays computed once.

mod dependencies;
mod plan;

pub use dependencies::{Component, Graph};
pub(crate) use dependencies::{Preferences, analyze, feedthrough_loops, follows, has_feedthrough, in_loop, order_along};
pub(crate) use plan::{ColumnSource, DiscreteSource, Feed, Plan, Unit};
