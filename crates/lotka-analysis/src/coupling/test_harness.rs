//! Steps from one saved point, with and without a perturbed input.

use lotka_plan::graph::Gather;
use lotka_step::{
    Error,
    algorithm::{Attempt, Coupled, Level, Step, Sweep},
    signal::{Delivery, InputSettings},
};

/// Number of rows of each record.
pub(super) const ROWS: usize = 60;

/// A summand of an input, for one step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Perturbation {
    /// The index of the input in [`lotka_plan::graph::Plan::gathers`].
    pub(super) gather: usize,
    pub(super) by: f64,
    /// The row of a record before which it is added.
    pub(super) row: usize,
}

/// Initialized instances that always start from the same point.
pub(super) struct TestHarness<'a> {
    pub(super) coupled: &'a mut Coupled,
    /// The order in which instances step.
    pub(super) order: &'a [usize],
    /// Time of the saved point \[s\].
    pub(super) start: f64,
}

impl<'a> TestHarness<'a> {
    /// Saves the present states of the instances, which must support rollback.
    pub(super) fn new(coupled: &'a mut Coupled, order: &'a [usize], start: f64) -> Result<Self, Box<Error>> {
        coupled.allow_rollback(Level::Communication)?;
        coupled.save(Level::Communication, start)?;
        let mut harness = Self { coupled, order, start };
        harness.hold_inputs();
        Ok(harness)
    }

    /// Inputs are held; outputs are those that the instances computed with them.
    pub(super) fn hold_inputs(&mut self) {
        let plan = &self.coupled.plan;
        let settings = InputSettings {
            degree: 0,
            degrees: vec![0; plan.degrees.len()],
            deliveries: vec![Delivery::Mean; plan.instances.len()],
        };
        self.coupled.set_inputs(Some(settings), Vec::new());
    }

    /// Returns to the saved point.
    pub(super) fn restore(&mut self) -> Result<(), Box<Error>> {
        self.coupled.restore(Level::Communication)?;
        if let Some(inputs) = &mut self.coupled.inputs {
            inputs.restart();
        }
        Ok(())
    }

    /// Returns to the saved point; inputs are no longer those of the analysis.
    pub(super) fn finish(mut self) -> Result<(), Box<Error>> {
        self.restore()?;
        self.coupled.set_inputs(None, Vec::new());
        Ok(())
    }

    /// Values of `signals` at [`ROWS`] times, `h` \[s\] apart, after the saved point, row by row; steps are `parts` times
    /// shorter. From the first refused or failed step on, values are NaN.
    ///
    /// # Errors
    /// The instances cannot be rolled back.
    pub(super) fn record(
        &mut self,
        sweep: &mut dyn Sweep,
        (h, parts): (f64, usize),
        perturbed: Option<Perturbation>,
        signals: &[usize],
    ) -> Result<Vec<f64>, Box<Error>> {
        self.restore()?;
        let mut record = Vec::with_capacity(ROWS * signals.len());
        let h = h / parts as f64;
        for number in 0..ROWS * parts {
            let step = Step { t: self.start + number as f64 * h, h };
            let order = self.order;
            let pass = self.perturbed(perturbed.filter(|perturbed| number / parts == perturbed.row), |coupled| {
                coupled.begin_step(step.t, h);
                let pass = sweep.pass(coupled, order, step, true);
                coupled.check_finite(pass)
            });
            if pass.is_break() {
                break;
            }
            if (number + 1) % parts == 0 {
                record.extend(signals.iter().map(|&signal| self.coupled.newest.reals[signal]));
            }
        }
        record.resize(ROWS * signals.len(), f64::NAN);
        Ok(record)
    }

    /// Steps one instance by `h` \[s\] from the saved point, where all others stay. Writes its connected outputs to `outputs`;
    /// the exchanged values remain those of the saved point.
    pub(super) fn step_one(
        &mut self,
        instance: usize,
        h: f64,
        perturbed: Option<Perturbation>,
        outputs: &mut Vec<f64>,
    ) -> Result<Attempt<()>, Box<Error>> {
        self.coupled.restore_instances(&[instance], Level::Communication)?;
        if let Some(inputs) = &mut self.coupled.inputs {
            inputs.restart();
        }
        let start = self.start;
        let pass = self.perturbed(perturbed, |coupled| {
            coupled.begin_step(start, h);
            let pass = coupled.step_with_newest(instance, start, h);
            coupled.check_finite(pass)
        });
        let instance_plan = &self.coupled.plan.instances[instance];
        outputs.clear();
        outputs.extend_from_slice(&self.coupled.newest.reals[instance_plan.connected()]);
        let written = instance_plan.outputs.clone();
        let saved = self.coupled.saved_reals(Level::Communication)[written.clone()].to_vec();
        self.coupled.newest.reals[written].copy_from_slice(&saved);
        Ok(pass)
    }

    fn perturbed<T>(&mut self, perturbed: Option<Perturbation>, work: impl FnOnce(&mut Coupled) -> T) -> T {
        let Some(Perturbation { gather, by, .. }) = perturbed else { return work(self.coupled) };
        let unchanged = self.coupled.plan.gathers[gather].clone();
        self.coupled.compute_input(gather, Gather { offset: unchanged.offset + by, ..unchanged.clone() });
        let result = work(self.coupled);
        self.coupled.compute_input(gather, unchanged);
        result
    }
}
