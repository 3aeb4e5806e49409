//! Orders of convergence of all integrators, on problems with known solutions.

use super::{
    failure::Failure,
    integration::Integration,
    method::Method,
    ode::{Ode, Time},
    problem::{Problem, Settings},
    registry::INTEGRATORS,
    rkf45,
    runge_kutta::Tableau,
    work::Work,
};
use crate::{Input, RefusalKind, Step};

/// A problem over one communication step of [`LENGTH`] seconds.
trait Known: Ode {
    fn start(&self) -> Vec<f64>;
    fn exact(&self) -> Vec<f64>;
}

const LENGTH: f64 = 2.0;

/// x' = y, y' = -x.
struct Circle;

impl Ode for Circle {
    fn derivatives(&self, _: Time, x: &[f64], dx: &mut [f64]) {
        (dx[0], dx[1]) = (x[1], -x[0]);
    }
}

impl Known for Circle {
    fn start(&self) -> Vec<f64> {
        vec![20.0, 10.0]
    }

    fn exact(&self) -> Vec<f64> {
        let (sin, cos) = LENGTH.sin_cos();
        vec![20.0 * cos + 10.0 * sin, 10.0 * cos - 20.0 * sin]
    }
}

/// x' = u x with a cubic input: x = x0 exp(∫ u dt).
struct Growth {
    x0: f64,
    u: Input,
}

impl Growth {
    fn from(x0: f64) -> Self {
        Self { x0, u: Input::with_derivatives(0.3, [0.2, 0.1, 0.05]) }
    }
}

impl Ode for Growth {
    fn derivatives(&self, time: Time, x: &[f64], dx: &mut [f64]) {
        dx[0] = self.u.value(time.tau) * x[0];
    }
}

impl Known for Growth {
    fn start(&self) -> Vec<f64> {
        vec![self.x0]
    }

    fn exact(&self) -> Vec<f64> {
        vec![self.x0 * self.u.integral(LENGTH).exp()]
    }
}

/// x' = -y + x (1 - r²), y' = x + y (1 - r²) with r² = x² + y²: turns with one radian per second, while r approaches 1 from r0 as
/// r² = 1 / (1 + (1 / r0² - 1) exp(-2 t)).
struct LimitCycle;

impl Ode for LimitCycle {
    fn derivatives(&self, _: Time, x: &[f64], dx: &mut [f64]) {
        let pull = 1.0 - x[0] * x[0] - x[1] * x[1];
        (dx[0], dx[1]) = (-x[1] + x[0] * pull, x[0] + x[1] * pull);
    }
}

impl Known for LimitCycle {
    fn start(&self) -> Vec<f64> {
        vec![0.5, 0.0]
    }

    fn exact(&self) -> Vec<f64> {
        let r = (1.0 + 3.0 * (-2.0 * LENGTH).exp()).powf(-0.5);
        vec![r * LENGTH.cos(), r * LENGTH.sin()]
    }
}

/// Error after the communication step.
fn error<K: Known>(problem: &K, integrate: impl FnOnce(&dyn Ode, &Step, &mut [f64])) -> f64 {
    let mut x = problem.start();
    integrate(problem, &Step { t: 10.0, h: LENGTH, tolerance: None }, &mut x);
    x.iter().zip(problem.exact()).map(|(x, exact)| (x - exact).abs()).fold(0.0, f64::max)
}

/// Slope of log(error) over log(h) by least squares, over the smallest step sizes with errors within 1e-10 and 1e-3: four halvings and
/// the steps halfway between.
fn slope(error: impl Fn(f64) -> f64) -> f64 {
    let n_steps = (1..21).flat_map(|k| [1 << k, 3 << (k - 1)]);
    let points = n_steps.map(|n: u32| LENGTH / f64::from(n)).map(|h| (h, error(h)));
    let points = points.skip_while(|(_, error)| *error > 1e-3).take_while(|(_, error)| *error >= 1e-10);
    let points: Vec<_> = points.map(|(h, error)| (h.ln(), error.ln())).collect();
    let points = points.last_chunk::<9>().unwrap_or_else(|| panic!("too few errors in range: {points:?}"));
    let n = points.len() as f64;
    let (mean_h, mean_e) = (points.iter().map(|p| p.0).sum::<f64>() / n, points.iter().map(|p| p.1).sum::<f64>() / n);
    let (product, square) =
        points.iter().fold((0.0, 0.0), |(p, s), (h, e)| (p + (h - mean_h) * (e - mean_e), s + (h - mean_h).powi(2)));
    product / square
}

