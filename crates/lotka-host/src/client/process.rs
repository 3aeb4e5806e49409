//! A host process: start, requests, supervision, end.

use std::io;
use std::iter;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::Duration;

use lotka_instance::{HostOptions, ProcessEnd, Sandbox};

use super::lines::Lines;
use super::output::Output;
use super::program::Program;
use super::time_limit::TimeLimit;
use crate::platform::cgroup::{self, HostCgroup};
use crate::platform::sandbox::{denied_names, environment, note};
use crate::platform::{ChildProcess, DENIED_CALL, KILLED, SharedMemory};
use crate::protocol::{Channel, DENIED_CALLS, Expected, Garbled, Kind, LogReader, PostedStep, Reply, Request, Side, WORDS};

/// Number of times that a side checks for its turn before it sleeps, if there are enough cores: about as long as a wake-up takes.
const SPINS: u32 = 200;

/// Interval at which a waiting master checks that the host is still running.
const LOOK_AROUND: Duration = Duration::from_millis(10);

/// Default time limit for a host to free its instance and to end.
const END_LIMIT: Duration = Duration::from_secs(10);

/// Maximum number of log lines read at a time: an FMU that logs endlessly must not keep the master from checking the time limit.
const MOST_LINES: usize = 10_000;

/// Number of hosts of this process.
static HOSTS: AtomicUsize = AtomicUsize::new(0);

/// A running host.
pub(super) struct HostProcess {
    channel: Channel,
    log: LogReader,
    memory: Arc<SharedMemory>,
    child: ChildProcess,
    /// Its cgroup, if it has one, until it has ended.
    cgroup: Option<HostCgroup>,
    output: Output,
    pub lines: Arc<Lines>,
    /// The confinement, if there is one.
    sandbox: Option<Sandbox>,
    /// How the process ended, once it has.
    end: Option<ProcessEnd>,
}

impl HostProcess {
    /// Starts the program in the configured directory. A process to be confined does not receive the user's environment.
    pub fn start(program: &Program, options: &HostOptions) -> io::Result<Self> {
        let (memory, descriptor) = SharedMemory::create(WORDS)?;
        let memory = Arc::new(memory);
        let channel = Channel::new(Arc::clone(&memory), Side::Master);
        let (reader, writer) = io::pipe()?;
        let mut command = command(program, options)?;
        command.stdin(descriptor).stdout(writer.try_clone()?).stderr(writer);
        let cgroup = cgroup::of_host(options);
        let lines = Arc::new(Lines::default());
        let output = Output::read(reader, Arc::clone(&lines))?;
        let child = ChildProcess::start(command)?;
        // It does nothing of the FMU before its first request.
        let cgroup = cgroup.and_then(|cgroup| cgroup::with(cgroup, child.id()));
        HOSTS.fetch_add(1, Relaxed);
        let log = LogReader::new(Arc::clone(&memory));
        let sandbox = options.sandbox.clone();
        Ok(Self { channel, log, memory, child, cgroup, output, lines, sandbox, end: None })
    }

    /// The protocol version of the host, if it differs.
    pub fn other_version(&self) -> Option<u32> {
        self.channel.other_version()
    }

    /// The number of the phase of the instance.
    pub fn phase(&self) -> u64 {
        self.channel.phase()
    }

    /// Sends a request and waits for the reply.
    pub fn ask(&mut self, request: &Request, limit: Option<Duration>) -> Result<Reply, ProcessEnd> {
        let mut time = self.post(request, limit)?;
        self.wait(&mut time)?;
        self.reply(&mut time, Expected::of(request))
    }

    /// Sends a request. The caller must wait for the reply.
    pub fn post(&mut self, request: &Request, limit: Option<Duration>) -> Result<TimeLimit, ProcessEnd> {
        self.begin()?;
        let mut time = TimeLimit::new(limit);
        self.channel.write_request(request);
        while self.channel.post_part() {
            self.wait(&mut time)?;
            if self.believe(self.channel.kind())? != Kind::Next {
                return Err(self.kill(ProcessEnd::Corrupted("the order of replies".to_owned())));
            }
        }
        Ok(time)
    }

