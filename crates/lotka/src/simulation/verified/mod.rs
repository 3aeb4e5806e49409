//! A run whose results are within a tolerance of the exact coupling, and known to be: the simulation is repeated on finer meshes, the
//! recorded outputs are extrapolated, and their error is estimated ([`crate::error_control::global`]).
//!
//! Start reading at [`run`]; `runs` makes the runs, `recording` keeps their rows, `report` says what is known of the error.

mod recording;
mod report;
mod runs;

pub use report::{GlobalError, OutputError};

use recording::Recording;
use runs::{Finished, Runs};

use super::{
    End, Report,
    inputs::Settled,
    scenario::{Casting, Ensemble, Scenario},
};
use crate::{
    Code, Error,
    error_control::global::{Extrapolator, LARGEST_REFINEMENT, Ladder, Next, OwnError, Promise, Settings, join_own_error},
    record::{Column, Event, Observer, ValueType},
    system::{Warning, resolve::Verified},
};

/// Where the estimate is this many times the tolerance, one further run will not do: two are made, at the same time if possible.
const FAR: f64 = 300.0;

/// What the times of events are called among the outputs whose errors are estimated.
const TIME_OF_EVENTS: &str = "time of events";

/// Runs until the tolerance is kept or nothing more can be done. Rows go to the observers at the end, with their estimates.
pub(crate) fn run(
    casting: &Casting,
    ensemble: &mut Ensemble,
    scenario: &Scenario,
    verified: &Verified,
    observers: &mut [&mut dyn Observer],
) -> (Report, Option<Error>) {
    let (start, stop) = scenario.span();
    emit(observers, &Event::Started { columns: &casting.plan.columns, start, stop });
    let mut runs = Runs::new(casting, ensemble, scenario, verified);
    let outcome = Verification::new(&mut runs, casting, verified, observers).and_then(|mut verification| {
        let refined = verification.refine(observers)?;
        verification.verdict(refined, observers)
    });
    let mut report = runs.report();
    let error = match outcome {
        Ok((refined, verdict)) => {
            let reached = verdict.as_ref().is_some_and(|verdict| verdict.error.reached);
            report.end = match (&refined, reached) {
                (Refined::Lost(_), _) => End::Failed,
                (Refined::Canceled, _) => End::Canceled,
                (Refined::Done, true) => End::StopTime,
                (Refined::Done, false) => End::ToleranceNotReached,
            };
            if let Some(verdict) = verdict {
                report.time = stop;
                verdict.rows.replay(&verdict.values, &verdict.estimates, observers);
                report.global_error = Some(verdict.error);
            }
            if let Refined::Lost(error) = refined { Some(*error) } else { None }
        }
        Err(error) => Some(*error),
    };
    emit(observers, &Event::Ended { time: report.time, end: &report.end, counters: &report.statistics });
    (report, error)
}

fn emit(observers: &mut [&mut dyn Observer], event: &Event<'_>) {
    for observer in observers {
        observer.observe(event);
    }
}

/// How the making of finer runs came to its end.
enum Refined {
    /// Another run is not needed, or is of no use.
    Done,
    Canceled,
    /// An FMU brought its process to an end. The rows of the runs before it are results, but this is not a success.
    Lost(Box<Error>),
}

/// A result with what is known of its error.
struct Verdict {
    rows: Recording,
    values: Vec<f64>,
    estimates: Vec<f64>,
    error: GlobalError,
}

/// The runs so far and what they show.
struct Verification<'r, 'a> {
    runs: &'r mut Runs<'a>,
    casting: &'a Casting,
    verified: &'a Verified,
    extrapolator: Extrapolator,
    next: Next,
    /// Rows of the finest run.
    finest: Option<Recording>,
    last_error: Option<Box<Error>>,
}

impl<'r, 'a> Verification<'r, 'a> {
    fn new(
        runs: &'r mut Runs<'a>,
        casting: &'a Casting,
        verified: &'a Verified,
        observers: &mut [&mut dyn Observer],
    ) -> Result<Self, Box<Error>> {
        let ladder = ladder(runs.prepare(observers)?);
        let noise = runs.noise()?;
        let times = runs.has_events();
        let promise = Promise {
            tolerance: verified.tolerance,
            absolute: verified.scale.map(|scale| scale * verified.tolerance),
            nominals: casting.plan.estimated().map(|(_, (_, nominal))| *nominal).chain(times.then_some(None)).collect(),
            // Where events lie has an error in every run.
            is_free: if times { Vec::new() } else { casting.plan.is_free() },
        };
        let settings = Settings { promise, ladder, noise, largest_refinement: LARGEST_REFINEMENT };
        let extrapolator = Extrapolator::new(settings);
        let next = extrapolator.first();
        Ok(Self { runs, casting, verified, extrapolator, next, finest: None, last_error: None })
    }

