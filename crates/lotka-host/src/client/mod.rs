//! The master's side: hosts and the instances in them.
//!
//! [`starter`] starts hosts. [`process`] is one of them: it sends requests, waits for its replies and determines how it ends.
//! [`calls`] makes the calls of an [`instance`]. [`output`] collects the lines printed by the FMU. [`cgroup`] limits what a host
//! and the processes that it starts use together.

mod calls;
mod fmu;
mod instance;
mod lines;
mod output;
mod process;
mod program;
mod time_limit;

pub use self::fmu::HostedFmu;
pub use self::instance::HostedInstance;
pub use self::program::has_program;