    /// Begins a step whose inputs and outputs fit into the memory.
    #[inline]
    pub fn post_step(
        &mut self,
        inputs: &[f64],
        step: PostedStep,
        n_outputs: usize,
        limit: Option<Duration>,
    ) -> Result<TimeLimit, ProcessEnd> {
        self.begin()?;
        self.channel.post_step(inputs, step, n_outputs);
        Ok(TimeLimit::new(limit))
    }

    /// Waits for the end of a step; `None` if it is complete and the outputs are available.
    #[inline]
    pub fn finish_step(&mut self, mut time: TimeLimit, outputs: &mut [f64]) -> Result<Option<Reply>, ProcessEnd> {
        self.wait(&mut time)?;
        if self.channel.kind() == Ok(Kind::Stepped) {
            self.channel.stepped(outputs);
            return Ok(None);
        }
        self.reply(&mut time, Expected::OUTCOME).map(Some)
    }

    /// Reads the posted message with all its parts.
    fn reply(&mut self, time: &mut TimeLimit, expected: Expected) -> Result<Reply, ProcessEnd> {
        let mut longest = None;
        loop {
            let kind = self.believe(self.channel.kind())?;
            if !matches!(kind, Kind::Message | Kind::Part) {
                return Err(self.kill(ProcessEnd::Corrupted("the order of replies".to_owned())));
            }
            let part = self.channel.read_part(kind, longest.is_none(), longest.unwrap_or(usize::MAX));
            self.believe(part)?;
            if longest.is_none() {
                longest = Some(self.believe(expected.longest(self.channel.received()))?);
            }
            if kind == Kind::Message {
                return self.believe(self.channel.read_reply());
            }
            // A host that always has another part takes its time, too.
            self.keep_to(time)?;
            self.channel.post_next();
            self.wait(time)?;
        }
    }

    /// Ends a host whose time has passed.
    fn keep_to(&mut self, time: &mut TimeLimit) -> Result<(), ProcessEnd> {
        match time.passed(self.child.id(), self.cgroup.as_ref()) {
            Some(limit) => Err(self.kill(ProcessEnd::TimeLimit(limit.as_secs_f64()))),
            None => Ok(()),
        }
    }

    /// Refuses requests to a host that has ended.
    #[inline]
    fn begin(&mut self) -> Result<(), ProcessEnd> {
        self.channel.set_host_spins(spins());
        self.end.as_ref().map_or(Ok(()), |end| Err(end.clone()))
    }

    /// Waits for a reply: checks for it a few times, then sleeps and regularly checks that the host is still running.
    #[inline]
    fn wait(&mut self, time: &mut TimeLimit) -> Result<(), ProcessEnd> {
        let is_there = self.channel.look(spins());
        if !self.believe(is_there)? {
            self.wait_asleep(time)?;
        }
        if self.log.is_waiting() {
            self.pass_log_on();
        }
        Ok(())
    }

    fn wait_asleep(&mut self, time: &mut TimeLimit) -> Result<(), ProcessEnd> {
        loop {
            let slept = self.channel.sleep(time.pause(LOOK_AROUND));
            if self.believe(slept)? {
                return Ok(());
            }
            self.pass_log_on();
            if self.child.has_ended(Duration::ZERO) {
                // It may have replied before it ended.
                let replied = self.channel.take();
                return if self.believe(replied)? { Ok(()) } else { Err(self.reap()) };
            }
            self.keep_to(time)?;
        }
    }

