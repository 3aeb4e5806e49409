//! What trials of feedthrough save, and what becomes of a method that relied on them when something contradicts them.

use std::fs;

use fmu_sdk::{Declaration, Input, Model, Refusal, Step};
use lotka::{Counters, Memory, Notification, Observer, Report, System};
use serde::{Deserialize, Serialize};
use tempfile::TempDir;
use tests::{joined, quirks::Quirk};

use super::feedthrough::{BRIEF, LATE, OSCILLATOR, PAIR, brief, integrator, late, oscillator, pair, populations, silent};

/// What is said of the method.
#[derive(Default)]
struct Changes(Vec<String>);

impl Observer for Changes {
    fn observe(&mut self, notification: &Notification<'_>) {
        if let Notification::MethodChanged { what } = notification {
            self.0.push((*what).to_owned());
        }
    }
}

struct Outcome {
    report: Report,
    changes: Vec<String>,
    /// First and second recorded variable at the stop time.
    last: (f64, f64),
}

fn run(quirks: impl IntoIterator<Item = Quirk>, experiment: &str, algorithm: &str, system: &str) -> Outcome {
    let folder = TempDir::new().unwrap();
    quirks.into_iter().for_each(|quirk| drop(quirk.build(folder.path())));
    let file = folder.path().join("system.toml");
    fs::write(&file, format!("[experiment]\n{experiment}\n[algorithm]\n{algorithm}\n{system}")).unwrap();
    let (mut rows, mut changes) = (Memory::new(), Changes::default());
    let report = System::from_file(&file).unwrap().build().unwrap().run(&mut [&mut rows, &mut changes]).unwrap();
    let last = |column: usize| *rows.real(&rows.columns()[column].name).unwrap().last().unwrap();
    Outcome { report, changes: changes.0, last: (last(0), last(1)) }
}

/// Rows every tenth of 10 s.
fn oscillating(feedthrough: &str, tolerance: f64, algorithm: &str) -> Outcome {
    let experiment = format!("stop = 10.0\noutput-interval = 0.1\ntolerance = {tolerance:e}");
    run([integrator("a", feedthrough), integrator("b", "0")], &experiment, algorithm, OSCILLATOR)
}

fn assert_near((a, b): (f64, f64), (right_a, right_b): (f64, f64), tolerance: f64) {
    assert!((a - right_a).abs() <= tolerance * right_a.abs(), "{a} instead of {right_a}");
    assert!((b - right_b).abs() <= tolerance * right_b.abs(), "{b} instead of {right_b}");
}

#[test]
fn prey_and_predators_that_declare_feedthrough_cost_as_much_as_others() {
    for (fmus, tolerance, most) in
        [(pair(), 1e-6, 5150), (pair().map(silent), 1e-6, 5150), (pair(), 1e-9, 8300), (pair().map(silent), 1e-9, 8300)]
    {
        let experiment = format!("stop = 100.0\noutput-interval = 1.0\ntolerance = {tolerance:e}");
        let outcome = run(fmus, &experiment, "", PAIR);
        assert!(outcome.report.global_error.as_ref().unwrap().reached);
        assert!(outcome.report.counters.n_do_step_calls <= most, "{:?}", outcome.report.counters);
        let [change] = &outcome.changes[..] else { panic!("{:?}", outcome.changes) };
        assert!(change.contains("no direct feedthrough in `prey`, `predator`") && change.contains("symmetric sweep"), "{change}");
        assert!(outcome.report.warnings.is_empty(), "{:?}", outcome.report.warnings);
        assert_near(outcome.last, populations(100.0), tolerance);
    }
}

#[test]
fn feedthrough_that_appears_later_is_found_by_later_trials() {
    let outcome = oscillating(LATE, 1e-6, "");
    let [_, second] = &outcome.changes[..] else { panic!("{:?}", outcome.changes) };
    assert!(second.contains("trial steps show direct feedthrough to `a.y` at t = "), "{second}");
    assert!(second.contains("restarts"), "{second}");
    assert_near(outcome.last, oscillator(late, 10.0), 1e-6);
}

