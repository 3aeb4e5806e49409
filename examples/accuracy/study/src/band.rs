//! True and estimated errors over time.

use lotka::{Memory, Notification, Observer, System};

use crate::{Error, Exact};

/// Errors of a verified predator–prey run, row by row, relative to the exact values.
#[derive(Debug, Clone, PartialEq)]
pub struct Band {
    /// The requested tolerance.
    pub tolerance: f64,
    /// Times of the rows \[s\].
    pub time: Vec<f64>,
    /// Prey and predators: estimated and true errors.
    pub species: [Errors; 2],
}

/// Errors of one variable, row by row.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Errors {
    /// The estimates of the run.
    pub estimated: Vec<f64>,
    /// The differences from the exact values.
    pub real: Vec<f64>,
}

/// An observer that keeps the error estimates of all rows.
#[derive(Default)]
struct Estimates(Vec<Vec<f64>>);

impl Observer for Estimates {
    fn observe(&mut self, notification: &Notification<'_>) {
        if let Notification::Row(row) = notification {
            self.0.push(row.error_estimates().to_vec());
        }
    }

    fn wants_steps(&self) -> bool {
        false
    }
}

impl Band {
    /// Runs the predator–prey system with a tolerance.
    ///
    /// # Errors
    /// The run cannot be set up or fails.
    pub(crate) fn of(system: &System, exact: &Exact, interval: f64, tolerance: f64) -> Result<Self, Error> {
        let (mut results, mut estimates) = (Memory::new(), Estimates::default());
        let system = system.clone().tolerance(tolerance).output_interval(interval);
        system.build()?.run(&mut [&mut results, &mut estimates])?;
        let columns = exact.columns(&results)?;
        let (mut time, mut species) = (Vec::new(), <[Errors; 2]>::default());
        for (row, values) in exact.matches(results.time()) {
            time.push(results.time()[row]);
            for (index, errors) in species.iter_mut().enumerate() {
                errors.estimated.push(estimate(&results, exact.variables[index], &estimates.0[row]) / values[index]);
                errors.real.push((columns[index][row] / values[index] - 1.0).abs());
            }
        }
        Ok(Self { tolerance, time, species })
    }

    /// Returns the largest error over all rows and both species; `errors` selects estimated or true errors.
    pub fn largest(&self, errors: fn(&Errors) -> &[f64]) -> f64 {
        self.species.iter().flat_map(errors).copied().fold(0.0, f64::max)
    }
}

/// Returns the estimate of one variable from the estimates of a row, which are in column order.
fn estimate(results: &Memory, variable: &str, estimates: &[f64]) -> f64 {
    let position = results.columns().iter().position(|column| column.name == variable);
    position.and_then(|position| estimates.get(position)).copied().unwrap_or(f64::NAN)
}
