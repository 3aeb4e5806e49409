//! The server: a page, and a stream of events, behind a token.

use std::{
    io::{self, Write},
    net::Ipv4Addr,
    sync::Arc,
    thread::{self, JoinHandle},
    time::Duration,
};

use tiny_http::{Header, Method, Request, Response};

use super::{Shared, feed::Known};

/// Least time between two events: more often, nobody would see a difference.
const PAUSE: Duration = Duration::from_millis(200);

/// Time after which a stream without news sends a sign of life, which shows whether anybody reads it.
const SILENCE: Duration = Duration::from_secs(5);

/// Most browsers at the same time.
const MOST_STREAMS: usize = 8;

/// Answers requests until it is dropped.
pub(super) struct Server {
    http: Arc<tiny_http::Server>,
    answering: Option<JoinHandle<()>>,
    address: String,
}

impl Server {
    pub(super) fn start(name: &str, token: &str, shared: Arc<Shared>) -> io::Result<Self> {
        let http = Arc::new(tiny_http::Server::http((Ipv4Addr::LOCALHOST, 0)).map_err(io::Error::other)?);
        let place = http.server_addr();
        let site = Site { page: lotka_report::live_html(name), host: place.to_string(), folder: format!("/{token}/"), shared };
        let address = format!("http://{}{}", site.host, site.folder);
        let requests = http.clone();
        let answer = move || requests.incoming_requests().for_each(|request| site.answer(request));
        let answering = thread::Builder::new().name("live page".to_owned()).spawn(answer)?;
        Ok(Self { http, answering: Some(answering), address })
    }

    pub(super) fn address(&self) -> &str {
        &self.address
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.http.unblock();
        // A thread that panicked has nothing more to say.
        self.answering.take().map(JoinHandle::join).into_iter().for_each(drop);
    }
}

/// What the server has.
struct Site {
    page: String,
    /// The address and the port, which a request must name.
    host: String,
    /// The token between slashes.
    folder: String,
    shared: Arc<Shared>,
}

impl Site {
    fn answer(&self, request: Request) {
        let is_host = |header: &Header| header.field.equiv("Host") && header.value.as_str() == self.host;
        let path = request.url().strip_prefix(&self.folder).filter(|_| *request.method() == Method::Get);
        // A page of somebody else that has a name for this address names that.
        let path = path.filter(|_| request.headers().iter().any(is_host)).map(str::to_owned);
        // Errors are those of browsers that went away.
        let _ = match path.as_deref() {
            Some("") => request.respond(self.page()),
            Some("events") if self.shared.feed().begin_stream(MOST_STREAMS) => {
                self.stream(request);
                Ok(())
            }
            Some("events") => request.respond(Response::empty(503)),
            _ => request.respond(Response::empty(404)),
        };
    }

    /// The page, which no other page may contain.
    fn page(&self) -> Response<io::Cursor<Vec<u8>>> {
        Response::from_string(&self.page)
            .with_header(header("Content-Type", "text/html; charset=utf-8"))
            .with_header(header("Content-Security-Policy", "frame-ancestors 'none'"))
            .with_header(header("Cache-Control", "no-store"))
    }

    /// Sends events until the run is over or the browser goes away.
    fn stream(&self, request: Request) {
        let shared = self.shared.clone();
        let send = move || {
            let mut writer = request.into_writer();
            // As above.
            let _ = events(&shared, &mut *writer);
            drop(writer);
            shared.change(|feed| feed.end_stream());
        };
        if thread::Builder::new().name("live stream".to_owned()).spawn(send).is_err() {
            self.shared.change(|feed| feed.end_stream());
        }
    }
}

fn header(name: &str, value: &str) -> Header {
    // Both are constants in ASCII.
    Header::from_bytes(name, value).unwrap_or_else(|()| unreachable!("{name}: {value}"))
}

fn events(shared: &Shared, writer: &mut dyn Write) -> io::Result<()> {
    writer.write_all(
        b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n",
    )?;
    let mut known = Known::default();
    loop {
        let feed = shared.feed();
        let has_news = |feed: &super::Feed| feed.version() != known.version || feed.is_over();
        let (feed, waited) = match shared.changed.wait_timeout_while(feed, SILENCE, |feed| !has_news(feed)) {
            Ok(found) => found,
            Err(poisoned) => poisoned.into_inner(),
        };
        if waited.timed_out() {
            drop(feed);
            writer.write_all(b": nothing new\n\n")?;
            writer.flush()?;
            continue;
        }
        let (news, is_over) = (feed.news(&mut known), feed.is_over());
        drop(feed);
        write!(writer, "data: {news}\n\n")?;
        writer.flush()?;
        if is_over {
            return Ok(());
        }
        thread::sleep(PAUSE);
    }
}
