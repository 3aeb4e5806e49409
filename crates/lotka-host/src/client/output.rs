//! Standard output and standard error of a host, line by line.

use std::io::{self, PipeReader, Read};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use super::lines::Lines;
use crate::platform::is_readable;

/// Longer lines are broken.
const LONGEST_LINE: usize = 4096;

/// Largest size of a pipe, unless the system is configured otherwise \[byte\].
const PIPE: usize = 1 << 20;

/// The reader of the pipe: a thread and, at the end, the caller that needs the last lines.
pub(super) struct Output(Arc<Mutex<Reader>>);

struct Reader {
    pipe: PipeReader,
    line: Vec<u8>,
    lines: Arc<Lines>,
    has_ended: bool,
}

impl Output {
    pub fn read(pipe: PipeReader, lines: Arc<Lines>) -> io::Result<Self> {
        let waiting = pipe.try_clone()?;
        let reader = Arc::new(Mutex::new(Reader { pipe, line: Vec::new(), lines, has_ended: false }));
        let shared = Arc::clone(&reader);
        thread::Builder::new()
            .name("fmu output".into())
            .stack_size(128 << 10)
            .spawn(move || while is_readable(&waiting, None).is_ok() && !lock(&shared).read_waiting(LONGEST_LINE) {})?;
        Ok(Self(reader))
    }

    /// Passes on the lines that a host has written by now.
    pub fn catch_up(&self) {
        lock(&self.0).read_waiting(PIPE);
    }

    /// Passes on everything that a host has written before its end. A process that it started may write forever: its later lines
    /// are left to the thread.
    pub fn finish(&self) {
        let mut reader = lock(&self.0);
        if !reader.read_waiting(PIPE) {
            reader.report_rest();
        }
    }
}

fn lock(reader: &Mutex<Reader>) -> MutexGuard<'_, Reader> {
    reader.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Reader {
    /// Reads the available data, at most this much. Returns true at the end of the data.
    fn read_waiting(&mut self, most: usize) -> bool {
        let (mut buffer, mut count) = ([0; LONGEST_LINE], 0);
        while !self.has_ended && count < most && is_readable(&self.pipe, Some(Duration::ZERO)).unwrap_or(false) {
            match self.pipe.read(&mut buffer) {
                Ok(length @ 1..) => {
                    count += length;
                    self.take(&buffer[..length]);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Ok(0) | Err(_) => {
                    self.has_ended = true;
                    self.report_rest();
                }
            }
        }
        self.has_ended
    }

    fn take(&mut self, bytes: &[u8]) {
        for byte in bytes {
            match byte {
                b'\n' => self.report(),
                _ => self.line.push(*byte),
            }
            if self.line.len() >= LONGEST_LINE {
                self.report();
            }
        }
    }

    fn report_rest(&mut self) {
        if !self.line.is_empty() {
            self.report();
        }
    }

    fn report(&mut self) {
        self.lines.printed(String::from_utf8_lossy(&self.line).trim_end().to_owned());
        self.line.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn the_lines_so_far_are_there_and_no_half_one() {
        let (pipe, mut writer) = io::pipe().unwrap();
        let lines = Arc::new(Lines::default());
        let output = Output::read(pipe, Arc::clone(&lines)).unwrap();
        for number in 0..100 {
            writer.write_all(format!("{number}\nhalf of ").as_bytes()).unwrap();
            output.catch_up();
            assert!(lines.last().last().is_some_and(|line| line.ends_with(&number.to_string())));
        }
    }

    /// A surviving process holds the other end of the pipe.
    #[test]
    fn the_last_lines_are_there_although_the_pipe_stays_open() {
        for text in ["one\ntwo", &"long enough to fill the pipe\n".repeat(2000)] {
            let (pipe, mut writer) = io::pipe().unwrap();
            let lines = Arc::new(Lines::default());
            let output = Output::read(pipe, Arc::clone(&lines)).unwrap();
            writer.write_all(text.as_bytes()).unwrap();
            output.finish();
            assert_eq!(lines.last().last().map(String::as_str), text.lines().last());
            drop(writer);
        }
    }
}
