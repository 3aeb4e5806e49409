//! `lotka run --live`: what a browser shows while the run waits at a gate, and what the server refuses.

use std::{
    io::{BufRead, BufReader, Lines, Read, Write},
    net::TcpStream,
    path::Path,
    process::{Child, ChildStdout, Stdio},
};

use serde_json::Value;
use tests::{
    hostile::{CRASH, Gate, Hostile, Waiting},
    interop::Interop,
};

use super::{
    report::numbers,
    support::{Case, Running},
};

/// A browser with the page.
struct Browser {
    script: Child,
    lines: Lines<BufReader<ChildStdout>>,
}

impl Browser {
    fn open(address: &str) -> Self {
        let tools = Interop::find(&Path::new(env!("CARGO_MANIFEST_DIR")).join("..")).unwrap_or_else(|error| panic!("{error}"));
        let mut script = tools.script("open_live.py").arg(address).stdout(Stdio::piped()).spawn().unwrap();
        let lines = BufReader::new(script.stdout.take().unwrap()).lines();
        Self { script, lines }
    }

    /// What the page shows at the next moment.
    fn next(&mut self) -> Value {
        let line = self.lines.next().expect("the browser has ended").unwrap();
        let facts: Value = serde_json::from_str(&line).unwrap();
        assert_eq!(facts["complaints"], serde_json::json!([]));
        assert_eq!(facts["without_name"], serde_json::json!([]));
        assert!(facts["contrast"]["ratio"].as_f64().unwrap() >= 4.5, "{}", facts["contrast"]);
        facts
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // It is gone already, unless the test failed.
        let _ = self.script.kill();
        let _ = self.script.wait();
    }
}

/// A run with a page, in which `a` waits before the step from t = 0.5 s, and its address; `b` steps after `a`.
pub fn waiting(b: Hostile, gate: &Gate) -> (Case, Running, String, Waiting) {
    let text = "[experiment]\nstop = 1.0\nstep = 0.1\n[results]\nvariables = ['*.y', 'a.steps']\n[instances]\na = 'a.fmu'\nb = 'b.fmu'\n";
    let a = Hostile::new("a").gated("fmi2DoStep", gate).define("FAULT_AT=0.45");
    let case = Case::new(text, [a, b.define("FAULT_AT=0.45")]);
    let mut run = Running::lotka(&case, &["run", "system.toml", "--live", "--output-file", "out.csv", "--quiet"]);
    run.wait_for("live: http://127.0.0.1:");
    let address = run.said().split("live: ").nth(1).unwrap().lines().next().unwrap().to_owned();
    let gated = run.arrival(gate);
    (case, run, address, gated)
}

/// The first line of the answer to a request for a path, with this host.
fn status(address: &str, path: &str, host: Option<&str>) -> String {
    let place = address.trim_start_matches("http://").split('/').next().unwrap();
    let mut stream = TcpStream::connect(place).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", host.unwrap_or(place)).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer.lines().next().unwrap_or_default().to_owned()
}

#[test]
fn a_browser_shows_a_run_while_it_runs() {
    let gate = Gate::new();
    let (case, run, address, gated) = waiting(Hostile::new("b"), &gate);
    let mut browser = Browser::open(&address);
    let halfway = browser.next();
    assert_eq!(halfway["state"], "running: t = 0.5 of 1 s");
    assert_eq!(halfway["progress"], 0.5);
    let plots = halfway["plots"].as_array().unwrap();
    let titles: Vec<_> = plots.iter().map(|plot| plot["title"].as_str().unwrap()).collect();
    assert_eq!(titles, ["a.y, b.y", "a.steps", "step size"]);
    assert_eq!(numbers(&plots[1]["values"]), [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]);
    assert!(plots.iter().all(|plot| plot["painted"] == true), "{halfway}");
    assert!(numbers(&plots[2]["values"]).iter().all(|step| (step - 0.1).abs() < 1e-12), "{}", plots[2]);
    assert!(halfway["facts"].as_str().unwrap().contains("Steps\n5"), "{}", halfway["facts"]);
    let own = |url: &Value| url.as_str().unwrap().starts_with(&address);
    assert!(halfway["requests"].as_array().unwrap().iter().all(own), "{}", halfway["requests"]);
    drop((gated, gate));
    let over = browser.next();
    assert_eq!((&over["state"], over["progress"].as_f64()), (&"stop time 1 s reached".into(), Some(1.0)));
    let times = numbers(&over["plots"][0]["times"]);
    assert_eq!((times.len(), times.last()), (11, Some(&1.0)), "each row once: {times:?}");
    assert_eq!(run.end().0, Some(0));
    // The rows are those of a run that nobody looks at.
    let watched = case.read("out.csv");
    case.run(&[]).assert(0, &[]);
    assert_eq!(case.read("out.csv"), watched);
}

#[test]
fn a_browser_says_how_a_run_failed_or_that_its_process_is_gone() {
    let gate = Gate::new();
    let (_case, run, address, gated) = waiting(Hostile::new("b").reply("fmi2DoStep", 3), &gate);
    let mut browser = Browser::open(&address);
    browser.next();
    drop((gated, gate));
    let state = browser.next()["state"].as_str().unwrap().to_owned();
    assert!(state.starts_with("failed at t = 0.5 s: ") && state.contains("fmi2DoStep"), "{state}");
    assert_eq!(run.end().0, Some(13));

    let gate = Gate::new();
    let (_case, run, address, gated) = waiting(Hostile::new("b").reply("fmi2DoStep", CRASH), &gate);
    let mut browser = Browser::open(&address);
    browser.next();
    drop((gated, gate));
    assert_eq!(browser.next()["state"], "The connection is lost: the process of the run has ended.");
    assert_eq!(run.end().0, Some(17));
}

#[test]
fn only_who_knows_the_address_gets_an_answer() {
    let gate = Gate::new();
    let (_case, run, address, gated) = waiting(Hostile::new("b"), &gate);
    let token = address.trim_end_matches('/').rsplit('/').next().unwrap();
    assert!(token.len() == 32 && token.chars().all(|c| c.is_ascii_hexdigit()), "{address}");
    let path = format!("/{token}/");
    assert_eq!(status(&address, &path, None), "HTTP/1.1 200 OK");
    for wrong in
        ["/", "/events", &format!("/{}/", "0".repeat(32)), &format!("/{token}"), &format!("{path}../"), &format!("{path}x")]
    {
        assert_eq!(status(&address, wrong, None), "HTTP/1.1 404 Not Found", "{wrong}");
    }
    assert_eq!(status(&address, &path, Some("lotka.example")), "HTTP/1.1 404 Not Found", "a name that leads to this address");
    drop((gated, gate));
    assert_eq!(run.end().0, Some(0));
}

#[test]
fn runs_with_a_tolerance_have_a_page_and_nobody_has_to_look() {
    let case = Case::predator_prey("tolerance = 1e-6\noutput-interval = 1");
    case.run(&["--live"]).assert(0, &["live: http://127.0.0.1:", "tolerance 1e-6 kept"]);
    case.lotka(&["run", "system.toml", "--live", "--watch"]).assert(2, &["--watch"]);
}
