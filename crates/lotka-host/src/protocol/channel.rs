//! Turns of the two sides.

use std::hint;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::*};
use std::time::{Duration, Instant};

use super::layout::{HOST_POST, MAGIC, MASTER_POST, PAYLOAD, PHASE, VERSION, half};
use super::message::{Reply, Request};
use super::text::{read_bytes, write_bytes};
pub(crate) use super::turn::Garbled;
use super::turn::{Places, Turn, Words};
use crate::platform::{SharedMemory, give_way};

/// The side of this process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    Master,
    Host,
}

/// The kind of a posted message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u64)]
pub(crate) enum Kind {
    /// A step of the instance, with inputs, and the outputs known to the master.
    Step = 1,
    /// The step is complete; the outputs are there.
    Stepped = 2,
    /// The last bytes of a message.
    Message = 3,
    /// Bytes of a message with more to come.
    Part = 4,
    /// The other side may send the next part.
    Next = 5,
}

const KINDS: [Kind; 5] = [Kind::Step, Kind::Stepped, Kind::Message, Kind::Part, Kind::Next];

/// A step from `t` by `h` \[s\]; `commit` as for [`lotka_instance::Instance::do_step`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct PostedStep {
    pub t: f64,
    pub h: f64,
    pub commit: bool,
}

/// Maximum length of a request \[byte\]: a saved state of the largest size, plus overhead.
pub(crate) const LONGEST_MESSAGE: usize = (1 << 30) + (1 << 20);

/// Time during which a side yields before it sleeps. Yielding blocks no other process and avoids a wake-up, which takes about as
/// long if a core must be woken, too.
const GIVING_WAY: Duration = Duration::from_micros(100);

/// One end of the shared memory.
pub(crate) struct Channel {
    memory: Arc<SharedMemory>,
    side: Side,
    turn: Turn,
    /// Bytes of messages in transit, and how many of them were posted.
    bytes: Vec<u8>,
    posted: usize,
}

/// The words of the turns, as a side sees them.
#[inline]
fn turn_words(memory: &SharedMemory, side: Side) -> Words<'_> {
    let master = Places { turn: half::MASTER_TURN, sleeps: half::MASTER_SLEEPS };
    let host = Places { turn: half::HOST_TURN, sleeps: half::HOST_SLEEPS };
    let (own, other) = if side == Side::Master { (master, host) } else { (host, master) };
    Words { all: memory.halves(), own, other }
}

impl Channel {
    pub fn new(memory: Arc<SharedMemory>, side: Side) -> Self {
        let halves = memory.halves();
        match side {
            Side::Master => {
                halves[half::MAGIC].store(MAGIC, Relaxed);
                halves[half::MASTER_PROCESS].store(std::process::id(), Relaxed);
                halves[half::MASTER_VERSION].store(VERSION, Release);
            }
            Side::Host => halves[half::HOST_VERSION].store(VERSION, Release),
        }
        Self { memory, side, turn: Turn::default(), bytes: Vec::new(), posted: 0 }
    }

    /// The version of the other side if it differs; `None` also while it is unknown.
    pub fn other_version(&self) -> Option<u32> {
        let place = if self.side == Side::Master { half::HOST_VERSION } else { half::MASTER_VERSION };
        let version = self.halves()[place].load(Acquire);
        (version != VERSION && version != 0).then_some(version)
    }

    /// The process ID of the master.
    pub fn master(&self) -> u32 {
        self.halves()[half::MASTER_PROCESS].load(Relaxed)
    }

    /// Whether a master created the memory.
    pub fn is_ours(memory: &SharedMemory) -> bool {
        memory.words().len() == super::WORDS && memory.halves()[half::MAGIC].load(Relaxed) == MAGIC
    }

    fn halves(&self) -> &[AtomicU32] {
        self.memory.halves()
    }

    fn words(&self) -> &[AtomicU64] {
        self.memory.words()
    }

