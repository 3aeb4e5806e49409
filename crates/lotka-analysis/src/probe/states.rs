//! Saved states.

use lotka_instance::Instance;

use super::bench::Bench;
use super::course::Course;
use super::report::Answer;
use super::trouble::Trouble;
use super::values::Values;

/// Steps with and without the promise that no state before them is restored.
pub(super) fn commit(bench: &Bench) -> Result<Answer, Trouble> {
    let resting = match compare(bench, false)? {
        Comparison::AtRest => Answer::skipped("the outputs are constant, so the test shows nothing"),
        other => return Ok(other.answer(bench)),
    };
    // That it refuses other inputs tells nothing.
    Ok(match compare(bench, true) {
        Ok(Comparison::AtRest) | Err(_) => resting,
        Ok(other) => other.answer(bench),
    })
}

/// Two runs, one with the promise and one without.
enum Comparison {
    Different(String),
    /// Two runs with the promise differ, too.
    Unsteady,
    /// They are the same, and outputs change.
    Moving,
    /// No output changes.
    AtRest,
}

impl Comparison {
    fn answer(self, bench: &Bench) -> Answer {
        match self {
            Self::Different(difference) => Answer::fail(format!("with noSetFMUStatePriorToCurrentPoint = false, {difference}")),
            Self::Unsteady => Answer::skipped("identical runs differ"),
            Self::Moving | Self::AtRest => bench.same("the outputs do not depend on whether a rollback may follow"),
        }
    }
}

/// Compares a run in which a rollback may follow with one in which none does; before the steps, inputs may be moved away from their start values.
fn compare(bench: &Bench, moves_inputs: bool) -> Result<Comparison, Trouble> {
    let rows = |commits: bool| {
        let mut course = Course::start(bench)?;
        course.commits = commits;
        if moves_inputs {
            course.move_inputs()?;
        }
        course.rows(bench.steps)
    };
    let (wanted, found) = (rows(true)?, rows(false)?);
    let is_moving = wanted.windows(2).any(|pair| pair[0] != pair[1]);
    Ok(match Course::difference(bench, &found, &wanted) {
        Some(difference) if Course::difference(bench, &rows(true)?, &wanted).is_none() => Comparison::Different(difference),
        Some(_) => Comparison::Unsteady,
        None if is_moving => Comparison::Moving,
        None => Comparison::AtRest,
    })
}

/// Steps, again and again from the same state.
pub(super) fn rollback(bench: &Bench) -> Result<Answer, Trouble> {
    if !bench.fmu.capabilities().save_state {
        return Ok(Answer::not_supported("canGetAndSetFMUstate is not set"));
    }
    let mut course = Course::start(bench)?;
    let half = bench.steps / 2;
    course.steps(half)?;
    let slot = course.instance.new_slot()?;
    course.instance.save(slot)?;
    course.commits = false;
    let (t, at_save) = (course.t, course.outputs()?);
    let wanted = course.rows(half)?;
    for _ in 0..2 {
        course.instance.restore(slot)?;
        course.t = t;
        if let Some(difference) = course.outputs()?.difference(&at_save, &bench.outputs) {
            return Ok(Answer::fail(format!("right after fmi2SetFMUstate {difference}")));
        }
        course.set_inputs()?;
        let rows = course.rows(half).map_err(|trouble| trouble.during("after fmi2SetFMUstate"))?;
        if let Some(difference) = Course::difference(bench, &rows, &wanted) {
            return Ok(Answer::fail(difference));
        }
    }
    course.instance.free_slot(slot)?;
    Ok(bench.same(format!("{half} steps, repeated twice, bit for bit")))
}

/// A state as bytes, in the same process and in another one.
pub(super) fn serialization(bench: &Bench) -> Result<Answer, Trouble> {
    if !bench.fmu.capabilities().serialize_state {
        return Ok(Answer::not_supported("canSerializeFMUstate is not set"));
    }
    let mut course = Course::start(bench)?;
    let half = bench.steps / 2;
    course.steps(half)?;
    let slot = course.instance.new_slot()?;
    course.instance.save(slot)?;
    course.commits = false;
    let bytes = course.instance.serialize(slot)?;
    let t = course.t;
    let wanted = course.rows(half)?;
    if let Some(difference) = continued(&mut course, bench, &bytes, t, &wanted)? {
        return Ok(Answer::fail(format!("in the same process, {difference}")));
    }
    let mut other = Course::start(bench)?;
    let continued = continued(&mut other, bench, &bytes, t, &wanted).map_err(|trouble| trouble.during("in another process"))?;
    Ok(match continued {
        Some(difference) => Answer::fail(format!("in another process, {difference}")),
        None => bench.same(format!("{} bytes, in the same process and in another one", bytes.len())),
    })
}

/// How a run that goes on from the bytes differs from what it should be.
fn continued(course: &mut Course<'_>, bench: &Bench, bytes: &[u8], t: f64, wanted: &[Values]) -> Result<Option<String>, Trouble> {
    let slot = course.instance.new_slot()?;
    course.instance.deserialize(slot, bytes)?;
    course.instance.restore(slot)?;
    course.t = t;
    course.set_inputs()?;
    let rows = course.rows(bench.steps / 2)?;
    Ok(Course::difference(bench, &rows, wanted))
}
