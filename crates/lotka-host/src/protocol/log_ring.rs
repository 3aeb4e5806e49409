//! Log lines sent to the master, in order and before the reply of the call during which they were logged. Lines written
//! before the FMU ends its process can still be read.

use std::sync::atomic::Ordering::*;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use lotka_instance::LogMessage;

use super::futex::wake;
use super::layout::{LOG, LOG_LOST, LOG_READ, LOG_WRITTEN, half};
use super::text::{read_bytes, write_bytes};
use crate::platform::SharedMemory;

/// Number of waits per second.
const WAITS: u32 = 10_000;
const WAIT: Duration = Duration::from_micros(100);

/// The end of the host.
pub(crate) struct LogWriter {
    memory: Arc<SharedMemory>,
    /// Maximum time that a line waits for space, in units of [`WAIT`].
    waits: u32,
    /// Total number of words written.
    written: Mutex<u64>,
}

impl LogWriter {
    pub fn new(memory: Arc<SharedMemory>) -> Self {
        Self { memory, waits: WAITS, written: Mutex::new(0) }
    }

    /// Writes a line, from any thread. Waits for space for about a second at most; after that, the line counts as lost.
    pub fn write(&self, line: &LogMessage) {
        let words = self.memory.words();
        let bytes = postcard::to_stdvec(line).unwrap_or_default();
        let length = 1 + bytes.len().div_ceil(8);
        let mut written = self.written.lock().unwrap_or_else(PoisonError::into_inner);
        let has_room = || *written + length as u64 - words[LOG_READ].load(Acquire) <= LOG.len() as u64;
        if length > LOG.len()
            || !(0..self.waits).any(|_| {
                has_room() || {
                    self.wake_master();
                    thread::sleep(WAIT);
                    false
                }
            })
        {
            words[LOG_LOST].fetch_add(1, Relaxed);
            return;
        }
        let mut record = vec![0; 8 * length];
        record[..8].copy_from_slice(&(bytes.len() as u64).to_le_bytes());
        record[8..8 + bytes.len()].copy_from_slice(&bytes);
        let ring = &words[LOG];
        let start = (*written % ring.len() as u64) as usize;
        let (first, second) = record.split_at((8 * (ring.len() - start)).min(record.len()));
        write_bytes(&ring[start..], first);
        write_bytes(ring, second);
        *written += length as u64;
        words[LOG_WRITTEN].store(*written, Release);
    }
}

impl LogWriter {
    /// Has a master that waits for the reply read lines first.
    fn wake_master(&self) {
        wake(&self.memory.halves()[half::HOST_TURN]);
    }
}

/// The end of the master.
pub(crate) struct LogReader {
    memory: Arc<SharedMemory>,
    read: u64,
    lost: u64,
}

impl LogReader {
    pub fn new(memory: Arc<SharedMemory>) -> Self {
        Self { memory, read: 0, lost: 0 }
    }

    /// Whether lines are waiting, or were lost.
    #[inline]
    pub fn is_waiting(&self) -> bool {
        let words = self.memory.words();
        words[LOG_WRITTEN].load(Relaxed) != self.read || words[LOG_LOST].load(Relaxed) != self.lost
    }

    /// Returns the next line. If one is invalid, all waiting lines are skipped.
    pub fn next(&mut self) -> Option<LogMessage> {
        let written = self.memory.words()[LOG_WRITTEN].load(Acquire);
        let waiting = written.wrapping_sub(self.read);
        if waiting == 0 {
            return None;
        }
        let line = if waiting <= LOG.len() as u64 { self.record(waiting) } else { None };
        if line.is_none() {
            self.read = written;
        }
        self.memory.words()[LOG_READ].store(self.read, Release);
        line
    }

    fn record(&mut self, waiting: u64) -> Option<LogMessage> {
        let ring = &self.memory.words()[LOG];
        let at = |position: u64| (position % ring.len() as u64) as usize;
        let length = ring[at(self.read)].load(Relaxed);
        let words = length.div_ceil(8);
        if words >= waiting {
            return None;
        }
        // The host provides the count, so it may wrap around.
        let start = at(self.read.wrapping_add(1));
        let first = (length as usize).min(8 * (ring.len() - start));
        let mut bytes = Vec::with_capacity(length as usize + 8);
        read_bytes(&ring[start..], first, &mut bytes);
        read_bytes(ring, length as usize - first, &mut bytes);
        self.read = self.read.wrapping_add(1 + words);
        postcard::from_bytes(&bytes).ok()
    }

