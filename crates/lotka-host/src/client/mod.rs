//! The master's side: hosts and the instances in them.
//!
//! [`process`] starts a host, waits for its replies and sees how it ends; [`calls`] asks for the calls of an [`instance`]; [`output`] collects
//! what the FMU prints.

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
