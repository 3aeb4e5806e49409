//! The server: one thread, which attends to all browsers, and to whoever else on this machine sends anything.
//!
//! What others send is limited in each part: lines and headers, time, connections. Bodies are never read. The run waits for none
//! of it: once per [`PAUSE`], the server takes a copy of the feed, from which all streams are served.

use std::{
    collections::VecDeque,
    convert::Infallible,
    io,
    net::Ipv4Addr,
    sync::{Arc, Weak},
    thread::{self, JoinHandle},
    time::Duration,
};

use hyper::server::conn::http1;
use hyper_util::rt::TokioIo;
use tokio::{
    net::{TcpListener, TcpSocket, TcpStream},
    runtime,
    sync::{Notify, Semaphore, watch},
    task::AbortHandle,
    time::{sleep, timeout},
};

use super::{
    Shared,
    feed::Feed,
    site::{Site, Visit},
};
use crate::platform::let_others_run_first;

/// Time between two events: more often, nobody would see a difference.
const PAUSE: Duration = Duration::from_millis(200);

/// Time for which the server waits at the end of the run until browsers have the last values.
const LAST: Duration = Duration::from_secs(2);

/// Time in which a request must be read and answered. Streams of events have all the time of the run.
const PROMPT: Duration = Duration::from_secs(10);

/// Most browsers that read events at the same time.
const MOST_STREAMS: usize = 8;

/// Most other connections. If there would be more, the oldest one ends.
const MOST_STRANGERS: usize = 64;

/// Most connections that wait to be accepted.
const MOST_WAITING: u32 = 1024;

/// Most bytes of the line and the headers of a request, and about as many of an answer that wait to be sent.
const MOST_BYTES: usize = 16 << 10;

/// Most headers of a request.
const MOST_HEADERS: usize = 64;

/// The nice value of the thread.
const PRIORITY: i32 = 10;

/// Answers requests until it is dropped.
pub(super) struct Server {
    over: Arc<Notify>,
    serving: Option<JoinHandle<()>>,
    address: String,
}

impl Server {
    pub(super) fn start(name: &str, token: &str, shared: Arc<Shared>) -> io::Result<Self> {
        let runtime = runtime::Builder::new_current_thread().enable_io().enable_time().build()?;
        let listener = runtime.block_on(listen())?;
        let host = listener.local_addr()?.to_string();
        let address = format!("http://{host}/{token}/");
        let (publisher, news) = watch::channel(Arc::new(Feed::default()));
        let streams = Arc::new(Semaphore::new(MOST_STREAMS));
        let site = Arc::new(Site::new(name, host, token, news, streams.clone()));
        let over = Arc::new(Notify::new());
        let until = over.clone();
        let serve = move || {
            // The steps come first.
            let_others_run_first(PRIORITY);
            runtime.block_on(async {
                let accepting = tokio::spawn(accept(listener, site));
                publish(&shared, publisher, &until).await;
                accepting.abort();
                // Whoever is slower misses the end.
                let _ = timeout(LAST, streams.acquire_many(MOST_STREAMS as u32)).await;
            });
        };
        let serving = thread::Builder::new().name("live page".to_owned()).spawn(serve)?;
        Ok(Self { over, serving: Some(serving), address })
    }

    pub(super) fn address(&self) -> &str {
        &self.address
    }
}

/// Waits until browsers have the last values, but not for long.
impl Drop for Server {
    fn drop(&mut self) {
        self.over.notify_one();
        // A thread that panicked has nothing more to say.
        self.serving.take().map(JoinHandle::join).into_iter().for_each(drop);
    }
}

/// Listens on this machine only.
async fn listen() -> io::Result<TcpListener> {
    let socket = TcpSocket::new_v4()?;
    socket.bind((Ipv4Addr::LOCALHOST, 0).into())?;
    socket.listen(MOST_WAITING)
}

/// Copies the feed for the streams until the run is over. The streams end when they have the last copy.
async fn publish(shared: &Shared, publisher: watch::Sender<Arc<Feed>>, over: &Notify) {
    let mut is_over = false;
    while !is_over {
        is_over = timeout(PAUSE, over.notified()).await.is_ok();
        // The site itself listens, too.
        let is_wanted = publisher.receiver_count() > 1;
        let known = publisher.borrow().version();
        if let Some(copy) = is_wanted.then(|| shared.since(known)).flatten() {
            publisher.send_replace(Arc::new(copy));
        }
    }
}

/// Someone who has not asked for events, or not yet.
struct Stranger {
    task: AbortHandle,
    visit: Weak<Visit>,
}

async fn accept(listener: TcpListener, site: Arc<Site>) {
    let mut strangers: VecDeque<Stranger> = VecDeque::new();
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            // This process has no descriptor left.
            sleep(PAUSE).await;
            continue;
        };
        strangers.retain(|stranger| stranger.visit.upgrade().is_some_and(|visit| !visit.has_stream()));
        if strangers.len() >= MOST_STRANGERS {
            strangers.pop_front().into_iter().for_each(|oldest| oldest.task.abort());
        }
        let visit = Arc::new(Visit::default());
        let known = Arc::downgrade(&visit);
        let task = tokio::spawn(attend(stream, site.clone(), visit)).abort_handle();
        strangers.push_back(Stranger { task, visit: known });
    }
}

/// Answers the one request of a connection.
async fn attend(stream: TcpStream, site: Arc<Site>, visit: Arc<Visit>) {
    let service = {
        let visit = visit.clone();
        hyper::service::service_fn(move |request| std::future::ready(Ok::<_, Infallible>(site.answer(&request, &visit))))
    };
    let mut connection = std::pin::pin!(
        http1::Builder::new()
            .keep_alive(false)
            .max_buf_size(MOST_BYTES)
            .max_headers(MOST_HEADERS)
            .serve_connection(TokioIo::new(stream), service)
    );
    // Errors are those of browsers that went away, and of peers that do not speak HTTP.
    let is_open = timeout(PROMPT, connection.as_mut()).await.is_err();
    if is_open && visit.has_stream() {
        let _ = connection.await;
    }
}
