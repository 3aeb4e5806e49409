//! What an instance is told before its first step.

use fmi2::{
    BooleanRef, CallResult, Experiment, Instance, IntegerRef, ModelDescription, RealRef, StringRef, description::Causality,
};

use crate::system::resolve::TypedValue;

/// A start value on its way to an instance.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Setting {
    reference: u32,
    pub(super) value: TypedValue,
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

impl SetUp {
    /// Whether a start value of this input is given.
    pub(super) fn gives(&self, input: RealRef) -> bool {
        self.settings
            .iter()
            .any(|setting| setting.is_input && setting.reference == input.0 && matches!(setting.value, TypedValue::Real(_)))
    }
}

/// Takes an instance to initialization mode, with its start values.
pub(super) fn enter(instance: &mut dyn Instance, set_up: &SetUp) -> CallResult<()> {
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
