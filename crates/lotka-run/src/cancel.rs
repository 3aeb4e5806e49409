//! Cancellation of a run.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

/// A flag that ends a run at the next communication point; clones share it. It stays set: later runs of the same simulation end
/// at once until [`CancelToken::reset`].
#[derive(Debug, Clone, Default)]
pub struct CancelToken(Arc<AtomicBool>);

impl CancelToken {
    /// Creates a token that is not set.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Requests the end of the run, from any thread or signal handler.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Takes the request back, so that the simulation can run again.
    pub fn reset(&self) {
        self.0.store(false, Ordering::Relaxed);
    }

    /// Whether the end was requested.
    #[inline]
    #[must_use]
    pub fn is_canceled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
