//! What this crate needs of the operating system. Other files name no system call and no file of the kernel.
//!
//! | offered | by |
//! |---|---|
//! | libraries that are loaded, symbols that a program has | `unix`, `windows` |
//! | owners, rights and locks of files; reading at a position; paths as bytes | `unix`, `windows` |
//! | a state of its own for an FMU in this process; removal of folders of any depth; which machine this is | `linux`, `elsewhere` |

#[cfg(not(target_os = "linux"))]
mod elsewhere;
#[cfg(target_os = "linux")]
mod linux;
#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(not(target_os = "linux"))]
use elsewhere as system;
#[cfg(target_os = "linux")]
use linux as system;
#[cfg(unix)]
use unix as family;
#[cfg(windows)]
use windows as family;

pub(crate) use family::{
    Library, Scope, can_execute_in, has_symbol, is_own, is_private, open_library, path_bytes, private, read_exact_at, try_lock,
    with_mode,
};
pub use system::outside_of_calls;
pub(crate) use system::{OwnState, empty, machine};
