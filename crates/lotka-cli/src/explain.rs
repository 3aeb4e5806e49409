//! Details of a run, line by line, for `-v` and `-vv`.

use lotka::{FoundStart, Notification, Observer, Rejection};

use crate::{console::Console, console_flags::Verbosity, counted::counted};

/// Prints solved start values, finished runs of a verified simulation, events, and rejected steps.
pub(crate) struct Explain {
    console: Console,
}

impl Explain {
    pub(crate) fn new(console: &Console) -> Self {
        Self { console: console.clone() }
    }
}

impl Observer for Explain {
    fn wants_steps(&self) -> bool {
        false
    }

    fn observe(&mut self, notification: &Notification<'_>) {
        match notification {
            Notification::StartFound { values, iterations } => {
                self.console.say(Verbosity::Verbose, &found(values, *iterations));
            }
            Notification::MethodChanged { what } => self.console.say(Verbosity::Verbose, what),
            Notification::RunFinished { steps, estimate } => {
                self.console.say(Verbosity::Verbose, &finished(*steps, *estimate));
            }
            Notification::EventLocated { time, what } => {
                self.console.say(Verbosity::Verbose, &format!("event at t = {time} s: {what}"));
            }
            Notification::StepRejected { time, step, reason, variable } if self.console.shows(Verbosity::Detailed) => {
                self.console.say(Verbosity::Detailed, &rejected(*time, *step, *reason, *variable));
            }
            _ => {}
        }
    }
}

/// Formats the start values that were solved for.
fn found(values: &[FoundStart], iterations: u32) -> String {
    let each: Vec<_> = values.iter().map(|found| format!("{} = {}", found.variable, found.value)).collect();
    format!("start values found in {}: {}", counted(iterations, "iteration"), each.join(", "))
}

/// Formats a rejected step with its reason and the output that decided.
fn rejected(time: f64, step: f64, reason: Rejection, variable: Option<&str>) -> String {
    let variable = variable.map(|name| format!(" (output `{name}`)")).unwrap_or_default();
    format!("step at t = {time} s with h = {step:.3e} s rejected: {reason}{variable}")
}

/// Formats a finished run with the error estimate so far.
fn finished(steps: u64, estimate: Option<f64>) -> String {
    match estimate {
        Some(estimate) => format!("run with {}: estimate {estimate:.1e}", counted(steps, "step")),
        None => format!("run with {}: no estimate yet", counted(steps, "step")),
    }
}
