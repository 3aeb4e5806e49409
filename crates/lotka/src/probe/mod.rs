//! What an FMU does when it runs: `lotka check FMU --run`.
//!
//! Each question to the FMU is a function of its own that makes fresh instances in processes of their own, so that a crash, an `exit` or an
//! endless loop is the answer to one question and the others go on. Start reading at [`probe_fmu`] and [`ITEMS`]. A new question is a function
//! and a line there; `docs/checks.md` lists them.

mod bench;
mod course;
mod life;
mod logs;
mod order;
mod report;
mod states;
mod steps;
mod traces;
mod trouble;
mod values;

use std::path::{Path, PathBuf};
use std::time::Duration;

pub use report::{ProbeItem, ProbeReport, ProbeVerdict};

use bench::Bench;
use report::Answer;
use trouble::Trouble;

/// How an FMU is probed.
#[derive(Debug, Clone)]
pub struct ProbeOptions {
    /// How long a call may take before it counts as one that does not return.
    pub time_limit: Duration,
    /// The program in which FMUs run; without it the environment variable `LOTKA_FMU_HOST`, then `lotka-fmu-host` beside this program.
    pub host_program: Option<PathBuf>,
}

impl Default for ProbeOptions {
    fn default() -> Self {
        Self { time_limit: Duration::from_secs(10), host_program: None }
    }
}

/// A question to an FMU.
struct Question {
    /// Its name, which does not change from version to version.
    name: &'static str,
    /// What it asks, in half a line.
    asks: &'static str,
    ask: fn(&Bench) -> Result<Answer, Trouble>,
}

const fn item(name: &'static str, ask: fn(&Bench) -> Result<Answer, Trouble>, asks: &'static str) -> Question {
    Question { name, asks, ask }
}

/// All questions, in the order they are asked. Without [`LIFE_CYCLE`] there is nothing to ask on.
const ITEMS: [Question; 26] = [
    item(LIFE_CYCLE, life::life_cycle, "instantiation, initialization mode and steps work"),
    item("terminate", life::terminate, "fmi2Terminate works, and the final values can be read afterwards"),
    item("free", life::free, "fmi2FreeInstance returns, after termination and without"),
    item("reset", life::reset, "after fmi2Reset the same run gives the same outputs, bit for bit"),
    item("repeatability", life::repeatability, "two instances that are treated alike give the same outputs, bit for bit"),
    item("call-order", order::call_order, "calls that the standard allows work in every order"),
    item("values", values::readable, "all variables can be read, and Real ones are finite"),
    item("rollback", states::rollback, "steps after fmi2SetFMUstate give the same outputs as before, bit for bit"),
    item("serialization", states::serialization, "a serialized state goes on in another process, bit for bit"),
    item("two-instances", life::two_instances, "a second instance in the same process changes nothing"),
    item("time-rounding", steps::time_rounding, "a communication point may be off by a rounding error"),
    item("step-rounding", steps::step_rounding, "step sizes may be off by a rounding error"),
    item("stop-rounding", steps::stop_rounding, "the last step may end a rounding error after the stop time"),
    item("beyond-stop", steps::beyond_stop, "a step beyond the stop time is refused"),
    item("no-stop-time", steps::no_stop_time, "the FMU runs without a stop time"),
    item("no-tolerance", steps::no_tolerance, "the FMU runs without a tolerance"),
    item("variable-steps", steps::variable_steps, "steps of different sizes work"),
    item("last-step", steps::last_step, "a shorter last step works"),
    item("discard", steps::discard, "a discarded step says how far it came, and can be repeated with smaller ones"),
    item("logging", logs::logging, "log categories are those of the description, and odd ones do no harm"),
    item("threads", traces::threads, "no thread is left behind after fmi2FreeInstance"),
    item("working-directory", traces::working_directory, "the working directory stays what it is"),
    item("locale", traces::locale, "the locale stays what it is"),
    item("floating-point", traces::floating_point, "rounding, traps and flush-to-zero stay what they are"),
    item("signal-handlers", traces::signal_handlers, "signal handlers stay what they are"),
    item("streams-and-files", traces::streams_and_files, "standard streams are left alone, and no file is left behind or open"),
];

const LIFE_CYCLE: &str = "life-cycle";

/// Name and meaning of every question, as `docs/checks.md` lists them.
pub fn probe_items() -> impl Iterator<Item = (&'static str, &'static str)> {
    ITEMS.iter().map(|item| (item.name, item.asks))
}

/// Runs an FMU in processes of its own and answers the questions of [`probe_items`]. Whatever the FMU does, this returns: at the latest
/// when each of some hundred calls has taken its time limit.
pub fn probe_fmu(path: impl AsRef<Path>, options: &ProbeOptions) -> ProbeReport {
    let bench = match Bench::open(path.as_ref(), options) {
        Ok(bench) => bench,
        Err(trouble) => return ProbeReport::hopeless(&ITEMS.map(|item| item.name), trouble),
    };
    let mut report = ProbeReport::default();
    for item in &ITEMS {
        let is_hopeless = report.failed(LIFE_CYCLE);
        let answer = if is_hopeless { Ok(Answer::skipped("the life cycle fails")) } else { (item.ask)(&bench) };
        report.add(item.name, answer);
    }
    report
}