    /// Passes the turn on.
    #[inline]
    fn pass(&mut self) {
        self.turn.pass(turn_words(&self.memory, self.side));
    }

    /// Takes the turn if it is this side's; returns whether it was.
    #[inline]
    pub fn take(&mut self) -> Result<bool, Garbled> {
        self.turn.take(turn_words(&self.memory, self.side))
    }

    /// Checks for the turn at most this often, then yields the core and checks again.
    #[inline]
    pub fn look(&mut self, spins: u32) -> Result<bool, Garbled> {
        for _ in 0..spins {
            if self.take()? {
                return Ok(true);
            }
            hint::spin_loop();
        }
        let start = Instant::now();
        while start.elapsed() < GIVING_WAY {
            if self.take()? {
                return Ok(true);
            }
            give_way();
        }
        Ok(false)
    }

    /// Sleeps until it is this side's turn, which is then taken, or until this time has passed.
    pub fn sleep(&mut self, time: Duration) -> Result<bool, Garbled> {
        self.turn.sleep(turn_words(&self.memory, self.side), time)
    }

    /// Number of times that the host checks for its turn before it sleeps, as set by the master.
    pub fn host_spins(&self) -> u32 {
        self.halves()[half::SPINS].load(Relaxed)
    }

    pub fn set_host_spins(&self, spins: u32) {
        self.halves()[half::SPINS].store(spins, Relaxed);
    }

    /// Whether the host ends on request.
    pub fn host_ends(&self) -> bool {
        self.halves()[half::HOST_ENDS].load(Relaxed) == 1
    }

    pub fn set_host_ends(&self) {
        self.halves()[half::HOST_ENDS].store(1, Relaxed);
    }

    /// The number of the phase of the instance after the last call.
    pub fn phase(&self) -> u64 {
        self.words()[PHASE].load(Relaxed)
    }

    pub fn set_phase(&self, phase: u64) {
        self.words()[PHASE].store(phase, Relaxed);
    }

    fn own_post(&self, place: usize) -> &AtomicU64 {
        let base = if self.side == Side::Master { MASTER_POST } else { HOST_POST };
        &self.words()[base + place]
    }

    fn other_post(&self, place: usize) -> u64 {
        let base = if self.side == Side::Master { HOST_POST } else { MASTER_POST };
        self.words()[base + place].load(Relaxed)
    }

    /// Returns the kind of the message posted by the other side.
    #[inline]
    pub fn kind(&self) -> Result<Kind, Garbled> {
        let number = self.other_post(0);
        KINDS.into_iter().find(|kind| *kind as u64 == number).ok_or(Garbled("the kind of a reply"))
    }

    /// Whether this many inputs or outputs of a step fit.
    pub fn fits(numbers: usize) -> bool {
        numbers <= PAYLOAD.len()
    }

    /// Posts a step after which this number of outputs is read.
    #[inline]
    pub fn post_step(&mut self, inputs: &[f64], step: PostedStep, n_outputs: usize) {
        inputs.iter().zip(&self.words()[PAYLOAD]).for_each(|(value, word)| word.store(value.to_bits(), Relaxed));
        let PostedStep { t, h, commit } = step;
        let post = [Kind::Step as u64, t.to_bits(), h.to_bits(), inputs.len() as u64, n_outputs as u64, u64::from(commit)];
        post.into_iter().enumerate().for_each(|(place, value)| self.own_post(place).store(value, Relaxed));
        self.pass();
    }

    /// Reads a posted step and its inputs, and makes room for the outputs.
    #[inline]
    pub fn step(&self, inputs: &mut Vec<f64>, outputs: &mut Vec<f64>) -> Result<PostedStep, Garbled> {
        let [t, h] = [1, 2].map(|place| f64::from_bits(self.other_post(place)));
        let [n_inputs, n_outputs] = [3, 4].map(|place| self.other_post(place) as usize);
        if !Self::fits(n_inputs.max(n_outputs)) {
            return Err(Garbled("the size of a step"));
        }
        inputs.clear();
        inputs.extend(self.words()[PAYLOAD].iter().take(n_inputs).map(|word| f64::from_bits(word.load(Relaxed))));
        outputs.resize(n_outputs, 0.0);
        Ok(PostedStep { t, h, commit: self.other_post(5) != 0 })
    }

