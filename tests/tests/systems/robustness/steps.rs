//! Where communication points lie, in which order instances step, and what happens to steps that are refused.

use std::path::Path;

use fmu_sdk::{Declaration, Model, Refusal, Step};
use lotka::{Notification, Observer, Rejection, RunError, SourceSignal, StartValue, StepSizes, System};
use serde::{Deserialize, Serialize};
use tests::{hostile::Hostile, joined, predator_prey, quirks::Quirk};

use super::{
    column, failure, last,
    models::{Assorted, Decay},
    run, run_with,
};

/// One instance `a` of this FMU with fixed steps of 0.1 s.
fn single(folder: &Path, fmu: Hostile, stop: f64) -> System {
    System::new().instance("a", fmu.build(folder)).stop(stop).step(0.1)
}

/// An FMU that takes steps of one size only, and checks it.
fn of_one_size(name: &str) -> Hostile {
    Hostile::new(name).capability("canHandleVariableCommunicationStepSize", false)
}

#[test]
fn the_order_of_the_file_decides_who_sees_new_values() {
    let folder = tempfile::tempdir().unwrap();
    Hostile::new("a").build(folder.path());
    let file = folder.path().join("system.toml");
    let system = "[experiment]\nstop = 1\nstep = 0.5\n[instances]\na = 'a.fmu'\nb = { fmu = 'a.fmu', start.x0 = 2 }\n\
        [connections]\n'a.u' = 'b.y'\n'b.u' = 'a.y'\n[algorithm]\nsweep = 'gauss-seidel'\n";
    for (order, sentence) in [("'a', 'b'", "in the order a, b"), ("'b', 'a'", "in the order b, a")] {
        std::fs::write(&file, format!("{system}order = [{order}]\n")).unwrap();
        let system = System::from_file(&file).unwrap();
        let mut simulation = system.build().unwrap();
        assert!(simulation.describe_algorithm().contains(sentence), "{}", simulation.describe_algorithm());
        let mut results = lotka::Memory::new();
        simulation.run(&mut [&mut results]).unwrap();
        let step = |x: f64, u: f64| x + (u - x) * -(-0.5_f64).exp_m1();
        let (mut a, mut b) = (1.0, 2.0);
        for row in 1..3 {
            if order.starts_with("'a'") {
                a = step(a, b);
                b = step(b, a);
            } else {
                b = step(b, a);
                a = step(a, b);
            }
            let got = (column(&results, "a.y")[row], column(&results, "b.y")[row]);
            assert!((got.0 - a).abs() < 1e-15 && (got.1 - b).abs() < 1e-15, "{order}: {got:?} is not {a}, {b}");
        }
    }
}

#[test]
fn an_order_against_the_connections_is_kept() {
    let fmu = joined::<Assorted>();
    let system = System::new().instance_of("a", &fmu).instance_of("b", &fmu).connect("b.n", "a.count").stop(3.0).step(1.0);
    assert_eq!(column(&run(&system).1, "b.count"), [0.0, 1.0, 3.0, 6.0]);
    assert_eq!(column(&run(&system.order(&["b", "a"])).1, "b.count"), [0.0, 0.0, 1.0, 3.0]);
}

#[test]
fn an_fmu_of_one_step_size_gets_it_to_the_last_bit() {
    let folder = tempfile::tempdir().unwrap();
    let strict = |name| of_one_size(name).define("STRICT_STEP").define("STRICT_TIME");
    let (report, results) = run(&single(folder.path(), strict("equal"), 10.0));
    assert_eq!(report.counters.n_steps, 100);
    assert_eq!(results.time().last(), Some(&10.0));
    assert_eq!(results.time()[3], 0.1 * 3.0, "rows lie on the grid");
}

#[test]
fn a_million_steps_of_one_size_end_with_that_size() {
    let folder = tempfile::tempdir().unwrap();
    let fmu = of_one_size("many").define("STRICT_STEP").build(folder.path());
    for (start, h, n) in [(0.0, 0.1, 1_000_000_u32), (-40.0, 0.7, 100_000), (1e6, 1e-3, 100_000)] {
        let stop = start + f64::from(n) * h;
        let (report, results) = run(&System::new().instance("a", &fmu).start(start).stop(stop).step(h).output_interval(1e3 * h));
        assert_eq!((report.counters.n_steps, report.time), (u64::from(n), stop));
        assert_eq!(results.time()[7], start + 7e3 * h, "rows are numbers of steps");
    }
}

/// The code and the text of the only problem of a system that is refused.
#[track_caller]
fn refusal(system: &System) -> (String, String) {
    let Err(error) = system.build() else { panic!("not refused") };
    (lotka::Coded::code(&error).to_string(), error.to_string())
}

