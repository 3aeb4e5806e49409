//! The turn: each side counts those that it has passed on, and the other one waits for the next.
//!
//! What a side writes before it passes the turn on, the other one reads after it took the turn. `tests/loom` compiles this file
//! with an atomic type that explores every order of loads and stores.

use std::sync::atomic::Ordering::{Acquire, Relaxed, SeqCst};
use std::time::Duration;

use super::futex::{AtomicU32, wait, wake};

/// The error that the other side posted invalid data.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Garbled(pub &'static str);

/// The places of one side: its number of turns passed on, and its sleep flag.
#[derive(Debug, Clone, Copy)]
pub(super) struct Places {
    pub turn: usize,
    pub sleeps: usize,
}

/// The words of both sides.
#[derive(Debug, Clone, Copy)]
pub(super) struct Words<'a> {
    pub all: &'a [AtomicU32],
    pub own: Places,
    pub other: Places,
}

/// The turns of one side.
#[derive(Debug, Default)]
pub(super) struct Turn {
    /// Number of turns passed on, and taken.
    passed: u32,
    taken: u32,
}

impl Turn {
    /// Passes the turn on.
    #[inline]
    pub fn pass(&mut self, words: Words<'_>) {
        self.passed = self.passed.wrapping_add(1);
        let turn = &words.all[words.own.turn];
        // The other side sets its sleep flag and then checks the turn; this side does it in reverse order. So at least one of
        // them notices the other.
        turn.store(self.passed, SeqCst);
        if words.all[words.other.sleeps].load(SeqCst) != 0 {
            wake(turn);
        }
    }

    /// Takes the turn if it is this side's; returns whether it was.
    #[inline]
    pub fn take(&mut self, words: Words<'_>) -> Result<bool, Garbled> {
        match words.all[words.other.turn].load(Acquire).wrapping_sub(self.taken) {
            0 => Ok(false),
            1 => {
                self.taken = self.taken.wrapping_add(1);
                Ok(true)
            }
            _ => Err(Garbled("the count of replies")),
        }
    }

    /// Sleeps until it is this side's turn, which is then taken, or until this time has passed.
    pub fn sleep(&mut self, words: Words<'_>, time: Duration) -> Result<bool, Garbled> {
        let own_sleeps = &words.all[words.own.sleeps];
        own_sleeps.store(1, SeqCst);
        let turn = &words.all[words.other.turn];
        if turn.load(SeqCst) == self.taken {
            wait(turn, self.taken, time);
        }
        own_sleeps.store(0, Relaxed);
        self.take(words)
    }
}
