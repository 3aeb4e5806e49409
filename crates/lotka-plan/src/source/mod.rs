//! Sources: signals that are known before the run, from a table in a file or from a formula.
//!
//! In description, graph and plan, a source is an instance without inputs, after all others. The loop does not treat it as an
//! instance: it makes no steps, and its signals are known exactly over each step. Start reading at [`SourceModel`] (the
//! definition of a source), then `Sources` (the sources of a run). Their jumps and kinks are known, too: they are [`TimeEvent`]s,
//! at which steps end.

mod instance;
mod model;
mod steps;
mod time_events;
mod waveform;

pub use instance::SourceInstance;
pub use model::{Channel, SourceModel};
pub use steps::Steps;
pub use time_events::{Change, TimeEvent, merged};
pub use waveform::{Piece, Points, Sine, Waveform};
