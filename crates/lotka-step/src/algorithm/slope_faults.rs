//! Outputs whose time derivatives are ignored.

/// Real signals whose derivatives are ignored, because one was not finite.
#[derive(Debug, Default)]
pub struct SlopeFaults {
    /// Per signal; empty until the first one.
    pub(super) found: Vec<bool>,
    pub(super) unreported: Vec<usize>,
}

impl SlopeFaults {
    /// Whether the derivative of a signal is ignored.
    pub fn has(&self, signal: usize) -> bool {
        self.found.get(signal).is_some_and(|found| *found)
    }

    /// Marks a signal whose derivative is not finite; `signals` is the number of all signals.
    #[cold]
    pub fn add(&mut self, signal: usize, signals: usize) {
        self.found.resize(signals, false);
        if !std::mem::replace(&mut self.found[signal], true) {
            self.unreported.push(signal);
        }
    }

    /// Whether there are any that have not been reported to the user.
    #[inline]
    pub fn has_unreported(&self) -> bool {
        !self.unreported.is_empty()
    }

    /// Takes those that have not been reported to the user.
    pub fn take(&mut self) -> Vec<usize> {
        std::mem::take(&mut self.unreported)
    }
}
