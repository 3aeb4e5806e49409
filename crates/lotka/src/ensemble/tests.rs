//! Runs of an ensemble are those of simulations that were built for them.

use std::ops::ControlFlow;

use lotka_message::{Code, Coded};

use super::*;
use crate::{Fmu, Memory};

fn predator_prey() -> System {
    let prey = Fmu::from_functions(fmu_sdk::description::<models::Prey>(), fmu_sdk::functions::<models::Prey>());
    let predator = Fmu::from_functions(fmu_sdk::description::<models::Predator>(), fmu_sdk::functions::<models::Predator>());
    let system = System::new().instance_of("prey", &prey).instance_of("predator", &predator);
    let system = system.connect("prey.y", "predator.y").connect("predator.x", "prey.x");
    system.stop(10.0).output_interval(1.0).tolerance(1e-5).start_value("predator.c", 0.3)
}

/// Every third run changes another variable.
fn start_values(run: usize) -> Vec<(&'static str, StartValue)> {
    let values = [("prey.a", 0.05 + 0.01 * run as f64), ("prey.x", 5.0 + run as f64), ("predator.y", 2.0)];
    let some = values.into_iter().enumerate().filter(|(place, _)| !(run + place).is_multiple_of(3));
    some.map(|(_, (name, value))| (name, StartValue::Real(value))).collect()
}

fn bits(rows: &Memory) -> Vec<u64> {
    let columns = rows.columns().iter().filter_map(|column| rows.real(&column.name));
    columns.flatten().chain(rows.time()).map(|value| value.to_bits()).collect()
}

fn built(run: usize) -> Vec<u64> {
    let system = start_values(run).into_iter().fold(predator_prey(), |system, (name, value)| system.start_value(name, value));
    let mut rows = Memory::new();
    system.build().unwrap().run(&mut [&mut rows]).unwrap();
    bits(&rows)
}

#[test]
fn runs_are_those_of_simulations_that_were_built_for_them() {
    let expected: Vec<_> = (0..20).map(built).collect();
    for (threads, recycle) in [(1, None), (2, None), (3, Some(2)), (7, Some(1))] {
        let mut ensemble = Ensemble::new(&predator_prey()).unwrap().threads(threads);
        if let Some(runs) = recycle {
            ensemble = ensemble.recycle(runs);
        }
        // In two parts, the second one backward.
        let mut found = ensemble.run(0..7, start_values, |member| bits(member.rows)).unwrap();
        let mut rest = ensemble.run(0..13, |run| start_values(19 - run), |member| bits(member.rows)).unwrap();
        rest.reverse();
        found.extend(rest);
        assert!(found == expected, "{threads} threads");
    }
}

#[test]
fn a_run_that_misses_its_tolerance_is_a_failure_with_all_rows() {
    let mut ensemble = Ensemble::new(&predator_prey().tolerance(1e-12).max_calls(60)).unwrap().threads(2);
    let codes = ensemble.run(0..3, start_values, |member| {
        let error = member.outcome.as_ref().err();
        (error.map(Coded::code), member.rows.time().len())
    });
    assert_eq!(codes.unwrap(), [(Some(Code::ToleranceNotReached), 11); 3]);
}

#[test]
fn failures_are_results() {
    let mut ensemble = Ensemble::new(&predator_prey().local_tolerance(1e-6)).unwrap().threads(2);
    let values = |run| match run {
        1 => vec![("prey.a", StartValue::Real(1e9))],
        2 => vec![("prey.a", StartValue::Boolean(true))],
        3 => vec![("prey.q", StartValue::Real(1.0))],
        _ => Vec::new(),
    };
    let code = |member: &Member<'_>| (member.index, member.rows.time().len(), member.outcome.as_ref().err().map(Coded::code));
    let codes = ensemble.run(0..5, values, code).unwrap();
    assert_eq!(codes[0], (0, 11, None));
    assert_eq!(codes[4], (4, 11, None));
    // Rows before a failure are kept; a run that cannot begin has none.
    assert!(codes[1].1 >= 1 && codes[1].2.is_some(), "{codes:?}");
    assert_eq!(codes[2], (2, 0, Some(Code::ValueType)));
    assert_eq!(codes[3], (3, 0, Some(Code::UnknownVariable)));
}

#[test]
fn results_come_in_order_until_nobody_wants_more() {
    let mut ensemble = Ensemble::new(&predator_prey()).unwrap().threads(3);
    let mut received = Vec::new();
    let all = ensemble.run_each(
        0..1000,
        start_values,
        |member| member.index,
        |index, result| {
            received.push((index, result));
            if index == 20 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        },
    );
    assert!(!all.unwrap());
    assert_eq!(received, (0..=20).map(|index| (index, index)).collect::<Vec<_>>());
    let token = ensemble.cancel_token();
    let n_before = AtomicUsize::new(0);
    let some = ensemble.run(0..1000, start_values, |member| {
        if member.index < 5 {
            n_before.fetch_add(1, Ordering::Relaxed);
        }
        if member.index == 5 {
            // A run of another thread that still goes on would be canceled, too.
            while n_before.load(Ordering::Relaxed) < 5 {
                thread::yield_now();
            }
            token.cancel();
        }
    });
    assert!((6..1000).contains(&some.unwrap().len()));
    assert!(ensemble.run(0..3, start_values, |_| ()).unwrap().is_empty());
    token.reset();
    assert_eq!(ensemble.run(0..3, start_values, |_| ()).unwrap().len(), 3);
}

#[test]
fn a_system_with_problems_makes_no_ensemble() {
    assert!(matches!(Ensemble::new(&predator_prey().start_value("prey.q", 1.0)), Err(Error::System(_))));
}

#[test]
fn a_panic_of_the_caller_is_passed_on() {
    let mut ensemble = Ensemble::new(&predator_prey()).unwrap().threads(2);
    let panic = panic::catch_unwind(panic::AssertUnwindSafe(|| {
        ensemble.run(0..10, start_values, |member| assert!(member.index != 3, "run 3"))
    }));
    assert_eq!(panic.unwrap_err().downcast_ref::<&str>(), Some(&"run 3"));
}
