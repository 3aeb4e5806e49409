//! Reading all variables.

use super::answer::Answer;
use super::probe_run::ProbeRun;
use super::test_harness::TestHarness;
use super::trouble::Trouble;
use super::values::{Values, and_more};

/// All variables can be read, and Real ones are finite.
pub(super) fn readable(harness: &TestHarness) -> Result<Answer, Trouble> {
    let mut run = ProbeRun::start(harness)?;
    run.steps(harness.steps)?;
    let values = Values::read(&mut run.instance, &harness.all)?;
    let count = harness.all.count();
    let mut odd = harness.all.reals.iter().zip(&values.reals).filter(|(_, value)| !value.is_finite());
    Ok(match odd.next() {
        Some(((name, _), value)) => Answer::fail(format!("{name} is {value} at t = {} s{}", run.t, and_more(odd.count()))),
        None => Answer::pass(format!("{count} variables were read")),
    })
}
