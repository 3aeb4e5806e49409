//! Newton's method for the exchanged values of a loop.

use lotka_instance::CallResult;

use super::{Correction, Pass, Values};
use crate::{
    algorithm::{Attempt, Coupled, Signals, acceleration::InterfaceNewton, attempt::call_failed, coupled::Buffers, proceed},
    checkpoint::{Persistent, Transfer, Transferred},
};

/// The derivative is renewed if a correction leaves more than this share of the residual.
const SLOW: f64 = 0.3;

/// Smallest change of a value for a finite difference, in units of the tolerance of the iteration.
const COUNTS: f64 = 10.0;

/// Newton's method with the derivatives of one pass with respect to the exchanged values. The derivatives are reused from step to step while
/// they serve, except those that need no step of an instance.
///
/// A column of the derivative combines all instances that read the value. An instance without memory provides its directional derivatives, if it
/// has them: they describe its outputs completely. Every other one is stepped once more, after a rollback, with the value changed. Its
/// directional derivatives would cover the immediate effect on its outputs, but not that of its states during the step. If no correction can be
/// computed (the loop has no unique solution to first order), the result of the pass is used as the next values.
///
/// References: as [`InterfaceNewton`].
pub(crate) struct Newton {
    newton: InterfaceNewton,
    instances: Vec<usize>,
    signals: Vec<usize>,
    /// Per signal of the loop: the instances in it that read the signal.
    readers: Vec<Vec<usize>>,
    derivative: Vec<f64>,
    base: Vec<f64>,
    residual: Vec<f64>,
    is_factored: bool,
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
        Self {
            newton: InterfaceNewton::new(n, blocks),
            instances: instances.to_vec(),
            readers: signals
                .iter()
                .map(|&signal| instances.iter().copied().filter(|&instance| plan.reads(instance, signal)).collect())
                .collect(),
            signals,
            derivative: vec![0.0; n * n],
            base: vec![0.0; n],
            residual: vec![0.0; n],
            is_factored: false,
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
        Attempt::Continue(())
    }

    fn derivatives(&mut self, coupled: &mut Coupled, pass: Pass<'_>, values: &Values<'_>) -> Attempt<()> {
        self.derivative.fill(0.0);
        if pass.sweep.is_simultaneous() {
            self.base.copy_from_slice(values.g);
        } else {
            for position in 0..self.instances.len() {
                let instance = self.instances[position];
                if is_described_by_derivatives(coupled, instance) {
                    continue;
                }
                self.put(coupled, values.x);
                step_again(coupled, instance, pass)?;
                for (base, &signal) in self.base.iter_mut().zip(&self.signals) {
                    if coupled.plan.instances[instance].connected().contains(&signal) {
                        *base = coupled.newest.reals[signal];
                    }
                }
            }
        }
        for column in 0..self.signals.len() {
            for reader in 0..self.readers[column].len() {
                let reader = self.readers[column][reader];
                if is_described_by_derivatives(coupled, reader) {
                    proceed(self.ask(coupled, column, reader).map_err(call_failed))?;
                } else {
                    self.difference(coupled, pass, values, column, reader)?;
                }
            }
        }
        Attempt::Continue(())
    }

    /// Computes the entries of one column for one reader of its value, from the reader's directional derivatives.
    fn ask(&mut self, coupled: &mut Coupled, column: usize, reader: usize) -> CallResult<()> {
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
        let n = self.signals.len();
        for (row, signal) in self.signals.iter().enumerate().filter(|(_, signal)| instance_plan.connected().contains(signal)) {
            self.derivative[row * n + column] = changes[signal - instance_plan.outputs.start];
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
        reader: usize,
    ) -> Attempt<()> {
        // The square root of the rounding unit relative to the value, but at least a change above the tolerance: values may be near 0.
        let change = (f64::EPSILON.sqrt() * values.x[column].abs()).max(COUNTS / values.weights[column]);
        self.put(coupled, values.x);
        coupled.newest.reals[self.signals[column]] += change;
        let change = coupled.newest.reals[self.signals[column]] - values.x[column];
        step_again(coupled, reader, pass)?;
        let n = self.signals.len();
        for (row, &signal) in self.signals.iter().enumerate() {
            if coupled.plan.instances[reader].connected().contains(&signal) {
                self.derivative[row * n + column] = (coupled.newest.reals[signal] - self.base[row]) / change;
            }
        }
        Attempt::Continue(())
    }

    fn put(&self, coupled: &mut Coupled, x: &[f64]) {
        for (&signal, value) in self.signals.iter().zip(x) {
            coupled.newest.reals[signal] = *value;
        }
    }
}

impl Persistent for Newton {
    fn transfer(&mut self, transfer: &mut Transfer<'_>) -> Transferred {
        transfer.value(&mut self.is_factored)?;
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
        let is_slow = self.last_norm.is_some_and(|last| norm > SLOW * last);
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