fn slope_of<K: Known>(problem: &K, name: &str) -> f64 {
    slope(|h| error(problem, |ode, step, x| Integration::new(name, h).step(ode, step, x).unwrap()))
}

/// Orders of the methods with fixed steps, in the order of the registry; `None`: with step control.
const ORDERS: &[(&str, Option<f64>)] = &[
    ("euler", Some(1.0)),
    ("modified-euler", Some(2.0)),
    ("midpoint", Some(2.0)),
    ("heun", Some(2.0)),
    ("rk4", Some(4.0)),
    ("adams-bashforth-2", Some(2.0)),
    ("adams-bashforth-3", Some(3.0)),
    ("adams-bashforth-4", Some(4.0)),
    ("milne", Some(4.0)),
    ("rkf45", None),
    #[cfg(feature = "stiff")]
    ("tr-bdf2", None),
    #[cfg(feature = "stiff")]
    ("esdirk34", None),
];

#[test]
fn every_integrator_has_a_row() {
    assert!(INTEGRATORS.iter().map(|(name, _)| name).eq(ORDERS.iter().map(|(name, _)| name)));
}

#[test]
fn errors_of_fixed_steps_shrink_with_the_order() {
    for (name, order) in ORDERS {
        let Some(order) = order else { continue };
        let slopes = [slope_of(&Circle, name), slope_of(&Growth::from(1.0), name), slope_of(&LimitCycle, name)];
        assert!(slopes.iter().all(|slope| (slope - order).abs() <= 0.2), "{name}: {slopes:?}, expected {order}");
    }
}

/// The stages of Fehlberg with fixed steps.
fn fixed_slope<K: Known>(problem: &K, tableau: &Tableau) -> f64 {
    let integrate = |h, ode: &dyn Ode, step: &Step, x: &mut [f64]| {
        let settings = Settings { internal_step: h, relative_tolerance: 1.0, absolute_tolerance: 1.0 };
        tableau.integrate(&mut Problem::new(ode, step, settings, &mut Work::default()), x).unwrap();
    };
    slope(|h| error(problem, |ode, step, x| integrate(h, ode, step, x)))
}

#[test]
fn fehlbergs_pair_has_orders_five_and_four() {
    let lower = Tableau { b: &rkf45::FOURTH, ..rkf45::FIFTH };
    for (tableau, order) in [(rkf45::FIFTH, 5.0), (lower, 4.0)] {
        let slopes =
            [fixed_slope(&Circle, &tableau), fixed_slope(&Growth::from(1000.0), &tableau), fixed_slope(&LimitCycle, &tableau)];
        assert!(slopes.iter().all(|slope| (slope - order).abs() <= 0.2), "{slopes:?}, expected {order}");
    }
}

/// Error, relative to the largest state, and work with this relative tolerance.
fn controlled<K: Known>(problem: &K, name: &str, tolerance: f64) -> (f64, Work) {
    let mut integration = Integration::new(name, 1.0);
    let error = error(problem, |ode, step, x| {
        integration.step(ode, &Step { tolerance: Some(tolerance), ..*step }, x).unwrap();
    });
    let size = problem.exact().into_iter().map(f64::abs).fold(0.0, f64::max);
    (error / size, integration.work())
}

#[test]
fn errors_under_step_control_shrink_with_the_tolerance() {
    for (name, _) in ORDERS.iter().filter(|(_, order)| order.is_none()) {
        let mut last = (f64::INFINITY, 0);
        for tolerance in [1e-3, 1e-5, 1e-7, 1e-9] {
            let (circle, work) = controlled(&Circle, name, tolerance);
            let (growth, _) = controlled(&Growth::from(1.0), name, tolerance);
            let (cycle, _) = controlled(&LimitCycle, name, tolerance);
            let error = circle.max(growth).max(cycle);
            assert!(error < 1e3 * tolerance && error < 0.3 * last.0, "{name} at {tolerance}: {circle} {growth} {cycle}");
            assert!(work.n_evaluations > last.1 && work.n_internal_steps > 1, "{name} at {tolerance}: {work:?}");
            last = (error, work.n_evaluations);
        }
    }
}

