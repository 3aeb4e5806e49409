//! From instantiation to the end.

use lotka_host::Trial;
use lotka_instance::{Cause, Instance};

use super::bench::Bench;
use super::course::Course;
use super::report::Answer;
use super::trouble::Trouble;
use super::values::Values;

/// Instantiation, initialization mode and steps.
pub(super) fn life_cycle(bench: &Bench) -> Result<Answer, Trouble> {
    let mut course = Course::start(bench)?;
    course.rows(bench.steps)?;
    let discarded = bench.discarded.as_ref().map(|text| format!("; {text}")).unwrap_or_default();
    Ok(Answer::pass(format!("{} steps of {} s, to t = {} s{discarded}", bench.steps, bench.h, course.t)))
}

/// Values can be read when all is over, and are those of before.
pub(super) fn terminate(bench: &Bench) -> Result<Answer, Trouble> {
    let mut course = Course::start(bench)?;
    course.steps(bench.steps)?;
    let before = course.outputs()?;
    course.instance.terminate()?;
    let after = Values::read(&mut course.instance, &bench.outputs)?;
    Ok(match after.difference(&before, &bench.outputs) {
        Some(difference) => Answer::fail(format!("after fmi2Terminate {difference}")),
        None => bench.same("the final values are kept"),
    })
}

/// An instance can be freed after its end, in the middle of its life, and at its beginning.
pub(super) fn free(bench: &Bench) -> Result<Answer, Trouble> {
    let mut course = Course::start(bench)?;
    course.steps(1)?;
    course.instance.terminate()?;
    course.instance.free().map_err(|error| Trouble::from(error).during("after fmi2Terminate"))?;
    let mut course = Course::start(bench)?;
    course.steps(1)?;
    course.instance.free().map_err(|error| Trouble::from(error).during("without fmi2Terminate"))?;
    let mut course = Course::instantiated(bench, false)?;
    course.instance.free().map_err(|error| Trouble::from(error).during("straight after fmi2Instantiate"))?;
    Ok(Answer::pass("after termination, without it, and straight after instantiation"))
}

/// The same run after a reset.
pub(super) fn reset(bench: &Bench) -> Result<Answer, Trouble> {
    let mut course = Course::start(bench)?;
    let wanted = course.rows(bench.steps)?;
    match course.instance.reset() {
        Err(error) if error.cause == Cause::Unsupported => return Ok(Answer::not_supported("the library has no fmi2Reset")),
        other => other?,
    }
    course.initialize(&bench.experiment).map_err(|error| Trouble::from(error).during("after fmi2Reset"))?;
    let rows = course.rows(bench.steps).map_err(|trouble| trouble.during("after fmi2Reset"))?;
    Ok(match Course::difference(bench, &rows, &wanted) {
        Some(difference) => Answer::fail(difference),
        None => bench.same("the second run equals the first one, bit for bit"),
    })
}

/// The same run in two processes.
pub(super) fn repeatability(bench: &Bench) -> Result<Answer, Trouble> {
    let wanted = Course::start(bench)?.rows(bench.steps)?;
    let mut course = Course::start(bench)?;
    let rows = course.rows(bench.steps)?;
    Ok(match Course::difference(bench, &rows, &wanted) {
        Some(difference) => Answer::fail(difference),
        None => bench.same("two runs are equal, bit for bit"),
    })
}

/// A second instance in the same process.
pub(super) fn two_instances(bench: &Bench) -> Result<Answer, Trouble> {
    let interface = bench.fmu.description().co_simulation.as_ref().map(|co_simulation| &co_simulation.interface);
    if interface.is_some_and(|interface| interface.can_be_instantiated_only_once_per_process == Some(true)) {
        return Ok(Answer::not_supported("canBeInstantiatedOnlyOncePerProcess is set"));
    }
    let outputs: Vec<_> = bench.outputs.reals.iter().map(|(_, reference)| *reference).collect();
    let (experiment, step, steps) = (bench.experiment, bench.h, bench.steps);
    let trial = Trial { experiment, step, steps, inputs: bench.inputs.clone(), outputs };
    let report = bench.fmu.pair(&trial)?;
    let width = bench.outputs.reals.len();
    let mut pairs = report.alone.iter().zip(&report.together).enumerate();
    Ok(match pairs.find(|(_, (alone, together))| alone.to_bits() != together.to_bits()) {
        Some((index, (alone, together))) => {
            let (step, name) = (index / width + 1, &bench.outputs.reals[index % width].0);
            Answer::fail(format!("after step {step}, {name} is {together} with a second instance and {alone} without"))
        }
        None if width == 0 => Answer::skipped("it works, but the FMU has no Real outputs to compare"),
        None => Answer::pass(format!("{} steps of both, and {} of one after the other was freed", steps / 2, steps - steps / 2)),
    })
}
