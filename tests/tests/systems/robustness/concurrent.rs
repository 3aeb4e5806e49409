//! Runs of a `tolerance` at the same time: all that are needed, with the results of runs one after the other.

use std::{
    collections::BTreeMap,
    panic::{self, AssertUnwindSafe},
    sync::{Arc, Mutex},
};

use lotka::{
    Counters, Memory, System, Warning,
    instance::{
        LocalFactory, LocalModel, ModelDescription, RealRef, StepOutcome,
        description::{Causality, RealKind, Unknown, Variable, VariableKind},
    },
};
use tests::{bits, patience::wait_until};

/// Distance of rows \[s\], which is the step size of the first run.
const INTERVAL: f64 = 0.1;

/// Number of times that runs with this number of steps per row passed the middle.
type Passed = Arc<Mutex<BTreeMap<u32, usize>>>;

/// `x' = u - x` with an input that is held.
#[derive(Clone)]
struct Lag {
    x: f64,
    u: f64,
    passed: Passed,
    /// What happens where a run passes the middle, given its number of steps per row.
    middle: fn(u32, &Passed) -> Result<(), String>,
}

impl LocalModel for Lag {
    fn do_step(&mut self, t: f64, h: f64) -> Result<StepOutcome, String> {
        if t < 1.0 && t + h >= 1.0 - 1e-9 {
            let steps = (INTERVAL / h).round() as u32;
            *self.passed.lock().unwrap().entry(steps).or_default() += 1;
            (self.middle)(steps, &self.passed)?;
        }
        self.x += (self.u - self.x) * -(-h).exp_m1();
        Ok(StepOutcome::Complete)
    }

    fn real(&self, reference: RealRef) -> Option<f64> {
        [self.x, self.u].get(reference.0 as usize).copied()
    }

    fn set_real(&mut self, reference: RealRef, value: f64) -> bool {
        if reference.0 == 1 {
            self.u = value;
        }
        reference.0 == 1
    }
}

/// Two lags that follow each other. `middle` is that of the second one, which makes whole steps.
fn system(middle: fn(u32, &Passed) -> Result<(), String>) -> (System, Passed) {
    let passed = Passed::default();
    let real = |name: &str, reference, causality| {
        Variable::new(name, reference, causality, VariableKind::Real(RealKind { start: Some(0.0), ..RealKind::default() }))
    };
    let mut description = ModelDescription { model_name: "lag".to_owned(), is_thread_safe: true, ..ModelDescription::default() };
    description.variables.push(real("x", 0, Causality::Output));
    description.variables.push(real("u", 1, Causality::Input));
    description.outputs.push(Unknown { index: 0, dependencies: Some(Vec::new()) });
    let model = |x: f64, middle| {
        let lag = Lag { x, u: 0.0, passed: Arc::clone(&passed), middle };
        Arc::new(LocalFactory::new(description.clone(), move || lag.clone()))
    };
    let system = System::new().instance_from("a", model(1.0, |_, _| Ok(()))).instance_from("b", model(-2.0, middle));
    let system = system.connect("a.u", "b.x").connect("b.u", "a.x");
    (system.stop(2.0).output_interval(INTERVAL).tolerance(1e-9), passed)
}

/// All that the user sees of a simulation.
fn results(system: &System, threads: usize) -> (Vec<u64>, Counters, Vec<Warning>) {
    let mut rows = Memory::new();
    let report = system.clone().threads(threads).build().unwrap().run(&mut [&mut rows]).unwrap();
    (bits(&rows), report.counters, report.warnings)
}

#[test]
fn the_runs_that_every_result_needs_are_made_at_the_same_time() {
    let meet = |_, passed: &Passed| {
        wait_until("three runs are in the middle", || passed.lock().unwrap().len() >= 3);
        Ok(())
    };
    results(&system(meet).0, 3);
}

#[test]
fn the_number_of_threads_shows_in_no_result() {
    let (system, _) = system(|_, _| Ok(()));
    let one = results(&system, 1);
    for threads in [2, 3, 8] {
        assert_eq!(results(&system, threads), one, "{threads} threads");
    }
}

/// The first run fails. The second and the third begin with it, and the third is not needed any more: it is no result, and it
/// even panics.
#[test]
fn a_run_that_was_made_in_vain_leaves_no_trace() {
    let middle = |steps, _: &Passed| match steps {
        1 => Err("the step is too long".to_owned()),
        3 => panic!("nobody should see this"),
        _ => Ok(()),
    };
    let made = |threads| {
        let (system, passed) = system(middle);
        let results = results(&system, threads);
        (results, passed.lock().unwrap().contains_key(&3))
    };
    let (one, is_made) = made(1);
    assert!(!is_made && one.2.iter().all(|warning| !warning.text.contains("3 steps")));
    for threads in [2, 3, 8] {
        assert_eq!(made(threads), (one.clone(), true), "{threads} threads");
    }
}

#[test]
fn a_panic_in_a_run_is_one_of_the_simulation() {
    for threads in [1, 3] {
        let (system, _) = system(|steps, _| if steps == 3 { panic!("out of order") } else { Ok(()) });
        let panic = panic::catch_unwind(AssertUnwindSafe(|| results(&system, threads))).unwrap_err();
        assert_eq!(panic.downcast_ref::<&str>(), Some(&"out of order"), "{threads} threads");
    }
}
