//! The equations of a loop of direct feedthrough.

use std::ops::Range;

use lotka_instance::{CallResult, Phase};
use lotka_plan::linear::SparseMatrix;
use lotka_step::{Error, algorithm::Coupled, renewal::failed};

use super::{
    feedthrough_loop::FeedthroughLoop,
    newton::{self, Accuracy, Equations},
};

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

    /// Makes some of the values newest.
    fn put(&mut self, x: &[f64], places: Range<usize>) {
        for (&signal, x) in self.of.signals[places.clone()].iter().zip(&x[places]) {
            self.coupled.newest.reals[signal] = *x;
        }
    }

    fn pass(&mut self, x: &[f64]) -> Result<bool, Box<Error>> {
        self.put(x, 0..x.len());
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

    /// Computes the entries of one column of `dG/dx` for one reader of its value, by its position. The value has the given size.
    fn column(
        &mut self,
        x: &[f64],
        (column, size): (usize, f64),
        position: usize,
        jacobian: &mut SparseMatrix,
    ) -> Result<(), Box<Error>> {
        let reader = self.of.instances[position];
        let offers = self.coupled.instances[reader].inner.capabilities().directional_derivative;
        if offers && self.asks {
            let asked = self.ask(column, position, jacobian);
            self.asks = self.is_done(reader, asked)?;
        }
        if offers && self.asks { Ok(()) } else { self.difference(x, (column, size), position, jacobian) }
    }

    fn ask(&mut self, column: usize, position: usize, jacobian: &mut SparseMatrix) -> CallResult<()> {
        let reader = self.of.instances[position];
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
        for row in self.of.blocks[position].clone() {
            jacobian.set(row, column, changes[self.of.signals[row] - instance_plan.outputs.start]);
        }
        Ok(())
    }

    fn difference(
        &mut self,
        x: &[f64],
        (column, size): (usize, f64),
        position: usize,
        jacobian: &mut SparseMatrix,
    ) -> Result<(), Box<Error>> {
        let (reader, block) = (self.of.instances[position], self.of.blocks[position].clone());
        let moved = x[column] + self.change * size;
        self.coupled.newest.reals[self.of.signals[column]] = moved;
        let result = self.coupled.set_real_inputs(reader).and_then(|()| self.coupled.read_real_outputs(reader));
        let is_done = self.is_done(reader, result)?;
        for row in block.clone() {
            let change = self.coupled.newest.reals[self.of.signals[row]] - self.g[row];
            jacobian.set(row, column, if is_done { change / (moved - x[column]) } else { f64::NAN });
        }
        self.put(x, block);
        self.put(x, column..column + 1);
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

    fn places(&self) -> SparseMatrix {
        let of = self.of;
        let entries = of.readers.iter().enumerate().flat_map(|(column, readers)| {
            let rows = readers.iter().flat_map(|&reader| of.blocks[reader].clone());
            rows.map(move |row| (row, column))
        });
        let n = of.signals.len();
        SparseMatrix::new(n, entries.chain((0..n).map(|place| (place, place))))
    }

    fn jacobian(&mut self, x: &[f64], _: &[f64], jacobian: &mut SparseMatrix, sizes: &mut [f64]) -> Result<(), Box<Error>> {
        let of = self.of;
        jacobian.values_mut().fill(0.0);
        self.put(x, 0..x.len());
        for ((column, readers), size) in of.readers.iter().enumerate().zip(newton::scales(x)) {
            readers.iter().try_for_each(|&reader| self.column(x, (column, size), reader, jacobian))?;
        }
        let mut inflow = vec![0.0; x.len()];
        jacobian.iter().for_each(|(row, column, entry)| inflow[row] += (x[column] * entry).abs());
        for (row, size) in sizes.iter_mut().enumerate() {
            *size = x[row].abs() + self.g[row].abs() + inflow[row];
        }
        jacobian.iter_mut().filter(|(row, column, _)| row == column).for_each(|(.., entry)| *entry -= 1.0);
        Ok(())
    }
}
