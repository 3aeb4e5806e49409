//! Communication points, step sizes and stop times.

use lotka_instance::{Experiment, Instance, RefusedSizes, RoundedSizes, StepOutcome};

use super::answer::{Answer, Finding};
use super::probe_run::ProbeRun;
use super::test_harness::TestHarness;
use super::trouble::Trouble;

/// A communication point that is off by a bit.
pub(super) fn time_rounding(harness: &TestHarness) -> Result<Answer, Trouble> {
    let mut run = ProbeRun::start(harness)?;
    run.steps(2)?;
    for other in [f64::next_up as fn(f64) -> f64, f64::next_down] {
        run.t = other(run.t);
        run.step(harness.h).map_err(|trouble| trouble.during("a communication point off by its last bit"))?;
    }
    Ok(Answer::pass("communication points off by their last bit are accepted"))
}

/// Step sizes that are off by some bits.
pub(super) fn step_rounding(harness: &TestHarness) -> Result<Answer, Trouble> {
    let mut run = ProbeRun::start(harness)?;
    let sizes = [1.0, 1.0 + f64::EPSILON, 1.0 - f64::EPSILON, 1.0];
    let answer = match sizes.into_iter().try_for_each(|factor| run.step(harness.h * factor)) {
        Ok(()) => Answer::pass("step sizes off by their last bit are accepted"),
        Err(trouble) if trouble.process_ended => return Err(trouble.during("a step size off by its last bit")),
        Err(trouble) => Answer::fail(trouble.during("a step size off by its last bit").text),
    };
    let sizes = RoundedSizes { longer: refuses(harness, 1.0 + f64::EPSILON)?, shorter: refuses(harness, 1.0 - f64::EPSILON)? };
    Ok(answer.with(Finding::RefusedSizes(RefusedSizes { step: harness.h, sizes })))
}

/// Whether the usual step is made, and not one that differs by this factor.
fn refuses(harness: &TestHarness, factor: f64) -> Result<bool, Trouble> {
    let mut run = ProbeRun::start(harness)?;
    run.step(harness.h)?;
    Ok(run.step(harness.h * factor).is_err())
}

/// The experiment with a stop time after this number of steps.
fn short(harness: &TestHarness, steps: f64) -> Experiment {
    Experiment { stop: Some(harness.experiment.start + steps * harness.h), ..harness.experiment }
}

/// The stop time is a rounding error before the end of the last step.
pub(super) fn stop_rounding(harness: &TestHarness) -> Result<Answer, Trouble> {
    let stop = (0..3).fold(harness.experiment.start, |t, _| t + harness.h).next_down();
    let mut run = ProbeRun::start_with(harness, &Experiment { stop: Some(stop), ..harness.experiment })?;
    run.steps(2)?;
    match run.instance.do_step(run.t, harness.h, true) {
        Ok(StepOutcome::Complete | StepOutcome::EarlyReturn(_) | StepOutcome::Event(_)) => {
            Ok(Answer::pass("a rounding error after the stop time has no effect"))
        }
        Ok(StepOutcome::Discarded(_)) => Ok(Answer::pass("the step is discarded")),
        Err(error) if harness.is_refusal(&error) => Ok(Answer::pass("the step is refused; Lotka ends exactly at the stop time")),
        Err(error) => Err(Trouble::from(error).during("a step that ends a rounding error after the stop time")),
    }
}

/// A step that begins at the stop time.
pub(super) fn beyond_stop(harness: &TestHarness) -> Result<Answer, Trouble> {
    let mut run = ProbeRun::start_with(harness, &short(harness, 2.0))?;
    run.steps(2)?;
    match run.instance.do_step(run.t, harness.h, true) {
        Ok(StepOutcome::Complete | StepOutcome::EarlyReturn(_) | StepOutcome::Event(_)) => {
            Ok(Answer::note("a step beyond the stop time succeeds, as with most FMUs; the standard requires an error"))
        }
        Ok(StepOutcome::Discarded(_)) => Ok(Answer::pass("the step is discarded")),
        Err(error) if harness.is_refusal(&error) => Ok(Answer::pass("the step is an error")),
        Err(error) => Err(error.into()),
    }
}

