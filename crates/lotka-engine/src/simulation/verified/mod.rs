//! Runs whose results are within a tolerance of the exact coupling, with evidence. The simulation is repeated on finer meshes, the recorded outputs
//! are extrapolated, and their error is estimated ([`crate::error_control::global`]).
//!
//! Start reading at [`run`]. `mesh_runner` makes the `runs` that a search requests, each with a `run_factory`, on `meshes` that the FMUs accept.
//! `recording` stores their rows, and `report` describes the error. `reliance` makes runs that rely on trial steps of the FMUs.
//! Several runs can be made at the same time, each as a `job`, some of them `ahead` of their request. `undeclared_events` repeats runs with steps that end where trial steps show that an FMU switches (`switches`) or acts.

mod ahead;
mod estimated;
mod expected;
mod flow;
mod implicit;
mod job;
mod mesh_runner;
mod meshes;
mod reason;
mod recording;
mod reliance;
mod repeats;
mod report;
mod run_factory;
mod runs;
mod scan;
mod suggestion;
mod switches;
mod tightened;
mod undeclared_events;
mod verdict;

pub use report::{Discontinuity, FoundSwitch, FoundTimes, GlobalError, InternalSteps, OutputError};

use std::{collections::HashMap, ops::ControlFlow};

use estimated::{expansion, followed_values, groups};
use mesh_runner::{Halt, MeshRunner};
use recording::{Recording, RowsBetween};
use runs::{Runs, Spent};

use super::{
    End, Report,
    grids::Acts,
    instance_set::{InstanceSet, InstanceSetFactory},
    shared_system::SharedSystem,
    switches::Tried,
};
use crate::{
    Error,
    algorithm::followed,
    error_control::global::{
        self, BUDGET, ErrorBound, ErrorExpansion, GiveUp, LARGEST_REFINEMENT, Next, Search, Settings, SignChange, Stop,
    },
    record::{Column, Notification, Observer, ValueType},
    resolved::Verified,
};
use lotka_message::Code;

/// Name of the times of events among the outputs whose errors are estimated.
const TIME_OF_EVENTS: &str = "time of events";

/// Largest relative rounding error of a value in single precision.
const SINGLE_PRECISION: f64 = 0.5 * f32::EPSILON as f64;

/// Runs until the tolerance is met or no further improvement is possible. At the end, sends the rows with their estimates to the observers.
pub(crate) fn run(
    set_factory: &InstanceSetFactory,
    instance_set: &mut InstanceSet,
    system: &SharedSystem,
    verified: &Verified,
    observers: &mut [&mut dyn Observer],
) -> (Report, Option<Error>) {
    let (start, stop) = system.span();
    emit(observers, &Notification::Started { columns: &set_factory.plan.columns, start, stop });
    let (spent, found) = scan::look(set_factory, instance_set, system, verified, observers);
    let (report, outcome) = match found {
        Ok(Some((amended, system))) => {
            let made = make(&amended, instance_set, &system, verified, spent, observers);
            set_factory.couple_again(instance_set);
            made
        }
        Ok(None) => make(set_factory, instance_set, system, verified, spent, observers),
        Err(error) => {
            let mut runs = Runs::new(set_factory, instance_set, system, verified, None);
            runs.add_spent(&spent);
            (runs.report(), Err(error))
        }
    };
    end(report, outcome, (stop, verified.tolerance), observers)
}

/// Makes the runs. If trials of the FMUs suggest a cheaper method, runs that rely on it come first. `spent` is the work so far.
fn make(
    set_factory: &InstanceSetFactory,
    instance_set: &mut InstanceSet,
    system: &SharedSystem,
    verified: &Verified,
    mut spent: Box<Spent>,
    observers: &mut [&mut dyn Observer],
) -> (Report, Outcome) {
    let mut best = None;
    if let Some(cheaper) = reliance::find(set_factory, instance_set, system, verified) {
        let made = reliance::make(&cheaper, instance_set, verified, &spent, observers);
        set_factory.couple_again(instance_set);
        match made {
            Ok(made) => return made,
            Err(in_vain) => (spent, best) = (in_vain.spent, in_vain.best),
        }
    }
    let (report, outcome) =
        undeclared_events::repeat_with_found_events(set_factory, instance_set, system, verified, spent, observers);
    (report, or_better(outcome, best))
}

