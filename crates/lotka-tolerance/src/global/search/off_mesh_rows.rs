//! Rows that are not points of meshes: bases without them, and their values.

use std::sync::Arc;

use lotka_prepare::mesh::{Base, Dues, Scan};

use crate::global::{Extrapolation, Rows, Run, Weights};

/// Rows that need not be points of meshes.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct OffMeshRows {
    /// Times at which signals restart \[s\].
    pub(crate) breaks: Vec<f64>,
    /// Where runs have all values.
    pub(crate) dues: Dues,
    /// Signals of instances without inputs, which the bases of runs resolve, and the tolerance.
    pub(crate) scan: Option<(Arc<Scan>, f64)>,
    /// A base with all rows, which does not resolve these signals yet.
    pub(crate) with_all_rows: Base,
}

impl OffMeshRows {
    /// A base with steps of at most this size \[s\]. They are not gradual if signals require points between them.
    pub(crate) fn base(&self, distance: f64, is_gradual: bool) -> Base {
        let (start, stop) = self.with_all_rows.span();
        let inner = self.breaks.iter().copied().filter(|time| *time > start && *time < stop);
        let between: Vec<f64> = std::iter::once(start).chain(inner).chain([stop]).collect();
        let mut base = self.resolved(Base::with_off_mesh_rows(&between, distance, self.dues, is_gradual));
        base.mark(self.with_all_rows.rows());
        base
    }

    pub(super) fn resolved(&self, base: Base) -> Base {
        match &self.scan {
            Some((scan, tolerance)) => scan.resolved(base, *tolerance),
            None => base,
        }
    }

    /// The rows that are not base points.
    pub(super) fn between(&self, base: &Base, result: &Extrapolation, runs: &[&Run], weights: &Weights) -> Rows {
        let times = self.with_all_rows.rows().filter(|row| base.point_at(*row).is_none());
        let breaks: Vec<f64> = self.breaks.iter().filter_map(|time| Some(base.times()[base.point_at(*time)?])).collect();
        Rows::new(result, runs, times, (base, &breaks), weights)
    }
}
