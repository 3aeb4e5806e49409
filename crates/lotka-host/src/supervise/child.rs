//! The child: all preparations before an FMU is loaded.

use std::fs::File;
use std::io;
use std::sync::atomic::Ordering;
use std::thread;

use super::KeptRows;
use super::page::Page;
use crate::platform;

/// Time limit for exit handlers of FMUs at the end \[s\].
pub(super) const LAST_WORDS: u32 = 5;

/// This process, which is a child.
pub struct Supervised {
    page: &'static Page,
    results: File,
    messages: Option<File>,
}

impl Supervised {
    /// Prepares this process, a child: it ends with its parent from now on, and leaves interrupt signals to the parent. Calls
    /// into FMUs are recorded, and lines printed by FMUs go to stderr. FMUs cannot access stdout and have no input on stdin.
    ///
    /// # Errors
    /// The streams cannot be set up, or the parent is gone.
    pub(super) fn new(page: Page, parent: u32) -> io::Result<Self> {
        platform::supervised_by(parent)?;
        platform::empty_input()?;
        // Numbered after the standard streams, and not inherited by programs that FMUs start.
        let results = platform::kept_output()?;
        platform::output_to_error()?;
        platform::leave_interrupts_to_the_parent();
        let page: &'static Page = Box::leak(Box::new(page));
        page.calls().into_iter().for_each(fmu::record_calls_in);
        Ok(Self { page, results, messages: None })
    }

    /// Hides all lines printed by FMUs from now on. Call this before any FMU is loaded.
    ///
    /// # Errors
    /// The streams cannot be set up.
    pub fn silence(self) -> io::Result<Self> {
        let messages = platform::kept_error()?;
        platform::output_to_nowhere()?;
        Ok(Self { messages: Some(messages), ..self })
    }

    /// The original stderr, for messages, if FMUs are [silenced](Self::silence).
    #[must_use]
    pub fn messages(&self) -> Option<&File> {
        self.messages.as_ref()
    }

    /// Marks a message as not written, so that the parent reports it at the end.
    pub fn leave_unreported(&self) {
        self.page.leave_unreported();
    }

    /// Returns the original stdout, for results.
    ///
    /// # Errors
    /// There are too many open files.
    pub fn results(&self) -> io::Result<File> {
        self.results.try_clone()
    }

    /// Calls `act` at the first interrupt, on a separate thread; the parent handles further ones. Without this call, interrupts
    /// end this process at once.
    ///
    /// # Errors
    /// A thread cannot be started.
    pub fn on_interrupt(&self, act: impl FnOnce() + Send + 'static) -> io::Result<()> {
        let page = self.page;
        thread::Builder::new().name("interrupts".to_owned()).spawn(move || {
            while page.interrupts().load(Ordering::SeqCst) == 0 {
                if platform::wait(page.interrupts(), 0, None).is_err() {
                    return;
                }
            }
            act();
        })?;
        // The thread need not run yet: it checks the number first.
        page.listens().store(1, Ordering::SeqCst);
        Ok(())
    }

    /// Returns the only place for rows of results that wait to be written.
    #[must_use]
    pub fn rows(&self) -> KeptRows {
        KeptRows::new(self.page.rows())
    }

    /// Announces that the process is about to end with this code. Exit handlers of FMUs run after this and have a few seconds.
    pub fn end(&self, code: u8) {
        self.page.end(code);
        platform::end_in(LAST_WORDS);
    }
}
