//! The systems, each a single FMU.

use lotka::{Fmu, System};

use crate::Setting;

/// A system whose exact solution is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Case {
    /// x' = y, y' = -x from (0.1, 0.1).
    Circle,
    /// u' = 998 u + 1998 v, v' = -999 u - 1999 v from (1, 0).
    Stiff,
}

impl Case {
    /// Name of the FMU, of its instance and of the folder.
    pub fn name(self) -> &'static str {
        match self {
            Self::Circle => "circle",
            Self::Stiff => "stiff",
        }
    }

    /// Names of the two states.
    pub fn states(self) -> [&'static str; 2] {
        match self {
            Self::Circle => ["x", "y"],
            Self::Stiff => ["u", "v"],
        }
    }

    /// Both states at time `t` \[s\].
    pub fn exact(self, t: f64) -> [f64; 2] {
        match self {
            Self::Circle => [0.1 * t.cos() + 0.1 * t.sin(), 0.1 * t.cos() - 0.1 * t.sin()],
            Self::Stiff => [2.0 * (-t).exp() - (-1000.0 * t).exp(), (-1000.0 * t).exp() - (-t).exp()],
        }
    }

    /// Stop time and communication step size \[s\].
    pub fn experiment(self) -> [f64; 2] {
        match self {
            Self::Circle => [20.0, 1.0],
            Self::Stiff => [4.0, 0.5],
        }
    }

    /// The settings of integrators that do, or do not, choose their steps themselves.
    pub fn settings(self, controlled: bool) -> Vec<Setting> {
        match (self, controlled) {
            (_, true) => vec![Setting::Tolerance(1e-4), Setting::Tolerance(1e-8)],
            (Self::Circle, false) => vec![Setting::InternalStep(0.1), Setting::InternalStep(0.01)],
            (Self::Stiff, false) => [0.25e-3, 1.25e-3, 5e-3].map(Setting::InternalStep).to_vec(),
        }
    }

    /// The system, ready to be built.
    pub fn system(self, fmu: &Fmu, integrator: &str, setting: Setting) -> System {
        let [stop, step] = self.experiment();
        let (parameter, value) = setting.parameter();
        let name = self.name();
        let system = System::new().instance_of(name, fmu).stop(stop).step(step);
        system.start_value(&format!("{name}.integrator"), integrator).start_value(&format!("{name}.{parameter}"), value)
    }
}
