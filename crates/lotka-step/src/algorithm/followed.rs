//! The values that are followed from step to step.

use lotka_plan::graph::{ColumnSource, DiscreteSource, Plan};

use super::Signals;

/// A value that an instance reads from another one, or a recorded output.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Exchanged {
    /// A Real signal.
    Real(usize),
    /// An integer or boolean.
    Discrete(DiscreteSource),
}

/// A value that is followed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Followed {
    /// The value.
    pub value: Exchanged,
    /// The instance that has it.
    pub instance: usize,
    /// Whether its instance has no inputs, so that it has no coupling error.
    pub is_free: bool,
    /// Whether it reflects a state, so that the effect of a switch that is noticed late persists.
    pub is_lasting: bool,
}

impl Exchanged {
    pub(crate) fn of(self, signals: &Signals) -> f64 {
        match self {
            Self::Real(signal) => signals.reals[signal],
            Self::Discrete(source) => signals.whole(source) as f64,
        }
    }

    /// `instance.variable`.
    pub fn name(self, plan: &Plan) -> Option<&str> {
        let name = match self {
            Self::Real(signal) => plan.signal_names.get(signal),
            Self::Discrete(DiscreteSource::Integer(index)) => plan.integers.get(index),
            Self::Discrete(DiscreteSource::Boolean(index)) => plan.booleans.get(index),
        };
        name.map(String::as_str)
    }
}

/// Returns all numbers that instances read from others, and recorded outputs that may have a coupling error. Instances that react
/// to events read their inputs at the end of a step, so earlier values do not matter to them.
#[must_use]
pub fn followed(plan: &Plan) -> Vec<Followed> {
    let mut is_followed = vec![false; plan.signal_names.len()];
    for instance_plan in plan.instances.iter().filter(|instance_plan| !instance_plan.is_reactor) {
        let terms = plan.gathers[instance_plan.gathers.clone()].iter().flat_map(|gather| &plan.terms[gather.terms.clone()]);
        terms.for_each(|term| is_followed[term.signal] = true);
    }
    for (column, source) in plan.columns.iter().zip(&plan.column_sources) {
        if let ColumnSource::Real(signal) = source
            && column.can_have_error()
            && !plan.is_held[*signal]
            && plan.owner(*signal).is_some_and(|instance| instance < plan.n_stepping && plan.instances[instance].reads())
        {
            is_followed[*signal] = true;
        }
    }
    // Sources are known exactly, and their jumps end steps.
    let instances = || plan.instances[..plan.n_stepping].iter().enumerate();
    let mut all = Vec::new();
    for (instance, instance_plan) in instances() {
        let of = |signal| Followed {
            value: Exchanged::Real(signal),
            instance,
            is_free: !instance_plan.reads(),
            is_lasting: instance_plan.reads() && !plan.is_immediate[signal],
        };
        all.extend(instance_plan.outputs.clone().filter(|signal| is_followed[*signal]).map(of));
    }
    for (instance, instance_plan) in instances() {
        let Some(discrete) = &instance_plan.discrete else { continue };
        // The instance does not matter here: these values never lag.
        let of = |value| Followed { value, instance, is_free: false, is_lasting: false };
        all.extend(discrete.converted.iter().map(|(signal, _)| of(Exchanged::Real(*signal))));
        all.extend(discrete.integer_inputs.iter().map(|(_, source)| of(Exchanged::Discrete(*source))));
        all.extend(discrete.boolean_inputs.iter().map(|(_, source)| of(Exchanged::Discrete(*source))));
    }
    all
}