/// Returns an outcome with the best result of the earlier runs, if it has none or a worse one.
fn or_better(outcome: Outcome, best: Option<Box<Verdict>>) -> Outcome {
    let Some(best) = best else { return outcome };
    match outcome {
        Ok((refined, Some(found))) if found.error.reached || found.error.largest <= best.error.largest => {
            Ok((refined, Some(found)))
        }
        Ok((refined, _)) => Ok((refined, Some(*best))),
        Err(error) => Ok((Refined::Lost(error), Some(*best))),
    }
}

/// The outcome of the runs.
type Outcome = Result<(Refined, Option<Verdict>), Box<Error>>;

/// Completes the report, and sends the rows and the end to the observers.
fn end(
    mut report: Report,
    outcome: Outcome,
    (stop, tolerance): (f64, f64),
    observers: &mut [&mut dyn Observer],
) -> (Report, Option<Error>) {
    let error = match outcome {
        Ok((refined, verdict)) => {
            let reached = verdict.as_ref().is_some_and(|verdict| verdict.error.reached);
            report.end = match (&refined, reached) {
                (Refined::Lost(_), _) => End::Failed,
                (Refined::Canceled, _) => End::Canceled,
                (Refined::Done, true) => End::StopTime,
                (Refined::Done, false) => End::ToleranceNotReached,
            };
            if verdict.is_none() && report.end == End::ToleranceNotReached {
                report.global_error = Some(GlobalError::without_result(tolerance));
            }
            if let Some(verdict) = verdict {
                report.time = verdict.rows.end().unwrap_or(stop);
                if let (End::StopTime, Some(ended)) = (&report.end, verdict.ended) {
                    report.end = ended;
                }
                let Verdict { rows, values, estimates, between, hides_events, .. } = verdict;
                let flow = rows.replay(&values, &estimates, &between, hides_events, observers);
                if let (ControlFlow::Break(time), true) = (flow, report.end != End::Failed) {
                    report.time = time;
                    // An observer that has enough makes no bad result a good one.
                    if report.end != End::ToleranceNotReached {
                        report.end = End::Stopped;
                    }
                }
                report.global_error = Some(verdict.error);
            }
            if let Refined::Lost(error) = refined { Some(*error) } else { None }
        }
        Err(error) => Some(*error),
    };
    emit(observers, &Notification::Ended { time: report.time, end: &report.end, counters: &report.counters });
    (report, error)
}

/// Describes why there are no finer runs.
fn lost(error: &Error) -> String {
    if error.is_fatal() { "an FMU reported a fatal error" } else { "an FMU ended its process" }.to_owned()
}

fn emit(observers: &mut [&mut dyn Observer], notification: &Notification<'_>) {
    for observer in observers {
        observer.observe(notification);
    }
}

/// How the refinement ended.
enum Refined {
    /// Another run is unnecessary or useless.
    Done,
    Canceled,
    /// An FMU ended its process. The rows of the earlier runs are results, but the simulation has failed.
    Lost(Box<Error>),
}

/// A result with its error estimate.
struct Verdict {
    rows: Recording,
    values: Vec<f64>,
    estimates: Vec<f64>,
    /// Rows between those of the finest run.
    between: RowsBetween,
    error: GlobalError,
    /// Whether rows of events are omitted.
    hides_events: bool,
    /// The end requested by an instance.
    ended: Option<End>,
}

impl Verdict {
    /// Marks the result as invalid for this reason: its errors are unknown.
    fn doubt(&mut self, reason: String) {
        self.error.doubt(reason);
        self.estimates.fill(f64::INFINITY);
        self.between.estimates.fill(f64::INFINITY);
    }
}

/// The search for a result, and the rows of its runs.
struct Verification<'r, 'a> {
    runs: &'r mut Runs<'a>,
    set_factory: &'a InstanceSetFactory,
    verified: &'a Verified,
    search: Search,
    next: Option<Next>,
    /// What explains a place where signals are not smooth: other runs follow.
    tried: Tried,
    /// When instances with internal steps of fixed size act, if that was tried.
    acts: Vec<Acts>,
    rows: HashMap<usize, Recording>,
    last_error: Option<Box<Error>>,
}

