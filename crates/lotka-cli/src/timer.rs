//! Timer in real time. The run itself reads no clock.

use std::{
    sync::mpsc::{self, RecvTimeoutError, Sender},
    thread::{self, JoinHandle},
    time::Duration,
};

/// Calls a function at regular intervals on its own thread, until it is dropped.
pub(crate) struct Timer {
    /// Dropping the sender ends the thread; the handle waits for it.
    thread: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Timer {
    /// Starts the timer. The first call follows after one interval.
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

/// Ends the thread: the function is not called again.
impl Drop for Timer {
    fn drop(&mut self) {
        if let Some((sender, thread)) = self.thread.take() {
            drop(sender);
            // The thread panics only if `act` does, which the panic hook has reported.
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
