//! A run of a series, as it is requested.

use std::sync::Arc;

use lotka_prepare::mesh::{Base, Between};
use lotka_run::{Mesh, RunTrial, SharedSystem};
use lotka_step::renewal::SetUp;

/// Everything in which a run differs from the others. Equal jobs have bitwise the same results.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Job<'t> {
    base: Arc<Base>,
    points: Points,
    /// The FMUs' tolerance, and that of the times of events, as shares of those of other runs.
    tolerance_share: f64,
    pub(super) event_share: f64,
    /// The instances that make each step in two parts.
    pub(super) in_parts: Arc<[bool]>,
    /// Trial steps at its end, or during the run.
    pub(super) trial: Option<RunTrial<'t>>,
}

/// Communication points of a run.
#[derive(Debug, Clone, PartialEq)]
enum Points {
    /// Each base step is divided equally. `expected` are the times of events, or just after them \[s\].
    Divided {
        subdivisions: u32,
        expected: Vec<f64>,
    },
    Between(Between),
}

impl<'t> Job<'t> {
    /// A run in which every base step is divided.
    pub(super) fn divided(base: &Arc<Base>, subdivisions: u32, expected: Vec<f64>) -> Self {
        Self::on(base, Points::Divided { subdivisions, expected })
    }

    /// A run between the points of others.
    pub(super) fn between(base: &Arc<Base>, mesh: Between) -> Self {
        Self::on(base, Points::Between(mesh))
    }

    fn on(base: &Arc<Base>, points: Points) -> Self {
        Self { base: base.clone(), points, tolerance_share: 1.0, event_share: 1.0, in_parts: Arc::new([]), trial: None }
    }

    /// The same run with this share of the FMUs' tolerance.
    pub(super) fn with_tolerance_share(self, tolerance_share: f64) -> Self {
        Self { tolerance_share, ..self }
    }

    /// The same run, which locates events to this share of the user's tolerance.
    pub(super) fn with_event_share(self, event_share: f64) -> Self {
        Self { event_share, ..self }
    }

    /// The same run, in which instances make each step in two parts.
    pub(super) fn with_parts(self, in_parts: &Arc<[bool]>) -> Self {
        Self { in_parts: in_parts.clone(), ..self }
    }

    /// The same run with trial steps.
    pub(super) fn with_trial(self, trial: Option<RunTrial<'t>>) -> Self {
        Self { trial, ..self }
    }

    pub(super) fn base(&self) -> &Base {
        &self.base
    }

    /// Steps per base step, or about as many.
    pub(super) fn subdivisions(&self) -> u32 {
        match &self.points {
            Points::Divided { subdivisions, .. } => *subdivisions,
            Points::Between(mesh) => mesh.density.round() as u32,
        }
    }

    /// Expected times of events, or just after them \[s\].
    pub(super) fn expected(&self) -> &[f64] {
        match &self.points {
            Points::Divided { expected, .. } => expected,
            Points::Between(_) => &[],
        }
    }

    /// About how many steps the run has.
    pub(super) fn steps(&self) -> u64 {
        self.base.n_steps() as u64 * u64::from(self.subdivisions())
    }

    /// Settings of the instances in this run.
    pub(super) fn set_up(&self, system: &SharedSystem) -> Vec<SetUp> {
        let mut set_up = system.set_up.clone();
        for set_up in &mut set_up {
            set_up.experiment.tolerance = set_up.experiment.tolerance.map(|tolerance| self.tolerance_share * tolerance);
        }
        set_up
    }

    /// Calls a function with the mesh of this run.
    pub(super) fn with_mesh<T>(&self, system: &SharedSystem, call: impl FnOnce(Mesh<'_>) -> T) -> T {
        match &self.points {
            Points::Divided { subdivisions, expected } => call(divided(system, &self.base, *subdivisions, expected)),
            Points::Between(mesh) => {
                let points = self.base.between(*mesh);
                let through = Mesh::through(&self.base, &points);
                call(if mesh.is_graded() { through.growing(mesh.comb) } else { through })
            }
        }
    }
}

/// A mesh in which every base step is divided.
pub(super) fn divided<'e>(system: &SharedSystem, base: &'e Base, subdivisions: u32, expected: &'e [f64]) -> Mesh<'e> {
    let mesh = Mesh::divided(base, subdivisions, expected);
    if system.same_size { mesh.of_same_size() } else { mesh }
}
