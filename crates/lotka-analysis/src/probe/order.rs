//! Calls in orders that the standard allows and FMUs stumble over.

use lotka_instance::Instance;

use super::course::Course;
use super::report::Answer;
use super::test_harness::TestHarness;
use super::trouble::Trouble;

type Sequence = fn(&mut Course<'_>, &TestHarness) -> Result<(), Trouble>;

/// Each begins with an instance to which nothing has been said.
const SEQUENCES: [(&str, Sequence); 8] = [
    ("fmi2SetupExperiment twice", |course, harness| {
        course.instance.setup_experiment(&harness.experiment)?;
        course.initialize(&harness.experiment)?;
        course.steps(1)
    }),
    ("inputs set twice in initialization mode, and outputs read in between", |course, harness| {
        course.instance.setup_experiment(&harness.experiment)?;
        course.instance.enter_initialization_mode()?;
        for _ in 0..2 {
            course.set_inputs()?;
            course.outputs()?;
        }
        Ok(course.instance.exit_initialization_mode()?)
    }),
    ("fmi2Reset straight after fmi2Instantiate", |course, harness| {
        course.instance.reset()?;
        course.initialize(&harness.experiment)?;
        course.steps(1)
    }),
    ("fmi2Reset in initialization mode", |course, harness| {
        course.instance.setup_experiment(&harness.experiment)?;
        course.instance.enter_initialization_mode()?;
        course.instance.reset()?;
        course.initialize(&harness.experiment)?;
        course.steps(1)
    }),
    ("fmi2Terminate before the first step", |course, harness| {
        course.initialize(&harness.experiment)?;
        course.instance.terminate()?;
        course.outputs()?;
        Ok(())
    }),
    ("fmi2Reset after fmi2Terminate", |course, harness| {
        course.initialize(&harness.experiment)?;
        course.steps(1)?;
        course.instance.terminate()?;
        course.instance.reset()?;
        course.initialize(&harness.experiment)?;
        course.steps(1)
    }),
    ("outputs read twice, then not at all", |course, harness| {
        course.initialize(&harness.experiment)?;
        course.steps(1)?;
        course.outputs()?;
        course.outputs()?;
        course.steps(2)
    }),
    ("inputs set twice before a step", |course, harness| {
        course.initialize(&harness.experiment)?;
        course.set_inputs()?;
        course.set_inputs()?;
        course.steps(1)
    }),
];

/// Calls in unusual orders, each order with a fresh instance.
pub(super) fn call_order(harness: &TestHarness) -> Result<Answer, Trouble> {
    for (name, sequence) in SEQUENCES {
        let mut course = Course::instantiated(harness, false)?;
        sequence(&mut course, harness).map_err(|trouble| trouble.during(name))?;
    }
    Ok(Answer::pass(format!("{} orders of calls", SEQUENCES.len())))
}
