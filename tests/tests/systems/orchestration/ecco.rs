//! Step sizes of libcosim's algorithm `ecco`: each one follows from the rows before it.
//!
//! Origin of the formulas: S. Sadjina, E. Pedersen, Energy conservation and coupling error reduction in non-iterative
//! co-simulations, Engineering with Computers 36 (2020), with the first step and the energies as libcosim 0.11 has them.
//! `tests/tests/tools/interop/ecco.rs` compares with libcosim.

use lotka::{Compatibility, Memory, System};
use models::{Mass, SprungMassForce};
use tests::{joined, systems};

use super::run;

/// Numbers of the algorithm.
#[derive(Clone, Copy)]
struct Ecco {
    safety: f64,
    first: f64,
    sizes: [f64; 2],
    factors: [f64; 2],
    proportional: f64,
    integral: f64,
    relative: f64,
    absolute: f64,
}

impl Ecco {
    fn of(self, system: System) -> System {
        system
            .compatibility(Compatibility::Libcosim)
            .local_tolerance(self.relative)
            .absolute_tolerance(self.absolute)
            .first_step(self.first)
            .min_step(self.sizes[0])
            .max_step(self.sizes[1])
            .step_factors(self.safety, self.factors[0], self.factors[1])
            .gains(self.proportional, self.integral)
    }

    /// The sizes of the steps that end at these times with these efforts and flows.
    fn sizes_after(self, times: &[f64], effort: &[f64], flow: &[f64]) -> Vec<f64> {
        let (mut h, mut last, mut sizes) = (self.first, 1.0_f64, vec![self.first, self.first]);
        for n in 2..times.len() - 1 {
            let residual = (effort[n - 1] * flow[n] - effort[n] * flow[n - 1]).abs() * (times[n] - times[n - 1]);
            let error = residual / (self.relative * residual + self.absolute);
            if error != 0.0 && last != 0.0 {
                let gain = self.safety * error.powf(-self.integral - self.proportional) * last.powf(self.proportional);
                h = (h * gain.clamp(self.factors[0], self.factors[1])).clamp(self.sizes[0], self.sizes[1]);
            }
            last = error;
            sizes.push(h);
        }
        sizes
    }
}

/// Runs a system whose power bond is `right.f` and `left.v`, checks the size of each step but the last one, and returns the
/// number of steps with the smallest and the largest size, and that of calls.
fn check(ecco: Ecco, system: System) -> (usize, usize, u64) {
    let (report, results) = run(&ecco.of(system));
    let real = |name: &str| results.real(name).unwrap();
    let (times, expected) = (results.time(), ecco.sizes_after(results.time(), real("right.f"), real("left.v")));
    assert!(times.len() > 100, "{}", times.len());
    let mut ends = (0, 0);
    for (n, h) in times.windows(2).map(|pair| pair[1] - pair[0]).enumerate().take(times.len() - 2) {
        assert!((h - expected[n]).abs() <= 1e-9 * h + 4e-16 * times[n], "step {n}: {h:e}, expected {:e}", expected[n]);
        ends.0 += usize::from(h <= 1.000_001 * ecco.sizes[0]);
        ends.1 += usize::from(h >= 0.999_999 * ecco.sizes[1]);
    }
    (ends.0, ends.1, report.counters.n_do_step_calls)
}

/// A car of 400 kg and a wheel of 40 kg whose tire passes a step of 0.1 m at t = 0.
fn quarter_car() -> System {
    let system = System::new()
        .instance_of("left", &joined::<Mass>())
        .instance_of("right", &joined::<SprungMassForce>())
        .connect("left.f", "right.f")
        .connect("right.x_other", "left.x")
        .connect("right.v_other", "left.v")
        .power_bond("joint", "right.f", "left.v");
    let values = [
        ("left.m", 400.0),
        ("left.k", 0.0),
        ("left.d", 0.0),
        ("right.m", 40.0),
        ("right.k", 150e3),
        ("right.d", 0.0),
        ("right.z", 0.1),
        ("right.k_other", 15e3),
        ("right.d_other", 1e3),
        ("right.x", 0.0),
    ];
    values.into_iter().fold(system, |system, (name, value)| system.start_value(name, value)).stop(0.1)
}

