//! The systems, each a single FMU.

use lotka::{Fmu, System};

use crate::Setting;

/// A system with a known exact solution.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Case {
    /// x' = y, y' = -x from (0.1, 0.1).
    Circle,
    /// u' = 998 u + 1998 v, v' = -999 u - 1999 v from (1, 0).
    Stiff,
}

impl Case {
    /// Returns the name of the FMU, its instance and the folder.
    pub fn name(self) -> &'static str {
        match self {
            Self::Circle => "circle",
            Self::Stiff => "stiff",
        }
    }

    /// Returns the names of the two states.
    pub fn states(self) -> [&'static str; 2] {
        match self {
            Self::Circle => ["x", "y"],
            Self::Stiff => ["u", "v"],
        }
    }

    /// Returns both states at time `t` \[s\].
    pub fn exact(self, t: f64) -> [f64; 2] {
        match self {
            Self::Circle => [0.1 * t.cos() + 0.1 * t.sin(), 0.1 * t.cos() - 0.1 * t.sin()],
            Self::Stiff => [2.0 * (-t).exp() - (-1000.0 * t).exp(), (-1000.0 * t).exp() - (-t).exp()],
        }
    }

    /// Returns stop time and communication step size \[s\].
    pub fn experiment(self) -> [f64; 2] {
        match self {
            Self::Circle => [20.0, 1.0],
            Self::Stiff => [4.0, 0.5],
        }
    }

    /// Returns the settings for integrators with (`controlled`) or without step-size control.
    pub fn settings(self, controlled: bool) -> Vec<Setting> {
        match (self, controlled) {
            (_, true) => vec![Setting::Tolerance(1e-4), Setting::Tolerance(1e-8)],
            (Self::Circle, false) => vec![Setting::InternalStep(0.1), Setting::InternalStep(0.01)],
            (Self::Stiff, false) => [0.25e-3, 1.25e-3, 5e-3].map(Setting::InternalStep).to_vec(),
        }
    }

    /// Returns the system, ready to build.
    pub fn system(self, fmu: &Fmu, integrator: &str, setting: Setting) -> System {
        let [stop, step] = self.experiment();
        let (parameter, value) = setting.parameter();
        let name = self.name();
        let system = System::new().instance_of(name, fmu).stop(stop).step(step);
        system.start_value(&format!("{name}.integrator"), integrator).start_value(&format!("{name}.{parameter}"), value)
    }
}
