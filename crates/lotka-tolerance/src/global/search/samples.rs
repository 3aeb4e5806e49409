//! Searches with artificial runs, for tests.

use std::{collections::HashSet, rc::Rc};

use lotka_prepare::{
    mesh::{Base, Between},
    trial::grids::Ripple,
};
use lotka_step::Error;

use super::{BUDGET, Ending, Explained, Following, Made, NonsmoothPoint, Runner, Search, Settings};
use crate::global::{ErrorBound, ErrorExpansion, Run};

/// Makes runs with other points that have one value at all rows, by their density, or fail where this is NaN, and returns a fixed
/// number of calls.
pub(super) struct Fake {
    pub(super) between: fn(u32) -> f64,
    pub(super) calls: u64,
}

impl Fake {
    pub(super) fn new(between: fn(u32) -> f64) -> Self {
        Self { between, calls: 0 }
    }
}

impl Runner for Fake {
    fn divide(&mut self, _: &Base, _: u32, _: &Following) -> Made {
        Made::Stopped
    }
    fn between(&mut self, _: &Base, mesh: Between, _: &[Between], _: Option<&Ending>) -> Made {
        let density = mesh.density as u32;
        let value = (self.between)(density);
        if value.is_nan() { Made::Failed { diverged_at: None } } else { Made::Finished(Box::new(run(density, value))) }
    }
    fn calls(&self) -> u64 {
        self.calls
    }
    fn explain(&mut self, _: &Base, _: &Run, _: &[NonsmoothPoint]) -> Result<Explained, Box<Error>> {
        Ok(Explained::Not)
    }
    fn admitted(&mut self) -> Option<Vec<u32>> {
        None
    }
    fn look_late(&mut self, _: &Base, _: &Ending) -> Result<Option<Ripple>, Box<Error>> {
        Ok(None)
    }
    fn keep(&mut self, _: &HashSet<usize>, _: Option<f64>) {}
}

/// A run of one step that begins with 1 and ends with `value`.
pub(super) fn run(subdivisions: u32, value: f64) -> Run {
    Run { subdivisions, steps: 1, times: vec![0.0, 1.0], values: vec![1.0, value], ..Run::default() }
}

/// A search with runs of these numbers of steps and values, which extrapolates with an expansion.
pub(super) fn search(expansion: ErrorExpansion, values: &[(u32, f64)]) -> Search {
    let bound = ErrorBound {
        tolerance: 1e-6,
        absolute: None,
        nominals: vec![None],
        groups: vec![0],
        followed_values: vec![None],
        is_free: Vec::new(),
    };
    let settings = Settings {
        bound,
        expansion,
        is_stale: false,
        noise: 0.0,
        largest_refinement: 64,
        max_calls: None,
        budget: BUDGET,
        earlier_calls: 0,
        admitted: None,
        is_entangled: Vec::new(),
        followed: Vec::new(),
        late: None,
        acts_at_times: false,
        relies_on_trials: false,
        is_implicit: false,
        is_refined: false,
        has_events: false,
        off_mesh_rows: None,
        ripple: None,
    };
    let mut search = Search::new(settings, Base::new(vec![(0.0, true), (1.0, true)], 1.0));
    search.runs = values.iter().map(|(subdivisions, value)| Rc::new(run(*subdivisions, *value))).collect();
    search.weights = search.settings.bound.weights(&[1.0, 1.0], &[]);
    search
}
