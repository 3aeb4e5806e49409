//! `lotka run --live`: serves a page that shows a run while it runs.
//!
//! The run adds to a [`Feed`]; the browser reads it as server-sent events. The server listens on this machine only, and answers
//! only who knows the token in the address. It ends with the run. Start reading at [`Live::start`].

mod feed;
mod server;
mod site;

use std::{
    fs::File,
    io::{self, Read},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use lotka::{Code, Notification, Observer, Warning};

use crate::{console::Console, console_flags::Verbosity};
use feed::Feed;
use server::Server;

/// Bytes of a token.
const TOKEN: usize = 16;

/// What the run and the server share. The server holds it only while it takes a copy, a few times a second, whatever browsers do.
#[derive(Default)]
struct Shared(Mutex<Feed>);

impl Shared {
    fn feed(&self) -> MutexGuard<'_, Feed> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns a copy, unless it would be that of this version.
    fn since(&self, version: u64) -> Option<Feed> {
        let feed = self.feed();
        (feed.version() != version).then(|| feed.clone())
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
        let shared = Arc::<Shared>::default();
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
        self.shared.feed().finish(end);
    }
}

impl Observer for Live {
    fn observe(&mut self, notification: &Notification<'_>) {
        self.shared.feed().observe(notification);
    }
}

/// Returns a number that nobody can guess.
fn token() -> io::Result<String> {
    let mut bytes = [0; TOKEN];
    File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}
