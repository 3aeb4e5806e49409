//! What depends on what: strongly connected components, the order of evaluation, and the [`Plan`]: flat arrays computed once.

mod dependencies;
mod evaluation;
mod plan;

pub use dependencies::{Component, Graph};
pub(crate) use dependencies::{
    Preferences, analyze, components_along, follows, has_algebraic_loop, has_feedthrough, in_loop, inputs_in_loops_at_start,
};
pub use evaluation::{Equation, EvaluationSet, Port};
pub(crate) use plan::{ColumnSource, DiscreteSource, Feed, Input, InstanceReads, Kind, Mapped, Plan, Recorded, RowReads, Unit};
