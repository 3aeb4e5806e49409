//! Instances that stop inside a step, at an event of their own: the step ends there where it can, else they make the rest at
//! once.

use std::sync::Arc;

use lotka::{
    RunError, System,
    instance::{
        LocalFactory, LocalModel, ModelDescription, RealRef, StepOutcome,
        description::{Causality, RealKind, Unknown, Variable, VariableKind},
    },
};

use super::{distance, failure, run, times};

/// Gravity [m/s2], start height [m], and the share of the speed that is left after an impact.
const G: f64 = 9.81;
const HEIGHT: f64 = 1.0;
const RESTITUTION: f64 = 0.7;

/// Impacts within this of the end of a step are at its end [s].
const SLACK: f64 = 1e-13;

/// A ball that falls exactly and stops early at each impact, after which it flies upwards.
#[derive(Clone)]
struct Ball {
    height: f64,
    speed: f64,
}

impl Ball {
    fn fly(&mut self, h: f64) {
        self.height += (self.speed - 0.5 * G * h) * h;
        self.speed -= G * h;
    }
}

impl LocalModel for Ball {
    fn real(&self, reference: RealRef) -> Option<f64> {
        match reference.0 {
            0 => Some(self.height),
            1 => Some(self.speed),
            _ => None,
        }
    }

    fn do_step(&mut self, t: f64, h: f64) -> Result<StepOutcome, String> {
        let impact = (self.speed + (self.speed * self.speed + 2.0 * G * self.height).sqrt()) / G;
        if impact > h + SLACK {
            self.fly(h);
            return Ok(StepOutcome::Complete);
        }
        self.fly(impact);
        (self.height, self.speed) = (0.0, -RESTITUTION * self.speed);
        Ok(if impact < h - SLACK { StepOutcome::EarlyReturn(t + impact) } else { StepOutcome::Complete })
    }
}

/// Stops at a share of every step, or at a time outside.
#[derive(Clone)]
struct Hasty(f64);

impl LocalModel for Hasty {
    fn real(&self, _: RealRef) -> Option<f64> {
        Some(1.0)
    }

    fn do_step(&mut self, t: f64, h: f64) -> Result<StepOutcome, String> {
        Ok(StepOutcome::EarlyReturn(t + self.0 * h))
    }
}

fn description(outputs: &[&str]) -> ModelDescription {
    let mut description = ModelDescription { model_name: "local".to_owned(), ..ModelDescription::default() };
    for (index, name) in outputs.iter().enumerate() {
        let kind = VariableKind::Real(RealKind::default());
        description.variables.push(Variable::new(*name, index as u32, Causality::Output, kind));
        description.outputs.push(Unknown { index, dependencies: Some(Vec::new()) });
    }
    description
}

fn ball() -> System {
    let factory = LocalFactory::new(description(&["height", "speed"]), || Ball { height: HEIGHT, speed: 0.0 });
    System::new().instance_from("ball", Arc::new(factory)).stop(1.5)
}

fn hasty(share: f64) -> System {
    let factory = LocalFactory::new(description(&["y"]), move || Hasty(share));
    System::new().instance_from("hasty", Arc::new(factory)).stop(1.0).step(0.1)
}

/// Times of the impacts before 1.5 s [s]: the ball falls from the height, and then up and down again with a speed that shrinks.
fn impacts() -> Vec<f64> {
    let fall = (2.0 * HEIGHT / G).sqrt();
    let flights = std::iter::successors(Some(2.0 * RESTITUTION * fall), |flight| Some(RESTITUTION * flight));
    let sums = flights.scan(fall, |time, flight| Some(std::mem::replace(time, *time + flight)));
    sums.take_while(|time| *time < 1.5).collect()
}

/// The exact height at a time.
fn height(t: f64) -> f64 {
    let fall = (2.0 * HEIGHT / G).sqrt();
    let last = impacts().iter().rposition(|time| *time <= t);
    let Some(last) = last else { return HEIGHT - 0.5 * G * t * t };
    let (since, speed) = (t - impacts()[last], G * fall * RESTITUTION.powi(last as i32 + 1));
    (speed - 0.5 * G * since) * since
}

#[test]
fn without_events_the_rest_of_the_step_is_made_at_once() {
    let (report, rows) = run(&ball().step(0.1));
    for (t, value) in rows.time().iter().zip(rows.real("ball.height").unwrap()) {
        assert!((value - height(*t)).abs() < 1e-12, "{value} at {t} s, not {}", height(*t));
    }
    let counters = report.counters;
    assert_eq!((counters.n_steps, counters.n_events, counters.n_discards), (15, 0, 0));
    assert_eq!(counters.n_do_step_calls, 15 + impacts().len() as u64);
}

#[test]
fn with_events_the_step_ends_where_the_instance_stops() {
    for system in [ball().step(0.1).event_by_discard("ball"), ball().local_tolerance(1e-6)] {
        let (report, rows) = run(&system);
        assert!(distance(&times(&rows), &impacts()) < 1e-11, "{:?}", times(&rows));
        assert!(rows.events().iter().all(|event| event.what == "`ball` stops early"), "{:?}", rows.events());
        assert_eq!(report.counters.n_events, impacts().len() as u64);
        let speeds = rows.real("ball.speed").unwrap();
        for impact in times(&rows) {
            let at: Vec<_> = (0..speeds.len()).filter(|&row| rows.time()[row] == impact).map(|row| speeds[row]).collect();
            assert!(matches!(at[..], [before, after] if before < 0.0 && (after + RESTITUTION * before).abs() < 1e-9), "{at:?}");
        }
    }
}

#[test]
fn an_instance_that_stops_in_every_step_makes_it_in_parts_and_chatters_with_events() {
    let (report, _) = run(&hasty(0.5));
    assert_eq!(report.counters.n_steps, 10);
    assert!(report.counters.n_do_step_calls > 100);
    let (error, ..) = failure(&hasty(0.5).event_by_discard("hasty"));
    assert!(matches!(&error, RunError::Chatter { what, .. } if what == "`hasty` stops early"), "{error}");
}

#[test]
fn a_time_outside_the_step_is_a_discarded_step() {
    for share in [-1.0, 0.0, 2.0, f64::NAN] {
        let (error, ..) = failure(&hasty(share));
        assert!(matches!(error, RunError::Discarded { .. }), "{share}: {error}");
    }
}
