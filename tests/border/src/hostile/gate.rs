//! A gate at which an FMU waits until its test releases it; the counterpart is `tests/hostile/gate.h`.

use std::{
    io::{self, BufRead, BufReader},
    os::{
        linux::net::SocketAddrExt,
        unix::net::{SocketAddr, UnixListener, UnixStream},
    },
    process,
    sync::atomic::{AtomicU32, Ordering},
};

use crate::patience::Poll;

/// A gate for calls of [`Hostile::gated`](super::Hostile::gated). Dropping it opens the gate: waiting calls continue, and later
/// calls do not wait.
#[derive(Debug)]
pub struct Gate {
    name: String,
    listener: UnixListener,
}

/// A waiting call; it continues when this value is dropped.
#[derive(Debug)]
pub struct Waiting {
    _stream: UnixStream,
    /// Time of the instance \[s\].
    pub time: f64,
}

impl Gate {
    /// Creates a closed gate.
    #[expect(clippy::new_without_default, reason = "it opens a socket")]
    pub fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!("lotka-gate-{}-{}", process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let listen = || {
            // An abstract name: it is not limited by the length of a path, and it disappears with the process.
            let listener = UnixListener::bind_addr(&SocketAddr::from_abstract_name(&name)?)?;
            listener.set_nonblocking(true).map(|()| listener)
        };
        let listener = listen().unwrap_or_else(|error| panic!("the gate {name}: {error}"));
        Self { name, listener }
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Waits until a call arrives.
    ///
    /// # Panics
    /// Panics if `is_over` returns true first.
    #[track_caller]
    pub fn arrival(&self, mut is_over: impl FnMut() -> bool) -> Waiting {
        let mut poll = Poll::default();
        loop {
            let is_over = is_over();
            match self.listener.accept() {
                Ok((stream, _)) => return Waiting::new(stream).unwrap_or_else(|error| panic!("an arrival: {error}")),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                Err(error) => panic!("the gate {}: {error}", self.name),
            }
            assert!(!is_over, "it was over before anybody came to the gate");
            poll.pause("somebody comes to the gate");
        }
    }
}

impl Waiting {
    fn new(stream: UnixStream) -> io::Result<Self> {
        stream.set_nonblocking(false)?;
        let mut line = String::new();
        BufReader::new(&stream).read_line(&mut line)?;
        let time = line.trim_end().parse().map_err(|_| io::Error::other(format!("`{line}` is no time")))?;
        Ok(Self { _stream: stream, time })
    }
}