    /// Makes finer and finer runs while they help.
    fn refine(&mut self, observers: &mut [&mut dyn Observer]) -> Result<Refined, Box<Error>> {
        while let Next::Run(subdivisions) = self.next {
            let is_far = self.extrapolator.best().is_some_and(|best| best.largest > FAR * self.verified.tolerance);
            let second = is_far.then(|| self.extrapolator.after(subdivisions)).filter(|second| *second <= LARGEST_REFINEMENT);
            for (subdivisions, outcome) in self.runs.make(subdivisions, second, observers) {
                match outcome {
                    // Made once more, with mesh points where the events lie.
                    Ok(Some(finished)) if self.runs.expect(&finished.rows) => self.next = Next::Run(subdivisions),
                    Ok(Some(finished)) => self.next = self.add(subdivisions, finished, observers)?,
                    Ok(None) => return Ok(Refined::Canceled),
                    Err(error) if error.ended_process() => return Ok(Refined::Lost(error)),
                    Err(error) => {
                        let steps = self.runs.steps_per_row(subdivisions);
                        let unit = if steps == 1 { "step" } else { "steps" };
                        let what = format!("the run with {steps} {unit} per row is left out: {error}");
                        emit(observers, &Event::Warning(&Warning::new(Code::RunLeftOut, what)));
                        self.last_error = Some(error);
                        self.next = self.extrapolator.fail(subdivisions);
                    }
                }
            }
        }
        Ok(Refined::Done)
    }

    fn add(&mut self, subdivisions: u32, finished: Finished, observers: &mut [&mut dyn Observer]) -> Result<Next, Box<Error>> {
        self.finest = Some(finished.rows);
        let next = self.extrapolator.add(finished.run).map_err(|change| {
            let variable = self.casting.plan.estimated().nth(change.column).map(|(column, _)| column.name.clone());
            Box::new(Error::RelativeToZero { variable: variable.unwrap_or_default() })
        })?;
        let estimate = self.extrapolator.best().map(|best| best.largest).filter(|largest| largest.is_finite());
        emit(observers, &Event::RunFinished { steps_per_row: self.runs.steps_per_row(subdivisions), estimate });
        Ok(next)
    }

    /// The best result, if there is one, and all that is known of its error.
    fn verdict(
        self,
        mut refined: Refined,
        observers: &mut [&mut dyn Observer],
    ) -> Result<(Refined, Option<Verdict>), Box<Error>> {
        let excluded = self.extrapolator.excluded().to_vec();
        let Some((mut best, coarsest, weights)) = self.extrapolator.finish() else {
            return match (refined, self.last_error) {
                (Refined::Done, Some(error)) => Err(error),
                (refined, _) => Ok((refined, None)),
            };
        };
        let repeated = match &refined {
            Refined::Done => self.runs.repeat(coarsest.subdivisions, observers).unwrap_or_else(|error| {
                refined = Refined::Lost(error);
                None
            }),
            _ => None,
        };
        let own = repeated.map_or(OwnError::Unknown, |mut repeated| {
            excluded.iter().for_each(|&column| repeated.clear(column, weights.columns()));
            join_own_error(&mut best, &coarsest, &repeated, &weights)
        });
        let plan = &self.casting.plan;
        let missed = match (self.next, &refined) {
            (Next::Reached, _) => None,
            (Next::GiveUp(reason), _) => Some(report::reason(reason, &best.orders, plan)),
            (Next::Run(_), Refined::Lost(_)) => Some("an FMU brought its process to an end".to_owned()),
            (Next::Run(_), _) => Some("the run was canceled".to_owned()),
        };
        let times = Column { unit: Some("s".to_owned()), ..Column::new(TIME_OF_EVENTS, ValueType::Real) };
        let (mut columns, base_steps) =
            (plan.estimated().map(|(column, _)| column).collect::<Vec<_>>(), self.runs.steps_per_row(1));
        columns.extend(self.runs.has_events().then_some(&times));
        for column in excluded.iter().filter_map(|&column| columns.get(column)) {
            let what = format!("`{}` has values that are not finite: nothing is promised or estimated of it", column.name);
            self.runs.warn(Code::NotEstimated, what, observers);
        }
        let mut error = report::summarize(&best, &weights, own, self.verified.tolerance, &columns, base_steps, missed);
        report::exclude(&mut error, &excluded);
        let verdict = self.finest.map(|rows| {
            rows.put_back(&mut best.values, &mut best.estimate, &excluded);
            Verdict { rows, values: best.values, estimates: best.estimate, error }
        });
        Ok((refined, verdict))
    }
}

/// Powers of the step size that are expected in the error.
fn ladder(settled: &Settled) -> Ladder {
    match (settled.even_powers, settled.order) {
        (true, _) => Ladder::Even,
        (false, 0 | 1) => Ladder::FromOne,
        (false, _) => Ladder::FromTwo,
    }
}
