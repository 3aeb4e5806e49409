//! Runs one method with the common settings.

use lotka::{End, Error, Memory, Observer, Problem, Problems, Report, RunFailure, System};

use super::{
    common::{CommonSettings, Steps},
    reference::Reference,
};
use crate::{exit::ExitCode, log::Log, request::Method};

/// Work and error of a method.
pub(super) struct Measured {
    pub(super) algorithm: String,
    pub(super) n_do_step_calls: u64,
    pub(super) n_steps: u64,
    /// Relative to `max(|y|, s)`.
    pub(super) error: f64,
    /// Order observed when the step is halved; `None` without a fixed step, or if the reference is not accurate enough.
    pub(super) order: Option<f64>,
}

/// Reason why a method has no result.
pub(super) struct Refusal {
    pub(super) reason: String,
    pub(super) code: ExitCode,
}

/// Runs a method, and runs it again with half the step to observe its order.
pub(super) fn attempt(
    method: &Method,
    common: &CommonSettings,
    reference: &Reference,
    log: &mut Log,
) -> Result<Measured, Refusal> {
    let run = |halvings: i32, log: &mut Log| one(&method.applied(&common.stepped(halvings)), reference, log);
    let measured = run(0, log)?;
    let is_visible = |error: f64| error.is_finite() && error > 2.0 * reference.error.largest;
    if matches!(common.steps, Steps::Controlled { .. }) || !is_visible(measured.error) {
        return Ok(measured);
    }
    let finer = run(1, log).ok().filter(|finer| is_visible(finer.error));
    let order = finer.map(|finer| (measured.error / finer.error).log2());
    Ok(Measured { order, ..measured })
}

fn one(system: &System, reference: &Reference, log: &mut Log) -> Result<Measured, Refusal> {
    let mut simulation = system.build()?;
    let mut results = Memory::new();
    let mut observers: Vec<&mut dyn Observer> = vec![&mut results, log];
    let report = simulation.run(&mut observers)?;
    let error = match report.end {
        End::StopTime => reference.largest_deviation(&results),
        _ => None,
    };
    let error = error.ok_or_else(|| not_comparable(&report))?;
    Ok(Measured {
        algorithm: simulation.describe_algorithm(),
        n_do_step_calls: report.counters.n_do_step_calls,
        n_steps: report.counters.n_steps,
        error,
        order: None,
    })
}

fn not_comparable(report: &Report) -> Refusal {
    let reason = format!("ended at t = {} s ({}) with different rows than the reference", report.time, report.end.name());
    Refusal { reason, code: ExitCode::Step }
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        let reason = match &error {
            // The method comes from the command line, not from the file.
            Error::System(problems) => {
                problems.list.iter().map(|problem| described(problems, problem)).collect::<Vec<_>>().join("\n")
            }
            error => error.to_string(),
        };
        Self { code: ExitCode::of(&error), reason }
    }
}

fn described(problems: &Problems, problem: &Problem) -> String {
    match (&problem.span, &problem.help) {
        (Some(_), _) => problems.line(problem),
        (None, Some(help)) => format!("{}; {help}", problem.message),
        (None, None) => problem.message.clone(),
    }
}

impl From<Box<RunFailure>> for Refusal {
    fn from(failure: Box<RunFailure>) -> Self {
        Self { code: ExitCode::of_run(&failure), reason: failure.error.to_string() }
    }
}
