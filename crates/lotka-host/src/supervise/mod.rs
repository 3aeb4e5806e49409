//! A command that loads FMUs into its own process does so in a child, so that it outlives them and can tell what they did.
//!
//! [`Supervisor::start`] starts the same executable with the same arguments again. The child finds the shared memory of its parent as standard
//! input ([`Supervised::of_this_process`]), takes its results out of the reach of the FMUs, and says before it ends that it means to. A process
//! that ends otherwise was ended by an FMU: the parent reads from the shared memory in which call.
//!
//! Interrupts reach the child through the shared memory only, each once, whoever else sends it signals; it dies with its parent.

mod child;
mod lost;
mod page;
mod parent;
mod rows;

pub use child::{Supervised, survive_file_size_limit};
pub use lost::Lost;
pub use parent::{Ending, Interrupter, Supervisor};
pub use rows::{KeptRows, LeftRows, RowCount};
