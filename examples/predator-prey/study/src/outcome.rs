//! Results of an experiment.

use lotka::{Memory, Report, StepSizes};

use crate::{Error, Experiment, Fmus, Reference, largest};

/// Populations over time.
#[derive(Debug, Clone, PartialEq)]
pub struct Trajectory {
    /// Times of the rows \[s\].
    pub time: Vec<f64>,
    /// Prey and predators.
    pub populations: Vec<[f64; 2]>,
}

impl Trajectory {
    /// Reads two variables, `instance.variable` of prey and predators, from results.
    ///
    /// # Errors
    /// A variable is missing or not a number.
    pub fn from_results(results: &Memory, variables: [&str; 2]) -> Result<Self, Error> {
        let column = |name: &str| results.real(name).ok_or_else(|| Error::Column { name: name.to_owned() });
        let (prey, predators) = (column(variables[0])?, column(variables[1])?);
        let populations = prey.iter().zip(predators).map(|(&x, &y)| [x, y]).collect();
        Ok(Self { time: results.time().to_vec(), populations })
    }

    /// Returns prey (0) or predators (1) as points over time.
    pub fn over_time(&self, species: usize) -> Vec<(f64, f64)> {
        self.time.iter().zip(&self.populations).map(|(&time, row)| (time, row[species])).collect()
    }

    /// Returns prey and predators in the last row; NaN without rows.
    pub fn end(&self) -> [f64; 2] {
        self.populations.last().copied().unwrap_or([f64::NAN; 2])
    }
}

/// The outcome of an experiment.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// The experiment.
    pub experiment: Experiment,
    /// Counters.
    pub report: Report,
    /// Results of all accepted steps.
    pub trajectory: Trajectory,
    /// All accepted steps.
    pub steps: StepSizes,
    /// Results minus exact solution, for prey and predators.
    pub differences: Vec<[f64; 2]>,
    /// Absolute differences relative to the exact solution.
    pub errors: Vec<[f64; 2]>,
}

impl Outcome {
    /// Runs an experiment.
    ///
    /// # Errors
    /// The experiment cannot be set up, or it fails.
    pub fn of(experiment: Experiment, fmus: &Fmus, reference: &Reference) -> Result<Self, Error> {
        let (mut results, mut steps) = (Memory::new(), StepSizes::new());
        let report = experiment.system(fmus).build()?.run(&mut [&mut results, &mut steps])?;
        let trajectory = Trajectory::from_results(&results, experiment.variables())?;
        let differences = reference.differences(&trajectory);
        let errors = reference.relative_deviations(&trajectory);
        Ok(Self { experiment, report, trajectory, steps, differences, errors })
    }

    /// Returns the largest relative error over all rows and both species.
    pub fn largest_error(&self) -> f64 {
        largest(&self.errors)
    }

    /// Returns the number of rejected steps.
    pub fn rejected(&self) -> u64 {
        self.report.counters.n_step_attempts - self.report.counters.n_steps
    }

    /// Returns [`Outcome::differences`] or [`Outcome::errors`] of one species over time.
    pub(crate) fn over_time(&self, rows: &[[f64; 2]], species: usize) -> Vec<(f64, f64)> {
        self.trajectory.time.iter().zip(rows).map(|(&time, row)| (time, row[species])).collect()
    }
}
