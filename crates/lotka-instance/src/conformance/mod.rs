//! Requirements on every implementation of [`Instance`](crate::Instance), whatever the model and wherever it runs (feature
//! `conformance`).
//!
//! [`run`] creates instances with a factory and panics with the name of the check that fails. Each check is a separate
//! function. Anything that a model lacks (a capability, a type of variable) must be refused. For a test of your own instances:
//!
//! ```
//! use lotka_instance::{InstanceFactory, InstantiateOptions, conformance};
//! # use lotka_instance::{LocalFactory, LocalModel, ModelDescription, RealRef, StepOutcome};
//! # use lotka_instance::description::{Causality, RealKind, Unknown, Variable, VariableKind};
//! # #[derive(Clone)]
//! # struct Clock(f64);
//! # impl LocalModel for Clock {
//! #     fn real(&self, reference: RealRef) -> Option<f64> { (reference.0 == 0).then_some(self.0) }
//! #     fn do_step(&mut self, t: f64, h: f64) -> Result<StepOutcome, String> { self.0 = t + h; Ok(StepOutcome::Complete) }
//! # }
//! # let mut description = ModelDescription { model_name: "clock".to_owned(), ..ModelDescription::default() };
//! # description.variables.push(Variable::new("time", 0, Causality::Output, VariableKind::Real(RealKind::default())));
//! # description.outputs.push(Unknown { index: 0, dependencies: Some(Vec::new()) });
//! # let factory = LocalFactory::new(description, || Clock(0.0));
//! // `factory` makes your instances.
//! let model = conformance::ModelUnderTest::new(factory.description());
//! conformance::run(&mut |name| factory.instantiate(name, &InstantiateOptions::default()).unwrap(), &model);
//! ```

#![allow(clippy::missing_panics_doc, reason = "a check that fails panics")]

mod derivatives;
mod events;
mod instances;
mod life;
mod model;
mod outcomes;
mod states;
mod steps;
mod values;

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

pub use instances::Factory;
pub use model::ModelUnderTest;

type Check = fn(&mut Factory<'_>, &ModelUnderTest);

const CHECKS: [(&str, Check); 25] = [
    ("life cycle", life::phases_follow_the_call_table),
    ("calls out of order are refused", life::calls_out_of_order_are_refused),
    ("event mode", events::event_mode_begins_and_ends),
    ("reset starts anew", life::reset_starts_anew),
    ("final values stay readable", life::final_values_stay_readable),
    ("instances are independent", life::instances_are_independent),
    ("logging is switched", life::logging_is_switched),
    ("values are read in batches", values::values_are_read_in_batches),
    ("start values are set", values::start_values_are_set),
    ("empty calls do nothing", values::empty_calls_do_nothing),
    ("unequal lengths are refused", values::unequal_lengths_are_refused),
    ("unknown references are errors", values::unknown_references_are_errors),
    ("fused step", steps::fused_step_equals_three_calls),
    ("step without inputs", steps::a_step_without_inputs_leaves_them_as_they_are),
    ("step in two halves", steps::two_halves_are_a_step),
    ("impossible steps are refused", steps::impossible_steps_are_refused),
    ("rollback", states::rollback_is_exact),
    ("slots keep their states", states::slots_keep_their_states),
    ("slots are used again", states::slots_are_used_again),
    ("unfit slots are refused", states::unfit_slots_are_refused),
    ("saved states survive a reset", states::saved_states_survive_a_reset),
    ("serialized states", states::serialized_states_restore_another_instance),
    ("input derivatives", derivatives::input_derivatives),
    ("output derivatives", derivatives::output_derivatives),
    ("directional derivatives", derivatives::directional_derivatives),
];

/// Runs all checks.
///
/// # Panics
/// If a check fails.
pub fn run(make: &mut Factory<'_>, model: &ModelUnderTest) {
    for (name, check) in CHECKS {
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| check(make, model))) {
            eprintln!("conformance check failed: {name}");
            resume_unwind(panic);
        }
    }
}
