//! Real time. The run itself reads no clock.

use std::{
    sync::mpsc::{self, RecvTimeoutError, Sender},
    thread::{self, JoinHandle},
    time::Duration,
};

/// Acts at intervals, on a thread of its own, as long as it lives.
pub(crate) struct Timer {
    /// The thread ends with the first, and is waited for with the second.
    thread: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Timer {
    /// Acts for the first time after one interval.
    pub(crate) fn start(every: Duration, mut act: impl FnMut() + Send + 'static) -> Self {
        let (sender, receiver) = mpsc::channel();
        let thread = thread::spawn(move || {
            while receiver.recv_timeout(every) == Err(RecvTimeoutError::Timeout) {
                act();
            }
        });
        Self { thread: Some((sender, thread)) }
    }
}

/// Nothing is done any more after this.
impl Drop for Timer {
    fn drop(&mut self) {
        if let Some((sender, thread)) = self.thread.take() {
            drop(sender);
            // It panics only if `act` does, which the panic has told.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_acts_again_and_again_until_it_is_dropped() {
        let (sender, acts) = mpsc::channel();
        let timer = Timer::start(Duration::from_millis(1), move || sender.send(()).unwrap_or_default());
        assert_eq!(acts.iter().take(3).count(), 3);
        drop(timer);
        acts.try_iter().for_each(drop);
        assert_eq!(acts.recv(), Err(mpsc::RecvError));
    }
}
