//! What cannot be integrated, and what can although an evaluation is refused.

use super::{difference, known::Circle, over, tolerance};
use crate::{EvaluationError, Failure, Method, Problem, Settings, Time, Work};

const FINE: Settings = Settings { internal_step: 0.01, ..DEFAULT };
const DEFAULT: Settings = Settings {
    internal_step: 0.1,
    relative_tolerance: 1e-6,
    absolute_tolerance: crate::AbsoluteTolerance::All(1e-9),
    first_step: None,
};

#[test]
fn what_has_no_solution_is_not_integrated_past_its_pole() {
    // x' = x², infinite at 1 s from x = 1.
    let mut explosion = |_: Time, x: &[f64], dx: &mut [f64]| {
        dx[0] = x[0] * x[0];
        Ok(())
    };
    for method in Method::all() {
        let failure = over(method.name(), &mut explosion, [3.0, 2.0], 1, FINE, &mut [1.0]).unwrap_err();
        match failure {
            Failure::NotFinite { tau } => assert!(!method.has_step_control() && tau > 0.9, "{method:?}: {failure}"),
            Failure::StepTooSmall { tau, .. } => {
                assert!(method.has_step_control() && (0.9..1.01).contains(&tau), "{method:?}: {failure}");
                assert_eq!(failure.good_until(), Some(tau));
            }
            _ => panic!("{method:?}: {failure}"),
        }
    }
}

#[test]
fn a_start_that_is_not_a_number_has_no_good_part() {
    for method in Method::all() {
        let failure = over(method.name(), &mut Circle, [0.0, 0.1], 1, DEFAULT, &mut [f64::NAN, 1.0]).unwrap_err();
        assert!(failure.good_until().is_none_or(|tau| tau == 0.0), "{method:?}: {failure}");
    }
}

#[test]
fn derivatives_that_are_not_a_number_end_a_step() {
    let mut nan_later = |time: Time, x: &[f64], dx: &mut [f64]| {
        dx[0] = if time.tau > 0.5 { f64::NAN } else { -x[0] };
        Ok(())
    };
    for method in Method::all() {
        let failure = over(method.name(), &mut nan_later, [0.0, 1.0], 1, DEFAULT, &mut [1.0]).unwrap_err();
        match failure {
            Failure::NotFinite { .. } => assert!(!method.has_step_control(), "{method:?}: {failure}"),
            Failure::StepTooSmall { tau, .. } | Failure::Refused { tau } => {
                assert!((0.45..=0.5 + 1e-9).contains(&tau), "{method:?}: {failure}");
            }
            _ => panic!("{method:?}: {failure}"),
        }
    }
}

/// x' = -sqrt(x), refused below 0: x = (1 - t / 2)², with a tank that is empty after 2 s.
fn tank(_: Time, x: &[f64], dx: &mut [f64]) -> Result<(), EvaluationError> {
    if x[0] < 0.0 {
        return Err(EvaluationError::Refused);
    }
    dx[0] = -x[0].sqrt();
    Ok(())
}

#[test]
fn a_refusal_has_a_smaller_step_tried() {
    for method in Method::all().filter(Method::has_step_control) {
        // Far too large a first step leads out of the domain.
        let settings = Settings { first_step: Some(1.99), ..tolerance(1e-6) };
        let mut x = [1.0];
        let work = over(method.name(), &mut tank, [0.0, 1.99], 1, settings, &mut x).unwrap();
        assert!(difference(&x, &[0.005 * 0.005]) < 1e-5 && work.n_rejected > 0, "{method:?}: {x:?} {work:?}");
    }
}

