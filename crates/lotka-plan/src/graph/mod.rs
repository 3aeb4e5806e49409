//! Dependencies: strongly connected components, the order of evaluation, and the [`Plan`]: flat arrays computed once.

mod declarations;
mod dependencies;
mod evaluation;
mod plan;
mod step_levels;
mod unconnected;

pub use declarations::Declarations;
pub use dependencies::{
    Graph, Preferences, StronglyConnectedComponent, analyze, components_along, has_algebraic_loop, in_loop,
    inputs_in_loops_at_start,
};
pub use evaluation::{Equation, Evaluation, EvaluationSet, Port};
pub use plan::{
    ColumnSource, DiscreteSource, Feed, Gather, Input, InstancePlan, InstanceReads, Kind, Mapped, Plan, Recorded, RowReads,
};
pub use step_levels::StepLevels;
pub use unconnected::UnconnectedInput;
