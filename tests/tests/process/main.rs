//! What needs a process of its own: memory that is counted, time that is measured, and a state that the whole process shares.
#![allow(clippy::unwrap_used, reason = "a test that fails says where")]

mod allocation;
mod growth;
mod process_state;

use std::sync::{Mutex, MutexGuard, PoisonError};

/// One test at a time: what the initialization of an FMU may change in the process is watched by one thread only, which
/// allocates.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}
