//! From instantiation to the end.

use lotka_host::PairRun;
use lotka_instance::{Cause, Instance};

use super::course::Course;
use super::report::Answer;
use super::test_harness::TestHarness;
use super::trouble::Trouble;
use super::values::Values;

/// Instantiation, initialization mode and steps.
pub(super) fn life_cycle(harness: &TestHarness) -> Result<Answer, Trouble> {
    let mut course = Course::start(harness)?;
    course.rows(harness.steps)?;
    let discarded = harness.discarded.as_ref().map(|text| format!("; {text}")).unwrap_or_default();
    Ok(Answer::pass(format!("{} steps of {} s, to t = {} s{discarded}", harness.steps, harness.h, course.t)))
}

/// Values can be read when all is over, and are those of before.
pub(super) fn terminate(harness: &TestHarness) -> Result<Answer, Trouble> {
    let mut course = Course::start(harness)?;
    course.steps(harness.steps)?;
    let before = course.outputs()?;
    course.instance.terminate()?;
    let after = Values::read(&mut course.instance, &harness.outputs)?;
    Ok(match after.difference(&before, &harness.outputs) {
        Some(difference) => Answer::fail(format!("after fmi2Terminate {difference}")),
        None => harness.same("the final values are kept"),
    })
}

/// An instance can be freed after its end, in the middle of its life, and at its beginning.
pub(super) fn free(harness: &TestHarness) -> Result<Answer, Trouble> {
    let mut course = Course::start(harness)?;
    course.steps(1)?;
    course.instance.terminate()?;
    course.instance.free().map_err(|error| Trouble::from(error).during("after fmi2Terminate"))?;
    let mut course = Course::start(harness)?;
    course.steps(1)?;
    course.instance.free().map_err(|error| Trouble::from(error).during("without fmi2Terminate"))?;
    let mut course = Course::instantiated(harness, false)?;
    course.instance.free().map_err(|error| Trouble::from(error).during("straight after fmi2Instantiate"))?;
    Ok(Answer::pass("after termination, without it, and straight after instantiation"))
}

/// The same run after a reset.
pub(super) fn reset(harness: &TestHarness) -> Result<Answer, Trouble> {
    let mut course = Course::start(harness)?;
    let wanted = course.rows(harness.steps)?;
    match course.instance.reset() {
        Err(error) if error.cause == Cause::Unsupported => return Ok(Answer::not_supported("the library has no fmi2Reset")),
        other => other?,
    }
    course.initialize(&harness.experiment).map_err(|error| Trouble::from(error).during("after fmi2Reset"))?;
    let rows = course.rows(harness.steps).map_err(|trouble| trouble.during("after fmi2Reset"))?;
    Ok(match Course::difference(harness, &rows, &wanted) {
        Some(difference) => Answer::fail(difference),
        None => harness.same("the second run equals the first one, bit for bit"),
    })
}

/// The same run in two processes.
pub(super) fn repeatability(harness: &TestHarness) -> Result<Answer, Trouble> {
    let wanted = Course::start(harness)?.rows(harness.steps)?;
    let mut course = Course::start(harness)?;
    let rows = course.rows(harness.steps)?;
    Ok(match Course::difference(harness, &rows, &wanted) {
        Some(difference) => Answer::fail(difference),
        None => harness.same("two runs are equal, bit for bit"),
    })
}

/// A second instance in the same process.
pub(super) fn two_instances(harness: &TestHarness) -> Result<Answer, Trouble> {
    let interface = harness.fmu.description().co_simulation.as_ref().map(|co_simulation| &co_simulation.interface);
    if interface.is_some_and(|interface| interface.can_be_instantiated_only_once_per_process == Some(true)) {
        return Ok(Answer::not_supported("canBeInstantiatedOnlyOncePerProcess is set"));
    }
    let outputs: Vec<_> = harness.outputs.reals.iter().map(|(_, reference)| *reference).collect();
    let (experiment, step, steps) = (harness.experiment, harness.h, harness.steps);
    let pair_run = PairRun { experiment, step, steps, inputs: harness.inputs.clone(), outputs };
    let report = harness.fmu.pair(&pair_run)?;
    let width = harness.outputs.reals.len();
    let mut pairs = report.alone.iter().zip(&report.together).enumerate();
    Ok(match pairs.find(|(_, (alone, together))| alone.to_bits() != together.to_bits()) {
        Some((index, (alone, together))) => {
            let (step, name) = (index / width + 1, &harness.outputs.reals[index % width].0);
            Answer::fail(format!("after step {step}, {name} is {together} with a second instance and {alone} without"))
        }
        None if width == 0 => Answer::skipped("it works, but the FMU has no Real outputs to compare"),
        None => Answer::pass(format!("{} steps of both, and {} of one after the other was freed", steps / 2, steps - steps / 2)),
    })
}
