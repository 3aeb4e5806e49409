//! `lotka run --live` among peers who send anything: the page is still there, the process keeps its size, and the run does not
//! notice.

use std::{
    collections::VecDeque,
    io::{Read, Write},
    net::{Shutdown, TcpStream},
};

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tests::hostile::{Gate, Hostile, Waiting};

use super::{
    live::waiting,
    support::{Case, Running},
};

/// Most bytes by which the process may grow, whatever peers do.
const MOST_GROWTH: u64 = 8 << 20;

/// Most bytes that a peer sends: far more than the process may grow.
const MANY: usize = 64 << 20;

/// Peers of a run that waits at a gate.
struct Peers {
    case: Case,
    run: Running,
    gate: Gate,
    gated: Waiting,
    host: String,
    /// The token between slashes.
    folder: String,
    n_threads: u64,
    memory: u64,
}

impl Peers {
    fn new() -> Self {
        let gate = Gate::new();
        let (case, run, address, gated) = waiting(Hostile::new("b"), &gate);
        let (host, folder) = address.strip_prefix("http://").unwrap().split_once('/').unwrap();
        let (host, folder) = (host.to_owned(), format!("/{folder}"));
        let mut peers = Self { case, run, gate, gated, host, folder, n_threads: 0, memory: 0 };
        peers.assert_page("first");
        peers.n_threads = peers.run.state("Threads");
        peers.memory = peers.run.state("VmHWM");
        peers
    }

    fn connect(&self) -> TcpStream {
        TcpStream::connect(&self.host).unwrap()
    }

    /// Sends a request. The answer, as far as it comes.
    fn ask(&self, request: &[u8]) -> String {
        self.answer(self.send(request))
    }

    fn send(&self, request: &[u8]) -> TcpStream {
        let mut stream = self.connect();
        // The server may end the connection before it has all.
        let _ = stream.write_all(request);
        stream
    }

    fn answer(&self, mut stream: TcpStream) -> String {
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }

    /// Puts in the place of `HOST` and `/TOKEN/` what the address says.
    fn fill(&self, request: &str) -> Vec<u8> {
        request.replace("HOST", &self.host).replace("/TOKEN/", &self.folder).into_bytes()
    }

    /// Asserts that a browser gets the page, and that nothing has grown.
    #[track_caller]
    fn assert_page(&self, after: &str) {
        let answer = self.ask(&self.fill("GET /TOKEN/ HTTP/1.1\r\nHost: HOST\r\n\r\n"));
        assert!(answer.starts_with("HTTP/1.1 200 OK\r\n") && answer.ends_with("</html>"), "after {after}: {answer:.200}");
        if self.n_threads > 0 {
            assert_eq!(self.run.state("Threads"), self.n_threads, "threads after {after}");
            let growth = (self.run.state("VmHWM") - self.memory) << 10;
            assert!(growth < MOST_GROWTH, "{growth} bytes more after {after}");
        }
    }

    /// Asserts that the run ends as one without a page.
    fn end(self) {
        drop((self.gated, self.gate));
        let ended = self.run.ended();
        ended.assert(0, &[]);
        let rows = self.case.read("out.csv");
        self.case.run(&[]).assert(0, &[]);
        assert_eq!(self.case.read("out.csv"), rows);
    }
}

