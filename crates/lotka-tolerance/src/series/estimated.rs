//! The columns whose errors are estimated, and the powers that are expected of them.

use std::collections::HashMap;

use lotka_plan::graph::{ColumnSource, Kind};
use lotka_prepare::trial::ResolvedInputs;
use lotka_run::InstanceSetFactory;
use lotka_step::algorithm::{Exchanged, Followed};

use crate::global::ErrorExpansion;

/// Assigns the same number to columns of the same kind.
pub(super) fn groups<'k>(kinds: impl Iterator<Item = &'k Kind>) -> Vec<usize> {
    let mut known = HashMap::new();
    kinds
        .map(|kind| {
            let next = known.len();
            *known.entry(kind).or_insert(next)
        })
        .collect()
}

/// Indices of the estimated columns among the followed values.
pub(super) fn followed_values(set_factory: &InstanceSetFactory, followed: &[Followed]) -> Vec<Option<usize>> {
    let plan = &set_factory.plan;
    let columns = plan.columns.iter().zip(&plan.column_sources).filter(|(column, _)| column.can_have_error());
    let place = |source: &ColumnSource| match source {
        ColumnSource::Real(signal) => followed.iter().position(|followed| followed.value == Exchanged::Real(*signal)),
        _ => None,
    };
    columns.map(|(_, source)| place(source)).collect()
}

/// Expected powers of the step size in the error.
pub(super) fn expansion(settled: &ResolvedInputs) -> ErrorExpansion {
    match (settled.even_powers, settled.order) {
        (true, _) => ErrorExpansion::Even,
        (false, 0 | 1) => ErrorExpansion::FromOne,
        (false, _) => ErrorExpansion::FromTwo,
    }
}
