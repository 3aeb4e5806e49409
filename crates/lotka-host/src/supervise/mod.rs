//! Supervision of a command that loads FMUs into its process: it does so in a child, so that the parent survives and can report
//! what they did.
//!
//! [`split`] makes a child that goes on where this process is, and shares memory with it. The child protects its results from the
//! FMUs, and announces its end. If a process ends without this, an FMU ended it: the parent reads from the shared memory which
//! call it was in.
//!
//! Interrupts reach the child only through the shared memory, each once, whatever signals it receives; it ends with its parent.

mod child;
mod lost;
mod page;
mod parent;
mod rows;

pub use crate::platform::{leave_ignored, survive_file_size_limit};
pub use child::Supervised;
pub use lost::Lost;
pub use parent::{Ending, Interrupter, Side, Supervisor, split};
pub use rows::{KeptRows, LeftRows, RowCount};
