//! Rows of results that the child has not written yet: the parent writes them in its place.

use std::sync::atomic::{AtomicU64, Ordering};

/// Bytes of text that find room; a buffer for rows rarely holds more.
const ROOM: usize = 128 << 10;

/// Words in front of the text: its length, where it begins, and whether there are rows in it or before it.
const HEADER: usize = 3;

const LENGTH: usize = 0;
const START: usize = 1;
const ROWS: usize = 2;

/// Words of all of it.
pub(super) const ROWS_WORDS: usize = HEADER + ROOM / 8;

/// Keeps a copy of what waits to be written where it outlives this process.
pub struct KeptRows {
    memory: &'static [AtomicU64],
    /// Where the text begins, and how much of it is kept.
    start: u64,
    kept: usize,
}

impl KeptRows {
    pub(super) fn new(memory: &'static [AtomicU64]) -> Self {
        Self { memory, start: 0, kept: 0 }
    }

    /// `pending` is what waits to be written behind `start` bytes that are written: with the same `start` as before, the same text and
    /// more. Only what is new is copied. A text that finds no room is kept as far as it was.
    pub fn keep(&mut self, start: u64, pending: &[u8], has_rows: bool) {
        let Some((header, text)) = self.memory.split_at_checked(HEADER) else { return };
        // Less than before is kept when writing failed and the rest was given up.
        if start != self.start || pending.len() < self.kept {
            header[LENGTH].store(0, Ordering::Release);
            header[START].store(start, Ordering::Release);
            (self.start, self.kept) = (start, 0);
        }
        if pending.len() <= 8 * text.len() {
            let first = self.kept / 8;
            for (word, bytes) in text[first..].iter().zip(pending[8 * first..].chunks(8)) {
                let mut eight = [0; 8];
                eight[..bytes.len()].copy_from_slice(bytes);
                word.store(u64::from_le_bytes(eight), Ordering::Relaxed);
            }
            header[ROWS].store(has_rows.into(), Ordering::Relaxed);
            header[LENGTH].store(pending.len() as u64, Ordering::Release);
            self.kept = pending.len();
        }
    }
}

/// Text that a process left, to be written in its place.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LeftRows {
    /// How many bytes are before it.
    pub start: u64,
    /// The text; what is written already may be part of it.
    pub text: Vec<u8>,
    /// There are rows in it or before it, not only names.
    pub has_rows: bool,
}

impl LeftRows {
    pub(super) fn read(memory: &[AtomicU64]) -> Self {
        let Some((header, text)) = memory.split_at_checked(HEADER) else { return Self::default() };
        let length = header[LENGTH].load(Ordering::Acquire).min(8 * text.len() as u64) as usize;
        let words = &text[..length.div_ceil(8)];
        let mut text: Vec<u8> = words.iter().flat_map(|word| word.load(Ordering::Relaxed).to_le_bytes()).collect();
        text.truncate(length);
        let [start, has_rows] = [START, ROWS].map(|index| header[index].load(Ordering::Relaxed));
        Self { start, text, has_rows: has_rows != 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn memory(words: usize) -> &'static [AtomicU64] {
        Box::leak((0..words).map(|_| AtomicU64::new(0)).collect())
    }

    #[test]
    fn what_is_kept_can_be_read_at_any_time() {
        let memory = memory(HEADER + 4);
        assert_eq!(LeftRows::read(memory), LeftRows::default());
        let mut kept = KeptRows::new(memory);
        let left = |start, text: &str, has_rows| LeftRows { start, text: text.as_bytes().to_vec(), has_rows };
        kept.keep(0, b"time,x\n", false);
        assert_eq!(LeftRows::read(memory), left(0, "time,x\n", false));
        kept.keep(0, b"time,x\n0.0,1.0\n", true);
        assert_eq!(LeftRows::read(memory), left(0, "time,x\n0.0,1.0\n", true));
        kept.keep(15, b"", true);
        assert_eq!(LeftRows::read(memory), left(15, "", true));
        kept.keep(15, b"0.1,2.0\n", true);
        assert_eq!(LeftRows::read(memory), left(15, "0.1,2.0\n", true));
        kept.keep(15, &[b'x'; 33], true);
        assert_eq!(LeftRows::read(memory), left(15, "0.1,2.0\n", true));
    }

    #[test]
    fn nonsense_lengths_are_cut() {
        let memory = memory(HEADER + 1);
        memory[LENGTH].store(u64::MAX, Ordering::Relaxed);
        assert_eq!(LeftRows::read(memory).text, [0; 8]);
        assert_eq!(LeftRows::read(&[]), LeftRows::default());
    }
}