    /// Number of lines lost since the last call.
    pub fn take_lost(&mut self) -> u64 {
        let lost = self.memory.words()[LOG_LOST].load(Relaxed);
        lost.wrapping_sub(std::mem::replace(&mut self.lost, lost))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::iter;

    fn line(text: &str) -> LogMessage {
        LogMessage { instance: "it".into(), status: None, category: "c".into(), message: text.into() }
    }

    fn pair() -> (LogWriter, LogReader) {
        let memory = Arc::new(SharedMemory::create(crate::protocol::WORDS).unwrap().0);
        (LogWriter::new(Arc::clone(&memory)), LogReader::new(memory))
    }

    #[test]
    fn lines_of_all_lengths_pass_in_order_round_and_round() {
        let (writer, mut reader) = pair();
        for round in 0..40 {
            let texts: Vec<_> = (0..20).map(|n| "x".repeat(n * 53 + round)).collect();
            texts.iter().for_each(|text| writer.write(&line(text)));
            assert!(reader.is_waiting());
            for text in &texts {
                assert_eq!(reader.next(), Some(line(text)));
            }
            assert_eq!((reader.next(), reader.is_waiting()), (None, false));
        }
    }

    #[test]
    fn a_line_waits_for_room() {
        let (mut writer, mut reader) = pair();
        writer.waits = u32::MAX;
        let text = "x".repeat(8 * LOG.len() / 3);
        let writing = thread::spawn(move || (0..9).for_each(|_| writer.write(&line(&text))));
        let mut count = 0;
        while count < 9 {
            count += u32::from(reader.next().is_some());
        }
        writing.join().unwrap();
        assert_eq!(reader.take_lost(), 0);
    }

    #[test]
    fn a_line_that_finds_no_room_is_counted() {
        let (mut writer, mut reader) = pair();
        writer.waits = 2;
        let text = "x".repeat(8 * LOG.len() / 3);
        (0..4).for_each(|_| writer.write(&line(&text)));
        assert_eq!(iter::from_fn(|| reader.next()).count(), 2);
        assert_eq!((reader.take_lost(), reader.take_lost()), (2, 0));
        writer.write(&line(&text));
        assert_eq!((reader.next(), reader.take_lost()), (Some(line(&text)), 0));
    }

    /// A line whose record takes so many words.
    fn line_of_words(words: usize) -> LogMessage {
        let longest = "x".repeat(8 * words);
        let fits = |length: &usize| postcard::to_stdvec(&line(&longest[..*length])).unwrap().len().div_ceil(8) < words;
        line(&longest[..(0..=longest.len()).rev().find(fits).unwrap()])
    }

    #[test]
    fn the_ring_can_be_filled_to_the_last_word() {
        let (mut writer, mut reader) = pair();
        writer.waits = 1;
        for words in [vec![LOG.len()], vec![LOG.len() - 9, 9], vec![LOG.len() + 1]] {
            let lines: Vec<_> = words.iter().map(|words| line_of_words(*words)).collect();
            lines.iter().for_each(|line| writer.write(line));
            let fits = words.iter().sum::<usize>() <= LOG.len();
            let passed: Vec<_> = iter::from_fn(|| reader.next()).collect();
            assert_eq!((passed == lines, reader.take_lost()), (fits, u64::from(!fits)), "{words:?}");
        }
    }

    #[test]
    fn nonsense_is_skipped() {
        let (writer, mut reader) = pair();
        writer.write(&line("one"));
        let words = reader.memory.words();
        words[LOG.start].store(u64::MAX, Relaxed);
        assert_eq!(reader.next(), None);
        writer.write(&line("two"));
        assert_eq!(reader.next(), Some(line("two")));
        let words = reader.memory.words();
        words[LOG_WRITTEN].store(u64::MAX, Relaxed);
        assert_eq!(reader.next(), None);
    }
}