    /// Posts that a step is complete.
    #[inline]
    pub fn post_stepped(&mut self, outputs: &[f64]) {
        outputs.iter().zip(&self.words()[PAYLOAD]).for_each(|(value, word)| word.store(value.to_bits(), Relaxed));
        self.own_post(0).store(Kind::Stepped as u64, Relaxed);
        self.pass();
    }

    /// Reads the outputs of a complete step.
    #[inline]
    pub fn stepped(&self, outputs: &mut [f64]) {
        outputs.iter_mut().zip(&self.words()[PAYLOAD]).for_each(|(value, word)| *value = f64::from_bits(word.load(Relaxed)));
    }

    /// Requests the next part of a message.
    pub fn post_next(&mut self) {
        self.own_post(0).store(Kind::Next as u64, Relaxed);
        self.pass();
    }

    pub fn write_request(&mut self, request: &Request) {
        self.write(request);
    }

    pub fn write_reply(&mut self, reply: &Reply) {
        self.write(reply);
    }

    fn write(&mut self, message: &impl serde::Serialize) {
        self.bytes.clear();
        // Encoding our messages to a vector never fails; the other side refuses an empty message.
        self.bytes = postcard::to_extend(message, std::mem::take(&mut self.bytes)).unwrap_or_default();
        self.posted = 0;
    }

    /// Changes the encoded message, as a host does that lies.
    pub fn change(&mut self, change: impl FnOnce(Vec<u8>) -> Vec<u8>) {
        self.bytes = change(std::mem::take(&mut self.bytes));
        self.posted = 0;
    }

    /// Posts the next part of the encoded message. Returns true if another part follows, once the other side posts `Next`.
    pub fn post_part(&mut self) -> bool {
        let left = &self.bytes[self.posted..];
        let length = left.len().min(8 * PAYLOAD.len());
        write_bytes(&self.words()[PAYLOAD], &left[..length]);
        let is_last = length == left.len();
        self.posted += length;
        let kind = if is_last { Kind::Message } else { Kind::Part };
        self.own_post(0).store(kind as u64, Relaxed);
        self.own_post(1).store(length as u64, Relaxed);
        self.pass();
        !is_last
    }

    /// Reads a part of a message of at most `longest` bytes. `is_first` marks the first part, and the kind the last one, which
    /// the other side may have changed since it was read. All parts but the last one are full, which limits their number, too.
    pub fn read_part(&mut self, kind: Kind, is_first: bool, longest: usize) -> Result<(), Garbled> {
        let full = 8 * PAYLOAD.len() as u64;
        if is_first {
            self.bytes.clear();
        }
        let length = self.other_post(1);
        if length > full || (length < full && kind != Kind::Message) || self.bytes.len() + length as usize > longest {
            return Err(Garbled("the length of a message"));
        }
        let mut bytes = std::mem::take(&mut self.bytes);
        read_bytes(&self.words()[PAYLOAD], length as usize, &mut bytes);
        self.bytes = bytes;
        Ok(())
    }

    /// Decodes the received message.
    pub fn read_request(&self) -> Result<Request, Garbled> {
        postcard::from_bytes(&self.bytes).map_err(|_| Garbled("a request"))
    }

    /// The bytes received so far.
    pub fn received(&self) -> &[u8] {
        &self.bytes
    }

    /// Decodes the received message.
    pub fn read_reply(&self) -> Result<Reply, Garbled> {
        postcard::from_bytes(&self.bytes).map_err(|_| Garbled("a reply"))
    }
}

#[cfg(test)]
mod tests;