/// The same run without stop time.
pub(super) fn no_stop_time(harness: &TestHarness) -> Result<Answer, Trouble> {
    runs(harness, &Experiment { stop: None, ..harness.experiment })
}

/// The same run without tolerance.
pub(super) fn no_tolerance(harness: &TestHarness) -> Result<Answer, Trouble> {
    runs(harness, &Experiment { tolerance: None, ..harness.experiment })
}

fn runs(harness: &TestHarness, experiment: &Experiment) -> Result<Answer, Trouble> {
    ProbeRun::start_with(harness, experiment)?.rows(harness.steps)?;
    Ok(Answer::pass(format!("{} steps", harness.steps)))
}

/// The answer for an FMU with one step size only.
fn fixed(harness: &TestHarness) -> Option<Answer> {
    let reason = "canHandleVariableCommunicationStepSize is not set";
    (!harness.fmu.capabilities().variable_step).then(|| Answer::not_supported(reason))
}

/// Smaller and larger steps.
pub(super) fn variable_steps(harness: &TestHarness) -> Result<Answer, Trouble> {
    if let Some(answer) = fixed(harness) {
        return Ok(answer);
    }
    let mut run = ProbeRun::start(harness)?;
    for part in [1.0, 0.5, 0.1, 1e-3, 0.7, 1.0] {
        run.step(part * harness.h).map_err(|trouble| trouble.during(&format!("a step of {part} times the usual size")))?;
        run.outputs()?;
    }
    Ok(Answer::pass("steps from a thousandth of the usual size on"))
}

/// A shorter step to the stop time.
pub(super) fn last_step(harness: &TestHarness) -> Result<Answer, Trouble> {
    if let Some(answer) = fixed(harness) {
        return Ok(answer);
    }
    let experiment = short(harness, 2.4);
    let mut run = ProbeRun::start_with(harness, &experiment)?;
    run.steps(2)?;
    let rest = experiment.stop.unwrap_or(run.t) - run.t;
    run.step(rest).map_err(|trouble| trouble.during("a shorter last step"))?;
    run.instance.terminate()?;
    Ok(Answer::pass(format!("a last step of {rest} s")))
}

/// A step that may be too large, and the time of its refusal.
pub(super) fn discard(harness: &TestHarness) -> Result<Answer, Trouble> {
    if let Some(answer) = fixed(harness) {
        return Ok(answer);
    }
    let stop = harness.experiment.stop.unwrap_or(harness.experiment.start + harness.h);
    let large = stop - harness.experiment.start;
    let mut run = ProbeRun::start(harness)?;
    let slot = if harness.fmu.capabilities().save_state {
        let slot = run.instance.new_slot()?;
        run.instance.save(slot)?;
        Some(slot)
    } else {
        None
    };
    let discarded = match run.instance.do_step(run.t, large, false) {
        Ok(StepOutcome::Complete | StepOutcome::EarlyReturn(_) | StepOutcome::Event(_)) => {
            return Ok(Answer::skipped(format!("even a step of {large} s was not discarded")));
        }
        Ok(StepOutcome::Discarded(discarded)) => discarded,
        Err(error) if harness.is_refusal(&error) => {
            return Ok(Answer::skipped(format!("a step of {large} s is an error, not discarded")));
        }
        Err(error) => return Err(error.into()),
    };
    let Some(time) = discarded.last_successful_time else {
        return Ok(Answer::fail("it does not report the time it reached, or reports a time outside the step"));
    };
    let Some(slot) = slot else {
        return Ok(Answer::fail(format!("it reached {time} s and cannot be rolled back: it cannot save states")));
    };
    run.instance.restore(slot)?;
    run.set_inputs()?;
    run.step(harness.h).map_err(|trouble| trouble.during("the usual step after a discarded step"))?;
    Ok(Answer::pass(format!("reached {time} s; the usual step works afterwards")))
}
