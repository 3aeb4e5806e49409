//! Newton's method for the exchanged values of a loop.

use std::ops::Range;

use lotka_instance::CallResult;
use lotka_plan::linear::SparseMatrix;

use super::{Correction, Pass, Values};
use crate::{
    algorithm::{Attempt, Coupled, Signals, acceleration::InterfaceNewton, attempt::call_failed, coupled::Buffers, proceed},
    checkpoint::{Persistent, Transfer, Transferred},
};

/// The derivative is renewed if a correction leaves more than this share of the residual; or this one, if it is that of a step of
/// another size, as far as sizes differ by more than a share.
const SLOW: f64 = 0.3;
const SLOW_OF_OTHER: f64 = 0.003;
const OTHER: f64 = 0.01;

/// Smallest change of a value for a finite difference, in units of the tolerance of the iteration.
const COUNTS: f64 = 10.0;

/// Newton's method with the derivatives of one pass with respect to the exchanged values. The derivatives are reused from step to
/// step while they serve, except those that need no step of an instance.
///
/// A column of the derivative combines all instances that read the value. An instance without memory provides its directional
/// derivatives, if it has them: they describe its outputs completely. Every other one is stepped once more, after a rollback,
/// with the value changed. Its directional derivatives would cover the immediate effect on its outputs, but not that of its
/// states during the step. If no correction can be computed (the loop has no unique solution to first order), the result of the
/// pass is used as the next values.
///
/// References: as [`InterfaceNewton`].
pub(crate) struct Newton {
    newton: InterfaceNewton,
    instances: Vec<usize>,
    signals: Vec<usize>,
    /// Per instance: which of the signals are its outputs.
    blocks: Vec<Range<usize>>,
    /// Per signal of the loop: the positions of the instances in it that read the signal.
    readers: Vec<Vec<usize>>,
    derivative: SparseMatrix,
    base: Vec<f64>,
    residual: Vec<f64>,
    is_factored: bool,
    /// The size of the step of the derivative \[s\].
    h: f64,
    /// Norm of the residual for which the last correction of this step was computed.
    last_norm: Option<f64>,
    kept: Signals,
}

impl Newton {
    pub(crate) fn new(coupled: &Coupled, instances: &[usize]) -> Self {
        let plan = &coupled.plan;
        let mut blocks = Vec::new();
        let mut signals = Vec::new();
        for &instance in instances {
            let start = signals.len();
            signals.extend(plan.instances[instance].connected());
            blocks.push(start..signals.len());
        }
        let n = signals.len();
        let readers: Vec<_> = plan.readers(instances, &signals).collect();
        let places = readers.iter().enumerate().flat_map(|(column, readers)| {
            let rows = readers.iter().flat_map(|&reader: &usize| blocks[reader].clone());
            rows.map(move |row| (row, column))
        });
        let derivative = SparseMatrix::new(n, places);
        Self {
            newton: InterfaceNewton::new(derivative.clone(), &blocks),
            instances: instances.to_vec(),
            signals,
            blocks,
            readers,
            derivative,
            base: vec![0.0; n],
            residual: vec![0.0; n],
            is_factored: false,
            h: 0.0,
            last_norm: None,
            kept: coupled.newest.clone(),
        }
    }

    /// Computes the derivatives of the Jacobi pass at `x`.
    fn renew(&mut self, coupled: &mut Coupled, pass: Pass<'_>, values: &Values<'_>) -> Attempt<()> {
        self.kept.copy_from(&coupled.newest);
        let result = self.derivatives(coupled, pass, values);
        coupled.newest.copy_from(&self.kept);
        result?;
        self.is_factored = self.newton.factor(&self.derivative);
        self.h = pass.step.h;
        Attempt::Continue(())
    }

    fn derivatives(&mut self, coupled: &mut Coupled, pass: Pass<'_>, values: &Values<'_>) -> Attempt<()> {
        self.derivative.values_mut().fill(0.0);
        self.put(coupled, values.x, 0..self.signals.len());
        if pass.sweep.is_simultaneous() {
            self.base.copy_from_slice(values.g);
        } else {
            for position in 0..self.instances.len() {
                let instance = self.instances[position];
                if is_described_by_derivatives(coupled, instance) {
                    continue;
                }
                step_again(coupled, instance, pass)?;
                for row in self.blocks[position].clone() {
                    self.base[row] = coupled.newest.reals[self.signals[row]];
                }
                self.put(coupled, values.x, self.blocks[position].clone());
            }
        }
        for column in 0..self.signals.len() {
            for reader in 0..self.readers[column].len() {
                let reader = self.readers[column][reader];
                if is_described_by_derivatives(coupled, self.instances[reader]) {
                    proceed(self.ask(coupled, column, reader).map_err(call_failed))?;
                } else {
                    self.difference(coupled, pass, values, column, reader)?;
                }
            }
        }
        Attempt::Continue(())
    }

