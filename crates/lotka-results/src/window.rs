//! The bytes of the row that is being read.

use std::io::{self, Read};

use lotka_message::limits::ROW_BYTES;

/// Reads no more than a row may have, and knows in which line the row is: empty lines, and both kinds of line ends, count.
pub(super) struct Window<R> {
    source: R,
    /// What was read, from the chunk on in which the row begins.
    bytes: Vec<u8>,
    /// Place of these bytes in the source.
    start: u64,
    /// Lines before them.
    lines: u64,
    /// Place of the row in the source.
    pub(super) row: u64,
    /// There is no more to read.
    is_at_end: bool,
}

impl<R> Window<R> {
    pub(super) fn new(source: R) -> Self {
        Self { source, bytes: Vec::new(), start: 0, lines: 0, row: 0, is_at_end: false }
    }

    /// How many of the bytes are before the row.
    fn before(&self) -> usize {
        usize::try_from(self.row - self.start).map_or(self.bytes.len(), |before| before.min(self.bytes.len()))
    }

    /// The line, from 1, of the first byte of the row that is no line end.
    pub(super) fn line(&self) -> u64 {
        1 + self.lines + lines(&self.bytes[..self.begin()])
    }

    /// How many of the bytes are before the first one of the row that is no line end.
    fn begin(&self) -> usize {
        let before = self.before();
        before + self.bytes[before..].iter().take_while(|byte| is_line_end(byte)).count()
    }

    /// Whether the source ends with the row, and no line does: a quote that is not closed, lines before the end, is not meant.
    pub(super) fn is_unfinished(&self) -> bool {
        self.is_at_end && !self.bytes[self.begin()..].iter().any(is_line_end)
    }
}

fn is_line_end(byte: &u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

fn lines(bytes: &[u8]) -> u64 {
    bytes.iter().filter(|byte| **byte == b'\n').count() as u64
}

impl<R: Read> Read for Window<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let before = self.before();
        self.lines += lines(&self.bytes[..before]);
        self.start += before as u64;
        self.bytes.drain(..before);
        let read = self.source.read(buffer)?;
        self.bytes.extend_from_slice(&buffer[..read]);
        self.is_at_end = read == 0;
        if self.bytes.len() > ROW_BYTES { Err(io::ErrorKind::FileTooLarge.into()) } else { Ok(read) }
    }
}
