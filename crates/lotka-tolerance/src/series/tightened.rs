//! A smaller tolerance of the FMUs, where their own error is the reason why that of the results is not met.

use lotka_run::SharedSystem;
use lotka_step::resolved::FMU_SHARE;

use super::{
    outcome::{Outcome, Refined},
    runs::Runs,
};

/// Share of the tolerance above which the error inside the FMUs is the reason.
const REASON: f64 = 0.25;

/// Share of the tolerance that it is to have afterwards, if it falls with what is requested; and the least factor.
const AIM: f64 = 0.05;
const LEAST: f64 = 1e-4;

impl Runs<'_> {
    /// The system with a smaller tolerance of all FMUs for which the user does not set one, if that may help; and a description.
    pub(super) fn tightened(&self, outcome: &Outcome) -> Option<(SharedSystem, String)> {
        let Ok((Refined::Done, Some(verdict))) = outcome else { return None };
        let (tolerance, loose) = (self.verified.tolerance, self.loose?);
        if verdict.error.reached || loose < REASON * tolerance || !loose.is_finite() {
            return None;
        }
        let (usual, factor) = (FMU_SHARE * tolerance, (AIM * tolerance / loose).max(LEAST));
        let mut system = self.system.clone();
        let of_fmus = system.set_up.iter_mut().filter_map(|set_up| set_up.experiment.tolerance.as_mut());
        let of_usual: Vec<&mut f64> = of_fmus.filter(|requested| **requested == usual).collect();
        if of_usual.is_empty() {
            return None;
        }
        of_usual.into_iter().for_each(|requested| *requested *= factor);
        let what = format!(
            "the error inside the FMUs is estimated at {loose:.1e}; Lotka restarts and requests a tolerance of {:.0e} from them",
            factor * usual
        );
        Some((system, what))
    }
}
