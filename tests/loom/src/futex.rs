//! A word with the order of `SeqCst`, and waiting for it.

use std::{sync::atomic::Ordering, time::Duration};

use loom::sync::{
    Condvar, Mutex,
    atomic::{self, fence},
};

/// Where the order of `SeqCst` is kept, which loom takes for acquire and release: of a store and a later load, both sequentially
/// consistent, a fence between them has what is missing. It belongs to the store in one run and to the load in another, so that
/// neither of them may be weaker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fences {
    AfterStores,
    BeforeLoads,
}

/// A word, with what the kernel keeps for those who wait for it.
#[derive(Debug)]
pub struct AtomicU32 {
    word: atomic::AtomicU32,
    fences: Fences,
    /// Held while the kernel compares the word and puts a thread to sleep, and while it wakes one.
    queue: Mutex<()>,
    woken: Condvar,
}

impl AtomicU32 {
    pub fn new(value: u32, fences: Fences) -> Self {
        Self { word: atomic::AtomicU32::new(value), fences, queue: Mutex::new(()), woken: Condvar::new() }
    }

    pub fn load(&self, order: Ordering) -> u32 {
        if order == Ordering::SeqCst && self.fences == Fences::BeforeLoads {
            fence(Ordering::SeqCst);
        }
        self.word.load(order)
    }

    pub fn store(&self, value: u32, order: Ordering) {
        self.word.store(value, order);
        if order == Ordering::SeqCst && self.fences == Fences::AfterStores {
            fence(Ordering::SeqCst);
        }
    }
}

/// Sleeps while the word has this value until it is woken. Without time there is no sleep, as if the time had passed.
pub fn wait(word: &AtomicU32, value: u32, time: Duration) {
    let queue = word.queue.lock().unwrap();
    if word.word.load(Ordering::Relaxed) == value && !time.is_zero() {
        drop(word.woken.wait(queue).unwrap());
    }
}

/// Wakes a thread that waits for the word.
pub fn wake(word: &AtomicU32) {
    let _queue = word.queue.lock().unwrap();
    word.woken.notify_one();
}
