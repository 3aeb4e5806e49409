//! Smaller steps for an FMU that discards the usual ones.

use super::probe_run::ProbeRun;
use super::test_harness::TestHarness;

/// Maximum number of halvings of discarded steps.
const MOST_HALVINGS: u32 = 8;

/// With smaller steps, if the FMU discards the usual ones and takes smaller ones.
pub(super) fn with_possible_steps(mut harness: TestHarness) -> TestHarness {
    let usual = harness.h;
    let refused = match first_discard(&harness) {
        Some(text) if harness.fmu.capabilities().variable_step => text,
        _ => return harness,
    };
    for _ in 0..MOST_HALVINGS {
        harness.h *= 0.5;
        if first_discard(&harness).is_none() {
            harness.discarded = Some(refused);
            return harness;
        }
    }
    harness.h = usual;
    harness
}

/// The message of the first step that the FMU discards, if there is one.
fn first_discard(harness: &TestHarness) -> Option<String> {
    let rows = ProbeRun::start(harness).and_then(|mut run| run.rows(harness.steps));
    rows.err().filter(|trouble| trouble.is_discarded).map(|trouble| trouble.text)
}
