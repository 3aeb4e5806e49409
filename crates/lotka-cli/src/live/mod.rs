//! `lotka run --live`: serves a page that shows a run while it runs.
//!
//! The run adds to a [`Feed`]; the browser reads it as server-sent events. The server listens on this machine only, and answers only who knows the
//! token in the address. It ends with the run. Start reading at [`Live::start`].

mod feed;
mod server;

use std::{
    fs::File,
    io::{self, Read},
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use lotka::{Code, Notification, Observer, Warning};

use crate::{console::Console, console_flags::Verbosity};
use feed::Feed;
use server::Server;

/// Time for which a run waits at its end until browsers have the last values.
const LAST: Duration = Duration::from_secs(2);

/// Bytes of a token.
const TOKEN: usize = 16;

/// What the run, the server and its streams share.
pub(super) struct Shared {
    feed: Mutex<Feed>,
    /// Signals changes of the feed, and ends of streams.
    changed: Condvar,
}

impl Shared {
    fn feed(&self) -> MutexGuard<'_, Feed> {
        self.feed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self, act: impl FnOnce(&mut Feed)) {
        act(&mut self.feed());
        self.changed.notify_all();
    }
}

/// The page of a run.
pub(crate) struct Live {
    shared: Arc<Shared>,
    _server: Server,
}

impl Live {
    /// Starts a server, and prints the address of the page. Without a server, the run continues with a warning.
    pub(crate) fn start(name: &str, console: &Console) -> Option<Self> {
        let shared = Arc::new(Shared { feed: Mutex::default(), changed: Condvar::new() });
        let started = token().and_then(|token| Server::start(name, &token, shared.clone()));
        match started {
            Ok(server) => {
                console.say(Verbosity::Quiet, &format!("live: {}", server.address()));
                Some(Self { shared, _server: server })
            }
            Err(error) => {
                console.warn(&Warning::new(Code::NoProcess, format!("cannot serve the live page: {error}")));
                None
            }
        }
    }

    /// Tells browsers how the run ended, and waits until they know.
    pub(crate) fn finish(self, end: &str) {
        self.shared.change(|feed| feed.finish(end));
        let feed = self.shared.feed();
        // Whoever is slower misses the end.
        drop(self.shared.changed.wait_timeout_while(feed, LAST, |feed| feed.has_streams()));
    }
}

impl Observer for Live {
    fn observe(&mut self, notification: &Notification<'_>) {
        self.shared.change(|feed| feed.observe(notification));
    }
}

/// Returns a number that nobody can guess.
fn token() -> io::Result<String> {
    let mut bytes = [0; TOKEN];
    File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}