#[test]
fn steps_below_the_resolution_of_time_are_refused_before_the_run() {
    let far = predator_prey().start(1e9).stop(1e9 + 1.0);
    let kinds = [
        far.clone().step(1e-7),
        far.clone().step(3e-7),
        far.clone().local_tolerance(1e-3).output_interval(3e-7),
        far.clone().tolerance(1e-3).output_interval(1e-5),
        far.clone().stop(1e9 + 1e-4).tolerance(1e-3),
        predator_prey().start(-1e9).stop(-1e9 + 1.0).step(3e-7),
    ];
    for system in kinds {
        let (code, text) = refusal(&system);
        assert!(code == "step-below-resolution" && text.contains("s apart") && text.contains("s or more"), "{code}: {text}");
    }
    run(&far.clone().step(1e-3));
    run(&far.local_tolerance(1e-3));
}

#[test]
fn uneven_steps_are_reported() {
    let far = |step: f64| predator_prey().start(1e9).stop(1e9 + 1e-3).step(step);
    let warnings = |system: &System| {
        let simulation = system.build().unwrap();
        simulation.warnings().iter().map(|warning| warning.code.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(warnings(&far(5e-7)), ["uneven-steps"]);
    assert_eq!(warnings(&far(1e-6)), ["uneven-steps"]);
    assert!(warnings(&far(2f64.powi(-20))).is_empty(), "a multiple of the resolution");
    assert!(warnings(&far(1e-4)).is_empty());
}

#[test]
fn a_known_jump_far_from_zero_is_not_early() {
    let (start, folder) = (1e9, tempfile::tempdir().unwrap());
    let fmu = Quirk::new("inner_steps").described_by("lag").named("lag").build(folder.path());
    let jump = SourceSignal::Step { time: start + 0.5, from: StartValue::Real(0.0), to: StartValue::Real(1.0) };
    let system = System::new().instance("a", &fmu).source("s", jump).connect("a.u", "s.y").start_value("a.x0", 0);
    let (_, results) = run(&system.start(start).stop(start + 0.501).step(1e-5));
    let first = results.time().iter().zip(column(&results, "a.y")).find(|(_, y)| **y > 0.0).unwrap();
    assert!((first.0 - start - 0.5).abs() <= 2.2e-5, "{}", first.0 - start);
}

/// Discards every step that is not bitwise this long.
fn exact(folder: &Path, name: &str, size: &str) -> std::path::PathBuf {
    Quirk::new("inner_steps").described_by("lag").named(name).define(&format!("EXACT={size}")).build(folder)
}

#[test]
fn an_fmu_that_compares_sizes_exactly_gets_the_exact_size_after_it_has_discarded_another() {
    let folder = tempfile::tempdir().unwrap();
    let usual = Quirk::new("inner_steps").described_by("lag").named("usual").build(folder.path());
    for (size, h, stop) in [("0.01", 0.01, 1.0), ("0.1", 0.1, 40.0), ("(1.0/3)", 1.0 / 3.0, 20.0)] {
        let strict = exact(folder.path(), "strict", size);
        let pair = |a: &Path, b: &Path| {
            let system = System::new().instance("a", a).instance("b", b).connect("a.u", "b.y").connect("b.u", "a.y");
            system.stop(stop).step(h)
        };
        let (wanted, wanted_rows) = run(&pair(&usual, &usual));
        for (a, b, extra) in [(&strict, &usual, 1), (&usual, &strict, 1), (&strict, &strict, 2)] {
            let (report, rows) = run(&pair(a, b));
            assert_eq!(report.counters.n_do_step_calls, wanted.counters.n_do_step_calls + extra, "each discards once");
            assert_eq!(rows.time(), wanted_rows.time());
            let (own, other) = (last(&rows, "a.y"), last(&wanted_rows, "a.y"));
            assert!((own - other).abs() <= 1e-12 * other.abs(), "{own} is not {other}");
            let codes: Vec<_> = report.warnings.iter().map(|warning| warning.code.to_string()).collect();
            assert_eq!(codes, vec!["exact-steps"; extra as usize]);
        }
    }
}

#[test]
fn a_size_that_is_really_another_ends_the_run_and_is_shown_in_full() {
    let folder = tempfile::tempdir().unwrap();
    let strict = exact(folder.path(), "strict", "0.1");
    let (error, _) = failure(&System::new().instance("a", &strict).stop(0.95).step(0.1));
    let h = 0.95 - 0.9;
    assert!(error.to_string().contains(&format!("at t = 0.9 s with h = {h} s; ")), "{error}");
    let late = Hostile::new("late").reply("fmi2DoStep", 2).define("FAULT_AT=0.29");
    let (error, _) = failure(&single(folder.path(), late, 1.0));
    assert!(error.to_string().contains("t = 0.30000000000000004 s with h = 0.09999999999999998 s; "), "{error}");
}

#[test]
fn the_last_step_is_shorter_where_the_stop_time_asks_for_it() {
    let folder = tempfile::tempdir().unwrap();
    let system = single(folder.path(), of_one_size("rest"), 1.05).start_value("a.u", 0);
    let mut sizes = StepSizes::new();
    let mut results = lotka::Memory::new();
    run_with(&system, &mut [&mut sizes, &mut results]);
    assert_eq!(sizes.step[..10], [0.1; 10]);
    assert_eq!(sizes.step.len(), 11);
    assert!((sizes.step[10] - 0.05).abs() < 1e-15);
    assert_eq!(results.time().last(), Some(&1.05));
    assert!((last(&results, "a.y") - (-1.05_f64).exp()).abs() < 1e-14);
    let warnings = |system: System| system.build().unwrap().warnings().iter().map(ToString::to_string).collect::<Vec<_>>();
    let [warning] = &warnings(system.clone())[..] else { panic!("{:?}", warnings(system)) };
    assert!(
        warning.contains("instance `a` supports one step size only") && warning.contains("a multiple of `step`"),
        "{warning}"
    );
    assert!(warnings(system.stop(1.1)).is_empty());
}

#[test]
fn an_fmu_that_does_not_forgive_a_rounding_error_beyond_the_stop_time_need_not_know_it() {
    let folder = tempfile::tempdir().unwrap();
    of_one_size("punctual").define("STRICT_STOP").build(folder.path());
    let file = folder.path().join("system.toml");
    // 0.1 + 0.1 + 0.1 > 0.3 in doubles.
    let system = |flag: &str| {
        let text = format!("[experiment]\nstop = 0.3\nstep = 0.1\n[instances]\na = {{ fmu = 'punctual.fmu'{flag} }}\n");
        std::fs::write(&file, text).unwrap();
        System::from_file(&file).unwrap()
    };
    let (error, _) = failure(&system(""));
    assert!(error.to_string().contains("the step ends after the stop time"), "{error}");
    let (report, results) = run(&system(", pass-stop-time = false"));
    assert_eq!((report.counters.n_steps, results.time().last()), (3, Some(&0.3)));
}

#[test]
fn an_fmu_that_needs_the_stop_time_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let mut system = single(folder.path(), Hostile::new("curious").define("NEEDS_STOP"), 1.0);
    run(&system);
    system.description_mut().instances[0].pass_stop_time = false;
    let (error, _) = failure(&system);
    assert!(matches!(error, RunError::Initialization(_)) && error.to_string().contains("a stop time is needed"), "{error}");
}

#[test]
fn steps_of_any_size_meet_bitwise_and_do_not_pass_the_stop_time() {
    let folder = tempfile::tempdir().unwrap();
    let loop_of = |fmu: &Path| {
        let system = System::new().instance("a", fmu).instance("b", fmu).connect("a.u", "b.y").connect("b.u", "a.y");
        system.start_value("b.x0", 3)
    };
    let strict = Hostile::new("strict").define("STRICT_STOP").define("STRICT_TIME").build(folder.path());
    for (h, stop) in [(0.1, 0.3), (0.3, 1.0), (0.7, 2.1), (1.0 / 3.0, 1.0), (1e-3, 0.77)] {
        assert_eq!(run(&loop_of(&strict).stop(stop).step(h)).1.time().last(), Some(&stop));
    }
    for stop in [0.3, 1.0, 2.1] {
        let controlled = loop_of(&strict).stop(stop).local_tolerance(1e-4);
        assert_eq!(run(&controlled).1.time().last(), Some(&stop));
        assert_eq!(run(&controlled.output_interval(0.1)).1.time().last(), Some(&stop));
    }
}

#[test]
fn rows_lie_exactly_on_the_output_interval() {
    let rows: Vec<f64> = (0..=200).map(|n| f64::from(n) * 0.1).collect();
    let (_, results) = run(&predator_prey().stop(20.0).local_tolerance(1e-4).output_interval(0.1));
    assert_eq!(results.time(), rows);
    let (_, results) = run(&predator_prey().stop(20.0).step(0.05).output_interval(0.1));
    assert_eq!(results.time().len(), rows.len());
    assert!(results.time().iter().zip(&rows).all(|(time, row)| (time - row).abs() <= 2.0 * f64::EPSILON * row));
    for system in [predator_prey().step(0.05), predator_prey().local_tolerance(1e-4)] {
        let (_, results) = run(&system.start(-1.0).stop(0.35).output_interval(0.5));
        assert_eq!(results.time(), [-1.0, -0.5, 0.0, 0.35]);
    }
}

#[test]
fn a_step_smaller_than_the_rounding_of_time_is_never_needed() {
    let (_, results) = run(&predator_prey().start(1e6).stop(1e6 + 1.0).local_tolerance(1e-4).output_interval(0.25));
    assert_eq!(results.time(), [1e6, 1e6 + 0.25, 1e6 + 0.5, 1e6 + 0.75, 1e6 + 1.0]);
}

/// Sizes of discarded steps.
#[derive(Default)]
struct Discarded(Vec<f64>);

impl Observer for Discarded {
    fn observe(&mut self, notification: &Notification<'_>) {
        if let Notification::StepRejected { step, reason, .. } = notification {
            assert!(matches!(reason, Rejection::Discarded { instance: 0, terminate: false, .. }), "{reason:?}");
            self.0.push(*step);
        }
    }
}

#[test]
fn a_discarded_step_is_tried_smaller_under_error_control() {
    let mut system = System::new().instance_of("a", &joined::<Decay>()).start_value("a.largest", 0.01);
    system = system.stop(1.0).local_tolerance(1e-3);
    system.description_mut().experiment.first_step = Some(0.5.into());
    let (mut results, mut discarded, mut sizes) = (lotka::Memory::new(), Discarded::default(), StepSizes::new());
    let report = run_with(&system, &mut [&mut results, &mut discarded, &mut sizes]);
    assert_eq!(report.counters.n_discards, discarded.0.len() as u64);
    assert_eq!(report.counters.n_step_attempts, report.counters.n_steps + report.counters.n_discards);
    assert!(!discarded.0.is_empty() && discarded.0.iter().all(|step| *step > 0.01), "{:?}", discarded.0);
    assert!(sizes.step.iter().all(|step| *step <= 0.01));
    assert!((last(&results, "a.x") - (-1.0_f64).exp()).abs() < 1e-12, "nothing of a discarded step is left");
}

/// `x' = -x` from 1, exact. Steps longer than 0.01 s are discarded, with a last successful time that is `claim` steps after their
/// beginning.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Claims {
    x: f64,
    claim: f64,
}

