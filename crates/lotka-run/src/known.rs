//! What test runs have measured of the models, as far as it concerns the runs of a system. Here it changes no row: a run without
//! it finds out the same, later, or not at all.

use std::sync::Arc;

use lotka_instance::{BehaviorRecord, Comparison, OwnSteps, Rollback, RoundedSizes, description::Causality};
use lotka_message::{Code, Warning};
use lotka_plan::{graph::Graph, time::whole};
use lotka_prepare::trial::grids;
use lotka_step::resolved::{Interface, Resolved, Stepping};

/// What is known of the instances of a system.
pub(super) struct Known<'a> {
    pub(super) resolved: &'a Resolved,
    pub(super) graph: &'a Graph,
    pub(super) names: &'a [String],
    pub(super) interfaces: &'a [Interface<'a>],
    /// By index; those beyond the end are unknown.
    pub(super) records: &'a [Option<Arc<BehaviorRecord>>],
}

impl Known<'_> {
    /// The instances with a record.
    fn records(&self) -> impl Iterator<Item = (usize, &BehaviorRecord)> {
        self.records.iter().enumerate().filter_map(|(index, record)| Some((index, record.as_deref()?)))
    }

    /// The same without those whose parameters the system changes: these may behave in another way than in the test.
    fn unchanged(&self) -> impl Iterator<Item = (usize, &BehaviorRecord)> {
        let is_parameter = |index: usize, variable: usize| {
            self.interfaces[index].description.variables[variable].causality == Causality::Parameter
        };
        self.records().filter(move |(index, _)| {
            !self.resolved.start_values[*index].iter().any(|(variable, _)| is_parameter(*index, *variable))
        })
    }

    /// What runs need of it, by index: the sizes off by the rounding of times that instances refuse in the fixed steps of this
    /// system, and the sizes of internal steps \[s\].
    pub(super) fn of_runs(&self) -> (Vec<RoundedSizes>, Vec<Option<f64>>) {
        (self.refused_sizes(), self.own_steps())
    }

    fn refused_sizes(&self) -> Vec<RoundedSizes> {
        let mut refused = vec![RoundedSizes::default(); self.names.len()];
        let Stepping::Fixed(step) = self.resolved.experiment.stepping else { return refused };
        for (index, record) in self.unchanged() {
            refused[index] = record.refused_sizes.filter(|known| known.step == step).map(|known| known.sizes).unwrap_or_default();
        }
        refused
    }

    /// The sizes of internal steps that instances do not declare \[s\], by index.
    fn own_steps(&self) -> Vec<Option<f64>> {
        let mut sizes = vec![None; self.names.len()];
        for (index, record) in self.unchanged() {
            if let (Some(OwnSteps::Fixed(size)), None) =
                (record.own_steps, self.interfaces[index].description.fixed_internal_step)
            {
                sizes[index] = Some(size);
            }
        }
        sizes
    }

    /// Warnings about this system.
    pub(super) fn warnings(&self) -> Vec<Warning> {
        let mut warnings: Vec<_> = self.records().filter_map(|(index, record)| self.inexact_rollback(index, record)).collect();
        let sizes = self.own_steps().into_iter().enumerate();
        warnings.extend(sizes.filter_map(|(index, size)| self.unfit_steps(index, size?)));
        warnings.extend(self.records().filter_map(|(index, record)| self.not_repeatable(index, record)));
        warnings
    }

    fn unfit_steps(&self, index: usize, size: f64) -> Option<Warning> {
        let algorithm = &self.resolved.algorithm;
        let parts = if algorithm.sweep.make().is_symmetric() { 2.0 } else { 1.0 };
        let fixed = match self.resolved.experiment.stepping {
            Stepping::Fixed(step) if whole(step, parts * size).is_some() => return None,
            Stepping::Fixed(step) => Some(step),
            Stepping::Controlled(_) => None,
            // Its meshes keep to internal steps, which it finds itself.
            Stepping::Verified(_) => return None,
        };
        Some(grids::warning(&self.names[index], &format!("{size}"), fixed))
    }

    fn inexact_rollback(&self, index: usize, record: &BehaviorRecord) -> Option<Warning> {
        let Some(Rollback::Inexact(difference)) = &record.rollback else { return None };
        let Resolved { algorithm, events, experiment, .. } = self.resolved;
        let mut loops = self.graph.components.iter().filter(|component| component.is_loop);
        let iterates = algorithm.iteration.is_some() && loops.any(|component| component.members.contains(&index));
        let rolls_back = iterates || events.is_some() || matches!(experiment.stepping, Stepping::Controlled(_));
        rolls_back.then(|| inexact_rollback(&self.names[index], &difference.to_string()))
    }

    fn not_repeatable(&self, index: usize, record: &BehaviorRecord) -> Option<Warning> {
        let Some(Comparison::Differs(difference)) = &record.repetition else { return None };
        if !matches!(self.resolved.experiment.stepping, Stepping::Verified(_)) {
            return None;
        }
        let text = format!(
            "instance `{}` has other outputs in a second run that is the same ({difference}), and runs with `tolerance` are compared \
             with each other: the tolerance may not be reached, and a value that differs each time has no error",
            self.names[index]
        );
        Some(Warning::new(Code::NotRepeatable, text))
    }
}

/// The warning that an instance of this name does not return to its saved states, and why this is known.
pub(super) fn inexact_rollback(name: &str, difference: &str) -> Warning {
    let text = format!(
        "instance `{name}` does not return exactly to its saved states ({difference}), and this run rolls it back: its results may be \
         wrong; use a fixed `step` without `iterations` and `[events]`"
    );
    Warning::new(Code::InexactRollback, text)
}
