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
    error_control::global::{Extrapolation, Next},
    record::{Event, Observer},
    system::resolve::Verified,
};

/// Steps per step of the base mesh with which the orders of the method must show at the latest.
const FINEST_WITHOUT_ORDER: u32 = 8;

/// Runs in a result, at least: two columns of the table then show their orders, and a first power, which is small beside the error of the method
/// itself, shows in the second.
const FEWEST: usize = 4;

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
    observers: &mut [&mut dyn Observer],
) -> Result<(Report, Outcome), Box<Spent>> {
    emit(observers, &Event::MethodChanged { what: &cheaper.describe() });
    cheaper.casting.couple_again(ensemble);
    let mut runs = Runs::new(&cheaper.casting, ensemble, &cheaper.scenario, verified, Some(&cheaper.watched));
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
    verification.is_strict = true;
    let refined = verification.refine(observers);
    if let Some(reason) = verification.doubt(&refined) {
        return Err(reason);
    }
    let outcome = refined.and_then(|refined| verification.verdict(refined, observers));
    // The run for the FMUs' own error has trials, too.
    runs.refuted().map_or(Ok(outcome), |reason| Err(reason.to_owned()))
}

/// Whether nothing is seen of errors that the method must not have.
fn shows_orders(best: &Extrapolation) -> bool {
    best.subdivisions.len() >= FEWEST && best.orders.shortfall.is_none() && best.orders.jump.is_none()
}

impl Verification<'_, '_> {
    /// Whether it is worth while to go on; a result that is not certain takes further runs.
    pub(super) fn insists(&mut self, subdivisions: u32) -> bool {
        if self.next == Next::Reached && !self.is_certain() {
            self.next = self.extrapolator.refine(subdivisions);
        }
        subdivisions < FINEST_WITHOUT_ORDER || self.extrapolator.best().is_some_and(shows_orders)
    }

    /// Whether the orders show, and the tolerance is kept even if all that is left is the power 1 that feedthrough adds.
    fn is_certain(&self) -> bool {
        let is_certain = |best: &Extrapolation| {
            let factor = best.orders.used.first_power_factor(&best.subdivisions);
            shows_orders(best) && factor * best.largest <= self.verified.tolerance
        };
        self.extrapolator.best().is_some_and(is_certain)
    }

    /// Why the runs are no results.
    fn doubt(&self, refined: &Result<Refined, Box<Error>>) -> Option<String> {
        match refined {
            _ if self.runs.refuted().is_some() => self.runs.refuted().map(str::to_owned),
            Err(error) if error.ended_process() => None,
            Err(error) => Some(error.to_string()),
            Ok(Refined::Lost(_) | Refined::Canceled) => None,
            Ok(Refined::Done) if self.next == Next::Reached && self.is_certain() => None,
            Ok(Refined::Done) => {
                Some("the runs do not converge with the order of a system without direct feedthrough".to_owned())
            }
        }
    }
}
