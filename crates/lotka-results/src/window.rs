//! The bytes of the row that is being read.

use std::io::{self, Read};

use lotka_message::limits::ROW_BYTES;

/// Reads no more than the maximum size of a row, and counts lines, including empty ones and both kinds of line ends.
pub(super) struct Window<R> {
    source: R,
    /// The bytes read, from the chunk in which the row begins.
    bytes: Vec<u8>,
    /// Offset of these bytes in the source.
    start: u64,
    /// Number of lines before them.
    lines: u64,
    /// Offset of the row in the source.
    pub(super) row: u64,
    /// Whether the source has ended.
    is_at_end: bool,
}

impl<R> Window<R> {
    pub(super) fn new(source: R) -> Self {
        Self { source, bytes: Vec::new(), start: 0, lines: 0, row: 0, is_at_end: false }
    }

    /// Returns the number of these bytes before the row.
    fn before(&self) -> usize {
        usize::try_from(self.row - self.start).map_or(self.bytes.len(), |before| before.min(self.bytes.len()))
    }

    /// Returns the line, from 1, of the first byte of the row that is not a line end.
    pub(super) fn line(&self) -> u64 {
        1 + self.lines + lines(&self.bytes[..self.begin()])
    }

    /// Returns the bytes from the first one of the row that is not a line end.
    pub(super) fn rest(&self) -> &[u8] {
        &self.bytes[self.begin()..]
    }

    /// Returns the number of these bytes before the first byte of the row that is not a line end.
    fn begin(&self) -> usize {
        let before = self.before();
        before + self.bytes[before..].iter().take_while(|byte| is_line_end(byte)).count()
    }

    /// Returns whether the source ends with the row, without a line end. An unclosed quote on an earlier line does not count.
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
