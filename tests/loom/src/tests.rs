//! Requests, replies and ends, in every order.

use std::{
    sync::atomic::Ordering::{Acquire, Relaxed, Release},
    time::Duration,
};

use loom::{
    model::Builder,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64},
    },
    thread,
};

use crate::{
    futex::{self, AtomicU32, Fences},
    turn::{Garbled, Places, Turn, Words},
};

/// Longer than any test: a side that sleeps must be woken.
const LONG: Duration = Duration::from_secs(1);

const MASTER: Places = Places { turn: 0, sleeps: 1 };
const HOST: Places = Places { turn: 2, sleeps: 3 };

/// The shared memory: the words of the turns, a message with its length, and whether the host has ended.
struct Memory {
    words: Vec<AtomicU32>,
    message: [AtomicU64; 2],
    length: [AtomicU64; 2],
    has_ended: AtomicBool,
}

/// One end, as `Channel` has it.
struct End {
    memory: Arc<Memory>,
    turn: Turn,
    own: Places,
    other: Places,
}

fn pair(fences: Fences) -> (End, End) {
    let words = || [0, 0].map(AtomicU64::new);
    let memory = Arc::new(Memory {
        words: (0..4).map(|_| AtomicU32::new(0, fences)).collect(),
        message: words(),
        length: words(),
        has_ended: AtomicBool::new(false),
    });
    let end = |own, other| End { memory: Arc::clone(&memory), turn: Turn::default(), own, other };
    (end(MASTER, HOST), end(HOST, MASTER))
}

impl End {
    fn side(&self, places: Places) -> usize {
        usize::from(places.turn == HOST.turn)
    }

    fn words(memory: &Memory, own: Places, other: Places) -> Words<'_> {
        Words { all: &memory.words, own, other }
    }

    /// Posts a message of this number and its length.
    fn post(&mut self, number: u64) {
        let side = self.side(self.own);
        self.memory.message[side].store(number, Relaxed);
        self.memory.length[side].store(8 * number, Relaxed);
        self.turn.pass(Self::words(&self.memory, self.own, self.other));
    }

    /// The message of the other side, whose length must be its own.
    fn read(&self) -> u64 {
        let side = self.side(self.other);
        let number = self.memory.message[side].load(Relaxed);
        assert_eq!(self.memory.length[side].load(Relaxed), 8 * number, "the length of another message");
        number
    }

    fn take(&mut self) -> Result<bool, Garbled> {
        self.turn.take(Self::words(&self.memory, self.own, self.other))
    }

    fn sleep(&mut self, time: Duration) -> Result<bool, Garbled> {
        self.turn.sleep(Self::words(&self.memory, self.own, self.other), time)
    }

    /// Waits as both sides do: looks first, then sleeps.
    fn wait(&mut self) -> u64 {
        if !self.take().unwrap() {
            while !self.sleep(LONG).unwrap() {}
        }
        let number = self.read();
        assert!(!self.take().unwrap(), "a message is taken twice");
        number
    }
}

/// Every order, with this number of changes between threads that were ready to continue.
fn every_order(changes: usize, test: impl Fn(Fences) + Copy + Sync + Send + 'static) {
    for fences in [Fences::AfterStores, Fences::BeforeLoads] {
        let mut builder = Builder::new();
        builder.preemption_bound = Some(changes);
        builder.check(move || test(fences));
    }
}

#[test]
fn a_request_and_its_reply() {
    every_order(5, |fences| {
        let (mut master, mut host) = pair(fences);
        let thread = thread::spawn(move || {
            let request = host.wait();
            host.post(request + 1);
        });
        master.post(1);
        assert_eq!(master.wait(), 2);
        thread.join().unwrap();
    });
}

/// As a message in two parts, or two steps, one after the other.
#[test]
fn two_requests_and_their_replies() {
    every_order(3, |fences| {
        let (mut master, mut host) = pair(fences);
        let thread = thread::spawn(move || {
            for number in [1, 3] {
                assert_eq!(host.wait(), number);
                host.post(number + 1);
            }
        });
        for number in [1, 3] {
            master.post(number);
            assert_eq!(master.wait(), number + 1);
        }
        thread.join().unwrap();
    });
}

/// The master posts a step, does something else, and then waits.
#[test]
fn a_posted_step_is_there_when_it_is_looked_for() {
    every_order(4, |fences| {
        let (mut master, mut host) = pair(fences);
        master.post(1);
        let thread = thread::spawn(move || {
            assert_eq!(host.wait(), 1);
            host.post(2);
        });
        thread::yield_now();
        assert_eq!(master.wait(), 2);
        thread.join().unwrap();
    });
}

/// A line of the log wakes the master before the reply is there; it sleeps again.
#[test]
fn a_wake_up_without_a_reply_does_no_harm() {
    every_order(3, |fences| {
        let (mut master, mut host) = pair(fences);
        let thread = thread::spawn(move || {
            futex::wake(&host.memory.words[HOST.turn]);
            assert_eq!(host.wait(), 1);
            host.post(2);
        });
        master.post(1);
        assert_eq!(master.wait(), 2);
        thread.join().unwrap();
    });
}

/// The master looks around from time to time: a host that replied before it ended is heard, one that did not is missed.
#[test]
fn the_end_of_the_host_during_a_wait() {
    for replies in [true, false] {
        every_order(4, move |fences| {
            let (mut master, mut host) = pair(fences);
            let thread = thread::spawn(move || {
                if replies {
                    assert_eq!(host.wait(), 1);
                    host.post(2);
                }
                host.memory.has_ended.store(true, Release);
            });
            master.post(1);
            let is_heard = loop {
                if master.sleep(Duration::ZERO).unwrap() {
                    break true;
                }
                if master.memory.has_ended.load(Acquire) {
                    break master.take().unwrap();
                }
                thread::yield_now();
            };
            assert_eq!(is_heard, replies);
            if is_heard {
                assert_eq!((master.read(), master.take()), (2, Ok(false)));
            }
            thread.join().unwrap();
        });
    }
}

/// A count that skips a turn is an error, not a turn.
#[test]
fn a_count_that_skips_a_turn_is_refused() {
    every_order(2, |fences| {
        let (mut master, host) = pair(fences);
        host.memory.words[HOST.turn].store(2, Release);
        assert!(master.take().is_err());
    });
}
