//! Supervision of programs that are only a command: FMUs run in a child process, so that the command survives them.
//!
//! [`split`] makes the child, before any thread is started. A crash, an abort or `exit(0)` inside an FMU ends the child, and
//! [`Supervisor::wait`] reports which instance was in which call.
//!
//! ```no_run
//! use lotka::supervisor::{Ending, Side, split};
//!
//! fn main() -> std::io::Result<()> {
//!     let supervisor = match split()? {
//!         Side::Child(child) => {
//!             let child = child?;
//!             let code = run(child.results()?); // loads FMUs
//!             child.end(code);
//!             std::process::exit(code.into());
//!         }
//!         Side::Parent(supervisor) => supervisor,
//!     };
//!     match supervisor.wait()? {
//!         Ending::Code { code, unrest: None, .. } => std::process::exit(code.into()),
//!         Ending::Lost(lost) => eprintln!("{lost}"),
//!         other => eprintln!("{other:?}"),
//!     }
//!     std::process::exit(17)
//! }
//!
//! fn run(_: impl std::io::Write) -> u8 {
//!     0
//! }
//! ```

pub use lotka_host::supervise::{
    Ending, Interrupter, KeptRows, LeftRows, Lost, RowCount, Side, Supervised, Supervisor, leave_ignored, split,
    survive_file_size_limit,
};
pub use lotka_instance::ProcessEnd;
