//! A run whose results are within a tolerance of the exact coupling, and known to be: the simulation is repeated on finer meshes, the
//! recorded outputs are extrapolated, and their error is estimated ([`crate::error_control::global`]).
//!
//! Start reading at [`run`]; `runs` makes the runs, each of them `cast`, on `meshes` that the FMUs admit, `recording` keeps their rows, `report` says what is known of the error, `reliance` makes runs
//! that rely on trials of the FMUs.

mod cast;
mod meshes;
mod recording;
mod reliance;
mod report;
mod runs;

pub use report::{GlobalError, OutputError};

use std::collections::HashMap;

use recording::Recording;
use runs::{Finished, Runs};

use super::{
    End, Report,
    inputs::Settled,
    scenario::{Casting, Ensemble, Scenario},
};
use crate::{
    Code, Error,
    error_control::global::{
        Extrapolator, LARGEST_REFINEMENT, Ladder, Next, OwnError, Promise, Settings, SignChange, join_lateness, join_own_error,
    },
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
    let mut spent = None;
    if let Some(cheaper) = reliance::find(casting, ensemble, scenario, verified) {
        match reliance::make(&cheaper, ensemble, verified, observers) {
            Ok((report, outcome)) => {
                casting.couple_again(ensemble);
                return end(report, outcome, stop, observers);
            }
            Err(in_vain) => spent = Some(in_vain),
        }
        casting.couple_again(ensemble);
    }
    let mut runs = Runs::new(casting, ensemble, scenario, verified, None);
    spent.iter().for_each(|spent| runs.add_spent(spent));
    let outcome = Verification::new(&mut runs, casting, verified, observers).and_then(|mut verification| {
        let refined = verification.refine(observers)?;
        verification.verdict(refined, observers)
    });
    let report = runs.report();
    end(report, outcome, stop, observers)
}

/// What came of the runs.
type Outcome = Result<(Refined, Option<Verdict>), Box<Error>>;