impl Default for Claims {
    fn default() -> Self {
        Self { x: 1.0, claim: 0.0 }
    }
}

impl Model for Claims {
    const NAME: &'static str = "claims";
    const DESCRIPTION: &'static str = "Discards long steps and says where it was";

    fn declare(v: &mut Declaration<Self>) {
        v.output("x", |m| &mut m.x).depends_on([]).description("state");
        v.parameter("claim", |m| &mut m.claim).description("last successful time, in steps after the beginning");
    }

    fn do_step(&mut self, step: &Step) -> Result<(), Refusal> {
        if step.h > 0.01 {
            return Err(Refusal::discard_at(step.t + self.claim * step.h, "too long"));
        }
        self.x *= (-step.h).exp();
        Ok(())
    }
}

/// Last successful times that lead nowhere: the beginning of the step, before it, its end, after it. Only one inside is an event.
#[test]
fn nobody_goes_where_a_discarded_step_cannot_have_been() {
    for claim in [0.0, -1.0, -1e9, 1.0, 2.0, 1e9] {
        let system = System::new().instance_of("a", &joined::<Claims>()).start_value("a.claim", claim).stop(1.0);
        let system = system.event_by_discard("a").local_tolerance(1e-3);
        let (report, results) = run(&system);
        assert_eq!((report.counters.n_events, report.time), (0, 1.0), "{claim}");
        assert!(report.counters.n_discards > 0 && (last(&results, "a.x") - (-1.0_f64).exp()).abs() < 1e-12, "{claim}");
    }
}

#[test]
fn a_recorded_value_that_is_no_number_does_not_stop_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let fmu = Hostile::new("lost").define("NAN_AT=0.45").build(folder.path());
    let system = System::new().instance("a", &fmu).instance_of("b", &joined::<Decay>()).stop(1.0);
    for system in [system.clone().step(0.1), system.local_tolerance(1e-3)] {
        let (_, results) = run(&system);
        for (time, y) in results.time().iter().zip(column(&results, "a.y")) {
            assert_eq!(y.is_nan(), *time > 0.45, "{time}");
        }
        assert!((last(&results, "b.x") - (-1.0_f64).exp()).abs() < 1e-14);
    }
}
