//! What is not extrapolated is that of the finest run in the result.

use fmu_sdk::{Declaration, Input, Model, Refusal, Step};
use lotka::System;
use serde::{Deserialize, Serialize};
use tests::{joined, verified::Verified};

/// x' = u - x, with a count of its steps. In steps of a fifth of a second and less some of the other outputs are no numbers:
/// others for each size of the steps.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Counting {
    u: Input,
    x: f64,
    steps: i32,
    broken: u32,
}

impl Model for Counting {
    const NAME: &'static str = "counting";
    const DESCRIPTION: &'static str = "A lag that counts its steps";

    fn declare(v: &mut Declaration<Self>) {
        v.input("u", |m| &mut m.u);
        v.output("x", |m| &mut m.x).exact().depends_on([]);
        v.output("steps", |m| &mut m.steps).depends_on([]);
        for output in 0..9 {
            v.computed_output(&format!("y{output}"), move |m: &Self| if m.broken & (1 << output) == 0 { 1.0 } else { f64::NAN })
                .depends_on([]);
        }
    }

    fn do_step(&mut self, step: &Step) -> Result<(), Refusal> {
        let mean = self.u.integral(step.h) / step.h;
        self.x = mean + (self.x - mean) * (-step.h).exp();
        self.steps += 1;
        self.broken = if step.h < 0.21 { (1.0 / step.h).round() as u32 } else { 0 };
        Ok(())
    }
}

#[test]
fn integers_are_those_of_the_finest_run_in_the_result() {
    let system = pair().sweep("jacobi").stop(4.0).output_interval(1.0).tolerance(1e-12);
    let verified = Verified::run(&system);
    assert!(!verified.global.reached && verified.global.reason.contains("runs in a row failed"), "{:?}", verified.report);
    let finest = *verified.global.steps.last().unwrap() as f64;
    assert!(finest <= 16.0, "{finest}");
    assert_eq!(verified.rows.real("one.steps").unwrap().last(), Some(&finest));
}

/// Two of them, each driven by the other one, for 4 s.
fn pair() -> System {
    System::new()
        .instance_of("one", &joined::<Counting>())
        .instance_of("two", &joined::<Counting>())
        .connect("one.u", "two.x")
        .connect("two.u", "one.x")
        .start_value("one.x", 1.0)
        .stop(4.0)
}

/// Numbers of steps are known where steps end: rows are points of all meshes if they are recorded, and need not be otherwise.
#[test]
fn whole_numbers_are_not_interpolated() {
    let system = pair().output_interval(0.01).tolerance(1e-3);
    let coarsest = |recorded: &[&str]| {
        let verified = Verified::run(&system.clone().record(recorded));
        assert!(verified.global.reached && verified.rows.time().len() == 401, "{:?}", verified.global);
        // x' = y - x and y' = x - y.
        for (t, x) in verified.rows.time().iter().zip(verified.rows.real("one.x").unwrap()) {
            assert!((x - 0.5 - 0.5 * (-2.0 * t).exp()).abs() < 1e-3, "{t}: {x}");
        }
        verified.global.steps[0]
    };
    assert_eq!(coarsest(&["one.x", "one.steps"]), 400);
    assert!(coarsest(&["one.x"]) < 100);
}