/// x' = x², which is infinite at t = 1 from x = 1.
struct Explosion;

impl Ode for Explosion {
    fn derivatives(&self, _: Time, x: &[f64], dx: &mut [f64]) {
        dx[0] = x[0] * x[0];
    }
}

#[test]
fn what_has_no_solution_is_discarded() {
    for (name, order) in ORDERS {
        let step = Step { t: 3.0, h: 2.0, tolerance: None };
        let refusal = Integration::new(name, 0.01).step(&Explosion, &step, &mut [1.0]).unwrap_err();
        let RefusalKind::Discard { last_successful_time, terminate: false } = refusal.kind() else { panic!("{name}: {refusal}") };
        match last_successful_time {
            None => assert!(order.is_some(), "{name}: {refusal}"),
            Some(time) => assert!(order.is_none() && (3.9..4.01).contains(&time), "{name}: {time}"),
        }
        assert!(refusal.to_string().contains(name) && refusal.to_string().contains("smaller step"), "{refusal}");
    }
}

#[test]
fn a_start_that_is_not_a_number_is_discarded() {
    for (name, _) in INTEGRATORS {
        let step = Step { t: 0.0, h: 0.1, tolerance: None };
        let refusal = Integration::new(name, 0.1).step(&Circle, &step, &mut [f64::NAN, 1.0]).unwrap_err();
        let expected = RefusalKind::Discard { last_successful_time: None, terminate: false };
        assert_eq!(refusal.kind(), expected, "{name}: {refusal}");
    }
}

#[test]
fn work_is_counted() {
    let evaluations = |name, n| {
        let mut integration = Integration::new(name, LENGTH / f64::from(n));
        error(&Circle, |ode, step, x| integration.step(ode, step, x).unwrap());
        assert_eq!((integration.work().n_internal_steps, integration.work().n_rejected), (n, 0), "{name}");
        integration.work().n_evaluations
    };
    let expected = [
        ("euler", 10),
        ("modified-euler", 20),
        ("midpoint", 20),
        ("heun", 20),
        ("rk4", 40),
        ("adams-bashforth-2", 4 + 9),
        ("adams-bashforth-3", 8 + 8),
        ("adams-bashforth-4", 12 + 7),
        ("milne", 12 + 21),
    ];
    for (name, expected) in expected {
        assert_eq!(evaluations(name, 10), expected, "{name}");
    }
}

#[test]
fn multistep_methods_start_with_each_communication_step() {
    for name in ["adams-bashforth-2", "adams-bashforth-3", "adams-bashforth-4", "milne"] {
        let (mut whole, mut short, mut classic) = ([1.0, 0.5], [1.0, 0.5], [1.0, 0.5]);
        let step = |h| Step { t: 0.0, h, tolerance: None };
        Integration::new(name, 0.1).step(&Circle, &step(0.1), &mut short).unwrap();
        Integration::new("rk4", 0.1).step(&Circle, &step(0.1), &mut classic).unwrap();
        assert_eq!(short, classic, "{name}");
        Integration::new(name, 0.1).step(&Circle, &step(1.0), &mut whole).unwrap();
        let mut integration = Integration::new(name, 0.1);
        (0..10).for_each(|_| integration.step(&Circle, &step(0.1), &mut short).unwrap());
        assert_ne!(short, whole, "{name}");
    }
}

#[test]
fn settings_that_make_no_sense_are_refused_at_the_start() {
    assert!(Integration::new("rk5", 0.1).start().unwrap_err().to_string().contains("did you mean `rk4`?"));
    for internal_step in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(Integration::new("rk4", internal_step).start().unwrap_err().to_string().contains("positive and finite"));
    }
}

#[test]
fn too_many_steps_are_refused_before_they_are_made() {
    let settings = Settings { internal_step: 1e-12, relative_tolerance: 1.0, absolute_tolerance: 1.0 };
    let step = Step { t: 0.0, h: 1.0, tolerance: None };
    let mut work = Work::default();
    let failure = Problem::new(&Circle, &step, settings, &mut work).grid().unwrap_err();
    assert!(matches!(failure, Failure::TooManySteps { .. }));
}