/// Requests, each with the status of the answer; empty: no request, to which the server says what it likes. It is all that the
/// peer sends.
const REQUESTS: &[(&str, &str)] = &[
    // Bodies that never come.
    ("GET / HTTP/1.1\r\nHost: HOST\r\nContent-Length: 99999999999999999\r\n\r\n", "404"),
    ("GET /TOKEN/ HTTP/1.1\r\nHost: HOST\r\nContent-Length: 99999999999999999\r\n\r\n", "200"),
    ("GET / HTTP/1.1\r\nHost: HOST\r\nContent-Length: 18446744073709551615\r\n\r\n", "431"),
    ("GET / HTTP/1.1\r\nHost: HOST\r\nContent-Length: 99999999999999999999999\r\n\r\n", "400"),
    ("GET / HTTP/1.1\r\nHost: HOST\r\nContent-Length: -1\r\n\r\n", "400"),
    ("GET / HTTP/1.1\r\nHost: HOST\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab", "400"),
    ("POST /TOKEN/ HTTP/1.1\r\nHost: HOST\r\nContent-Length: 5\r\n\r\nhello", "404"),
    ("POST / HTTP/1.1\r\nHost: HOST\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n", "404"),
    ("POST / HTTP/1.1\r\nHost: HOST\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n", "404"),
    ("POST / HTTP/1.1\r\nHost: HOST\r\nTransfer-Encoding: gzip, chunked\r\nContent-Length: 7\r\n\r\n0\r\n\r\n", ""),
    ("POST / HTTP/1.1\r\nHost: HOST\r\nContent-Length: 9999999999\r\nExpect: 100-continue\r\n\r\n", "404"),
    // Hosts: exactly one, which is this one.
    ("GET /TOKEN/ HTTP/1.1\r\n\r\n", "404"),
    ("GET /TOKEN/ HTTP/1.0\r\n\r\n", "404"),
    ("GET /TOKEN/ HTTP/1.1\r\nHost: lotka.example\r\n\r\n", "404"),
    ("GET /TOKEN/ HTTP/1.1\r\nHost: HOST\r\nHost: lotka.example\r\n\r\n", "404"),
    ("GET /TOKEN/ HTTP/1.1\r\nHost: lotka.example\r\nHost: HOST\r\n\r\n", "404"),
    ("GET /TOKEN/ HTTP/1.1\r\nHost: HOST\r\nHost: HOST\r\n\r\n", "404"),
    ("GET /TOKEN/ HTTP/1.1\r\nHost: HOST, lotka.example\r\n\r\n", "404"),
    ("GET http://lotka.example/TOKEN/ HTTP/1.1\r\nHost: HOST\r\n\r\n", "404"),
    ("GET http://lotka.example@HOST/TOKEN/ HTTP/1.1\r\nHost: HOST\r\n\r\n", "404"),
    ("GET http://HOST/TOKEN/ HTTP/1.1\r\nHost: lotka.example\r\n\r\n", "404"),
    ("GET http://HOST/TOKEN/ HTTP/1.1\r\nHost: HOST\r\n\r\n", "200"),
    // Other methods, versions and protocols.
    ("HEAD /TOKEN/ HTTP/1.1\r\nHost: HOST\r\n\r\n", "404"),
    ("CONNECT HOST HTTP/1.1\r\nHost: HOST\r\n\r\n", "404"),
    ("OPTIONS * HTTP/1.1\r\nHost: HOST\r\n\r\n", "404"),
    ("GET /TOKEN/ HTTP/1.1\r\nHost: HOST\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n", "200"),
    (
        "GET /TOKEN/ HTTP/1.1\r\nHost: HOST\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n\r\n",
        "200",
    ),
    ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0", ""),
    ("GET /TOKEN/\r\n", ""),
    ("GET /TOKEN/ HTTP/9.9\r\nHost: HOST\r\n\r\n", ""),
    ("GET /TOKEN/ HTTP/1.1\nHost: HOST\n\n", "200"),
    ("GET /TOKEN/ HTTP/1.1\r\nHost : HOST\r\n\r\n", ""),
    ("GET /TOKEN/ HTTP/1.1\r\nHost: HOST\r\n folded\r\n\r\n", ""),
    ("\x16\x03\x01\x02\0\x01\0\x01\u{fc}\x03\x03", ""),
    ("\0\0\0\0\r\n\r\n", ""),
    ("\r\n\r\n", ""),
    ("", ""),
];

#[test]
fn no_request_of_a_stranger_disturbs_a_run() {
    let peers = Peers::new();
    for (request, status) in REQUESTS {
        let stream = peers.send(&peers.fill(request));
        if status.is_empty() {
            let _ = stream.shutdown(Shutdown::Write);
        }
        let answer = peers.answer(stream);
        let expected = if status.is_empty() { "" } else { &format!("HTTP/1.1 {status} ") };
        // The answer to HTTP/1.0 has its version.
        assert!(answer.replacen("HTTP/1.0", "HTTP/1.1", 1).starts_with(expected), "{request:?}: {answer:.200}");
        assert!(!status.is_empty() || !answer.contains("<html"), "{request:?}: {answer:.200}");
        peers.assert_page(request);
    }
    peers.end();
}

