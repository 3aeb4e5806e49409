//! Process state that an FMU should not change: the working directory and the floating-point control.
//!
//! Both are compared after a library is loaded, after instantiation and around initialization mode, and restored with a warning. (Constructors of
//! libraries built with fast math switch to flush-to-zero.) They are not compared around steps. Reading the working directory is a system call,
//! many times the cost of a step of a small FMU. Even two reads of the floating-point control register around a step were measured to increase its
//! cost by half.
//!
//! The working directory belongs to the process and not to a thread. If several threads set up FMUs at the same time, only the first of them
//! watches it. The directory that it recorded is certain to be that of the program and not that of another FMU.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use control::Control;

/// The recorded working directory and floating-point control.
pub(crate) struct ProcessState {
    directory: Option<WatchedDirectory>,
    control: Control,
}

impl ProcessState {
    pub fn note() -> Self {
        Self { directory: WatchedDirectory::note(), control: control::read() }
    }

    /// Restores what was changed and returns a description of it.
    pub fn put_back(self) -> Option<&'static str> {
        let control_changed = control::read() != self.control;
        if control_changed {
            control::write(self.control);
        }
        let directory_changed = self.directory.is_some_and(|directory| directory.put_back());
        match (directory_changed, control_changed) {
            (false, false) => None,
            (true, false) => Some("the working directory"),
            (false, true) => Some("the floating-point control (rounding, traps or flush-to-zero)"),
            (true, true) => Some("the working directory and the floating-point control (rounding, traps or flush-to-zero)"),
        }
    }
}

/// The recorded working directory. There is at most one at a time.
struct WatchedDirectory(PathBuf);

static IS_WATCHED: AtomicBool = AtomicBool::new(false);

impl WatchedDirectory {
    /// `None` while another thread watches, or if there is no working directory.
    fn note() -> Option<Self> {
        if IS_WATCHED.swap(true, Ordering::AcqRel) {
            return None;
        }
        let directory = std::env::current_dir().ok().map(Self);
        if directory.is_none() {
            IS_WATCHED.store(false, Ordering::Release);
        }
        directory
    }

    /// Restores the directory; returns whether it was changed. A directory that no longer exists cannot be restored.
    fn put_back(self) -> bool {
        let is_changed = std::env::current_dir().ok().as_ref() != Some(&self.0);
        if is_changed {
            let _ = std::env::set_current_dir(&self.0);
        }
        is_changed
    }
}

impl Drop for WatchedDirectory {
    fn drop(&mut self) {
        IS_WATCHED.store(false, Ordering::Release);
    }
}

#[cfg(all(target_arch = "x86_64", not(miri)))]
mod control {
    use std::arch::asm;

    /// The sticky exception flags of MXCSR, which every computation sets.
    const FLAGS: u32 = 0x3f;

    /// The control bits of MXCSR and the control word of the x87 unit.
    #[derive(Clone, Copy, PartialEq, Eq)]
    pub struct Control {
        pub vector: u32,
        pub x87: u16,
    }

    pub fn read() -> Control {
        let (mut vector, mut x87) = (0u32, 0u16);
        // SAFETY: stores the register to the four bytes pointed to.
        unsafe { asm!("stmxcsr [{}]", in(reg) &raw mut vector, options(nostack, preserves_flags)) };
        // SAFETY: stores the register to the two bytes pointed to.
        unsafe { asm!("fnstcw [{}]", in(reg) &raw mut x87, options(nostack, preserves_flags)) };
        Control { vector: vector & !FLAGS, x87 }
    }

    pub fn write(control: Control) {
        let Control { vector, x87 } = control;
        // SAFETY: the word was read from the register, so no reserved bit is set; Rust code ran with it before.
        unsafe { asm!("ldmxcsr [{}]", in(reg) &raw const vector, options(nostack, preserves_flags, readonly)) };
        // SAFETY: as above.
        unsafe { asm!("fldcw [{}]", in(reg) &raw const x87, options(nostack, preserves_flags, readonly)) };
    }
}

#[cfg(not(all(target_arch = "x86_64", not(miri))))]
mod control {
    //! Implemented for x86-64 only; Miri does not support its instructions.

    #[derive(Clone, Copy, PartialEq, Eq)]
    pub struct Control;

    pub fn read() -> Control {
        Control
    }

    pub fn write(_: Control) {}
}

#[cfg(all(test, target_arch = "x86_64", not(miri)))]
mod tests {
    use super::*;

    #[test]
    fn flush_to_zero_is_found_and_put_back() {
        let process_state = ProcessState::note();
        let before = control::read();
        control::write(Control { vector: before.vector | 0x8000, ..before });
        assert!(process_state.put_back().unwrap().starts_with("the floating-point control"));
        assert!(control::read() == before);
        assert_eq!(ProcessState::note().put_back(), None);
    }
}
