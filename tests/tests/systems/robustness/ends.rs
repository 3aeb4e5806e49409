//! How runs end: canceled, or because an instance asks for it.

use lotka::{CancelToken, Code, End, Memory, Notification, Observer, System};
use tests::{joined, predator_prey};

use super::{last, models::Decay, run};

/// Cancels at the first row at or after this time.
struct CancelAt(f64, CancelToken);

impl Observer for CancelAt {
    fn observe(&mut self, notification: &Notification<'_>) {
        if matches!(notification, Notification::Row(row) if row.time >= self.0) {
            self.1.cancel();
        }
    }
}

#[test]
fn a_canceled_run_keeps_its_rows_and_ends_at_a_communication_point() {
    for system in [predator_prey().step(0.5), predator_prey().local_tolerance(1e-4).output_interval(0.5)] {
        let mut simulation = system.build().unwrap();
        let (mut cancel, mut results) = (CancelAt(10.0, simulation.cancel_token()), Memory::new());
        let report = simulation.run(&mut [&mut results, &mut cancel]).unwrap();
        assert_eq!((&report.end, report.time), (&End::Canceled, 10.0));
        assert_eq!((results.time().len(), results.time().last()), (21, Some(&10.0)));
        let (_, whole) = run(&system);
        for name in ["prey.x", "predator.y"] {
            assert_eq!(results.real(name).unwrap(), &whole.real(name).unwrap()[..21]);
        }
    }
}

#[test]
fn a_run_canceled_before_it_starts_has_the_first_row() {
    let mut simulation = predator_prey().step(0.5).build().unwrap();
    simulation.cancel_token().cancel();
    let mut results = Memory::new();
    let report = simulation.run(&mut [&mut results]).unwrap();
    assert_eq!((report.end, report.time, report.counters.n_do_step_calls), (End::Canceled, 0.0, 0));
    assert_eq!(results.time(), [0.0]);
}

/// A decay that asks for the end at 0.75 s.
fn ending() -> System {
    System::new().instance_of("a", &joined::<Decay>()).instance_of("b", &joined::<Decay>()).start_value("b.end", 0.75).stop(1.0)
}

fn asked() -> End {
    End::TerminatedByInstance { instance: "b".to_owned(), last_successful_time: Some(0.75) }
}

/// With held inputs, Jacobi and Gauss-Seidel keep these values in different places.
#[test]
fn without_rollback_the_others_stay_at_the_last_communication_point_and_that_is_reported() {
    for sweep in ["jacobi", "gauss-seidel"] {
        let (report, results) = run(&ending().step(0.1).sweep(sweep));
        assert_eq!((&report.end, report.time), (&asked(), 0.75));
        let n = results.time().len();
        assert_eq!(results.time()[n - 2..], [0.1 * 7.0, 0.75]);
        assert!((last(&results, "b.x") - (-0.75_f64).exp()).abs() < 1e-14, "it is where it asked for the end");
        let others = results.real("a.x").unwrap();
        assert!((others[n - 2] - (-0.7_f64).exp()).abs() < 1e-14, "{sweep}");
        assert_eq!(others[n - 1], others[n - 2], "{sweep}: the others are at the last common point");
        let told = report.warnings.iter().find(|warning| warning.code == Code::EndedInsideStep).unwrap();
        assert!(told.text.contains("the values of t = 0.7000000000000001 s for all others"), "{}", told.text);
    }
}

#[test]
fn what_ends_inside_of_a_step_alone_has_a_last_row_without_a_word() {
    let alone = System::new().instance_of("b", &joined::<Decay>()).start_value("b.end", 0.75).stop(1.0).step(0.1);
    let (report, results) = run(&alone);
    assert_eq!((report.time, report.warnings.len()), (0.75, 0));
    assert!((last(&results, "b.x") - (-0.75_f64).exp()).abs() < 1e-14);
}

#[test]
fn with_rollback_the_run_ends_exactly_where_the_instance_asks_for_it() {
    for system in [ending().local_tolerance(1e-3), ending().local_tolerance(1e-3).output_interval(0.5)] {
        let (report, results) = run(&system);
        assert_eq!((report.end, report.time), (asked(), 0.75));
        assert_eq!(results.time().last(), Some(&0.75));
        for name in ["a.x", "b.x"] {
            assert!((last(&results, name) - (-0.75_f64).exp()).abs() < 1e-14, "{name} is there, too");
        }
    }
}

/// Programs pass reports on: to a file, to another language.
#[test]
fn a_report_serializes_with_the_names_of_its_fields() {
    let report = predator_prey().stop(10.0).tolerance(1e-6).build().unwrap().run(&mut []).unwrap();
    let json = serde_json::to_value(&report).unwrap();
    assert_eq!(json["end"]["reason"], report.end.name());
    assert_eq!(json["counters"]["n_do_step_calls"], report.counters.n_do_step_calls);
    let error = report.global_error.as_ref().unwrap();
    assert_eq!(json["global_error"]["largest"], error.largest);
    assert_eq!(json["global_error"]["outputs"][1]["name"], error.outputs[1].name.as_str());
    assert_eq!(json["instances"][0]["calls"][1][0], "do_step");
    let end = serde_json::to_value(asked()).unwrap();
    assert_eq!((&end["reason"], end["instance"].as_str().is_some()), (&asked().name().into(), true));
}