    /// Has the host free its instance and end, and waits for that.
    pub fn finish(&mut self, limit: Option<Duration>) -> Result<(), ProcessEnd> {
        self.begin()?;
        let mut time = TimeLimit::new(Some(limit.unwrap_or(END_LIMIT)));
        self.channel.write_request(&Request::End);
        self.channel.post_part();
        while !self.child.has_ended(LOOK_AROUND) {
            self.pass_log_on();
            self.keep_to(&mut time)?;
        }
        let is_announced = self.channel.host_ends();
        match self.reap() {
            ProcessEnd::Exit(0) if is_announced => Ok(()),
            end => Err(end),
        }
    }

    /// Ends a host whose answers are invalid.
    fn believe<T>(&mut self, result: Result<T, Garbled>) -> Result<T, ProcessEnd> {
        result.map_err(|Garbled(what)| self.kill(ProcessEnd::Corrupted(what.to_owned())))
    }

    /// Ends the process and all processes that it started, for this reason.
    #[cold]
    pub fn kill(&mut self, reason: ProcessEnd) -> ProcessEnd {
        if self.end.is_none() {
            self.child.kill();
            self.reap();
            self.end = Some(reason.clone());
        }
        reason
    }

    /// Records how the process ended, and its last lines.
    #[cold]
    fn reap(&mut self) -> ProcessEnd {
        self.child.kill_all();
        let cgroup = self.cgroup.take();
        cgroup.iter().for_each(HostCgroup::kill);
        let end = match self.child.wait() {
            Ok(end) => match cgroup.as_ref().and_then(HostCgroup::exceeded_memory) {
                Some(limit) if end == KILLED => ProcessEnd::MemoryLimit(limit),
                _ => end,
            },
            Err(error) => ProcessEnd::Corrupted(error.to_string()),
        };
        self.output.finish();
        self.pass_log_on();
        self.end = Some(end.clone());
        end
    }

    /// Passes on the lines that the FMU has printed by now.
    #[cold]
    pub fn read_output(&self) {
        self.output.catch_up();
    }

    /// Passes on the waiting log lines.
    #[cold]
    fn pass_log_on(&mut self) {
        for line in iter::from_fn(|| self.log.next()).take(MOST_LINES) {
            self.lines.logged(line.status, line.category, line.message);
        }
        let lost = self.log.take_lost();
        if lost > 0 {
            self.lines.warn(format!("{lost} log lines were lost: the FMU logged too many at once"));
        }
    }

    /// Details for the report of a failure: the last lines, and the possible influence of the sandbox.
    pub fn circumstances(&self) -> Vec<String> {
        self.lines.last().into_iter().chain(self.note()).collect()
    }

    /// The possible influence of the sandbox, if there is one, on a failure.
    pub fn note(&self) -> Option<String> {
        let was_killed = self.end == Some(DENIED_CALL);
        self.sandbox.as_ref().map(|sandbox| note(sandbox, &self.denied_calls(), was_killed))
    }

    /// The names of system calls that the sandbox denied.
    pub fn denied_calls(&self) -> Vec<String> {
        denied_names(&self.memory.words()[DENIED_CALLS])
    }
}

/// The command that starts a host.
fn command(program: &Program, options: &HostOptions) -> io::Result<Command> {
    let mut command = program.command()?;
    if options.sandbox.is_some() {
        command.env_clear().envs(environment());
    }
    if let Some(directory) = &options.directory {
        command.current_dir(directory);
    }
    Ok(command)
}

impl Drop for HostProcess {
    fn drop(&mut self) {
        self.kill(KILLED);
        HOSTS.fetch_sub(1, Relaxed);
    }
}

/// Number of checks for a turn; zero if checking would keep other processes from working.
#[inline]
fn spins() -> u32 {
    static CORES: OnceLock<usize> = OnceLock::new();
    let cores = *CORES.get_or_init(|| thread::available_parallelism().map_or(1, usize::from));
    if HOSTS.load(Relaxed) < cores { SPINS } else { 0 }
}

#[cfg(test)]
mod tests;
