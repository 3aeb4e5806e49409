//! Set-up and initialization mode: start values, then outputs and inputs in dependency order until they fit each other.

use fmi2::{
    BooleanRef, CallResult, Experiment, Instance, IntegerRef, ModelDescription, RealRef, StringRef, description::Causality,
};

use crate::{
    Error,
    algorithm::{Coupled, Member, Signals},
    graph::{self, Graph, Unit},
    system::resolve::TypedValue,
};

/// Loops of direct feedthrough that have not settled after this many sweeps are reported.
const MOST_SWEEPS: u32 = 100;

/// Relative change below which initial values count as settled.
const SETTLED: f64 = 1e-12;

/// A start value on its way to an instance.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Setting {
    reference: u32,
    value: TypedValue,
    /// Inputs may only be set in initialization mode.
    is_input: bool,
}

impl Setting {
    pub(crate) fn new(description: &ModelDescription, variable: usize, value: TypedValue) -> Self {
        let variable = &description.variables[variable];
        Self { reference: variable.value_reference, value, is_input: variable.causality() == Causality::Input }
    }

    fn apply(&self, instance: &mut dyn Instance) -> CallResult<()> {
        match &self.value {
            TypedValue::Real(value) => instance.set_real(&[RealRef(self.reference)], &[*value]),
            TypedValue::Integer(value) => instance.set_integer(&[IntegerRef(self.reference)], &[*value]),
            TypedValue::Boolean(value) => instance.set_boolean(&[BooleanRef(self.reference)], &[*value]),
            TypedValue::Text(value) => instance.set_string(&[StringRef(self.reference)], &[value]),
        }
    }
}

/// What one instance is told before its first step.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct SetUp {
    pub(crate) experiment: Experiment,
    pub(crate) settings: Vec<Setting>,
}

/// Brings all instances to their first communication point, along what their outputs take their start from.
pub(crate) fn initialize(coupled: &mut Coupled, set_up: &[SetUp], graph: &Graph) -> Result<(), Box<Error>> {
    let order = &graph::order_along(set_up.len(), &graph.initial);
    let loops = &graph::feedthrough_loops(set_up.len(), &graph.initial);
    let failed = |error| Box::new(Error::Initialization(error));
    for (member, set_up) in coupled.members.iter_mut().zip(set_up) {
        enter(&mut *member.instance, set_up).map_err(failed)?;
    }
    settle(coupled, order, loops)?;
    for (Member { instance, .. }, unit) in coupled.members.iter_mut().zip(&coupled.plan.units) {
        instance.exit_initialization_mode().map_err(failed)?;
        instance.bind(&unit.input_references, &unit.output_references).map_err(failed)?;
    }
    for &index in order {
        coupled.read_outputs(index).map_err(failed)?;
        coupled.read_slopes(index).map_err(failed)?;
    }
    check_finite(coupled, set_up.first().map_or(0.0, |first| first.experiment.start))
}

fn enter(instance: &mut dyn Instance, set_up: &SetUp) -> CallResult<()> {
    if instance.phase() != fmi2::Phase::Instantiated {
        instance.reset()?;
    }
    for setting in set_up.settings.iter().filter(|setting| !setting.is_input) {
        setting.apply(instance)?;
    }
    instance.setup_experiment(&set_up.experiment)?;
    instance.enter_initialization_mode()?;
    set_up.settings.iter().filter(|setting| setting.is_input).try_for_each(|setting| setting.apply(instance))
}

/// Exchanges values until they change no more. Without loops of direct feedthrough one sweep along the order is enough.
fn settle(coupled: &mut Coupled, order: &[usize], loops: &[Vec<usize>]) -> Result<(), Box<Error>> {
    let failed = |error| Box::new(Error::Initialization(error));
    for &index in order {
        coupled.read_outputs(index).map_err(failed)?;
    }
    let mut before = coupled.newest.clone();
    let mut worst = (0, 0.0);
    for _ in 0..MOST_SWEEPS {
        for &index in order {
            coupled.set_real_inputs(index).map_err(failed)?;
            coupled.set_discrete_inputs(index, false).map_err(failed)?;
            coupled.read_outputs(index).map_err(failed)?;
        }
        worst = largest_change(&coupled.newest, &before);
        if loops.is_empty() || worst.1 <= SETTLED && coupled.newest.same_discrete(&before) {
            return Ok(());
        }
        before.copy_from(&coupled.newest);
    }
    let name = |&member: &usize| coupled.name(member).to_owned();
    Err(Box::new(Error::InitializationLoop {
        instances: loops.iter().flatten().map(name).collect(),
        sweeps: MOST_SWEEPS,
        variable: coupled.plan.signal_names.get(worst.0).cloned().unwrap_or_default(),
        change: worst.1,
    }))
}

/// The Real signal that changed most, relative to its size, and by how much; a signal that is no number changed infinitely.
fn largest_change(now: &Signals, before: &Signals) -> (usize, f64) {
    let change = |new: f64, old: f64| {
        let change = (new - old).abs() / new.abs().max(1.0);
        if new == old {
            0.0
        } else if change.is_nan() {
            f64::INFINITY
        } else {
            change
        }
    };
    let changes = now.reals.iter().zip(&before.reals).map(|(new, old)| change(*new, *old));
    changes.enumerate().fold((0, 0.0), |worst, change| if change.1 > worst.1 { change } else { worst })
}

fn check_finite(coupled: &Coupled, start: f64) -> Result<(), Box<Error>> {
    for signal in coupled.plan.units.iter().flat_map(Unit::connected) {
        let value = coupled.newest.reals[signal];
        if !value.is_finite() {
            let variable = coupled.plan.signal_names[signal].clone();
            return Err(Box::new(Error::NotFinite { variable, value, time: start }));
        }
    }
    Ok(())
}