impl<'r, 'a> Verification<'r, 'a> {
    fn new(
        runs: &'r mut Runs<'a>,
        set_factory: &'a InstanceSetFactory,
        verified: &'a Verified,
        observers: &mut [&mut dyn Observer],
    ) -> Result<Self, Box<Error>> {
        let coupling = expansion(runs.prepare(observers)?);
        let noise = runs.noise()?.max(if set_factory.plan.has_single { SINGLE_PRECISION } else { 0.0 });
        let expansion = runs.with_errors_inside(coupling)?;
        runs.expect_powers(expansion);
        let coarsest = runs.first_base(runs.base(), expansion).0.longest();
        runs.find_motions(coarsest, observers)?;
        let known = runs.base();
        let admitted = runs.admitted(&known);
        let (base, off_mesh_rows) = match &admitted {
            None if !runs.is_implicit => runs.first_base(known, expansion),
            None => (runs.graded(known), None),
            Some(_) => (known, None),
        };
        let times = runs.has_events();
        let followed = followed(&set_factory.plan);
        let bound = ErrorBound {
            tolerance: verified.tolerance,
            absolute: verified.scale.map(|scale| scale * verified.tolerance),
            nominals: set_factory.plan.estimated().map(|(_, traits)| traits.nominal).chain(times.then_some(None)).collect(),
            groups: groups(set_factory.plan.estimated().map(|(_, traits)| &traits.kind)),
            followed_values: followed_values(set_factory, &followed),
            // The times of events have an error in every run.
            is_free: if times { Vec::new() } else { set_factory.plan.is_free() },
        };
        let settings = Settings {
            bound,
            expansion,
            is_stale: coupling == ErrorExpansion::FromOne,
            noise,
            largest_refinement: LARGEST_REFINEMENT,
            max_calls: verified.max_calls,
            budget: if runs.is_implicit { implicit::BUDGET } else { BUDGET },
            earlier_calls: runs.earlier_calls,
            admitted,
            is_entangled: runs.is_entangled(),
            followed,
            late: runs.late(),
            acts_at_times: !runs.system.resolved.time_events.actors.is_empty(),
            relies_on_trials: runs.watched.is_some(),
            is_implicit: runs.solves_for_ends(),
            is_refined: false,
            has_events: times,
            off_mesh_rows,
            ripple: runs.ripple,
        };
        let search = Search::new(settings, base);
        Ok(Self {
            runs,
            set_factory,
            verified,
            search,
            next: None,
            tried: Tried::default(),
            acts: Vec::new(),
            rows: HashMap::new(),
            last_error: None,
        })
    }

    /// Makes finer and finer runs as long as they improve the result.
    fn refine(&mut self, observers: &mut [&mut dyn Observer]) -> Result<Refined, Box<Error>> {
        let mut mesh_runner = MeshRunner::new(self.runs, observers);
        let end = self.search.go(&mut mesh_runner);
        self.tried = std::mem::take(&mut mesh_runner.tried);
        let halt = mesh_runner.halt.take();
        (self.rows, self.last_error) = (std::mem::take(&mut mesh_runner.rows), mesh_runner.last_error.take());
        match end {
            Ok(global::End::Over(next)) => self.next = Some(next),
            Ok(global::End::Stopped | global::End::Explained) => {}
            Err(Stop::Error(error)) => return Err(error),
            Err(Stop::SignChange(change)) => return Err(self.relative_to_zero(change)),
        }
        Ok(match halt {
            _ if self.next.is_some() || self.tried.changes_runs() => Refined::Done,
            Some(Halt::Lost(error)) => Refined::Lost(error),
            Some(Halt::Canceled) | None => Refined::Canceled,
        })
    }

    fn relative_to_zero(&self, change: SignChange) -> Box<Error> {
        let variable = self.set_factory.plan.estimated().nth(change.column).map(|(column, _)| column.name.clone());
        Box::new(Error::RelativeToZero { variable: variable.unwrap_or_default() })
    }

