//! Reads memory that a host filled with arbitrary data, as a master does. Used by fuzzing only.

use std::io;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use super::expected::{Expected, LONGEST_VALUES};
use super::layout::{HOST_POST, LOG, LOG_LOST, LOG_WRITTEN, PAYLOAD, half};
use super::{Channel, LogReader, Side, WORDS};
use crate::platform::SharedMemory;

/// The data that a host leaves in the memory in one of its turns.
#[derive(Debug, Clone, Copy, Default)]
pub struct Turn<'a> {
    /// The number of the turn.
    pub count: u32,
    /// Kind of the posted message, and its claimed length \[byte\].
    pub post: [u64; 2],
    /// Total number of words written to its log, and number of lost lines.
    pub log: [u64; 2],
    /// Beginning of the payload.
    pub payload: &'a [u8],
    /// Beginning of the ring of log lines.
    pub lines: &'a [u8],
}

/// Reads all turns like a master that never gives up. Returns the numbers of valid replies and log lines.
///
/// # Errors
/// There is no shared memory.
pub fn read_turns(turns: &[Turn<'_>]) -> io::Result<[usize; 2]> {
    let memory = Arc::new(SharedMemory::create(WORDS)?.0);
    let (mut master, mut log) = (Channel::new(Arc::clone(&memory), Side::Master), LogReader::new(Arc::clone(&memory)));
    let mut understood = [0; 2];
    for (index, turn) in turns.iter().enumerate() {
        turn.write(&memory);
        let _ = (master.other_version(), master.take(), master.phase());
        if master.kind().and_then(|kind| master.read_part(kind, index % 2 == 0, LONGEST_VALUES)).is_ok() {
            let _ = Expected::OUTCOME.longest(master.received());
            understood[0] += usize::from(master.read_reply().is_ok());
        }
        master.stepped(&mut [0.0; 3]);
        // A line takes at least two words.
        let lines = std::iter::from_fn(|| log.next()).take(LOG.len()).count();
        understood[1] += lines;
        let _ = (log.is_waiting(), log.take_lost());
    }
    Ok(understood)
}

impl Turn<'_> {
    fn write(&self, memory: &SharedMemory) {
        memory.halves()[half::HOST_TURN].store(self.count, Relaxed);
        let words = memory.words();
        let places = [HOST_POST, HOST_POST + 1, LOG_WRITTEN, LOG_LOST].into_iter().zip(self.post.into_iter().chain(self.log));
        places.for_each(|(place, value)| words[place].store(value, Relaxed));
        super::text::write_bytes(&words[PAYLOAD], self.payload);
        super::text::write_bytes(&words[LOG], self.lines);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::Reply;

    #[test]
    fn sense_is_distinguished_from_nonsense() {
        let reply = postcard::to_stdvec(&Reply::Reals(vec![1.0, 2.0])).unwrap();
        let sound = Turn { count: 1, post: [3, reply.len() as u64], payload: &reply, ..Turn::default() };
        let far = Turn { log: [u64::MAX, 1], ..sound };
        // The count of words of the log wraps around.
        let round = Turn { log: [20, 1], ..far };
        assert_eq!(read_turns(&[sound, far, round]).unwrap()[0], 3);
    }
}
