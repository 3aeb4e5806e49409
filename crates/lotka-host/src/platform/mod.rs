//! What this crate needs of the operating system.
//!
//! The rest of the crate names no system call, no signal by number and no file of the kernel: it uses what is listed here.
//! Another system is a folder beside `linux` that offers the same.
//!
//! | file | offers |
//! |---|---|
//! | `shared_memory`, `waking` | memory that two processes share; sleep until a word of it changes |
//! | `child`, `starter` | a process that is started, watched, and killed with all that it started |
//! | `master` | the end of this process together with the one that started it |
//! | `fork` | a second process that continues where this one is |
//! | `executable` | this program, started again in another role |
//! | `streams` | standard streams: kept, replaced, waited for |
//! | `signals` | interrupts, and what happens at faults |
//! | `usage` | processor time of a process, and its wait for a core |
//! | `process_state` | what an FMU may have changed in its process |
//! | `sandbox`, `cgroup` | confinement, and limits for a process with all that it starts |

#[cfg(target_os = "linux")]
mod linux;

#[cfg(target_os = "linux")]
pub use linux::*;