#[test]
fn what_stays_refused_is_a_typed_failure() {
    let mut refuses = |time: Time, _: &[f64], dx: &mut [f64]| {
        dx[0] = 1.0;
        if time.tau > 0.55 { Err(EvaluationError::Refused) } else { Ok(()) }
    };
    for method in Method::all() {
        let mut x = [0.0];
        let failure = over(method.name(), &mut refuses, [0.0, 1.0], 1, DEFAULT, &mut x).unwrap_err();
        let Failure::Refused { tau } = failure else { panic!("{method:?}: {failure}") };
        let range = if method.has_step_control() { 0.54..=0.55 + 1e-9 } else { 0.39..=0.6 + 1e-9 };
        assert!(range.contains(&tau), "{method:?}: {tau}");
        assert_eq!(failure.good_until(), Some(tau));
        assert!((x[0] - tau).abs() < 0.11, "{method:?}: {x:?} {tau}");
    }
}

#[test]
fn a_refusal_at_the_start_is_one() {
    let mut refuses = |_: Time, _: &[f64], _: &mut [f64]| Err(EvaluationError::Refused);
    for method in Method::all() {
        let failure = over(method.name(), &mut refuses, [0.0, 1.0], 1, DEFAULT, &mut [0.0]).unwrap_err();
        assert_eq!(failure, Failure::Refused { tau: 0.0 }, "{method:?}");
    }
}

#[test]
fn after_a_right_hand_side_has_failed_it_is_not_called_again() {
    for method in Method::all() {
        for last in 1..12 {
            let mut calls = 0;
            let mut fails = |_: Time, x: &[f64], dx: &mut [f64]| {
                calls += 1;
                dx[0] = -x[0];
                if calls >= last { Err(EvaluationError::Failed) } else { Ok(()) }
            };
            let failure = over(method.name(), &mut fails, [0.0, 10.0], 1, DEFAULT, &mut [1.0]).unwrap_err();
            assert!(matches!(failure, Failure::Failed { .. }) && failure.good_until().is_none(), "{method:?}: {failure}");
            assert_eq!(calls, last, "{method:?}");
        }
    }
}

#[test]
fn without_states_nothing_is_evaluated_and_a_step_is_one_internal_step() {
    let mut never = |_: Time, _: &[f64], _: &mut [f64]| Err(EvaluationError::Failed);
    for method in Method::all() {
        assert_eq!(over(method.name(), &mut never, [0.0, 1.0], 1, DEFAULT, &mut []), Ok(Work::default()), "{method:?}");
        let (mut empty, mut work) = (|_: Time, _: &[f64], _: &mut [f64]| Ok(()), Work::default());
        let mut problem = Problem::new(&mut empty, 0.0, 1.0, DEFAULT, &mut work);
        if let Some(mut steps) = method.steps(&mut problem, &[]).unwrap() {
            steps.advance(&mut problem).unwrap();
            assert!(steps.is_done() && steps.span() == [0.0, 1.0], "{method:?}");
        }
    }
}

/// The shortest internal step follows from the transient, not from the length of the step, nor from the size of derivatives.
#[test]
fn first_steps_may_be_as_short_as_they_need_to_be() {
    let mut steep = |_: Time, _: &[f64], dx: &mut [f64]| {
        dx[0] = 1e200;
        Ok(())
    };
    let mut fast = |_: Time, x: &[f64], dx: &mut [f64]| {
        dx[0] = 1.0 - 1e9 * x[0];
        Ok(())
    };
    for method in Method::all().filter(Method::has_step_control) {
        let mut x = [0.0];
        over(method.name(), &mut steep, [0.0, 1.0], 1, DEFAULT, &mut x).unwrap();
        assert!((x[0] - 1e200).abs() < 1e194, "{method:?}: {x:?}");
    }
    for method in ["tr-bdf2", "esdirk34", "radau5", "auto"] {
        let mut x = [1.0];
        over(method, &mut fast, [0.0, 1e9], 1, tolerance(1e-12), &mut x).unwrap();
        assert!((x[0] - 1e-9).abs() < 1e-15, "{method}: {x:?}");
    }
}

#[test]
fn too_many_steps_are_refused_before_they_are_made() {
    let settings = Settings { internal_step: 1e-12, ..DEFAULT };
    let failure = over("euler", &mut Circle, [0.0, 1.0], 1, settings, &mut [1.0, 0.0]).unwrap_err();
    assert!(matches!(failure, Failure::TooManySteps { tau: 0.0, .. }), "{failure}");
}
