//! Requests for checkpoints.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

/// A token that requests checkpoints of a run; clones share the request.
///
/// The run checks it at every communication point, so that it never reads a clock itself: a timer, a signal handler or an
/// observer sets it.
#[derive(Debug, Clone, Default)]
pub struct CheckpointToken(Arc<Wishes>);

#[derive(Debug, Default)]
struct Wishes {
    next: AtomicBool,
    all: AtomicBool,
}

impl CheckpointToken {
    /// Requests a checkpoint at the next communication point, from any thread.
    pub fn request(&self) {
        self.0.next.store(true, Ordering::Relaxed);
    }

    /// Requests a checkpoint at every communication point from now on.
    pub fn request_all(&self) {
        self.0.all.store(true, Ordering::Relaxed);
    }

    /// Whether a checkpoint must be made here; clears a single request.
    #[inline]
    #[must_use]
    pub fn take(&self) -> bool {
        let is_asked = self.0.next.load(Ordering::Relaxed);
        if is_asked {
            self.0.next.store(false, Ordering::Relaxed);
        }
        is_asked || self.0.all.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_granted_once_and_a_standing_one_always() {
        let token = CheckpointToken::default();
        assert!(!token.take());
        token.clone().request();
        assert_eq!([token.take(), token.take()], [true, false]);
        token.request_all();
        assert_eq!([token.take(), token.take()], [true, true]);
    }
}
