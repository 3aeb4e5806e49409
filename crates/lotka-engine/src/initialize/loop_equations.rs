//! The equations of a loop of direct feedthrough.

use lotka_instance::{CallResult, Phase};
use nalgebra::DMatrix;

use super::{
    feedthrough_loop::FeedthroughLoop,
    newton::{self, Accuracy, Equations},
    start::failed,
};
use crate::{Error, algorithm::Coupled};

/// The equations `G(x) - x = 0`: `G` are the outputs of all instances for the inputs `x`.
pub(super) struct LoopEquations<'a> {
    of: &'a FeedthroughLoop,
    coupled: &'a mut Coupled,
    /// `G` at the point of the last evaluation.
    pub(super) g: Vec<f64>,
    /// Whether directional derivatives are used if available.
    asks: bool,
    /// Relative change of a value for a finite difference.
    change: f64,
}

impl<'a> LoopEquations<'a> {
    pub(super) fn new(of: &'a FeedthroughLoop, coupled: &'a mut Coupled, accuracy: Accuracy) -> Self {
        Self { g: vec![0.0; of.signals.len()], of, coupled, asks: true, change: accuracy.change() }
    }

    fn put(&mut self, x: &[f64]) {
        for (&signal, x) in self.of.signals.iter().zip(x) {
            self.coupled.newest.reals[signal] = *x;
        }
    }

    fn pass(&mut self, x: &[f64]) -> Result<bool, Box<Error>> {
        self.put(x);
        let of = self.of;
        for &instance in &of.instances {
            let set = self.coupled.set_real_inputs(instance);
            if !self.is_done(instance, set)? {
                return Ok(false);
            }
        }
        for &instance in &of.instances {
            let read = self.coupled.read_real_outputs(instance);
            if !self.is_done(instance, read)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether a call succeeded. A declined call leaves the instance unchanged: the values are outside its domain.
    fn is_done(&self, instance: usize, result: CallResult<()>) -> Result<bool, Box<Error>> {
        match result {
            Ok(()) => Ok(true),
            Err(_) if self.coupled.instances[instance].inner.phase() == Phase::Initialization => Ok(false),
            Err(error) => Err(failed(error)),
        }
    }

    /// Computes the entries of one column of `dG/dx` for one reader of its value.
    fn column(&mut self, x: &[f64], column: usize, reader: usize, jacobian: &mut DMatrix<f64>) -> Result<(), Box<Error>> {
        let offers = self.coupled.instances[reader].inner.capabilities().directional_derivative;
        if offers && self.asks {
            let asked = self.ask(column, reader, jacobian);
            self.asks = self.is_done(reader, asked)?;
        }
        if offers && self.asks { Ok(()) } else { self.difference(x, column, reader, jacobian) }
    }

    fn ask(&mut self, column: usize, reader: usize, jacobian: &mut DMatrix<f64>) -> CallResult<()> {
        let Coupled { plan, instances, .. } = &mut *self.coupled;
        let instance_plan = &plan.instances[reader];
        let (mut seed, mut changes) =
            (vec![0.0; instance_plan.input_references.len()], vec![0.0; instance_plan.output_references.len()]);
        plan.seed(reader, self.of.signals[column], &mut seed);
        let instance = &mut instances[reader].inner;
        instance.directional_derivative(
            &instance_plan.output_references,
            &instance_plan.input_references,
            &seed,
            &mut changes,
        )?;
        for (row, signal) in self.of.signals.iter().enumerate().filter(|(_, signal)| instance_plan.outputs.contains(signal)) {
            jacobian[(row, column)] = changes[signal - instance_plan.outputs.start];
        }
        Ok(())
    }

    fn difference(&mut self, x: &[f64], column: usize, reader: usize, jacobian: &mut DMatrix<f64>) -> Result<(), Box<Error>> {
        let size = newton::scales(x).nth(column).unwrap_or(1.0);
        let moved = x[column] + self.change * size;
        self.put(x);
        self.coupled.newest.reals[self.of.signals[column]] = moved;
        let result = self.coupled.set_real_inputs(reader).and_then(|()| self.coupled.read_real_outputs(reader));
        let is_done = self.is_done(reader, result)?;
        for (row, &signal) in self.of.signals.iter().enumerate() {
            if self.coupled.plan.instances[reader].outputs.contains(&signal) {
                let change = self.coupled.newest.reals[signal] - self.g[row];
                jacobian[(row, column)] = if is_done { change / (moved - x[column]) } else { f64::NAN };
            }
        }
        self.put(x);
        let back = self.coupled.set_real_inputs(reader);
        self.is_done(reader, back).map(|_| ())
    }
}

impl Equations for LoopEquations<'_> {
    fn residual(&mut self, x: &[f64], r: &mut [f64]) -> Result<(), Box<Error>> {
        if !self.pass(x)? {
            r.fill(f64::NAN);
            return Ok(());
        }
        for (position, &signal) in self.of.signals.iter().enumerate() {
            self.g[position] = self.coupled.newest.reals[signal];
            r[position] = self.g[position] - x[position];
        }
        Ok(())
    }

    fn jacobian(&mut self, x: &[f64], _: &[f64], jacobian: &mut DMatrix<f64>, sizes: &mut [f64]) -> Result<(), Box<Error>> {
        let of = self.of;
        for (column, readers) in of.readers.iter().enumerate() {
            readers.iter().try_for_each(|&reader| self.column(x, column, reader, jacobian))?;
        }
        for (row, size) in sizes.iter_mut().enumerate() {
            let inflow: f64 = x.iter().zip(jacobian.row(row).iter()).map(|(x, entry)| (x * entry).abs()).sum();
            *size = x[row].abs() + self.g[row].abs() + inflow;
            jacobian[(row, row)] -= 1.0;
        }
        Ok(())
    }
}
