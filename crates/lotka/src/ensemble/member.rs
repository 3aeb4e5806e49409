//! One run of an ensemble.

use lotka_run::{Report, record::Memory};

use crate::Error;

/// One run of an [`Ensemble`](super::Ensemble).
#[derive(Debug)]
#[non_exhaustive]
pub struct Member<'a> {
    /// Its number.
    pub index: usize,
    /// Its rows; after a failure, those before it.
    pub rows: &'a Memory,
    /// The report, or the reason why it is missing: [`Error::RunFailed`] has the report up to the failure; [`Error::System`]:
    /// start values do not suit their variables.
    pub outcome: &'a Result<Report, Error>,
}
