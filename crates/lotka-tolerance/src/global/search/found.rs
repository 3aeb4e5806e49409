//! A result of a search.

use std::rc::Rc;

use lotka_prepare::mesh::Base;

use super::off_mesh_rows::OffMeshRows;
use crate::global::{Extrapolation, Rows, Run, Weights};

/// A result, and the runs on which it is based.
#[derive(Debug, Clone)]
pub struct Found {
    pub(crate) result: Extrapolation,
    pub(crate) weights: Weights,
    pub(crate) base: Rc<Base>,
    /// Its runs, from coarse to fine; at least one.
    pub(crate) runs: Vec<Rc<Run>>,
    /// Rows between base points.
    pub(crate) rows: Rows,
    /// Runs on meshes with other points that agree with it.
    pub(crate) checks: usize,
    /// Whether runs on other meshes were compared with it; where they disagree, its estimates are wider.
    pub(crate) is_compared: bool,
    /// The longest distance between points of all runs that were compared \[s\].
    pub(crate) distance: f64,
}

impl Found {
    /// The coarsest run.
    pub(crate) fn coarsest(&self) -> Option<&Rc<Run>> {
        self.runs.first()
    }

    /// The finest run.
    pub(crate) fn finest(&self) -> Option<&Rc<Run>> {
        self.runs.last()
    }

    /// Estimates the absolute errors of the rows between base points; takes out what it needs for that.
    pub(crate) fn take_estimates_between(&mut self) -> Vec<f64> {
        let Some(finest) = self.runs.last() else { return Vec::new() };
        self.rows.take_estimates((&finest.times, &self.result), &self.weights)
    }

    /// Finds the rows between base points.
    pub(super) fn show(&mut self, off_mesh: &OffMeshRows) {
        let runs: Vec<&Run> = self.runs.iter().map(Rc::as_ref).collect();
        self.rows = off_mesh.between(&self.base, &self.result, &runs, &self.weights);
    }
}
