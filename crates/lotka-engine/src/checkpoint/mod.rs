//! Checkpoints: all that a run needs to go on later, in another process, with bitwise the same rows.
//!
//! Everything that a loop carries from step to step is [`Persistent`]: it lists its fields once, and a [`Transfer`] takes them into bytes
//! or back. What follows from the system (plan, settings, names) is not among them: it is made again; whether it is the same is for whoever keeps
//! checkpoints to check, who gives a checkpoint its origin. The states of the FMUs are their own bytes.
//!
//! Data flow: somebody asks with a [`CheckpointToken`]; the loop makes a [`Checkpoint`] at the next communication point and hands it to
//! the observers, of which one keeps its bytes. Later `Simulation::resume` takes it. Start reading at [`Checkpoint`].

mod contents;
mod error;
mod token;
mod transfer;

pub use contents::Checkpoint;
pub(crate) use contents::Contents;
pub use error::{CheckpointRefusal, Incapable};
pub use token::CheckpointToken;
pub use transfer::{Mismatch, Persistent, Transfer, Transferred};
