//! All runs on one system.

use lotka::{Fmu, Memory};

use crate::{Case, Error, INTEGRATORS, Setting, table};

/// One integrator with one setting.
#[derive(Debug, Clone, PartialEq)]
pub struct Measurement {
    /// Name of the integrator.
    pub integrator: &'static str,
    /// The accuracy setting.
    pub setting: Setting,
    /// Time that the run reached \[s\].
    pub reached: f64,
    /// Largest absolute error of either state in the rows up to that time.
    pub error: f64,
    /// Work up to that time.
    pub work: Work,
}

/// Counters of the FMU.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Work {
    /// Evaluations of the right-hand side.
    pub n_evaluations: u64,
    /// Internal steps taken.
    pub n_internal_steps: u64,
    /// Internal steps rejected.
    pub n_rejected: u64,
    /// Jacobian evaluations.
    pub n_jacobians: u64,
    /// Factorizations.
    pub n_factorizations: u64,
}

/// Results of every integrator on one system.
#[derive(Debug, Clone, PartialEq)]
pub struct Study {
    /// The system.
    pub case: Case,
    /// Measurements in the order of [`INTEGRATORS`], then of [`Case::settings`].
    pub measurements: Vec<Measurement>,
}

impl Study {
    /// Simulates the system with every integrator.
    ///
    /// # Errors
    /// The FMU lacks an expected variable.
    pub fn run(case: Case, fmu: &Fmu) -> Result<Self, Error> {
        let settings = |controlled| case.settings(controlled).into_iter();
        let all = INTEGRATORS.into_iter().flat_map(|(name, controlled)| settings(controlled).map(move |setting| (name, setting)));
        let measurements = all.map(|(name, setting)| measure(case, fmu, name, setting)).collect::<Result<_, _>>()?;
        Ok(Self { case, measurements })
    }

    /// Returns the measurement of an integrator with a setting.
    pub fn measurement(&self, integrator: &str, setting: Setting) -> Option<&Measurement> {
        self.measurements.iter().find(|m| m.integrator == integrator && m.setting == setting)
    }

    /// Returns the numbers as Markdown.
    pub fn table(&self) -> String {
        table::markdown(self)
    }
}

fn measure(case: Case, fmu: &Fmu, integrator: &'static str, setting: Setting) -> Result<Measurement, Error> {
    let mut results = Memory::new();
    let run = case.system(fmu, integrator, setting).build()?.run(&mut [&mut results]);
    let refused = |failure: &lotka::RunFailure| matches!(failure.error, lotka::RunError::Discarded { .. });
    if let Err(failure) = run
        && !refused(&failure)
    {
        return Err(failure.into());
    }
    let column = |name: &str| {
        let name = format!("{}.{name}", case.name());
        results.real(&name).ok_or(Error::Column { name })
    };
    let [first, second] = case.states();
    let states = column(first)?.iter().zip(column(second)?);
    let deviation = |(t, (a, b)): (&f64, (&f64, &f64))| {
        let exact = case.exact(*t);
        f64::max((a - exact[0]).abs(), (b - exact[1]).abs())
    };
    let error = results.time().iter().zip(states).map(deviation).fold(0.0, f64::max);
    let count = |name: &str| column(name).map(|values| values.last().map_or(0, |count| *count as u64));
    let work = Work {
        n_evaluations: count("n_evaluations")?,
        n_internal_steps: count("n_internal_steps")?,
        n_rejected: count("n_rejected")?,
        n_jacobians: count("n_jacobians")?,
        n_factorizations: count("n_factorizations")?,
    };
    let reached = results.time().last().copied().unwrap_or(0.0);
    Ok(Measurement { integrator, setting, reached, error, work })
}
