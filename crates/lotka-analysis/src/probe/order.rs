//! Calls in orders that the standard allows and FMUs stumble over.

use lotka_instance::Instance;

use super::bench::Bench;
use super::course::Course;
use super::report::Answer;
use super::trouble::Trouble;

type Sequence = fn(&mut Course<'_>, &Bench) -> Result<(), Trouble>;

/// Each begins with an instance to which nothing has been said.
const SEQUENCES: [(&str, Sequence); 8] = [
    ("fmi2SetupExperiment twice", |course, bench| {
        course.instance.setup_experiment(&bench.experiment)?;
        course.initialize(&bench.experiment)?;
        course.steps(1)
    }),
    ("inputs set twice in initialization mode, and outputs read in between", |course, bench| {
        course.instance.setup_experiment(&bench.experiment)?;
        course.instance.enter_initialization_mode()?;
        for _ in 0..2 {
            course.set_inputs()?;
            course.outputs()?;
        }
        Ok(course.instance.exit_initialization_mode()?)
    }),
    ("fmi2Reset straight after fmi2Instantiate", |course, bench| {
        course.instance.reset()?;
        course.initialize(&bench.experiment)?;
        course.steps(1)
    }),
    ("fmi2Reset in initialization mode", |course, bench| {
        course.instance.setup_experiment(&bench.experiment)?;
        course.instance.enter_initialization_mode()?;
        course.instance.reset()?;
        course.initialize(&bench.experiment)?;
        course.steps(1)
    }),
    ("fmi2Terminate before the first step", |course, bench| {
        course.initialize(&bench.experiment)?;
        course.instance.terminate()?;
        course.outputs()?;
        Ok(())
    }),
    ("fmi2Reset after fmi2Terminate", |course, bench| {
        course.initialize(&bench.experiment)?;
        course.steps(1)?;
        course.instance.terminate()?;
        course.instance.reset()?;
        course.initialize(&bench.experiment)?;
        course.steps(1)
    }),
    ("outputs read twice, then not at all", |course, bench| {
        course.initialize(&bench.experiment)?;
        course.steps(1)?;
        course.outputs()?;
        course.outputs()?;
        course.steps(2)
    }),
    ("inputs set twice before a step", |course, bench| {
        course.initialize(&bench.experiment)?;
        course.set_inputs()?;
        course.set_inputs()?;
        course.steps(1)
    }),
];

/// Calls in unusual orders, each order with a fresh instance.
pub(super) fn call_order(bench: &Bench) -> Result<Answer, Trouble> {
    for (name, sequence) in SEQUENCES {
        let mut course = Course::instantiated(bench, false)?;
        sequence(&mut course, bench).map_err(|trouble| trouble.during(name))?;
    }
    Ok(Answer::pass(format!("{} orders of calls", SEQUENCES.len())))
}
