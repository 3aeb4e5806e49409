//! Sources: signals that are known before the run, from a table in a file or from a formula.
//!
//! A source takes part in the description, the graph and the plan as an instance without inputs, after all others. In the loop it is none:
//! it makes no steps, and its signals are known exactly over each step. Start reading at [`SourceModel`] (what a source is), then
//! [`Sources`] (what becomes of it in a run). Its jumps and kinks are known, too: they are [`Knot`]s, at which steps end.

mod instance;
mod knots;
mod model;
mod read;
mod running;
mod steps;
mod units;
mod waveform;

pub(crate) use instance::SourceInstance;
pub(crate) use knots::{Change, Knot, merged};
pub(crate) use model::{Reader, SourceModel, Surroundings};
pub(crate) use read::column_names;
pub(crate) use running::{Moment, Sources};
pub(crate) use waveform::Piece;

use fmi2::ModelDescription;

/// Whether a description is that of a source: no FMU is without an interface.
pub(crate) fn is_source(description: &ModelDescription) -> bool {
    description.co_simulation.is_none() && description.model_exchange.is_none()
}
