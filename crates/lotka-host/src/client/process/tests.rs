//! A master, and a host simulated by the test.

use std::process::Stdio;
use std::sync::Mutex;

use super::*;
use lotka_instance::{LogSink, Status};

use crate::platform::cgroup::tests::Tree;
use crate::protocol::LogWriter;

/// Creates both sides: the master with a process that has already ended, and the host.
fn pair(mut program: Command) -> (HostProcess, Channel, LogWriter) {
    let memory = Arc::new(SharedMemory::create(WORDS).unwrap().0);
    let (channel, host) = (Channel::new(Arc::clone(&memory), Side::Master), Channel::new(Arc::clone(&memory), Side::Host));
    program.stdin(Stdio::null());
    let child = ChildProcess::start(program).unwrap();
    let lines = Arc::new(Lines::default());
    let output = Output::read(io::pipe().unwrap().0, Arc::clone(&lines)).unwrap();
    HOSTS.fetch_add(1, Relaxed);
    let log = LogReader::new(Arc::clone(&memory));
    let writer = LogWriter::new(Arc::clone(&memory));
    let master = HostProcess { channel, log, memory, child, cgroup: None, output, lines, sandbox: None, end: None };
    (master, host, writer)
}

/// A process that lives until it is killed.
fn alive() -> Command {
    let mut command = Command::new("sleep");
    command.arg("1000");
    command
}

/// A process that ends with this script.
fn shell(script: &str) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", script]);
    command
}

/// The error of the master for a host that answers like this in its turn.
fn result_of(request: &Request, answer: impl FnOnce(&mut Channel) + Send + 'static) -> Result<Reply, ProcessEnd> {
    let (mut master, mut host, _) = pair(alive());
    let host = thread::spawn(move || {
        while !host.sleep(Duration::from_secs(60)).unwrap() {}
        answer(&mut host);
    });
    let result = master.ask(request, None);
    host.join().unwrap();
    result
}

fn garbled(what: &str) -> Result<Reply, ProcessEnd> {
    Err(ProcessEnd::Corrupted(what.to_owned()))
}

fn post(host: &mut Channel, reply: &Reply) {
    host.write_reply(reply);
    assert!(!host.post_part());
}

#[test]
fn a_reply_that_comes_out_of_order_ends_the_host() {
    let sound = result_of(&Request::Save(lotka_instance::Slot(0)), |host| post(host, &Reply::Done));
    assert_eq!(sound, Ok(Reply::Done));
    assert_eq!(result_of(&Request::Save(lotka_instance::Slot(0)), Channel::post_next), garbled("the order of replies"));
    assert_eq!(
        result_of(&Request::Save(lotka_instance::Slot(0)), |host| host.post_stepped(&[])),
        garbled("the order of replies")
    );
    // A long request: the host must request its next part.
    let long = Request::Deserialize(lotka_instance::Slot(0), vec![7; 3_000_000]);
    assert_eq!(result_of(&long, |host| post(host, &Reply::Done)), garbled("the order of replies"));
    assert_eq!(result_of(&long, |host| host.post_stepped(&[])), garbled("the order of replies"));
}

#[test]
fn a_reply_just_before_the_end_counts() {
    let (mut master, host, log) = pair(Command::new("true"));
    while !master.child.has_ended(Duration::from_secs(60)) {}
    // The master finds no reply, passes on the waiting log line, finds that the host has ended, and checks for a reply once more.
    let line = |message: &str| lotka_instance::LogMessage {
        instance: "it".into(),
        status: Some(Status::Ok),
        category: "logAll".into(),
        message: message.into(),
    };
    log.write(&line("the host is about to reply"));
    let host = Mutex::new(host);
    let sink: LogSink = Arc::new(move |_| post(&mut host.lock().unwrap(), &Reply::Done));
    master.lines.listen("it", Some(sink));
    assert_eq!(master.ask(&Request::Save(lotka_instance::Slot(0)), None), Ok(Reply::Done));
    assert!(matches!(master.ask(&Request::Save(lotka_instance::Slot(0)), None), Err(ProcessEnd::Exit(0))));
}

#[test]
fn a_step_that_is_answered_by_something_else_ends_the_host() {
    let (mut master, mut host, _) = pair(alive());
    let host = thread::spawn(move || {
        while !host.sleep(Duration::from_secs(60)).unwrap() {}
        host.post_next();
    });
    let posted = master.post_step(&[1.0], PostedStep { t: 0.0, h: 0.1, commit: false }, 1, None);
    let result = posted.and_then(|time| master.finish_step(time, &mut [0.0]));
    host.join().unwrap();
    assert_eq!(result, Err(ProcessEnd::Corrupted("the order of replies".to_owned())));
}

/// The result of a request whose host answers with parts that begin with these bytes and go on without end.
fn result_of_parts(request: &Request, beginning: &[u8], limit: Option<Duration>) -> Result<Reply, ProcessEnd> {
    let (mut master, mut host, _) = pair(alive());
    let mut message = vec![0; 16 << 20];
    message[..beginning.len()].copy_from_slice(beginning);
    let host = thread::spawn(move || {
        host.change(|_| message);
        while host.sleep(Duration::from_secs(2)).unwrap() && host.post_part() {}
    });
    let result = master.ask(request, limit);
    drop(master);
    host.join().unwrap();
    result
}

#[test]
fn a_reply_of_another_kind_is_refused_at_its_first_part() {
    let serialize = Request::Serialize(lotka_instance::Slot(0));
    // 2^30 empty strings, and numbers.
    for beginning in [[10, 0xff, 0xff, 0xff, 0xff, 3], [7, 0xff, 0xff, 0xff, 0xff, 3]] {
        assert_eq!(result_of_parts(&serialize, &beginning, None), garbled("the kind of a reply"));
    }
    // An error of a call that goes on.
    assert_eq!(result_of_parts(&serialize, &[3], None), garbled("the length of a message"));
    let read = Request::GetString(Vec::new(), 1);
    assert_eq!(result_of_parts(&read, &[10, 0xff, 0xff, 0xff, 0xff, 3], None), garbled("the number of values in a reply"));
}

#[test]
fn parts_of_a_reply_take_their_time() {
    let (serialize, bytes) = (Request::Serialize(lotka_instance::Slot(0)), [12, 0xff, 0xff, 0xff, 0xff, 3]);
    let limit = Duration::from_micros(50);
    assert_eq!(result_of_parts(&serialize, &bytes, Some(limit)), Err(ProcessEnd::TimeLimit(limit.as_secs_f64())));
}

#[test]
fn a_kill_for_memory_is_told_from_others() {
    let tree = Tree::new("memory", &[]);
    for (script, expected) in [
        ("kill -KILL $$", ProcessEnd::MemoryLimit(7000)),
        ("kill -ABRT $$", ProcessEnd::Signal(libc::SIGABRT)),
        ("exit 3", ProcessEnd::Exit(3)),
    ] {
        let (mut master, _, _) = pair(shell(script));
        master.cgroup = Some(tree.exceeding(7000));
        assert_eq!(master.ask(&Request::Save(lotka_instance::Slot(0)), None), Err(expected.clone()), "{script}");
        assert_eq!(tree.children().iter().filter(|name| name.starts_with("lotka-host-")).count(), 0);
        // The reason for which the master ends a process counts.
        let (mut master, _, _) = pair(alive());
        master.cgroup = Some(tree.exceeding(7000));
        let limit = Duration::from_micros(50);
        assert_eq!(
            master.ask(&Request::Save(lotka_instance::Slot(0)), Some(limit)),
            Err(ProcessEnd::TimeLimit(limit.as_secs_f64()))
        );
    }
}
