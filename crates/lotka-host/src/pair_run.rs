//! Two instances of an FMU in one process: does one affect the other?

use fmu::{Fmu, InstantiateOptions};
use lotka_instance::{Experiment, Instance, RealRef, StepOutcome};
use serde::{Deserialize, Serialize};

/// A short run of two instances.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PairRun {
    /// The experiment passed to the instances before initialization.
    pub experiment: Experiment,
    /// Communication step size \[s\].
    pub step: f64,
    /// Number of steps.
    pub steps: u32,
    /// Real inputs with their values; the second instance receives other values.
    pub inputs: Vec<(RealRef, f64)>,
    /// Real outputs to compare.
    pub outputs: Vec<RealRef>,
}

/// The outputs after each step, row by row.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PairReport {
    /// Outputs of an instance that runs alone.
    pub alone: Vec<f64>,
    /// Outputs of an instance while another one steps between its steps and is freed halfway.
    pub together: Vec<f64>,
}

impl PairReport {
    /// Whether both runs have the number of values that the pair run requires.
    pub(crate) fn is_of(&self, pair_run: &PairRun) -> bool {
        [&self.alone, &self.together].iter().all(|run| run.len() == pair_run.steps as usize * pair_run.outputs.len())
    }
}

impl PairRun {
    /// Makes both runs.
    pub(crate) fn run(&self, fmu: &Fmu) -> Result<PairReport, String> {
        let (mut alone, mut together, mut ignored) = (Vec::new(), Vec::new(), Vec::new());
        let mut first = self.start(fmu, "first", 0.0)?;
        for t in self.times() {
            self.step(&mut first, t, &mut alone)?;
        }
        drop(first);
        let mut first = self.start(fmu, "first", 0.0)?;
        let mut second = Some(self.start(fmu, "second", 1.0)?);
        for (n, t) in self.times().enumerate() {
            self.step(&mut first, t, &mut together)?;
            second = second.filter(|_| n < self.steps as usize / 2);
            if let Some(second) = &mut second {
                self.step(second, t, &mut ignored)?;
            }
        }
        Ok(PairReport { alone, together })
    }

    /// The communication points, summed up like the FMU does.
    fn times(&self) -> impl Iterator<Item = f64> {
        let step = self.step;
        std::iter::successors(Some(self.experiment.start), move |t| Some(t + step)).take(self.steps as usize)
    }

    /// An instance at its first communication point, with inputs shifted by this amount.
    fn start(&self, fmu: &Fmu, name: &str, shift: f64) -> Result<Box<dyn Instance>, String> {
        let mut instance = fmu.instantiate(name, &InstantiateOptions::default()).map_err(|error| error.to_string())?;
        let (references, values): (Vec<_>, Vec<_>) =
            self.inputs.iter().map(|&(reference, value)| (reference, value + shift)).unzip();
        let mut begin = || {
            instance.setup_experiment(&self.experiment)?;
            instance.enter_initialization_mode()?;
            instance.set_real(&references, &values)?;
            instance.exit_initialization_mode()
        };
        begin().map_err(|error| error.to_string())?;
        Ok(instance)
    }

    fn step(&self, instance: &mut Box<dyn Instance>, t: f64, rows: &mut Vec<f64>) -> Result<(), String> {
        match instance.do_step(t, self.step, true).map_err(|error| error.to_string())? {
            StepOutcome::Complete => {}
            StepOutcome::EarlyReturn(time) | StepOutcome::Event(time) => {
                return Err(format!("the step at {t} s ended early, at {time} s"));
            }
            StepOutcome::Discarded(_) => return Err(format!("the step at {t} s was discarded")),
        }
        let from = rows.len();
        rows.resize(from + self.outputs.len(), 0.0);
        instance.get_real(&self.outputs, &mut rows[from..]).map_err(|error| error.to_string())
    }
}
