//! Call sequences that the standard permits and that some FMUs do not expect.

use lotka_instance::Instance;

use super::answer::Answer;
use super::probe_run::ProbeRun;
use super::test_harness::TestHarness;
use super::trouble::Trouble;

type Sequence = fn(&mut ProbeRun<'_>, &TestHarness) -> Result<(), Trouble>;

/// Each begins with a new instance.
const SEQUENCES: [(&str, Sequence); 8] = [
    ("the experiment set twice", |run, harness| {
        run.instance.setup_experiment(&harness.experiment)?;
        run.initialize(&harness.experiment)?;
        run.steps(1)
    }),
    ("inputs set twice in initialization mode, and outputs read in between", |run, harness| {
        run.instance.setup_experiment(&harness.experiment)?;
        run.instance.enter_initialization_mode()?;
        for _ in 0..2 {
            run.set_inputs()?;
            run.outputs()?;
        }
        Ok(run.instance.exit_initialization_mode()?)
    }),
    ("a reset straight after instantiation", |run, harness| {
        run.instance.reset()?;
        run.initialize(&harness.experiment)?;
        run.steps(1)
    }),
    ("a reset in initialization mode", |run, harness| {
        run.instance.setup_experiment(&harness.experiment)?;
        run.instance.enter_initialization_mode()?;
        run.instance.reset()?;
        run.initialize(&harness.experiment)?;
        run.steps(1)
    }),
    ("termination before the first step", |run, harness| {
        run.initialize(&harness.experiment)?;
        run.instance.terminate()?;
        run.outputs()?;
        Ok(())
    }),
    ("a reset after termination", |run, harness| {
        run.initialize(&harness.experiment)?;
        run.steps(1)?;
        run.instance.terminate()?;
        run.instance.reset()?;
        run.initialize(&harness.experiment)?;
        run.steps(1)
    }),
    ("outputs read twice, then not at all", |run, harness| {
        run.initialize(&harness.experiment)?;
        run.steps(1)?;
        run.outputs()?;
        run.outputs()?;
        run.steps(2)
    }),
    ("inputs set twice before a step", |run, harness| {
        run.initialize(&harness.experiment)?;
        run.set_inputs()?;
        run.set_inputs()?;
        run.steps(1)
    }),
];

/// Calls in unusual orders, each order with a fresh instance.
pub(super) fn call_order(harness: &TestHarness) -> Result<Answer, Trouble> {
    for (name, sequence) in SEQUENCES {
        let mut run = ProbeRun::instantiated(harness, false)?;
        sequence(&mut run, harness).map_err(|trouble| trouble.during(name))?;
    }
    Ok(Answer::pass(format!("{} orders of calls", SEQUENCES.len())))
}
