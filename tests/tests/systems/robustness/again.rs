//! A simulation that runs many times: each run is bitwise that of a simulation that was built for it.

use std::{
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use lotka::{
    Error, Fmu, Memory, Simulation, System,
    instance::{Instance, InstanceFactory, InstantiateOptions, InstantiationError, ModelDescription},
};
use tempfile::TempDir;
use tests::{
    bits,
    hostile::Hostile,
    predator_prey,
    systems::{three_species_components, two_mass},
};

/// Counts the instances of an FMU.
#[derive(Debug)]
struct Counted {
    fmu: Fmu,
    instances: AtomicUsize,
}

impl InstanceFactory for Counted {
    fn file(&self) -> Option<&Path> {
        self.fmu.file()
    }

    fn description(&self) -> &ModelDescription {
        InstanceFactory::description(&self.fmu)
    }

    fn instantiate(&self, name: &str, options: &InstantiateOptions) -> Result<Box<dyn Instance>, Box<dyn InstantiationError>> {
        self.instances.fetch_add(1, Ordering::Relaxed);
        InstanceFactory::instantiate(&self.fmu, name, options)
    }
}

fn counted(fmu: Hostile) -> Arc<Counted> {
    let dir = TempDir::new().unwrap();
    Arc::new(Counted { fmu: Fmu::open(fmu.build(dir.path())).unwrap(), instances: AtomicUsize::new(0) })
}

/// Two instances of an FMU that feed each other.
fn pair(factory: &Arc<Counted>) -> System {
    let system = System::new().instance_from("a", factory.clone()).instance_from("b", factory.clone());
    system.connect("a.u", "b.y").connect("b.u", "a.y").start_value("b.x0", 2.0).stop(1.0)
}

fn rows(simulation: &mut Simulation) -> Vec<u64> {
    let mut rows = Memory::new();
    simulation.run(&mut [&mut rows]).unwrap();
    bits(&rows)
}

fn rows_of(system: &System) -> Vec<u64> {
    rows(&mut system.build().unwrap())
}

#[test]
fn runs_with_other_start_values_are_those_of_simulations_that_were_built_with_them() {
    let predators = |system: System| (system, ["prey.x", "predator.y"]);
    let quiescent =
        ["rabbits", "foxes", "wolves"].iter().fold(three_species_components().output_interval(5.0), |system, name| {
            let population = format!("{name}.population");
            system.start_value(&population, 3.0).solve_start(&population, &format!("{name}.rate"))
        });
    let systems = [
        predators(predator_prey().step(0.5)),
        predators(predator_prey().local_tolerance(1e-5)),
        predators(predator_prey().step(0.5).iterations(50, None)),
        predators(predator_prey().stop(20.0).tolerance(1e-6).output_interval(5.0)),
        predators(predator_prey().step(0.5).set_at(10.0, "prey.y", 3.0)),
        (quiescent.step(0.5), ["rabbits.population", "foxes.population"]),
        (two_mass().step(0.01), ["left.x", "right.x"]),
    ];
    for (n, (system, names)) in systems.into_iter().enumerate() {
        let built = |values: [f64; 2]| {
            let set = |system: System, (name, value): (&str, f64)| system.start_value(name, value);
            rows_of(&names.into_iter().zip(values).fold(system.clone(), set))
        };
        let cases = [[4.0, 3.0], [7.0, 3.0], [4.0, 2.5]];
        let expected = cases.map(built);
        assert!(expected[0] != expected[1] || n == 5, "system {n} does not depend on its start values");
        let mut simulation = system.build().unwrap();
        for case in [0, 1, 0, 2, 2, 1, 0, 1] {
            simulation.set_starts(names.into_iter().zip(cases[case])).unwrap();
            assert!(rows(&mut simulation) == expected[case], "system {n}, case {case}");
        }
    }
}

#[test]
fn start_values_that_do_not_fit_are_named_together_and_change_nothing() {
    let mut simulation = predator_prey().step(0.5).build().unwrap();
    let expected = rows(&mut simulation);
    let Err(Error::System(problems)) = simulation.set_starts([("prey.x", "many"), ("prey.z", "1"), ("predator.y", "5")]) else {
        panic!("the values should have been refused")
    };
    let text = problems.to_string();
    assert!(text.contains("`prey.x` has the wrong type") && text.contains("`prey` has no variable `z`"), "{text}");
    assert!(rows(&mut simulation) == expected);
    simulation.set_start("predator.y", 5.0).unwrap();
    assert!(rows(&mut simulation) != expected);
}

#[test]
fn an_fmu_that_forgets_to_reset_a_part_of_its_state_gives_the_same_bits_for_ever() {
    let hostile = || Hostile::new("forgetful");
    let forgetful = [
        hostile().define("FORGETFUL_RESET"),
        hostile().define("FORGETFUL_RESET").capability("canSerializeFMUstate", false),
        hostile().define("FORGETFUL_GRID").define("INNER_STEP=0.07").capability("canSerializeFMUstate", false),
        hostile().define("FORGETFUL_GRID").define("INNER_STEP=0.07").capability("canHandleVariableCommunicationStepSize", false),
        // The first step inside comes long after a trial.
        hostile().define("FORGETFUL_GRID").define("INNER_STEP=0.5").capability("canSerializeFMUstate", false),
        hostile().define("FORGETFUL_GRID").define("INNER_STEP=0.5"),
    ];
    for (n, fmu) in forgetful.into_iter().enumerate() {
        let factory = counted(fmu);
        let system = pair(&factory).step(0.1);
        let values = [1.0, 0.5];
        let expected = values.map(|value| rows_of(&system.clone().start_value("a.x0", value)));
        let mut simulation = system.build().unwrap();
        for run in 0..12 {
            let case = run / 2 % 2;
            simulation.set_start("a.x0", values[case]).unwrap();
            assert!(rows(&mut simulation) == expected[case], "FMU {n}, run {run}");
        }
    }
}

#[test]
fn nor_do_preparations_show_that_a_reset_is_complete() {
    let factory = counted(Hostile::new("forgetful").define("FORGETFUL_RESET"));
    // Found by evaluations, each of which initializes the instances and steps none.
    let system = pair(&factory).step(0.1).solve_start("a.x0", "a.y");
    let expected = rows_of(&system);
    let mut simulation = system.build().unwrap();
    for run in 0..8 {
        assert!(rows(&mut simulation) == expected, "run {run}");
    }
}

#[test]
fn instances_are_reset_once_trials_have_shown_that_they_can_be() {
    let new_ones = |fmu: Hostile| {
        let factory = counted(fmu);
        let mut simulation = pair(&factory).step(0.1).build().unwrap();
        let mut counts = Vec::new();
        for _ in 0..8 {
            rows(&mut simulation);
            counts.push(factory.instances.load(Ordering::Relaxed));
        }
        counts
    };
    // Two are made, and replaced twice without a trial. Then each is replaced in two trials, which compare it with another one.
    assert_eq!(new_ones(Hostile::new("sound")), [2, 4, 6, 10, 14, 14, 14, 14]);
    // The first trial fails, the reset is refused, or nothing shows that it is complete.
    let doubtful = [
        Hostile::new("forgetful").define("FORGETFUL_RESET"),
        Hostile::new("refuses").reply("fmi2Reset", 3),
        Hostile::new("closed").capability("canSerializeFMUstate", false),
    ];
    for fmu in doubtful {
        assert_eq!(new_ones(fmu), [2, 4, 6, 10, 12, 14, 16, 18]);
    }
}

#[test]
fn what_instances_log_in_a_trial_is_not_heard() {
    let factory = counted(Hostile::new("chatty").define("LOG_EACH_STEP"));
    let mut simulation = pair(&factory).step(0.1).debug_logging(true).build().unwrap();
    let mut run = || {
        let mut lines = Vec::new();
        let mut listen = Lines(&mut lines);
        simulation.run(&mut [&mut listen]).unwrap();
        lines
    };
    let expected = run();
    assert!(!expected.is_empty());
    for _ in 0..6 {
        assert_eq!(run(), expected);
    }
}

struct Lines<'a>(&'a mut Vec<String>);

impl lotka::Observer for Lines<'_> {
    fn observe(&mut self, notification: &lotka::Notification<'_>) {
        if let lotka::Notification::Log(line) = notification {
            self.0.push(line.message.clone());
        }
    }
}
