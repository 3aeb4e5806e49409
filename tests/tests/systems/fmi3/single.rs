//! Outputs in single precision: what a run promises about them.

use fmu_sdk::{Declaration, Model, Refusal, Step};
use lotka::{Code, Coded, RunError, System};
use serde::{Deserialize, Serialize};
use tests::{couple, joined, joined_fmi3, verified::Verified};

/// Grows at a rate that depends on the other: `x' = x (own + other u)`. The state has double precision, the output single.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Half<const PREY: bool> {
    state: f64,
    shown: f32,
    u: f64,
}

impl<const PREY: bool> Default for Half<PREY> {
    fn default() -> Self {
        Self { state: 10.0, shown: 10.0, u: 10.0 }
    }
}

impl<const PREY: bool> Model for Half<PREY> {
    const NAME: &'static str = if PREY { "prey" } else { "predator" };
    const DESCRIPTION: &'static str = "A population in single precision";

    fn declare(v: &mut Declaration<Self>) {
        v.input(if PREY { "y" } else { "x" }, |m| &mut m.u);
        v.output(if PREY { "x" } else { "y" }, |m| &mut m.shown).depends_on([]);
    }

    fn do_step(&mut self, step: &Step) -> Result<(), Refusal> {
        let rate = if PREY { 0.1 - 0.02 * self.u } else { 0.02 * self.u - 0.4 };
        self.state *= (rate * step.h).exp();
        self.shown = self.state as f32;
        Ok(())
    }
}

fn run(system: System) -> Verified {
    Verified::run(&system.stop(20.0).output_interval(1.0))
}

#[test]
fn a_tolerance_is_met_or_said_to_be_missed() {
    let exact = couple(&joined::<models::Prey>(), &joined::<models::Predator>());
    let Verified { rows: exact, global, .. } = run(exact.tolerance(1e-10));
    assert!(global.reached);
    for tolerance in [1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9] {
        let system = couple(&joined_fmi3::<Half<true>>(), &joined_fmi3::<Half<false>>()).tolerance(tolerance);
        let Verified { rows, global: error, .. } = run(system);
        let mut largest = 0.0_f64;
        for name in ["prey.x", "predator.y"] {
            let (found, expected) = (rows.real(name).unwrap(), exact.real(name).unwrap());
            let scale = expected.iter().fold(0.0_f64, |scale, value| scale.max(value.abs()));
            largest = found.iter().zip(expected).map(|(a, b)| (a - b).abs() / b.abs().max(scale)).fold(largest, f64::max);
        }
        assert!(!error.reached || largest <= tolerance, "{tolerance}: {largest}");
        assert_eq!(error.reached, tolerance >= 1e-6, "{tolerance}: {}", error.reason);
        assert!(error.reached || error.reason.starts_with("rounding and noise alone"), "{tolerance}: {}", error.reason);
    }
}

#[test]
fn a_local_tolerance_below_the_rounding_is_refused_with_one_that_works() {
    let pair = || couple(&joined_fmi3::<Half<true>>(), &joined_fmi3::<Half<false>>()).stop(20.0);
    let simulate = |tolerance: f64| pair().local_tolerance(tolerance).build().unwrap().run(&mut []);
    let error = simulate(1e-9).unwrap_err().error;
    let RunError::BelowSinglePrecision { smallest, .. } = error else { panic!("{error}") };
    assert!(error.to_string().contains("which has single precision (7 digits); use 5.5e-7 or more"), "{error}");
    assert_eq!(error.code(), Code::ToleranceBelowNoise);
    let counters = simulate(smallest).unwrap().counters;
    assert!(counters.n_error_test_failures < counters.n_steps, "{counters:?}");
    // An output in double precision does not suffer from an input in single precision elsewhere.
    assert!(
        couple(&joined::<models::Prey>(), &joined::<models::Predator>())
            .stop(20.0)
            .local_tolerance(1e-9)
            .build()
            .unwrap()
            .run(&mut [])
            .is_ok()
    );
}
