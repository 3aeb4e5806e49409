//! Supervision of programs that are only a command: FMUs run in a child process, so that the command survives them.
//!
//! The child is the same executable with the same arguments; [`Supervised::of_this_process`] distinguishes it from its parent. A crash, an abort or
//! `exit(0)` inside an FMU ends the child, and [`Supervisor::wait`] reports which instance was in which call.
//!
//! ```no_run
//! use lotka::supervisor::{Ending, Supervised, Supervisor, survive_file_size_limit};
//!
//! fn main() -> std::io::Result<()> {
//!     if let Some(child) = Supervised::of_this_process()? {
//!         let code = run(child.results()?); // loads FMUs
//!         child.end(code);
//!         std::process::exit(code.into());
//!     }
//!     match Supervisor::start()?.wait()? {
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
    Ending, Interrupter, KeptRows, LeftRows, Lost, RowCount, Supervised, Supervisor, survive_file_size_limit,
};
pub use lotka_instance::ProcessEnd;