/// Completes the report, and tells the observers the rows and the end.
fn end(mut report: Report, outcome: Outcome, stop: f64, observers: &mut [&mut dyn Observer]) -> (Report, Option<Error>) {
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
                report.time = verdict.rows.end().unwrap_or(stop);
                if let (End::StopTime, Some(ended)) = (&report.end, verdict.ended) {
                    report.end = ended;
                }
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

/// Why there are no finer runs, in words.
fn lost(error: &Error) -> String {
    if error.is_fatal() { "an FMU returned fmi2Fatal" } else { "an FMU brought its process to an end" }.to_owned()
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
    /// The end that an instance asked for.
    ended: Option<End>,
}

/// The runs so far and what they show.
struct Verification<'r, 'a> {
    runs: &'r mut Runs<'a>,
    casting: &'a Casting,
    verified: &'a Verified,
    extrapolator: Extrapolator,
    next: Next,
    settings: Settings,
    /// Rows of the runs in use, by their subdivisions. A result has those of the finest run that it rests on: what is not extrapolated is theirs.
    rows: HashMap<u32, Recording>,
    last_error: Option<Box<Error>>,
    /// The orders that the method promises must show.
    is_strict: bool,
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
        runs.find_grids(observers)?;
        let times = runs.has_events();
        let promise = Promise {
            tolerance: verified.tolerance,
            absolute: verified.scale.map(|scale| scale * verified.tolerance),
            nominals: casting.plan.estimated().map(|(_, (_, nominal))| *nominal).chain(times.then_some(None)).collect(),
            // Where events lie has an error in every run.
            is_free: if times { Vec::new() } else { casting.plan.is_free() },
        };
        let settings = Settings {
            promise,
            ladder,
            noise,
            largest_refinement: LARGEST_REFINEMENT,
            admitted: runs.admitted(),
            is_entangled: runs.is_entangled(),
        };
        let extrapolator = Extrapolator::new(settings.clone());
        let next = extrapolator.first();
        Ok(Self {
            runs,
            casting,
            verified,
            extrapolator,
            next,
            settings,
            rows: HashMap::new(),
            last_error: None,
            is_strict: false,
        })
    }

    /// Makes finer and finer runs while they help.
    fn refine(&mut self, observers: &mut [&mut dyn Observer]) -> Result<Refined, Box<Error>> {
        let mut is_tried = false;
        loop {
            self.look_late(&mut is_tried, observers)?;
            let Next::Run(subdivisions) = self.next else { break };
            let is_far = self.extrapolator.best().is_some_and(|best| best.largest > FAR * self.verified.tolerance);
            let second = is_far.then(|| self.extrapolator.after(subdivisions)).filter(|second| *second <= LARGEST_REFINEMENT);
            for (subdivisions, outcome) in self.runs.make(subdivisions, second, observers) {
                if self.runs.are_shorter() && !self.rows.is_empty() {
                    // The runs so far have rows that this one has not.
                    self.extrapolator = Extrapolator::new(Settings { admitted: self.runs.admitted(), ..self.settings.clone() });
                    self.rows.clear();
                    self.next = self.extrapolator.first();
                    break;
                }
                match outcome {
                    // Made once more, with mesh points where the events lie.
                    Ok(Some(finished)) if self.runs.expect(&finished.rows) => self.next = Next::Run(subdivisions),
                    Ok(Some(finished)) => {
                        self.next = self.add(subdivisions, finished, observers)?;
                        if self.is_strict && !self.insists(subdivisions) {
                            return Ok(Refined::Done);
                        }
                    }
                    Ok(None) => return Ok(Refined::Canceled),
                    Err(error) if error.ended_process() || error.is_fatal() => return Ok(Refined::Lost(error)),
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

    /// Before a tolerance counts as kept it is tried, once, whether instances advance in steps of their own later.
    fn look_late(&mut self, is_tried: &mut bool, observers: &mut [&mut dyn Observer]) -> Result<(), Box<Error>> {
        let coarsest = self.extrapolator.best().and_then(|best| best.subdivisions.first().copied());
        let (Next::Reached, false, Some(coarsest)) = (self.next, *is_tried, coarsest) else { return Ok(()) };
        *is_tried = true;
        if self.runs.find_late_grids(coarsest, observers)? {
            let admitted = self.runs.admitted().unwrap_or_default();
            self.next = self.extrapolator.restrict(admitted).map_err(|change| self.relative_to_zero(change))?;
        }
        Ok(())
    }

    fn add(&mut self, subdivisions: u32, finished: Finished, observers: &mut [&mut dyn Observer]) -> Result<Next, Box<Error>> {
        let paused = self.runs.paused(&finished, observers);
        if !paused && !self.extrapolator.admits(subdivisions) {
            return Ok(self.next);
        }
        self.rows.insert(subdivisions, finished.rows);
        let mut next = self.extrapolator.add(finished.run).map_err(|change| self.relative_to_zero(change))?;
        if paused {
            let mut admitted = self.runs.admitted().unwrap_or_default();
            // Steps that instances pause in are too short already.
            admitted.retain(|coarser| *coarser < subdivisions);
            next = self.extrapolator.restrict(admitted).map_err(|change| self.relative_to_zero(change))?;
        }
        let used = self.extrapolator.subdivisions();
        self.rows.retain(|subdivisions, _| used.contains(subdivisions));
        let estimate = self.extrapolator.best().map(|best| best.largest).filter(|largest| largest.is_finite());
        emit(observers, &Event::RunFinished { steps_per_row: self.runs.steps_per_row(subdivisions), estimate });
        Ok(next)
    }

    fn relative_to_zero(&self, change: SignChange) -> Box<Error> {
        let variable = self.casting.plan.estimated().nth(change.column).map(|(column, _)| column.name.clone());
        Box::new(Error::RelativeToZero { variable: variable.unwrap_or_default() })
    }

    /// The best result, if there is one, and all that is known of its error.
    fn verdict(
        mut self,
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
            let (events, others) = (coarsest.events.len(), repeated.events.len());
            if events != others {
                let what = format!("with a tenth of the FMUs' tolerance there are {others} events instead of {events}: how far the rows are off is not known");
                self.runs.warn(Code::OwnErrorUnknown, what, observers);
            }
            join_own_error(&mut best, &coarsest, &repeated, &weights)
        });
        if let (Some(tolerance), Refined::Done) = (self.runs.event_tolerance(), &refined) {
            let repeated = self.runs.repeat_events(coarsest.subdivisions, observers).unwrap_or_else(|error| {
                refined = Refined::Lost(error);
                None
            });
            let repeated = repeated.map(|mut repeated| {
                excluded.iter().for_each(|&column| repeated.clear(column, weights.columns()));
                repeated
            });
            join_lateness(&mut best, &coarsest, repeated.as_ref(), &weights, tolerance);
        }
        let plan = &self.casting.plan;
        let missed = match (self.next, &refined) {
            (Next::Reached, _) => None,
            (Next::GiveUp(reason), _) => Some(report::reason(reason, &best.orders, plan, &self.runs.limits())),
            (Next::Run(_), Refined::Lost(error)) => Some(lost(error)),
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
        let rows = best.subdivisions.last().and_then(|finest| self.rows.remove(finest));
        let verdict = rows.map(|rows| {
            rows.put_back(&mut best.values, &mut best.estimate, &excluded);
            Verdict { rows, values: best.values, estimates: best.estimate, error, ended: self.runs.ended.take() }
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
