//! The connected inputs and outputs of a system, with their names and sizes.

use std::ops::Range;

use lotka_instance::{ModelDescription, description::VariableKind};
use lotka_plan::graph::Plan;

/// Part of its nominal value by which an input is perturbed.
const PERTURBATION: f64 = 0.01;

/// A connected Real input.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Input {
    pub instance: usize,
    /// Its index in [`Plan::gathers`].
    pub(super) gather: usize,
    pub(super) name: String,
    /// Declared nominal value, otherwise the size of its sources.
    pub(super) scale: f64,
}

impl Input {
    /// Size of its perturbation.
    pub(super) fn perturbation(&self) -> f64 {
        PERTURBATION * self.scale
    }
}

/// All connected inputs, and the size of all signals.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Interface {
    /// Grouped by instance, in the order of the plan.
    pub(super) inputs: Vec<Input>,
    /// Size of each Real signal, above 0: declared nominal value, otherwise the largest observed value.
    pub(super) scales: Vec<f64>,
}

impl Interface {
    /// `seen` has the largest observed absolute value of each Real signal.
    pub(super) fn new(names: &[String], descriptions: &[&ModelDescription], plan: &Plan, seen: &[f64]) -> Self {
        let scales = scales(plan, seen);
        let mut inputs = Vec::new();
        for (instance, instance_plan) in plan.instances.iter().enumerate() {
            for (reference, gather) in instance_plan.input_references.iter().zip(instance_plan.gathers.clone()) {
                let variable = descriptions[instance]
                    .variables
                    .iter()
                    .find(|variable| matches!(variable.kind, VariableKind::Real(_)) && variable.value_reference == reference.0);
                let nominal = variable.and_then(|variable| variable.nominal());
                let name = variable.map(|variable| variable.name.as_str()).unwrap_or_default();
                inputs.push(Input {
                    instance,
                    gather,
                    name: format!("{}.{name}", names[instance]),
                    scale: nominal.map_or_else(|| size_of_sum(plan, gather, &scales), f64::abs),
                });
            }
        }
        Self { inputs, scales }
    }

    /// Size of a perturbation of this signal.
    pub(super) fn perturbation(&self, signal: usize) -> f64 {
        PERTURBATION * self.scales[signal]
    }

    /// The inputs of one instance, as indices.
    pub(super) fn inputs_of(&self, instance: usize) -> Range<usize> {
        let start = self.inputs.partition_point(|input| input.instance < instance);
        let end = self.inputs.partition_point(|input| input.instance <= instance);
        start..end
    }
}

fn scales(plan: &Plan, seen: &[f64]) -> Vec<f64> {
    let mut scales = seen.to_vec();
    for (scale, nominal) in scales.iter_mut().zip(&plan.nominals) {
        if let Some(nominal) = nominal {
            *scale = nominal.abs();
        }
    }
    scales.into_iter().map(positive).collect()
}

/// Size of an input as that of its summands.
fn size_of_sum(plan: &Plan, gather: usize, scales: &[f64]) -> f64 {
    let terms = &plan.terms[plan.gathers[gather].terms.clone()];
    positive(terms.iter().map(|term| term.factor.abs() * scales[term.signal]).sum())
}

/// Inputs without a known size count as 1.
fn positive(size: f64) -> f64 {
    if size > 0.0 && size.is_finite() { size } else { 1.0 }
}
