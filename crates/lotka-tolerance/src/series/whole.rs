//! All runs for a tolerance: those that rely on trials first, then the others, repeated as long as trials find events.

use std::ops::ControlFlow;

use lotka_run::{
    End, InstanceSet, InstanceSetFactory, Report, SharedSystem,
    record::{Notification, Observer, emit},
};
use lotka_step::{Error, error::GlobalError, resolved::Verified};

use super::{
    outcome::{Outcome, Refined, Verdict, or_better},
    reliance,
    runs::{Runs, Spent},
    scan, undeclared_events,
};

/// Runs until the tolerance is met or no further improvement is possible. At the end, sends the rows with their estimates to the
/// observers.
pub fn run(
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
