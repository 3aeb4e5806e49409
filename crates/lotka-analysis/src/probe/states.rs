//! Saved states.

use fmi2::Function;
use lotka_instance::{Instance, Rollback};

use super::answer::{Answer, Finding};
use super::probe_run::ProbeRun;
use super::test_harness::TestHarness;
use super::trouble::Trouble;
use super::values::Values;

/// Steps with and without the guarantee that no state before them is restored.
pub(super) fn commit(harness: &TestHarness) -> Result<Answer, Trouble> {
    let resting = match compare(harness, false)? {
        Comparison::AtRest => Answer::skipped("the outputs are constant, so the test shows nothing"),
        other => return Ok(other.answer(harness)),
    };
    // A refusal of other inputs yields no result.
    Ok(match compare(harness, true) {
        Ok(Comparison::AtRest) | Err(_) => resting,
        Ok(other) => other.answer(harness),
    })
}

/// Two runs, one with the guarantee and one without.
enum Comparison {
    Different(String),
    /// Two runs with the guarantee differ, too.
    Unsteady,
    /// They are the same, and outputs change.
    Moving,
    /// No output changes.
    AtRest,
}

impl Comparison {
    fn answer(self, harness: &TestHarness) -> Answer {
        match self {
            Self::Different(difference) => Answer::fail(format!("with noSetFMUStatePriorToCurrentPoint = false, {difference}")),
            Self::Unsteady => Answer::skipped("identical runs differ"),
            Self::Moving | Self::AtRest => harness.same("the outputs do not depend on whether a rollback may follow"),
        }
    }
}

/// Compares a run in which a rollback may follow with one in which none does; before the steps, inputs may be moved away from
/// their start values.
fn compare(harness: &TestHarness, moves_inputs: bool) -> Result<Comparison, Trouble> {
    let rows = |commits: bool| {
        let mut run = ProbeRun::start(harness)?;
        run.commits = commits;
        if moves_inputs {
            run.move_inputs()?;
        }
        run.rows(harness.steps)
    };
    let (wanted, found) = (rows(true)?, rows(false)?);
    let is_moving = wanted.windows(2).any(|pair| pair[0] != pair[1]);
    Ok(match ProbeRun::difference(harness, &found, &wanted) {
        Some(difference) if ProbeRun::difference(harness, &rows(true)?, &wanted).is_none() => Comparison::Different(difference),
        Some(_) => Comparison::Unsteady,
        None if is_moving => Comparison::Moving,
        None => Comparison::AtRest,
    })
}

/// Repeated steps from the same state.
pub(super) fn rollback(harness: &TestHarness) -> Result<Answer, Trouble> {
    if !harness.fmu.capabilities().save_state {
        return Ok(Answer::not_supported("canGetAndSetFMUstate is not set"));
    }
    let mut run = ProbeRun::start(harness)?;
    let half = harness.steps / 2;
    run.steps(half)?;
    let slot = run.instance.new_slot()?;
    run.instance.save(slot)?;
    run.commits = false;
    let (t, at_save) = (run.t, run.outputs()?);
    let wanted = run.rows(half)?;
    for _ in 0..2 {
        run.instance.restore(slot)?;
        run.t = t;
        if let Some(difference) = run.outputs()?.difference(&at_save, &harness.outputs) {
            let difference = format!("right after {} {difference}", harness.function(Function::SetFMUstate));
            return Ok(inexact(difference));
        }
        run.set_inputs()?;
        let rows =
            run.rows(half).map_err(|trouble| trouble.during(&format!("after {}", harness.function(Function::SetFMUstate))))?;
        if let Some(difference) = ProbeRun::difference(harness, &rows, &wanted) {
            return Ok(inexact(difference));
        }
    }
    run.instance.free_slot(slot)?;
    let answer = harness.same(format!("{half} steps, repeated twice, bit for bit"));
    Ok(if harness.outputs.count() == 0 { answer } else { answer.with(Finding::Rollback(Rollback::Exact)) })
}

fn inexact(difference: String) -> Answer {
    Answer::fail(difference.clone()).with(Finding::Rollback(Rollback::Inexact(difference)))
}

/// A state as bytes, in the same process and in another one.
pub(super) fn serialization(harness: &TestHarness) -> Result<Answer, Trouble> {
    if !harness.fmu.capabilities().serialize_state {
        return Ok(Answer::not_supported("canSerializeFMUstate is not set"));
    }
    let mut run = ProbeRun::start(harness)?;
    let half = harness.steps / 2;
    run.steps(half)?;
    let slot = run.instance.new_slot()?;
    run.instance.save(slot)?;
    run.commits = false;
    let bytes = run.instance.serialize(slot)?;
    let t = run.t;
    let wanted = run.rows(half)?;
    if let Some(difference) = continued(&mut run, harness, &bytes, t, &wanted)? {
        return Ok(Answer::fail(format!("in the same process, {difference}")));
    }
    let mut other = ProbeRun::start(harness)?;
    let continued = continued(&mut other, harness, &bytes, t, &wanted).map_err(|trouble| trouble.during("in another process"))?;
    Ok(match continued {
        Some(difference) => Answer::fail(format!("in another process, {difference}")),
        None => harness.same(format!("{} bytes, in the same process and in another one", bytes.len())),
    })
}

/// The difference between a run that continues from the bytes and the expected one.
fn continued(
    run: &mut ProbeRun<'_>,
    harness: &TestHarness,
    bytes: &[u8],
    t: f64,
    wanted: &[Values],
) -> Result<Option<String>, Trouble> {
    let slot = run.instance.new_slot()?;
    run.instance.deserialize(slot, bytes)?;
    run.instance.restore(slot)?;
    run.t = t;
    run.set_inputs()?;
    let rows = run.rows(harness.steps / 2)?;
    Ok(ProbeRun::difference(harness, &rows, wanted))
}
