//! What an FMU shares with this process and should leave alone: the working directory and the floating-point control.
//!
//! Both are compared after a library was loaded (constructors of libraries built with fast math switch to flush-to-zero),
//! after instantiation and around initialization mode, and put back with a warning. They are not compared around steps:
//! asking for the working directory is a system call, many times the cost of a call to a small FMU, and even the
//! two reads of the floating-point control register would add a measurable part to such a step.

use std::path::PathBuf;

/// The working directory and the floating-point control as they were.
pub(crate) struct Surroundings {
    directory: Option<PathBuf>,
    control: u32,
}

impl Surroundings {
    pub fn note() -> Self {
        Self { directory: std::env::current_dir().ok(), control: control::read() }
    }

    /// Puts back what was changed and says what it was.
    pub fn put_back(self) -> Option<&'static str> {
        let control_changed = control::read() != self.control;
        if control_changed {
            control::write(self.control);
        }
        let directory_changed = std::env::current_dir().ok() != self.directory;
        if let (true, Some(directory)) = (directory_changed, &self.directory) {
            // A directory that is gone cannot be returned to; the change is reported all the same.
            let _ = std::env::set_current_dir(directory);
        }
        match (directory_changed, control_changed) {
            (false, false) => None,
            (true, false) => Some("the working directory"),
            (false, true) => Some("the floating-point control (rounding, traps or flush-to-zero)"),
            (true, true) => Some("the working directory and the floating-point control (rounding, traps or flush-to-zero)"),
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod control {
    use std::arch::asm;

    /// The sticky exception flags, which every computation sets.
    const FLAGS: u32 = 0x3f;

    /// The control bits of MXCSR.
    pub fn read() -> u32 {
        let mut word = 0u32;
        // SAFETY: stores the register to the four bytes pointed to.
        unsafe { asm!("stmxcsr [{}]", in(reg) &raw mut word, options(nostack, preserves_flags)) };
        word & !FLAGS
    }

    pub fn write(word: u32) {
        // SAFETY: `word` was read from the register, so that no reserved bit is set; it is what Rust code here ran with.
        unsafe { asm!("ldmxcsr [{}]", in(reg) &raw const word, options(nostack, preserves_flags, readonly)) };
    }
}

#[cfg(not(target_arch = "x86_64"))]
mod control {
    //! Only known for x86-64.

    pub fn read() -> u32 {
        0
    }

    pub fn write(_: u32) {}
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::*;

    #[test]
    fn flush_to_zero_is_found_and_put_back() {
        let surroundings = Surroundings::note();
        let before = control::read();
        control::write(before | 0x8000);
        assert!(surroundings.put_back().unwrap().starts_with("the floating-point control"));
        assert_eq!(control::read(), before);
        assert_eq!(Surroundings::note().put_back(), None);
    }
}