#[test]
fn no_length_of_a_request_makes_the_process_grow() {
    let peers = Peers::new();
    let endless: [(&str, &str, &str); 10] = [
        ("lines", "GET /", "a"),
        ("queries", "GET /?", "&a=b"),
        ("methods", "G", "E"),
        ("empty lines", "", "\r\n"),
        ("headers", "GET / HTTP/1.1\r\nHost: HOST\r\n", "a: b\r\n"),
        ("names of headers", "GET / HTTP/1.1\r\nHost: HOST\r\n", "a"),
        ("values of headers", "GET / HTTP/1.1\r\nHost: HOST\r\na: ", "b"),
        ("bodies", "POST / HTTP/1.1\r\nHost: HOST\r\nContent-Length: 99999999999\r\n\r\n", "a"),
        ("chunks", "POST / HTTP/1.1\r\nHost: HOST\r\nTransfer-Encoding: chunked\r\n\r\n", "1\r\na\r\n"),
        ("requests at a time", "", "GET / HTTP/1.1\r\nHost: HOST\r\n\r\n"),
    ];
    for (what, begin, part) in endless {
        let part = peers.fill(part);
        let request = [peers.fill(begin), part.repeat(MANY / part.len())].concat();
        let answer = peers.ask(&request);
        assert!(!answer.contains(" 200 "), "{what}: {answer:.200}");
        assert!(answer.matches("HTTP/1.1").count() <= 1, "{what}: {answer:.200}");
        peers.assert_page(what);
    }
    for seed in 1..200_u64 {
        drop(peers.send(&noise(seed)));
    }
    peers.assert_page("noise");
    peers.end();
}

/// Bytes of any kind, by a xorshift.
fn noise(seed: u64) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let draw = |_| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state as u8
    };
    (0..2000).map(draw).collect()
}

/// Connections that are held open, as many as this process may.
struct Crowd {
    held: VecDeque<TcpStream>,
    most: usize,
}

impl Crowd {
    fn new() -> Self {
        let limit = getrlimit(Resource::Nofile);
        setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, ..limit }).unwrap();
        Self { held: VecDeque::new(), most: limit.maximum.map_or(10_000, |most| most as usize / 2) }
    }

    fn add(&mut self, peers: &Peers, count: usize, request: &[u8]) {
        for _ in 0..count {
            self.held.push_back(peers.send(request));
            self.held.drain(..self.held.len().saturating_sub(self.most));
        }
    }
}

#[test]
fn no_number_of_connections_makes_the_process_grow() {
    let (peers, mut crowd) = (Peers::new(), Crowd::new());
    crowd.add(&peers, 10_000, b"");
    peers.assert_page("silent connections");
    crowd.add(&peers, 3000, b"GET / HTTP/1.1\r\nHost: ");
    peers.assert_page("half requests");
    crowd.add(&peers, 1000, &peers.fill("GET /TOKEN/ HTTP/1.1\r\nHost: HOST\r\n\r\n"));
    peers.assert_page("pages that nobody reads");
    peers.end();
}

/// A stream of events, with the first lines of the answer.
fn events(peers: &Peers) -> (TcpStream, String) {
    let mut stream = peers.connect();
    stream.write_all(&peers.fill("GET /TOKEN/events HTTP/1.1\r\nHost: HOST\r\n\r\n")).unwrap();
    let mut answer = Vec::new();
    let mut byte = [0];
    while !answer.ends_with(b"\r\n\r\n") && stream.read(&mut byte).unwrap() == 1 {
        answer.push(byte[0]);
    }
    (stream, String::from_utf8(answer).unwrap())
}

#[test]
fn browsers_that_never_read_their_events_hold_nobody_up() {
    let peers = Peers::new();
    let mut streams: Vec<_> = (0..8).map(|_| events(&peers)).collect();
    for (_, answer) in &streams {
        assert!(answer.starts_with("HTTP/1.1 200 OK\r\n") && answer.contains("text/event-stream"), "{answer}");
    }
    assert!(events(&peers).1.starts_with("HTTP/1.1 503 "));
    // A place is free again when a browser goes away.
    drop(streams.pop());
    streams.push(std::iter::repeat_with(|| events(&peers)).find(|(_, answer)| answer.contains(" 200 ")).unwrap());
    // No crowd of strangers takes the place of a browser.
    let crowd: Vec<TcpStream> = (0..300).map(|_| peers.connect()).collect();
    peers.assert_page("streams that nobody reads");
    let Peers { case: _case, run, gate, gated, .. } = peers;
    drop((gated, gate));
    let mut last = String::new();
    streams[0].0.read_to_string(&mut last).unwrap();
    assert!(last.contains("stop time 1 s reached"), "{last:.500}");
    assert_eq!(run.end().0, Some(0));
    drop(crowd);
}
