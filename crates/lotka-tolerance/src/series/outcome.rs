//! What a series of runs comes to.

use lotka_run::End;
use lotka_step::{Error, error::GlobalError};

use super::{
    recording::{Recording, RowsBetween},
    runs::Spent,
};

/// The outcome of the runs.
pub(super) type Outcome = Result<(Refined, Option<Verdict>), Box<Error>>;

/// How the refinement ended.
pub(super) enum Refined {
    /// Another run is unnecessary or useless.
    Done,
    Canceled,
    /// An FMU ended its process. The rows of the earlier runs are results, but the simulation has failed.
    Lost(Box<Error>),
}

/// A result with its error estimate.
pub(super) struct Verdict {
    pub(super) rows: Recording,
    pub(super) values: Vec<f64>,
    pub(super) estimates: Vec<f64>,
    /// Rows between those of the finest run.
    pub(super) between: RowsBetween,
    pub(super) error: GlobalError,
    /// Whether rows of events are omitted.
    pub(super) hides_events: bool,
    /// The end requested by an instance.
    pub(super) ended: Option<End>,
}

impl Verdict {
    /// Marks the result as invalid for this reason: its errors are unknown.
    pub(super) fn doubt(&mut self, reason: String) {
        self.error.doubt(reason);
        self.estimates.fill(f64::INFINITY);
        self.between.estimates.fill(f64::INFINITY);
    }
}

/// Runs that do not meet the tolerance.
pub(super) struct InVain {
    /// Their cost.
    pub(super) spent: Box<Spent>,
    /// Their best result, if the trials are not contradicted, except that the orders are not observed.
    pub(super) best: Option<Box<Verdict>>,
}

/// Returns an outcome with the best result of the earlier runs, if it has none or a worse one.
pub(super) fn or_better(outcome: Outcome, best: Option<Box<Verdict>>) -> Outcome {
    let Some(best) = best else { return outcome };
    match outcome {
        Ok((refined, Some(found))) if found.error.reached || found.error.largest <= best.error.largest => {
            Ok((refined, Some(found)))
        }
        Ok((refined, _)) => Ok((refined, Some(*best))),
        Err(error) => Ok((Refined::Lost(error), Some(*best))),
    }
}
