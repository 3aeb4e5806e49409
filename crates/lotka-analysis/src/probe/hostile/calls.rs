//! Calls that are legal and unusual.

use super::super::answer::{Answer, ProbeVerdict};
use super::super::life;
use super::super::probe_run::ProbeRun;
use super::super::test_harness::TestHarness;
use super::super::trouble::Trouble;
use super::super::values::Values;

/// Length of a long name.
const LENGTH: usize = 5000;

/// A second instance in one process, and an instance with a long name of odd characters.
pub(super) fn instances(harness: &TestHarness) -> Result<Answer, Trouble> {
    let second = life::two_instances(harness)?;
    if second.verdict == ProbeVerdict::Fail {
        return Ok(second);
    }
    let usual = || ProbeRun::start(harness)?.rows(harness.steps);
    let (wanted, again) = (usual()?, usual()?);
    let rows = named(harness).map_err(|trouble| trouble.during(&format!("with a name of {LENGTH} characters")))?;
    Ok(match ProbeRun::difference(harness, &rows, &wanted) {
        Some(_) if ProbeRun::difference(harness, &again, &wanted).is_some() => Answer::skipped("two runs differ anyway"),
        Some(difference) => Answer::fail(format!("with a name of {LENGTH} characters, {difference}")),
        None => Answer::pass(format!("with a second instance, and with a name of {LENGTH} characters, {} steps", harness.steps)),
    })
}

fn named(harness: &TestHarness) -> Result<Vec<Values>, Trouble> {
    let name: String = "%s%n/../<&\"' é".chars().cycle().take(LENGTH).collect();
    let mut run = ProbeRun::named(harness, &name, false)?;
    run.initialize(&harness.experiment)?;
    run.rows(harness.steps)
}
