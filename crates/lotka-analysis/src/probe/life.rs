//! From instantiation to the end.

use fmi2::Function;
use lotka_host::PairRun;
use lotka_instance::{Cause, Comparison, Instance, InstanceFactory};

use super::answer::{Answer, Finding};
use super::probe_run::ProbeRun;
use super::test_harness::TestHarness;
use super::trouble::Trouble;
use super::values::Values;

/// Instantiation, initialization mode and steps.
pub(super) fn life_cycle(harness: &TestHarness) -> Result<Answer, Trouble> {
    let mut run = ProbeRun::start(harness)?;
    run.rows(harness.steps)?;
    let discarded = harness.discarded.as_ref().map(|text| format!("; {text}")).unwrap_or_default();
    Ok(Answer::pass(format!("{} steps of {} s, to t = {} s{discarded}", harness.steps, harness.h, run.t)))
}

/// Values can be read after the end, and are unchanged.
pub(super) fn terminate(harness: &TestHarness) -> Result<Answer, Trouble> {
    let mut run = ProbeRun::start(harness)?;
    run.steps(harness.steps)?;
    let before = run.outputs()?;
    run.instance.terminate()?;
    let after = Values::read(&mut run.instance, &harness.outputs)?;
    Ok(match after.difference(&before, &harness.outputs) {
        Some(difference) => Answer::fail(format!("after {} {difference}", harness.function(Function::Terminate))),
        None => harness.same("the final values are kept"),
    })
}

/// An instance can be freed after its end, between steps, and right after instantiation.
pub(super) fn free(harness: &TestHarness) -> Result<Answer, Trouble> {
    let mut run = ProbeRun::start(harness)?;
    run.steps(1)?;
    run.instance.terminate()?;
    run.instance
        .free()
        .map_err(|error| Trouble::from(error).during(&format!("after {}", harness.function(Function::Terminate))))?;
    let mut run = ProbeRun::start(harness)?;
    run.steps(1)?;
    run.instance
        .free()
        .map_err(|error| Trouble::from(error).during(&format!("without {}", harness.function(Function::Terminate))))?;
    let mut run = ProbeRun::instantiated(harness, false)?;
    run.instance
        .free()
        .map_err(|error| Trouble::from(error).during(&format!("straight after {}", harness.function(Function::Instantiate))))?;
    Ok(Answer::pass("after termination, without it, and straight after instantiation"))
}

/// The same run after a reset.
pub(super) fn reset(harness: &TestHarness) -> Result<Answer, Trouble> {
    let mut run = ProbeRun::start(harness)?;
    let wanted = run.rows(harness.steps)?;
    match run.instance.reset() {
        Err(error) if error.cause == Cause::Unsupported => {
            return Ok(Answer::not_supported(format!("the library has no {}", harness.function(Function::Reset))));
        }
        other => other?,
    }
    run.initialize(&harness.experiment)
        .map_err(|error| Trouble::from(error).during(&format!("after {}", harness.function(Function::Reset))))?;
    let rows =
        run.rows(harness.steps).map_err(|trouble| trouble.during(&format!("after {}", harness.function(Function::Reset))))?;
    Ok(match ProbeRun::difference(harness, &rows, &wanted) {
        Some(difference) => Answer::fail(difference),
        None => harness.same("the second run equals the first one, bit for bit"),
    })
}

/// The same run in two processes.
pub(super) fn repeatability(harness: &TestHarness) -> Result<Answer, Trouble> {
    let wanted = ProbeRun::start(harness)?.rows(harness.steps)?;
    let mut run = ProbeRun::start(harness)?;
    let rows = run.rows(harness.steps)?;
    Ok(match ProbeRun::difference(harness, &rows, &wanted) {
        Some(difference) => Answer::fail(difference.clone()).with(Finding::Repetition(Comparison::Differs(difference))),
        None => harness.same("two runs are equal, bit for bit").with(Finding::Repetition(Comparison::Same)),
    })
}

/// A second instance in the same process.
pub(super) fn two_instances(harness: &TestHarness) -> Result<Answer, Trouble> {
    if InstanceFactory::description(&harness.fmu).capabilities.only_once_per_process {
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
            let difference = format!("after step {step}, {name} is {together} with a second instance and {alone} without");
            Answer::fail(difference.clone()).with(Finding::Together(Comparison::Differs(difference)))
        }
        None if width == 0 => Answer::skipped("it works, but the FMU has no Real outputs to compare"),
        None => Answer::pass(format!("{} steps of both, and {} of one after the other was freed", steps / 2, steps - steps / 2))
            .with(Finding::Together(Comparison::Same)),
    })
}
