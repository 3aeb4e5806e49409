//! Sources: signals that are known before the run, from a table in a file or from a formula.
//!
//! A source takes part in the description, the graph and the plan as an instance without inputs, after all others. In the loop it is none:
//! it makes no steps, and its signals are known exactly over each step. Start reading at [`SourceModel`] (what a source is), then
//! `Sources` (what becomes of it in a run). Its jumps and kinks are known, too: they are [`TimeEvent`]s, at which steps end.

mod instance;
mod model;
mod running;
mod steps;
mod time_events;
mod waveform;

pub(crate) use instance::SourceInstance;
pub use model::{Channel, SourceModel};
pub(crate) use running::{Moment, Sources};
pub use steps::Steps;
pub use time_events::{Change, TimeEvent, merged};
pub(crate) use waveform::Piece;
pub use waveform::{Points, Sine, Waveform};