/// As in the quarter truck of libcosim.
const TRUCK: Ecco = Ecco {
    safety: 0.99,
    first: 1e-4,
    sizes: [1e-5, 0.01],
    factors: [0.2, 1.5],
    proportional: 0.2,
    integral: 0.15,
    relative: 1e-6,
    absolute: 1e-6,
};

#[test]
fn a_quarter_car_keeps_the_smallest_step() {
    let (smallest, _, calls) = check(TRUCK, quarter_car());
    assert!(smallest > 1000, "{smallest}");
    assert!((10_000..20_000).contains(&calls), "0.1 s in steps of 1e-5 s and more: {calls}");
    let (report, _) = run(&TRUCK.of(quarter_car()));
    let warning = report.warnings.iter().find(|warning| warning.text.contains("libcosim repeats no step")).unwrap();
    assert!(warning.text.contains("steps failed the error test"), "{warning:?}");
    // Lotka's own rule refuses a step of the smallest size that fails the test.
    let mut own = TRUCK.of(quarter_car()).estimator("energy");
    own.description_mut().algorithm.compatibility = None;
    let ended = own.build().unwrap().run(&mut [&mut Memory::new()]).unwrap_err();
    assert!(ended.to_string().contains("1e-5 s"), "{ended}");
}

/// Other gains, limits and tolerances, on masses without dampers.
#[test]
fn gains_and_limits_shape_the_steps() {
    let ecco = Ecco {
        safety: 0.8,
        first: 5e-3,
        sizes: [4e-3, 6e-3],
        factors: [0.7, 1.1],
        proportional: 0.3,
        integral: 0.1,
        relative: 1e-3,
        absolute: 1e-2,
    };
    let (smallest, largest, calls) = check(ecco, systems::power_bond());
    assert!(smallest > 0 && largest > 0, "{smallest} and {largest} steps at the limits");
    let (_, _, slower) = check(Ecco { integral: 0.05, ..ecco }, systems::power_bond());
    let (_, _, stricter) = check(Ecco { absolute: 1e-3, ..ecco }, systems::power_bond());
    assert!(slower != calls && stricter > calls, "{calls} {slower} {stricter}");
}

/// The gains of the controller `pi` of Lotka's own error control.
#[test]
fn gains_and_factors_are_those_of_every_error_control() {
    let system = || systems::power_bond().estimator("energy").local_tolerance(1e-3);
    let calls = |system: System| run(&system).0.counters.n_do_step_calls;
    let plain = calls(system());
    assert_eq!(calls(system().step_factors(0.9, 0.2, 5.0).gains(0.4, 0.3)), plain, "the defaults");
    let shorter = calls(system().step_factors(0.5, 0.2, 5.0));
    assert!(shorter > plain + plain / 4, "steps of 5/9 of the size: {shorter} and {plain}");
    assert_ne!(calls(system().gains(0.0, 1.0)), plain);
    let text = |system: System| system.build().err().unwrap().to_string();
    let message = text(system().controller("i").gains(0.4, 0.3));
    assert!(message.contains("`proportional-gain` has no effect with the controller `i`"), "{message}");
    let message = text(system().step_factors(0.9, 3.0, 2.0));
    assert!(message.contains("`min-step-factor` 3 is larger than `max-step-factor` 2"), "{message}");
    let message = text(system().gains(0.4, -0.3));
    assert!(message.contains("expected a value greater than 0 for `integral-gain`, found -0.3"), "{message}");
    let message = text(systems::power_bond().step(0.1).gains(0.4, 0.3));
    assert!(message.contains("`integral-gain` has no effect with a fixed `step`"), "{message}");
}