#[test]
fn feedthrough_between_the_first_trials_is_found() {
    for tolerance in [1e-3, 1e-6] {
        let outcome = oscillating(BRIEF, tolerance, "");
        let [_, second] = &outcome.changes[..] else { panic!("{:?}", outcome.changes) };
        // Or by a trial of one of the many runs, whichever comes first.
        assert!(second.contains("do not converge with the order") || second.contains("trial steps show"), "{second}");
        assert!(outcome.report.global_error.as_ref().unwrap().reached);
        assert_near(outcome.last, oscillator(brief, 10.0), tolerance);
    }
}

#[test]
fn what_runs_took_that_are_no_results_is_counted() {
    let [late, declared] = ["", "feedthrough-outputs = 'auto'"].map(|algorithm| oscillating(LATE, 1e-6, algorithm));
    assert!(late.report.counters.n_do_step_calls > declared.report.counters.n_do_step_calls);
    assert_eq!(late.report.counters.n_rollbacks, declared.report.counters.n_rollbacks);
    assert_eq!(late.last, declared.last);
}

#[test]
fn feedthrough_that_is_there_is_dealt_with_as_declared() {
    let [open, given] = ["", "feedthrough-outputs = 'auto'"].map(|algorithm| oscillating("0.5*u", 1e-4, algorithm));
    assert!(open.changes.is_empty(), "{:?}", open.changes);
    // A method that the user gives has no events, so that inputs are not tried for levels.
    let without_trials = |mut counters: Counters| {
        counters.n_trial_calls = 0;
        counters
    };
    assert!(open.report.counters.n_trial_calls >= given.report.counters.n_trial_calls);
    assert_eq!(without_trials(open.report.counters), without_trials(given.report.counters));
    assert_near(open.last, oscillator(|_, b| 0.5 * b, 10.0), 1e-4);
}

#[test]
fn what_is_given_stays() {
    for algorithm in ["sweep = 'jacobi'", "input-degree = 1", "iterations = 20", "feedthrough-outputs = 'stale'"] {
        assert!(oscillating("0", 1e-2, algorithm).changes.is_empty(), "{algorithm}");
    }
    assert_eq!(oscillating("0", 1e-2, "output-derivatives = false").changes.len(), 1);
}

/// `dx/dt = -u`, `y = x` and `count`, the nearest whole number to a quarter of `u`, at once. All outputs are declared to follow
/// all inputs.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Counting {
    u: Input,
    other: i32,
    x: f64,
}

impl Model for Counting {
    const NAME: &'static str = "counting";
    const DESCRIPTION: &'static str = "An integrator that counts what it integrates";

    fn declare(v: &mut Declaration<Self>) {
        v.input("u", |m| &mut m.u);
        v.input("other", |m| &mut m.other);
        v.output("y", |m| &mut m.x).exact();
        v.computed_output("count", |m| (0.25 * m.u.value(0.0) + 0.5).floor() as i32);
    }

    fn do_step(&mut self, step: &Step) -> Result<(), Refusal> {
        self.x -= step.h * self.u.value(0.5 * step.h);
        Ok(())
    }
}

/// Trials look at Real outputs: an integer counts as what is declared of it, unless nobody reads it.
#[test]
fn integers_that_others_read_are_dealt_with_as_declared() {
    let counting = joined::<Counting>();
    let system = System::new().instance_of("a", &counting).instance_of("b", &counting);
    let system = system.connect_sum("a.u", &[("b.y", -1.0)]).connect("b.u", "a.y").start_value("a.y", 1.0);
    let system = system.stop(2.0).output_interval(0.1).tolerance(1e-4);
    for (system, is_read) in [(system.clone(), false), (system.connect("b.other", "a.count"), true)] {
        let (mut rows, mut changes) = (Memory::new(), Changes::default());
        let report = system.build().unwrap().run(&mut [&mut rows, &mut changes]).unwrap();
        let verdict = report.global_error.unwrap();
        assert!(verdict.reached, "{is_read}: {}", verdict.reason);
        let absent = changes.0.iter().any(|change| change.contains("no direct feedthrough in `a`"));
        assert_eq!(absent, !is_read, "{:?}", changes.0);
        let last = |name: &str| *rows.real(name).unwrap().last().unwrap();
        assert!((last("a.y") - 2.0_f64.cos()).abs() < 1e-4 && (last("b.y") + 2.0_f64.sin()).abs() < 1e-4, "{is_read}");
    }
}
