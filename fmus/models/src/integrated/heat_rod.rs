//! Heat conduction in a rod of as many nodes as the user wants.

use std::f64::consts::PI;

use fmu_sdk::{Declaration, Experiment, Input, Integration, Model, Ode, Refusal, Step, Time};
use serde::{Deserialize, Serialize};

/// A rod of length `length` \[m\] with `n` nodes between its ends, whose temperatures `left` and `right` \[K\] are inputs. The
/// temperatures `T` \[K\] of the nodes, relative to the surroundings, follow the heat equation with the second derivative as a
/// difference of neighbors at a distance of `dx = length / (n + 1)`:
///
/// ```text
/// dT_i/dt = diffusivity (T_(i-1) - 2 T_i + T_(i+1)) / dx²,   T_0 = left,   T_(n+1) = right
/// ```
///
/// `n` is a structural parameter: an importer of FMI 3.0 chooses it in configuration mode, and the array `T` gets that length. In
/// FMI 2.0, there are ten nodes `T[1]` … `T[10]`. The rod starts with half a sine wave, `T_i = sin(pi i / (n + 1))`. With cold
/// ends, its shape stays, and it decays with the rate
///
/// ```text
/// lambda = 4 diffusivity / dx² sin²(pi / (2 (n + 1)))
/// ```
///
/// The equations get stiffer as `n` grows; the default integrator is `radau5`.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct HeatRod {
    n: u64,
    conduction: Conduction,
    temperatures: Vec<f64>,
    integration: Integration,
}

/// The equations, independent of the integrator.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Conduction {
    diffusivity: f64,
    length: f64,
    left: Input,
    right: Input,
}

/// Largest number of nodes: memory for the Jacobian matrix grows with its square.
const MOST_NODES: i128 = 1000;

impl Ode for Conduction {
    fn derivatives(&self, time: Time, x: &[f64], rates: &mut [f64]) {
        let dx = self.length / (x.len() + 1) as f64;
        let rate = self.diffusivity / (dx * dx);
        let (left, right) = (self.left.value(time.tau), self.right.value(time.tau));
        for (i, slot) in rates.iter_mut().enumerate() {
            let before = if i == 0 { left } else { x[i - 1] };
            let after = x.get(i + 1).copied().unwrap_or(right);
            *slot = rate * ((before - x[i]) + (after - x[i]));
        }
    }
}

impl Default for HeatRod {
    fn default() -> Self {
        let conduction = Conduction { diffusivity: 0.1, length: 1.0, left: Input::new(0.0), right: Input::new(0.0) };
        Self { n: 10, conduction, temperatures: half_a_wave(10), integration: Integration::new("radau5", 1e-3) }
    }
}

impl Model for HeatRod {
    const NAME: &'static str = "heat_rod";
    const DESCRIPTION: &'static str = "Heat conduction in a rod with n nodes";

    fn declare(v: &mut Declaration<Self>) {
        v.experiment(0.0, 2.0, 0.1);
        v.structural_parameter("n", |m| &mut m.n).min(1).max(MOST_NODES).description("number of nodes");
        v.parameter("diffusivity", |m| &mut m.conduction.diffusivity).unit("m2/s").min(0.0).description("thermal diffusivity");
        v.parameter("length", |m| &mut m.conduction.length).unit("m").min(1e-6).description("length of the rod");
        v.input("left", |m| &mut m.conduction.left).unit("K").description("temperature of the left end");
        v.input("right", |m| &mut m.conduction.right).unit("K").description("temperature of the right end");
        v.output("T", |m| &mut m.temperatures)
            .sized_by(["n"])
            .unit("K")
            .description("temperatures of the nodes")
            .exact()
            .depends_on([]);
        v.computed("der(T)", Self::rates)
            .sized_by(["n"])
            .unit("K/s")
            .description("time derivatives of T")
            .derivative_of("T")
            .depends_on(["T", "left", "right", "diffusivity", "length"]);
        v.computed_output("mean", |m| m.temperatures.iter().sum::<f64>() / m.temperatures.len() as f64)
            .unit("K")
            .description("mean temperature of the nodes")
            .depends_on(["T"]);
        Integration::declare(v, |m| &mut m.integration);
    }

    fn configure(&mut self) -> Result<(), Refusal> {
        self.temperatures = half_a_wave(self.n);
        Ok(())
    }

    fn initialize(&mut self, _: &Experiment) -> Result<(), Refusal> {
        self.integration.start()
    }

    fn do_step(&mut self, step: &Step) -> Result<(), Refusal> {
        self.integration.step(&self.conduction, step, &mut self.temperatures)
    }
}

impl HeatRod {
    /// dT/dt \[K/s\].
    fn rates(&self) -> Vec<f64> {
        let mut rates = vec![0.0; self.temperatures.len()];
        self.conduction.derivatives(Time { t: 0.0, tau: 0.0 }, &self.temperatures, &mut rates);
        rates
    }
}

/// Returns the temperatures of half a sine wave over the rod.
fn half_a_wave(n: u64) -> Vec<f64> {
    (1..=n).map(|i| (PI * i as f64 / (n + 1) as f64).sin()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rod(n: u64) -> HeatRod {
        let mut rod = HeatRod { n, ..HeatRod::default() };
        rod.configure().unwrap();
        rod
    }

    #[test]
    fn half_a_wave_decays_as_the_discrete_heat_equation_says() {
        for n in [1, 2, 10, 50] {
            let mut rod = rod(n);
            rod.do_step(&Step { t: 0.0, h: 2.0, tolerance: Some(1e-9) }).unwrap();
            let nodes = (n + 1) as f64;
            let decay = (-2.0 * 0.4 * nodes * nodes * (PI / (2.0 * nodes)).sin().powi(2)).exp();
            for (found, start) in rod.temperatures.iter().zip(half_a_wave(n)) {
                assert!((found - start * decay).abs() < 1e-8, "{n}: {found} {}", start * decay);
            }
        }
    }

    #[test]
    fn between_warm_ends_the_temperature_becomes_a_straight_line() {
        let mut rod = rod(3);
        (rod.conduction.left, rod.conduction.right) = (Input::new(4.0), Input::new(8.0));
        rod.do_step(&Step { t: 0.0, h: 100.0, tolerance: Some(1e-9) }).unwrap();
        for (found, expected) in rod.temperatures.iter().zip([5.0, 6.0, 7.0]) {
            assert!((found - expected).abs() < 1e-7, "{found} {expected}");
        }
        assert!(rod.rates().iter().all(|rate| rate.abs() < 1e-6));
    }
}