    /// The best result, if there is one, and its error.
    fn verdict(
        mut self,
        mut refined: Refined,
        observers: &mut [&mut dyn Observer],
    ) -> Result<(Refined, Option<Verdict>), Box<Error>> {
        let excluded = self.search.excluded().to_vec();
        let (found, obstacle, places) = self.search.finish();
        let Some(mut found) = found else {
            return match (refined, self.last_error) {
                (Refined::Done, Some(error)) => Err(error),
                (refined, _) => Ok((refined, None)),
            };
        };
        let own = self.runs.join_errors_inside(&mut found, &excluded, &mut refined, observers);
        let mut between = found.take_estimates_between();
        found.result.take_in(&found.rows.values, &between, &found.weights);
        // A search that ends without a result has not confirmed an estimate within the tolerance.
        if !matches!(self.next, Some(Next::Reached)) && found.result.largest <= self.verified.tolerance {
            found.result.forget_errors();
            between.fill(f64::INFINITY);
        }
        let plan = &self.set_factory.plan;
        let limits = self.runs.limits();
        let missed = match (self.next, &refined) {
            (Some(Next::Reached), _) => None,
            (Some(Next::GiveUp(reason)), _) => {
                let failures = (limits.as_str(), self.last_error.as_deref());
                Some(reason::text(reason, obstacle, (&found, self.verified.tolerance), plan, failures))
            }
            (None, Refined::Lost(error)) => Some(lost(error)),
            (None, _) => Some("the run was canceled".to_owned()),
        };
        let times = Column { unit: Some("s".to_owned()), ..Column::new(TIME_OF_EVENTS, ValueType::Real) };
        let mut columns: Vec<_> = plan.estimated().map(|(column, _)| column).collect();
        columns.extend(self.runs.has_events().then_some(&times));
        for column in excluded.iter().filter_map(|&column| columns.get(column)) {
            let what = format!("`{}` has values that are not finite, so Lotka does not bound or estimate its error", column.name);
            self.runs.warn(Code::NotEstimated, what, observers);
        }
        let mut error =
            report::summarize((&found, &between), (own, self.runs.inexact()), self.verified.tolerance, &columns, missed);
        error.discontinuities = report::discontinuities(&places, plan, found.base.distance());
        error.internal_steps = self.runs.errors_inside();
        if self.set_factory.fmus.iter().all(|fmu| fmu.capabilities().save_state) && !self.runs.has_events() {
            let is_possible = self.runs.possible_events();
            error.suggested_events = suggestion::events(&error.discontinuities, &found, plan, is_possible);
        }
        let switches = &self.runs.system.switches;
        error.switches = switches.iter().map(|switch| switches::found(self.set_factory, switch)).collect();
        error.times = self.runs.system.acts.iter().map(|acts| undeclared_events::found(self.set_factory, acts)).collect();
        error
            .suggested_events
            .extend(self.acts.iter().map(|acts| suggestion::acts(&undeclared_events::found(self.set_factory, acts))));
        if let Some(Next::GiveUp(GiveUp::NoMesh { .. })) = self.next {
            let is_known =
                |steps: &&InternalSteps| self.acts.iter().any(|acts| self.set_factory.names[acts.instance] == steps.instance);
            let unknown = error.internal_steps.iter().filter(|steps| !is_known(steps));
            error.suggested_events.extend(unknown.map(suggestion::times));
        }
        report::exclude(&mut error, &excluded);
        let finest = found.finest().cloned();
        let verdict = finest.and_then(|finest| Some((self.rows.remove(&finest.id)?, finest))).map(|(mut rows, finest)| {
            let between = rows.between(std::mem::take(&mut found.rows), between, &excluded);
            let result = &mut found.result;
            rows.put_back(&finest, &mut result.values, &mut result.estimate, &excluded);
            rows.show_rows_of(&found.base);
            let (values, estimates) = (std::mem::take(&mut result.values), std::mem::take(&mut result.estimate));
            let hides_events = self.runs.hides_events();
            Verdict { rows, values, estimates, between, error, hides_events, ended: self.runs.ended.take() }
        });
        Ok((refined, verdict))
    }
}
