//! Rows of results that the child has not yet written: the parent writes them in its place.

use std::sync::atomic::{AtomicU64, Ordering};

/// Capacity for text \[byte\]; a buffer for rows rarely holds more.
const ROOM: usize = 128 << 10;

/// Number of words before the text: its length, its position, whether it contains or follows rows, and three of a [`RowCount`].
const HEADER: usize = 6;

const LENGTH: usize = 0;
const START: usize = 1;
const ROWS: usize = 2;
const COUNT: usize = 3;

/// Total number of words.
pub(super) const ROWS_WORDS: usize = HEADER + ROOM / 8;

/// The row count at the beginning of a file: added rows count only once it is updated. All fields in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RowCount {
    /// Position of the number, 32 bits with the lowest byte first.
    pub place: u64,
    /// Position of the first row.
    pub begin: u64,
    /// Length of a row.
    pub length: u64,
}

/// Keeps a copy of unwritten data that outlives this process.
pub struct KeptRows {
    memory: &'static [AtomicU64],
    /// Position of the text, and the length of the copy.
    start: u64,
    kept: usize,
}

impl KeptRows {
    pub(super) fn new(memory: &'static [AtomicU64]) -> Self {
        Self { memory, start: 0, kept: 0 }
    }

    /// Declares that the text consists of rows that need a row count. Call this before the rows are kept.
    pub fn count(&mut self, count: RowCount) {
        let Some(words) = self.memory.get(COUNT..HEADER) else { return };
        for (word, value) in words.iter().zip([count.place, count.begin, count.length]) {
            word.store(value, Ordering::Relaxed);
        }
    }

    /// Keeps `pending`, the data to be written after the first `start` bytes. With the same `start` as before, it is the same
    /// text and more, and only the new part is copied. A text that exceeds the capacity is kept only up to its previous length.
    pub fn keep(&mut self, start: u64, pending: &[u8], has_rows: bool) {
        let Some((header, text)) = self.memory.split_at_checked(HEADER) else { return };
        // After a failed write the rest was dropped, so that less than before is kept.
        if start != self.start || pending.len() < self.kept {
            header[LENGTH].store(0, Ordering::Release);
            header[START].store(start, Ordering::Release);
            (self.start, self.kept) = (start, 0);
        }
        if pending.len() <= 8 * text.len() {
            // Text that could not be written is lost.
            let first = self.kept.min(pending.len()) / 8;
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

/// Text that a process left behind, to be written in its place.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LeftRows {
    /// Number of bytes before it.
    pub start: u64,
    /// The text; some of it may already have been written.
    pub text: Vec<u8>,
    /// Whether there are rows in it or before it, in addition to names.
    pub has_rows: bool,
    /// The position of the row count, if the file has one.
    pub count: Option<RowCount>,
}

impl LeftRows {
    pub(super) fn read(memory: &[AtomicU64]) -> Self {
        let Some((header, text)) = memory.split_at_checked(HEADER) else { return Self::default() };
        let length = header[LENGTH].load(Ordering::Acquire).min(8 * text.len() as u64) as usize;
        let words = &text[..length.div_ceil(8)];
        let mut text: Vec<u8> = words.iter().flat_map(|word| word.load(Ordering::Relaxed).to_le_bytes()).collect();
        text.truncate(length);
        let word = |index: usize| header[index].load(Ordering::Relaxed);
        let [place, begin, length] = [0, 1, 2].map(|index| word(COUNT + index));
        let count = (length > 0).then_some(RowCount { place, begin, length });
        Self { start: word(START), text, has_rows: word(ROWS) != 0, count }
    }

    /// The position of the row count, and its value including the rows in the text; `None` if the file has none.
    #[must_use]
    pub fn row_count(&self) -> Option<(u64, u32)> {
        let RowCount { place, begin, length } = self.count?;
        let rows = (self.start + self.text.len() as u64).checked_sub(begin)? / length;
        Some((place, u32::try_from(rows).ok()?))
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
        let left = |start, text: &str, has_rows| LeftRows { start, text: text.as_bytes().to_vec(), has_rows, count: None };
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
    fn the_number_of_rows_follows_from_their_length() {
        let memory = memory(HEADER + 8);
        let mut kept = KeptRows::new(memory);
        kept.count(RowCount { place: 40, begin: 100, length: 16 });
        kept.keep(132, &[1; 48], true);
        assert_eq!(LeftRows::read(memory).row_count(), Some((40, 5)));
        kept.keep(60, &[1; 20], false);
        assert_eq!(LeftRows::read(memory).row_count(), None);
    }

    #[test]
    fn nonsense_lengths_are_cut() {
        let memory = memory(HEADER + 1);
        memory[LENGTH].store(u64::MAX, Ordering::Relaxed);
        assert_eq!(LeftRows::read(memory).text, [0; 8]);
        assert_eq!(LeftRows::read(&[]), LeftRows::default());
    }
}
