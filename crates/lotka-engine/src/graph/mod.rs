//! Dependencies: strongly connected components, the order of evaluation, and the [`Plan`]: flat arrays computed once.

mod declarations;
mod dependencies;
mod evaluation;
mod plan;
mod step_levels;
mod unconnected;

pub use declarations::Declarations;
pub use dependencies::{Graph, StronglyConnectedComponent};
pub use dependencies::{Preferences, analyze, in_loop, inputs_in_loops_at_start};
pub(crate) use dependencies::{components_along, has_algebraic_loop};
pub use evaluation::{Equation, Evaluation, EvaluationSet, Port};
pub use plan::ColumnSource;
pub use plan::Plan;
pub use plan::{DiscreteSource, Gather, InstancePlan};
pub(crate) use plan::{Feed, Input, InstanceReads, Kind, Mapped, Recorded, RowReads};
pub use step_levels::StepLevels;
pub use unconnected::UnconnectedInput;
pub(crate) use unconnected::unconnected;