    /// Computes the entries of one column for one reader of its value, from the reader's directional derivatives.
    fn ask(&mut self, coupled: &mut Coupled, column: usize, position: usize) -> CallResult<()> {
        let reader = self.instances[position];
        let Coupled { plan, instances, buffers: Buffers { gathered, changes, .. }, .. } = coupled;
        let instance_plan = &plan.instances[reader];
        let signal = self.signals[column];
        let seed = &mut gathered[..instance_plan.input_references.len()];
        plan.seed(reader, signal, seed);
        let changes = &mut changes[..instance_plan.output_references.len()];
        instances[reader].inner.directional_derivative(
            &instance_plan.output_references,
            &instance_plan.input_references,
            seed,
            changes,
        )?;
        for (row, change) in self.blocks[position].clone().zip(changes) {
            self.derivative.set(row, column, *change);
        }
        Ok(())
    }

    /// Computes the same entries by stepping the reader once more with the value changed.
    fn difference(
        &mut self,
        coupled: &mut Coupled,
        pass: Pass<'_>,
        values: &Values<'_>,
        column: usize,
        position: usize,
    ) -> Attempt<()> {
        // The square root of the rounding unit relative to the value, but at least a change above the tolerance: values may be
        // near 0.
        let change = (f64::EPSILON.sqrt() * values.x[column].abs()).max(COUNTS / values.weights[column]);
        coupled.newest.reals[self.signals[column]] += change;
        let change = coupled.newest.reals[self.signals[column]] - values.x[column];
        step_again(coupled, self.instances[position], pass)?;
        for row in self.blocks[position].clone() {
            self.derivative.set(row, column, (coupled.newest.reals[self.signals[row]] - self.base[row]) / change);
        }
        self.put(coupled, values.x, self.blocks[position].clone());
        self.put(coupled, values.x, column..column + 1);
        Attempt::Continue(())
    }

    /// Makes some of the values newest.
    fn put(&self, coupled: &mut Coupled, x: &[f64], places: Range<usize>) {
        for (&signal, value) in self.signals[places.clone()].iter().zip(&x[places]) {
            coupled.newest.reals[signal] = *value;
        }
    }
}

impl Persistent for Newton {
    fn transfer(&mut self, transfer: &mut Transfer<'_>) -> Transferred {
        transfer.value(&mut self.is_factored)?;
        transfer.value(&mut self.h)?;
        self.newton.transfer(transfer)
    }
}

impl Correction for Newton {
    fn begin(&mut self) {
        self.last_norm = None;
    }

    fn next(&mut self, coupled: &mut Coupled, pass: Pass<'_>, values: Values<'_>) -> Attempt<()> {
        let differences = values.g.iter().zip(values.x.iter());
        for (residual, (g, x)) in self.residual.iter_mut().zip(differences) {
            *residual = g - x;
        }
        let norm = self.residual.iter().zip(values.weights).map(|(r, weight)| (r * weight).powi(2)).sum::<f64>().sqrt();
        let slow = if (pass.step.h - self.h).abs() > OTHER * self.h { SLOW_OF_OTHER } else { SLOW };
        let is_slow = self.last_norm.is_some_and(|last| norm > slow * last);
        if !self.is_factored || is_slow || self.costs_no_step(coupled) {
            self.renew(coupled, pass, &values)?;
        }
        self.last_norm = Some(norm);
        let solved = if pass.sweep.is_simultaneous() {
            self.newton.solve(&mut self.residual)
        } else {
            self.newton.gauss_seidel_correction(&mut self.residual)
        };
        if solved {
            values.x.iter_mut().zip(&self.residual).for_each(|(x, dx)| *x += dx);
        } else {
            values.x.copy_from_slice(values.g);
        }
        Attempt::Continue(())
    }

    fn converged(&mut self) {}

    fn costs_no_step(&self, coupled: &Coupled) -> bool {
        self.instances.iter().all(|&instance| is_described_by_derivatives(coupled, instance))
    }
}

/// Steps one instance once more from the beginning of the step, with the newest values as end values.
fn step_again(coupled: &mut Coupled, instance: usize, pass: Pass<'_>) -> Attempt<()> {
    proceed(coupled.restore_instances(&[instance], pass.level))?;
    coupled.step_with_newest(instance, pass.step.t, pass.step.h)?;
    coupled.refresh(&[instance])
}

/// Whether the directional derivatives of an instance completely describe how its outputs respond to its inputs.
fn is_described_by_derivatives(coupled: &Coupled, instance: usize) -> bool {
    coupled.is_memoryless(instance) && coupled.instances[instance].inner.capabilities().directional_derivative
}
