//! Runs that rely on trials of the FMUs. They are results only if nothing contradicts the trials: neither later trials, nor the
//! orders of convergence, because undetected feedthrough lowers the order of the method.

use lotka_run::{
    InstanceSet, InstanceSetFactory, Report, SharedSystem,
    record::{Notification, Observer, emit},
};
use lotka_step::{Error, resolved::Verified};

use super::{
    cheaper::Cheaper,
    outcome::{InVain, Outcome, Refined, Verdict},
    runs::{Runs, Spent},
    verification::Verification,
};
use crate::global::Next;

/// The reason to discard runs in which trials found a level.
const SWITCHES: &str = "an instance switches inside a step";

/// The method to try first, if trials suggest a cheaper one than the model descriptions do.
pub(super) fn find(
    set_factory: &InstanceSetFactory,
    instance_set: &mut InstanceSet,
    system: &SharedSystem,
    verified: &Verified,
) -> Option<Cheaper> {
    let h = Runs::new(set_factory, instance_set, system, verified, None).trial_step();
    let of_instantiation = instance_set.log.take();
    let found = Cheaper::find(set_factory, instance_set, system, h);
    if found.is_err()
        && set_factory.allows_several()
        && let Ok(new) = set_factory.instance_set()
    {
        *instance_set = new;
    } else {
        instance_set.log.set(of_instantiation);
    }
    // A failure here that does not concern the trials recurs in the runs, which report it.
    found.ok().flatten()
}

/// Makes the runs. Returns what remains of them if they do not meet the tolerance.
pub(super) fn make(
    cheaper: &Cheaper,
    instance_set: &mut InstanceSet,
    verified: &Verified,
    spent: &Spent,
    observers: &mut [&mut dyn Observer],
) -> Result<(Report, Outcome), InVain> {
    emit(observers, &Notification::MethodChanged { what: &cheaper.describe() });
    cheaper.set_factory.couple_again(instance_set);
    let mut runs = Runs::new(&cheaper.set_factory, instance_set, &cheaper.system, verified, Some(&cheaper.watched));
    runs.add_spent(spent);
    match outcome(&mut runs, &cheaper.set_factory, verified, observers) {
        Ok(outcome) => Ok((runs.report(), outcome)),
        Err((reason, best)) => {
            let what = format!("{reason}; Lotka restarts with the dependencies declared in the model descriptions");
            emit(observers, &Notification::MethodChanged { what: &what });
            Err(InVain { spent: Box::new(runs.spent()), best })
        }
    }
}

/// The outcome of the runs, or the reason to discard them.
fn outcome<'a>(
    runs: &mut Runs<'a>,
    set_factory: &'a InstanceSetFactory,
    verified: &'a Verified,
    observers: &mut [&mut dyn Observer],
) -> Result<Outcome, (String, Option<Box<Verdict>>)> {
    let mut verification =
        Verification::new(runs, set_factory, verified, observers).map_err(|error| (error.to_string(), None))?;
    let refined = verification.refine(observers);
    let doubt = verification.doubt(&refined);
    let is_over = matches!(refined, Ok(Refined::Done)) && !verification.tried.changes_runs();
    if let Some(reason) = doubt.clone().filter(|_| !is_over || verification.runs.refuted().is_some()) {
        return Err((reason, None));
    }
    let outcome = refined.and_then(|refined| verification.verdict(refined, observers));
    // The run for the internal error of the FMUs has trials, too.
    match (runs.refuted(), doubt, outcome) {
        (Some(reason), ..) => Err((reason.to_owned(), None)),
        (None, Some(reason), Ok((Refined::Done, verdict))) => Err((reason, verdict.map(Box::new))),
        // An end during the search for the internal error of the FMUs is reported.
        (None, _, outcome) => Ok(outcome),
    }
}

impl Verification<'_, '_> {
    /// The reason to discard the runs.
    fn doubt(&self, refined: &Result<Refined, Box<Error>>) -> Option<String> {
        match refined {
            _ if self.runs.refuted().is_some() => self.runs.refuted().map(str::to_owned),
            Err(error) if error.ended_process() => None,
            Err(error) => Some(error.to_string()),
            Ok(Refined::Canceled) if !self.runs.other_switches.is_empty() => Some(SWITCHES.to_owned()),
            Ok(Refined::Lost(_) | Refined::Canceled) => None,
            Ok(Refined::Done) if self.next == Some(Next::Reached) => None,
            Ok(Refined::Done) if self.tried.changes_runs() => Some(SWITCHES.to_owned()),
            Ok(Refined::Done) => {
                Some("the runs do not converge with the order of a system without direct feedthrough".to_owned())
            }
        }
    }
}
