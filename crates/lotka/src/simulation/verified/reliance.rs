//! Runs that rely on what trials of the FMUs showed. They are results only if nothing contradicts the trials: neither later ones, nor the orders of
//! convergence, as feedthrough that was not seen takes an order from the method.

use super::{
    super::{
        Report,
        feedthrough::Cheaper,
        scenario::{Casting, Ensemble, Scenario},
    },
    Outcome, Refined, Verification, emit,
    runs::{Runs, Spent},
};
use crate::{
    Error,
    error_control::global::Next,
    record::{Event, Observer},
    system::resolve::Verified,
};

/// Why runs are of no use in which trials found a level.
const SWITCHES: &str = "an instance switches inside a step";

/// The method to try first, if trials show a cheaper one than the model descriptions do.
pub(super) fn find(casting: &Casting, ensemble: &mut Ensemble, scenario: &Scenario, verified: &Verified) -> Option<Cheaper> {
    let h = Runs::new(casting, ensemble, scenario, verified, None).trial_step();
    let of_instantiation = ensemble.log.take();
    let found = Cheaper::find(casting, ensemble, scenario, h);
    if found.is_err()
        && casting.allows_several()
        && let Ok(new) = casting.ensemble()
    {
        *ensemble = new;
    } else {
        ensemble.log.set(of_instantiation);
    }
    // What fails here without being a matter of the trials fails in the runs as well, which tell it.
    found.ok().flatten()
}

/// Makes the runs. What they took, if they are no results.
pub(super) fn make(
    cheaper: &Cheaper,
    ensemble: &mut Ensemble,
    verified: &Verified,
    spent: &Spent,
    observers: &mut [&mut dyn Observer],
) -> Result<(Report, Outcome), Box<Spent>> {
    emit(observers, &Event::MethodChanged { what: &cheaper.describe() });
    cheaper.casting.couple_again(ensemble);
    let mut runs = Runs::new(&cheaper.casting, ensemble, &cheaper.scenario, verified, Some(&cheaper.watched));
    runs.add_spent(spent);
    match outcome(&mut runs, &cheaper.casting, verified, observers) {
        Ok(outcome) => Ok((runs.report(), outcome)),
        Err(reason) => {
            let what = format!("{reason}; Lotka starts again with the dependencies that the model descriptions declare");
            emit(observers, &Event::MethodChanged { what: &what });
            Err(Box::new(runs.spent()))
        }
    }
}

/// What came of the runs, or why they are no results.
fn outcome<'a>(
    runs: &mut Runs<'a>,
    casting: &'a Casting,
    verified: &'a Verified,
    observers: &mut [&mut dyn Observer],
) -> Result<Outcome, String> {
    let mut verification = Verification::new(runs, casting, verified, observers).map_err(|error| error.to_string())?;
    let refined = verification.refine(observers);
    if let Some(reason) = verification.doubt(&refined) {
        return Err(reason);
    }
    let outcome = refined.and_then(|refined| verification.verdict(refined, observers));
    // The run for the FMUs' own error has trials, too.
    runs.refuted().map_or(Ok(outcome), |reason| Err(reason.to_owned()))
}

impl Verification<'_, '_> {
    /// Why the runs are no results.
    fn doubt(&self, refined: &Result<Refined, Box<Error>>) -> Option<String> {
        match refined {
            _ if self.runs.refuted().is_some() => self.runs.refuted().map(str::to_owned),
            Err(error) if error.ended_process() => None,
            Err(error) => Some(error.to_string()),
            Ok(Refined::Canceled) if !self.runs.other_switches.is_empty() => Some(SWITCHES.to_owned()),
            Ok(Refined::Lost(_) | Refined::Canceled) => None,
            Ok(Refined::Done) if self.next == Some(Next::Reached) => None,
            Ok(Refined::Done) if !self.switches.is_empty() => Some(SWITCHES.to_owned()),
            Ok(Refined::Done) => {
                Some("the runs do not converge with the order of a system without direct feedthrough".to_owned())
            }
        }
    }
}
