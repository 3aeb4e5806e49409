//! Saved states.

use fmi2::Instance;

use super::bench::Bench;
use super::course::Course;
use super::report::Answer;
use super::trouble::Trouble;
use super::values::Values;

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
        if let Some(difference) = course.difference(&rows, &wanted) {
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
    Ok(course.difference(&rows, wanted))
}
