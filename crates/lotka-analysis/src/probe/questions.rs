//! The questions, in the order in which they are asked.

use super::{
    answer::Answer, life, logs, order, own_steps, question::ProbeQuestion, readable, states, steps, test_harness::TestHarness,
    traces, trouble::Trouble,
};

pub(super) type Ask = fn(&TestHarness) -> Result<Answer, Trouble>;

const fn question(name: &'static str, ask: Ask, asks: &'static str, avoid: &'static str) -> (ProbeQuestion, Ask) {
    (ProbeQuestion { name, asks, avoid, is_vital: false }, ask)
}

const fn vital((question, ask): (ProbeQuestion, Ask)) -> (ProbeQuestion, Ask) {
    (ProbeQuestion { is_vital: true, ..question }, ask)
}

/// Features to avoid with an FMU that cannot be rolled back exactly.
const ROLLBACK: &str = "methods with rollback: `iterations`, `[events]`, estimators except `predictor-corrector`";

/// Step sizes to avoid with an FMU that does not accept rounded ones.
const EXACT_STEPS: &str = "step sizes that are not powers of 2: use 0.125 s, not 0.1 s";

const BEYOND: &str = "masters that step beyond the stop time";

const SHARING: &str = "sharing a process: pass --isolate";

/// All questions. If the first one fails, the others are skipped.
#[rustfmt::skip]
pub(super) const QUESTIONS: [(ProbeQuestion, Ask); 28] = [
    vital(question("life-cycle", life::life_cycle, "instantiation, initialization mode and steps work", "steps that it discards: choose smaller ones, or list the instance in `discards` of `[events]`")),
    vital(question("terminate", life::terminate, "termination works, and the final values can be read afterwards", "reading values after the end")),
    vital(question("free", life::free, "an instance can be freed, after termination and without", "every run: it ends with an error")),
    question("reset", life::reset, "after a reset the same run has the same outputs, bit for bit", "start values that are solved for (`[initialization]`), if the FMU permits one instance per process"),
    question("repeatability", life::repeatability, "two identical instances have the same outputs, bit for bit", "`tolerance` and comparisons: identical runs differ"),
    question("call-order", order::call_order, "calls work in every order that the standard allows", "masters that use this order"),
    question("values", readable::readable, "all variables can be read, and Real ones are finite", "recording or connecting these variables"),
    question("commit", states::commit, "steps do not depend on whether a rollback may follow (noSetFMUStatePriorToCurrentPoint)", ROLLBACK),
    question("rollback", states::rollback, "steps after a rollback reproduce the outputs, bit for bit", ROLLBACK),
    question("serialization", states::serialization, "a serialized state continues in another process, bit for bit", "checkpoints"),
    question("two-instances", life::two_instances, "a second instance in the same process changes nothing", "several instances in one process: pass --isolate"),
    question("time-rounding", steps::time_rounding, "a communication point may be off by a rounding error", EXACT_STEPS),
    question("step-rounding", steps::step_rounding, "step sizes may be off by a rounding error", EXACT_STEPS),
    question("stop-rounding", steps::stop_rounding, "the last step may end a rounding error after the stop time, or is refused", BEYOND),
    question("beyond-stop", steps::beyond_stop, "a step beyond the stop time is refused", BEYOND),
    question("no-stop-time", steps::no_stop_time, "the FMU runs without a stop time", "`pass-stop-time = false`"),
    question("no-tolerance", steps::no_tolerance, "the FMU runs without a tolerance", "masters that define no tolerance"),
    question("variable-steps", steps::variable_steps, "variable step sizes work", "`tolerance`, `local-tolerance`, `[events]`: use a fixed `step`"),
    question("internal-steps", own_steps::own_steps, "the FMU advances in every communication step, or declares its internal steps", "step sizes that are no multiples of its internal steps"),
    question("last-step", steps::last_step, "a shorter last step works", "a stop time between two steps"),
    question("discard", steps::discard, "a discarded step reports the time it reached, and smaller steps work afterwards", "steps that it discards"),
    question("logging", logs::logging, "log categories match the description, or are refused without harm", "`--log-level debug`"),
    question("threads", traces::threads, "no thread remains when an instance is freed", SHARING),
    question("working-directory", traces::working_directory, "the working directory does not change", SHARING),
    question("locale", traces::locale, "the locale does not change", SHARING),
    question("floating-point", traces::floating_point, "rounding, traps and flush-to-zero do not change", SHARING),
    question("signal-handlers", traces::signal_handlers, "signal handlers do not change", SHARING),
    question("streams-and-files", traces::streams_and_files, "standard streams stay untouched, and no file is left behind or open", "sharing a process or a folder: pass --isolate"),
];

/// All questions, as `docs/checks.md` lists them.
pub fn probe_items() -> impl Iterator<Item = &'static ProbeQuestion> {
    const ALL: &[(ProbeQuestion, Ask)] = &QUESTIONS;
    ALL.iter().map(|(question, _)| question)
}
