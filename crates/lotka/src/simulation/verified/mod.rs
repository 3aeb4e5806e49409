//! A run whose results are within a tolerance of the exact coupling, and known to be: the simulation is repeated on finer meshes, the
//! recorded outputs are extrapolated, and their error is estimated ([`crate::error_control::global`]).

mod recording;
mod report;
mod runs;

pub use report::{GlobalError, OutputError};

use recording::Recording;
use runs::Runs;

use super::{
    End, Report,
    scenario::{Casting, Ensemble, Scenario},
};
use crate::{
    Error,
    error_control::global::{Extrapolator, LARGEST_REFINEMENT, Ladder, Next, OwnError, Promise, Settings, join_own_error},
    record::{Event, Observer},
    system::{Warning, resolve::Verified},
};

/// Where the estimate is this many times the tolerance, one further run will not do: two are made, at the same time if possible.
const FAR: f64 = 300.0;

/// Runs until the tolerance is kept or nothing more can be done. Rows go to the observers at the end, with their estimates.
pub(crate) fn run(
    casting: &Casting,
    ensemble: &mut Ensemble,
    scenario: &Scenario,
    verified: &Verified,
    observers: &mut [&mut dyn Observer],
) -> (Report, Option<Error>) {
    let mut runs = Runs::new(casting, ensemble, scenario, verified);
    let columns = casting.plan.columns.clone();
    let (start, stop) = scenario.span();
    emit(observers, &Event::Started { columns: &columns, start, stop });
    let outcome = verify(&mut runs, casting, verified, observers);
    let mut report = runs.report();
    let error = match outcome {
        Ok(Some(result)) => {
            report.time = stop;
            report.end = if result.error.reached { End::StopTime } else { End::ToleranceNotReached };
            result.rows.replay(&result.values, &result.estimates, observers);
            report.global_error = Some(result.error);
            None
        }
        Ok(None) => {
            report.end = End::Canceled;
            None
        }
        Err(error) => {
            report.end = End::Failed;
            Some(*error)
        }
    };
    emit(observers, &Event::Ended { time: report.time, end: &report.end, counters: &report.statistics });
    (report, error)
}

fn emit(observers: &mut [&mut dyn Observer], event: &Event<'_>) {
    for observer in observers {
        observer.observe(event);
    }
}

/// A verified result.
struct Verdict {
    rows: Recording,
    values: Vec<f64>,
    estimates: Vec<f64>,
    error: GlobalError,
}

/// `None` if the run was canceled before there was any result.
fn verify(
    runs: &mut Runs<'_>,
    casting: &Casting,
    verified: &Verified,
    observers: &mut [&mut dyn Observer],
) -> Result<Option<Verdict>, Box<Error>> {
    let settled = runs.prepare()?;
    let ladder = match (settled.even_powers, settled.order) {
        (true, _) => Ladder::Even,
        (false, 0 | 1) => Ladder::FromOne,
        (false, _) => Ladder::FromTwo,
    };
    let promise = Promise {
        tolerance: verified.tolerance,
        absolute: verified.scale.map(|scale| scale * verified.tolerance),
        nominals: casting.plan.nominals.clone(),
    };
    let settings = Settings { promise, ladder, noise: 0.0, largest_refinement: LARGEST_REFINEMENT };
    let mut extrapolator = Extrapolator::new(settings);
    let mut next = extrapolator.first();
    let mut finest = None;
    let mut last_error = None;
    while let Next::Run(subdivisions) = next {
        let is_far = extrapolator.best().is_some_and(|best| best.largest > FAR * verified.tolerance);
        let batch = runs.make(subdivisions, is_far.then(|| extrapolator.after(subdivisions)), observers);
        for (subdivisions, outcome) in batch {
            next = match outcome {
                Ok(Some(finished)) => {
                    finest = Some(finished.rows);
                    let next = extrapolator.add(finished.run).map_err(|change| sign_change(casting, change.column))?;
                    let estimate = extrapolator.best().map(|best| best.largest).filter(|largest| largest.is_finite());
                    let steps_per_row = runs.base_steps() * subdivisions;
                    emit(observers, &Event::RunFinished { steps_per_row, estimate });
                    next
                }
                Ok(None) => {
                    return Ok(best_so_far(
                        runs,
                        extrapolator,
                        finest,
                        verified,
                        casting,
                        None,
                        "the run was canceled".to_owned(),
                    ));
                }
                Err(error) => {
                    emit(
                        observers,
                        &Event::Warning(&Warning(format!("the run with {subdivisions} steps per base step failed: {error}"))),
                    );
                    last_error = Some(error);
                    extrapolator.fail(subdivisions)
                }
            };
            if next == Next::Reached {
                break;
            }
        }
    }
    let Some(best) = extrapolator.best() else { return last_error.map_or(Ok(None), Err) };
    let coarsest = best.subdivisions[0];
    let repeated = runs.repeat(coarsest, observers);
    let reason = match next {
        Next::GiveUp(reason) => report::reason(reason),
        _ => String::new(),
    };
    Ok(best_so_far(runs, extrapolator, finest, verified, casting, repeated, reason))
}

/// The best result with all that is known of its error.
fn best_so_far(
    runs: &Runs<'_>,
    extrapolator: Extrapolator,
    finest: Option<Recording>,
    verified: &Verified,
    casting: &Casting,
    repeated: Option<crate::error_control::global::Run>,
    reason: String,
) -> Option<Verdict> {
    let (mut best, coarsest, weights) = extrapolator.finish()?;
    let own = match &repeated {
        Some(repeated) => join_own_error(&mut best, &coarsest, repeated, &weights),
        None => OwnError::Unknown,
    };
    let error = report::summarize(&best, &weights, own, verified.tolerance, &casting.plan.real_columns(), runs.base_steps(), reason);
    Some(Verdict { rows: finest?, values: best.values, estimates: best.estimate, error })
}

fn sign_change(casting: &Casting, column: usize) -> Box<Error> {
    let variable = casting.plan.real_columns().get(column).map(|column| column.name.clone()).unwrap_or_default();
    Box::new(Error::RelativeToZero { variable })
}
