//! Standard output and standard error of a host, line by line.

use std::io::{PipeReader, Read};
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::lines::Lines;

/// Longer lines are broken.
const LONGEST_LINE: usize = 4096;

/// How long the last lines of a process that ended are waited for: something that it started may keep the pipe open.
const PATIENCE: Duration = Duration::from_millis(200);

/// The thread that reads.
pub(super) struct Output(JoinHandle<()>);

impl Output {
    pub fn read(pipe: PipeReader, lines: Arc<Lines>) -> std::io::Result<Self> {
        let thread = thread::Builder::new().name("fmu output".into()).stack_size(128 << 10);
        thread.spawn(move || read(pipe, &lines)).map(Self)
    }

    /// Waits a moment for what is still to be read.
    pub fn wait(&self) {
        let start = Instant::now();
        while !self.0.is_finished() && start.elapsed() < PATIENCE {
            thread::sleep(Duration::from_millis(1));
        }
    }
}

fn read(mut pipe: PipeReader, lines: &Lines) {
    let (mut buffer, mut line) = ([0; 4096], Vec::new());
    loop {
        match pipe.read(&mut buffer) {
            Ok(0) => break,
            Ok(length) => take(&buffer[..length], &mut line, lines),
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(_) => break,
        }
    }
    if !line.is_empty() {
        tell(&mut line, lines);
    }
}

fn take(bytes: &[u8], line: &mut Vec<u8>, lines: &Lines) {
    for byte in bytes {
        match byte {
            b'\n' => tell(line, lines),
            _ => line.push(*byte),
        }
        if line.len() >= LONGEST_LINE {
            tell(line, lines);
        }
    }
}

fn tell(line: &mut Vec<u8>, lines: &Lines) {
    lines.printed(String::from_utf8_lossy(line).trim_end().to_owned());
    line.clear();
}
