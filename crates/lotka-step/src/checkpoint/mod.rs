//! Checkpoints: all data with which a run continues later, in another process, with bitwise the same rows.
//!
//! Everything that a loop carries from step to step is [`Persistent`]: it lists its fields once, and a [`Transfer`] converts them
//! to bytes or back. Data that follows from the system (plan, settings, names) is not included, because it is created again. The
//! code that stores checkpoints must check that the system is the same; to this end it gives a checkpoint its origin. The states
//! of the FMUs are their own bytes.
//!
//! Data flow: a [`CheckpointToken`] requests a checkpoint. The loop makes a `Checkpoint` at the next communication point and
//! sends it to the observers, one of which stores its bytes. Later `Simulation::resume` reads it. Start reading at [`Transfer`].

mod error;
mod token;
mod transfer;

pub use error::{CheckpointRefusal, Incapable};
pub use token::CheckpointToken;
pub use transfer::{Mismatch, Persistent, Transfer, Transferred};
