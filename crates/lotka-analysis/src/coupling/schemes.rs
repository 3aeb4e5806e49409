//! The coupling schemes without iteration that are compared.

use std::fmt;

use lotka_plan::graph::Plan;
use lotka_prepare::trial::ResolvedInputs;
use lotka_step::algorithm::{Named, SweepMethod};

/// When outputs with direct feedthrough are computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outputs {
    /// During the step, with the inputs held in it.
    Stale,
    /// After the step, with the inputs of its end.
    Fresh,
}

/// A coupling scheme that is compared with others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ComparedSweep {
    /// All instances at once.
    Jacobi,
    /// One after the other.
    GaussSeidel,
}

impl ComparedSweep {
    /// The method.
    #[must_use]
    pub fn method(self) -> SweepMethod {
        match self {
            Self::Jacobi => SweepMethod::Jacobi,
            Self::GaussSeidel => SweepMethod::GaussSeidel,
        }
    }

    /// Its name in system files.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.method().name()
    }
}

impl fmt::Display for ComparedSweep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A way to couple without iteration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scheme {
    /// The coupling scheme.
    pub sweep: ComparedSweep,
    /// `None` where no output has direct feedthrough, so that it makes no difference.
    pub outputs: Option<Outputs>,
}

impl fmt::Display for Scheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.sweep.fmt(f)?;
        match self.outputs {
            Some(Outputs::Stale) => f.write_str(" with stale outputs"),
            Some(Outputs::Fresh) => f.write_str(" with fresh outputs"),
            None => Ok(()),
        }
    }
}

/// The instances of a system that are coupled in loops.
pub(super) struct Loops<'a> {
    plan: &'a Plan,
    /// The order in which instances step.
    order: &'a [usize],
    in_loop: Vec<bool>,
}

impl<'a> Loops<'a> {
    pub(super) fn new(plan: &'a Plan, order: &'a [usize]) -> Self {
        let mut in_loop = vec![false; plan.instances.len()];
        for component in plan.components.iter().filter(|component| component.is_loop) {
            component.members.iter().for_each(|&member| in_loop[member] = true);
        }
        Self { plan, order, in_loop }
    }

    pub(super) fn contains(&self, instance: usize) -> bool {
        self.in_loop[instance]
    }

    /// Connected outputs, as signals.
    pub(super) fn signals(&self) -> Vec<usize> {
        self.order.iter().filter(|&&instance| self.contains(instance)).flat_map(|&i| self.plan.instances[i].connected()).collect()
    }

    /// Instances whose outputs stay stale in every scheme.
    pub(super) fn stale(&self, fresh: &ResolvedInputs) -> Vec<usize> {
        fresh.stale.iter().copied().filter(|&instance| self.contains(instance)).collect()
    }

    /// The schemes to compare; with fresh outputs only if these differ from stale ones and all FMUs support them.
    pub(super) fn schemes(&self, fresh: &ResolvedInputs) -> Vec<Scheme> {
        if !self.in_loop.contains(&true) {
            return Vec::new();
        }
        let can_be_fresh = self.stale(fresh).is_empty();
        let mut schemes = Vec::new();
        for (sweep, differ) in
            [(ComparedSweep::Jacobi, self.has_feedthrough()), (ComparedSweep::GaussSeidel, self.has_feedthrough_ahead())]
        {
            let outputs = if differ { Some(Outputs::Stale) } else { None };
            schemes.push(Scheme { sweep, outputs });
            if differ && can_be_fresh {
                schemes.push(Scheme { sweep, outputs: Some(Outputs::Fresh) });
            }
        }
        schemes
    }

    fn with_feedthrough(&self) -> impl Iterator<Item = usize> {
        self.order.iter().copied().filter(|&instance| self.contains(instance) && self.plan.instances[instance].has_feedthrough)
    }

    fn has_feedthrough(&self) -> bool {
        self.with_feedthrough().next().is_some()
    }

    /// Whether an instance with feedthrough reads a value of an instance that steps after it: the others step with fresh values
    /// anyway.
    fn has_feedthrough_ahead(&self) -> bool {
        let mut known = vec![false; self.plan.signal_names.len()];
        let mut ahead = false;
        for &instance in self.order {
            let instance_plan = &self.plan.instances[instance];
            let mut terms =
                self.plan.gathers[instance_plan.gathers.clone()].iter().flat_map(|gather| &self.plan.terms[gather.terms.clone()]);
            ahead |= instance_plan.has_feedthrough && self.contains(instance) && terms.any(|term| !known[term.signal]);
            instance_plan.outputs.clone().for_each(|signal| known[signal] = true);
            let converted = instance_plan.discrete.iter().flat_map(|discrete| &discrete.converted);
            converted.for_each(|(signal, _)| known[*signal] = true);
        }
        ahead
    }
}
