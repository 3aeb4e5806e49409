//! The questions, in the order in which they are asked.

use super::super::{answer::Answer, life, order, states, steps, test_harness::TestHarness, trouble::Trouble};
use super::{
    burdens, calls, files, process,
    trial::{Trial, unknown},
    verdict::HostileVerdict,
};

/// A question about what an FMU does to the program that runs it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct HostileQuestion {
    /// Its name, which does not change from version to version.
    pub name: &'static str,
    /// What the FMU does where it is found, in half a line.
    pub finds: &'static str,
    /// How it is seen.
    pub seen: &'static str,
    /// It is about calls: a call that fails is what was looked for.
    pub(super) is_of_calls: bool,
}

/// Where the answer comes from.
#[derive(Clone, Copy)]
pub(super) enum Ask {
    /// From the runs that were watched.
    Seen(fn(&Trial) -> Answer),
    /// From further calls.
    Calls(fn(&TestHarness) -> Result<Answer, Trouble>),
}

const fn seen(name: &'static str, ask: fn(&Trial) -> Answer, finds: &'static str, seen: &'static str) -> (HostileQuestion, Ask) {
    (HostileQuestion { name, finds, seen, is_of_calls: false }, Ask::Seen(ask))
}

const fn calls(
    name: &'static str,
    ask: fn(&TestHarness) -> Result<Answer, Trouble>,
    finds: &'static str,
    seen: &'static str,
) -> (HostileQuestion, Ask) {
    (HostileQuestion { name, finds, seen, is_of_calls: true }, Ask::Calls(ask))
}

const SANDBOX: &str = "calls that the sandbox denies";
const STATE: &str = "state of its process, before and after";
const SYSTEM: &str = "what the system shows of its process";
const RUNS: &str = "calls, and outputs compared";

/// All questions.
#[rustfmt::skip]
pub(super) const QUESTIONS: [(HostileQuestion, Ask); 27] = [
    seen("life-cycle", process::life_cycle, "it crashes, exits, hangs or fails in an ordinary run", RUNS),
    seen("network", process::network, "it opens sockets or message queues", "calls that the sandbox denies; open sockets"),
    seen("programs", process::programs, "it starts programs or processes", "calls that the sandbox denies; children of its process"),
    seen("writes-outside", files::writes_outside, "it writes, changes or removes files that are not its own", "files around its folder and in `HOME` and `TMPDIR`; calls that the sandbox denies"),
    seen("reads-outside", files::reads_outside, "it reads files that are neither its own nor of the system", "runs in two sandboxes, one of which lets it read all files; files in `HOME`"),
    seen("other-calls", process::other_calls, "it reaches for other processes or for the kernel", SANDBOX),
    seen("working-directory", process::working_directory, "it changes the working directory", STATE),
    seen("environment", process::environment, "it changes environment variables", STATE),
    seen("locale", process::locale, "it changes the locale", STATE),
    seen("floating-point", process::floating_point, "it changes rounding, traps or flush-to-zero", STATE),
    seen("signals", process::signals, "it changes signal handlers, or blocks signals", STATE),
    seen("limits", process::limits, "it changes limits of the process", SYSTEM),
    seen("umask", process::umask, "it changes the mode of new files", SYSTEM),
    seen("streams", process::streams, "it closes or redirects standard streams", STATE),
    seen("prints", burdens::prints, "it prints to stdout or stderr", "the streams of its process"),
    seen("threads", process::threads, "threads outlive the instance", STATE),
    seen("open-files", files::open_files, "files stay open when the instance is freed", STATE),
    seen("files-left", files::files_left, "it leaves files or folders behind where it may write", "its folder, its working directory"),
    seen("log-flood", burdens::log_flood, "it logs more than 100 lines in a step", "log lines, with logging off"),
    calls("memory", burdens::memory, "its memory grows with every reset and run", SYSTEM),
    calls("stop-time", steps::beyond_stop, "it steps beyond the stop time; a note, as most FMUs do", "a step beyond the stop time"),
    calls("repeatability", life::repeatability, "two runs differ: by the time of day, random numbers, memory", RUNS),
    calls("rollback", states::rollback, "it fails or differs after a rollback", RUNS),
    calls("reset", life::reset, "it fails or differs after a reset", RUNS),
    calls("free", life::free, "it fails when it is freed, at the end or before", RUNS),
    calls("call-order", order::call_order, "it fails in an order of calls that the standard allows", RUNS),
    calls("instances", calls::instances, "it fails or differs with a second instance, or with a long name", RUNS),
];

/// The answer to a question. Where the FMU does not work, only what its attempts have shown is known.
pub(super) fn answer(trial: &Trial, question: &HostileQuestion, ask: Ask) -> (HostileVerdict, String) {
    let answer = match (ask, &trial.main.harness) {
        (Ask::Seen(ask), _) => Ok(ask(trial)),
        (Ask::Calls(ask), Some(harness)) if trial.main.seen.works => ask(harness),
        (Ask::Calls(_), _) => Ok(unknown(trial)),
    };
    match answer {
        Ok(Answer { verdict, explanation, .. }) => (verdict.into(), explanation),
        Err(trouble) if question.is_of_calls => (HostileVerdict::Found, trouble.text),
        Err(trouble) => (HostileVerdict::Unknown, trouble.text),
    }
}

/// All questions, as `docs/checks.md` lists them.
pub fn hostile_items() -> impl Iterator<Item = &'static HostileQuestion> {
    const ALL: &[(HostileQuestion, Ask)] = &QUESTIONS;
    ALL.iter().map(|(question, _)| question)
}
