//! What the server has: a page, and a stream of events, behind a token.

use std::{
    convert::Infallible,
    error::Error,
    sync::{Arc, OnceLock},
    time::Duration,
};

use futures_util::stream;
use http_body_util::{Either, Full, StreamBody};
use hyper::{
    Method, Request, Response, StatusCode,
    body::{Body, Bytes, Frame, Incoming},
    header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HOST, HeaderValue},
};
use lotka::printable;
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore, watch},
    time::timeout,
};

use super::feed::{Feed, Known};

/// Time after which a stream without news sends a sign of life, which shows whether anybody reads it.
const SILENCE: Duration = Duration::from_secs(5);

/// What the server has.
pub(super) struct Site {
    page: Bytes,
    /// The address and the port, which a request must name.
    host: String,
    /// The token between slashes.
    folder: String,
    news: watch::Receiver<Arc<Feed>>,
    /// Places for streams.
    streams: Arc<Semaphore>,
}

/// A connection, with its place among the streams once it asked for events.
#[derive(Default)]
pub(super) struct Visit(OnceLock<OwnedSemaphorePermit>);

impl Visit {
    pub(super) fn has_stream(&self) -> bool {
        self.0.get().is_some()
    }
}

impl Site {
    pub(super) fn new(name: &str, host: String, token: &str, news: watch::Receiver<Arc<Feed>>, streams: Arc<Semaphore>) -> Self {
        Self { page: lotka_report::live_html(name).into(), host, folder: format!("/{token}/"), news, streams }
    }

    /// Answers a request, of which nobody reads more than the head.
    pub(super) fn answer(
        &self,
        request: &Request<Incoming>,
        visit: &Visit,
    ) -> Response<impl Body<Data = Bytes, Error: Into<Box<dyn Error + Send + Sync>>> + use<>> {
        match self.path(request) {
            Some("") => page(self.page.clone()),
            Some("events") => match self.streams.clone().try_acquire_owned() {
                Ok(place) => {
                    // A connection has one request.
                    let _ = visit.0.set(place);
                    events(self.news.clone())
                }
                Err(_) => refusal(StatusCode::SERVICE_UNAVAILABLE),
            },
            _ => refusal(StatusCode::NOT_FOUND),
        }
    }

    /// Returns what a request asks for, if it knows the token and has no other host than this one. A page of somebody else that
    /// has a name for this address names that.
    fn path<'a>(&self, request: &'a Request<Incoming>) -> Option<&'a str> {
        let mut hosts = request.headers().get_all(HOST).iter();
        let is_alone = hosts.next().is_some_and(|host| host == self.host.as_str()) && hosts.next().is_none();
        let is_here = request.uri().authority().is_none_or(|authority| authority.as_str() == self.host);
        let path = request.uri().path_and_query()?.as_str().strip_prefix(&self.folder)?;
        (*request.method() == Method::GET && is_alone && is_here).then_some(path)
    }
}

/// Answers to a browser: a whole text, or events.
type Answer<E> = Response<Either<Full<Bytes>, E>>;

/// The page, which no other page may contain.
fn page<E>(page: Bytes) -> Answer<E> {
    let mut answer = Response::new(Either::Left(Full::new(page)));
    let headers = answer.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static("frame-ancestors 'none'"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    answer
}

fn refusal<E>(status: StatusCode) -> Answer<E> {
    let mut answer = Response::new(Either::Left(Full::default()));
    *answer.status_mut() = status;
    answer
}

/// What a stream sends: each event when there is room for it, with all that is new then.
fn events(news: watch::Receiver<Arc<Feed>>) -> Answer<impl Body<Data = Bytes, Error = Infallible>> {
    let first = (news, Known::default(), false);
    let events = stream::unfold(first, |(mut news, mut known, is_last)| async move {
        if is_last {
            return None;
        }
        let (event, is_last) = next(&mut news, &mut known).await;
        Some((Ok(Frame::data(Bytes::from(event))), (news, known, is_last)))
    });
    let mut answer = Response::new(Either::Right(StreamBody::new(events)));
    let headers = answer.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    answer
}

/// Waits for news. Returns an event, and whether it is the last one.
async fn next(news: &mut watch::Receiver<Arc<Feed>>, known: &mut Known) -> (String, bool) {
    let is_new = news.wait_for(|feed| feed.version() != known.version);
    let feed = match timeout(SILENCE, is_new).await {
        Ok(Ok(feed)) => feed.clone(),
        // The run is over without another word.
        Ok(Err(_)) => return (String::new(), true),
        Err(_) => return (": nothing new\n\n".to_owned(), false),
    };
    (format!("data: {}\n\n", printable(&feed.news(known).to_string())), feed.is_over())
}
