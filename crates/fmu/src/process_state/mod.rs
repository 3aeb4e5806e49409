//! Process state that an FMU should not change: the working directory, the floating-point control, the locale, environment
//! variables, handlers of signals.
//!
//! Working directory and floating-point control are compared after a library is loaded, after instantiation and around
//! initialization mode, and restored with a warning. (Constructors of libraries built with fast math switch to flush-to-zero.)
//! Around steps that would cost too much: reading the working directory is a system call, many times the cost of a step of a
//! small FMU, and even two reads of the floating-point control register around a step were measured to increase its cost by half.
//!
//! Therefore [`reach`] reads from the libraries of an FMU what it can change at all. Only an FMU that can change something gets a
//! state of its own ([`OwnState`](crate::platform::OwnState)), around each of its calls.
//!
//! The working directory belongs to the process and not to a thread. If several threads set up FMUs at the same time, only the
//! first of them watches it. The directory that it recorded is certain to be that of the program and not that of another FMU.

pub(crate) mod control;
mod directory;
mod parts;
mod reach;

use self::control::Control;
pub(crate) use self::{directory::WatchedDirectory, parts::Parts, reach::reach};

/// The recorded working directory and floating-point control.
pub(crate) struct ProcessState {
    directory: Option<WatchedDirectory>,
    control: Control,
}

impl ProcessState {
    pub fn note() -> Self {
        Self { directory: WatchedDirectory::note(), control: control::read() }
    }

    /// Restores what was changed and returns it.
    pub fn put_back(self) -> Parts {
        let is_other_control = control::read() != self.control;
        if is_other_control {
            control::write(self.control);
        }
        Parts::CONTROL.when(is_other_control) | Parts::DIRECTORY.when(self.directory.is_some_and(WatchedDirectory::put_back))
    }
}

#[cfg(all(test, target_arch = "x86_64", not(miri)))]
mod tests {
    use super::*;

    #[test]
    fn flush_to_zero_is_found_and_put_back() {
        let process_state = ProcessState::note();
        let before = control::read();
        control::write(Control { vector: before.vector | 0x8000, ..before });
        assert_eq!(process_state.put_back(), Parts::CONTROL);
        assert!(control::read() == before);
        assert_eq!(ProcessState::note().put_back(), Parts::default());
    }
}
