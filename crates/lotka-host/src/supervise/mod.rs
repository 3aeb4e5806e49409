//! Supervision of a command that loads FMUs into its process: it does so in a child, so that the parent survives and can report what they did.
//!
//! [`Supervisor::start`] starts the same executable with the same arguments again. The child finds the shared memory of its parent as standard
//! input ([`Supervised::of_this_process`]), protects its results from the FMUs, and announces its end. If a process
//! ends without this, an FMU ended it: the parent reads from the shared memory which call it was in.
//!
//! Interrupts reach the child only through the shared memory, each once, whatever signals it receives; it ends with its parent.

mod child;
mod lost;
mod page;
mod parent;
mod rows;

pub use child::{Supervised, survive_file_size_limit};
pub use lost::Lost;
pub use parent::{Ending, Interrupter, Supervisor};
pub use rows::{KeptRows, LeftRows, RowCount};
