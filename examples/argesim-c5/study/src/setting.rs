//! Settings that determine how switching times are found.

use std::fmt;

use lotka::{Direction, Fmu, System};

use crate::Task;

/// The FMUs.
#[derive(Debug, Clone)]
pub struct Fmus {
    /// `two_state_plant`.
    pub exact: Fmu,
    /// `two_state_ode`.
    pub integrated: Fmu,
    /// `two_state_switch`.
    pub switch: Fmu,
}

/// How the plant is integrated.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Plant {
    /// The exact solution for constant inputs.
    Exact,
    /// The stiff integrator of the kit with this relative tolerance.
    Integrated(f64),
}

/// Placement of communication points.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Setting {
    /// Equidistant, with this step size \[s\]; switches are up to one step late.
    Steps(f64),
    /// Every 0.1 s and at events, located to this accuracy \[s\].
    Located(f64),
}

impl fmt::Display for Plant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exact => write!(f, "exact"),
            Self::Integrated(tolerance) => write!(f, "`esdirk34`, {tolerance:e}"),
        }
    }
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Steps(h) => write!(f, "steps of {h} s, no events"),
            Self::Located(tolerance) => write!(f, "steps of 0.1 s, events within {tolerance:e} s"),
        }
    }
}

impl Setting {
    /// Returns the system, ready to build.
    pub(crate) fn system(self, task: Task, plant: Plant, fmus: &Fmus) -> System {
        let fmu = if plant == Plant::Exact { &fmus.exact } else { &fmus.integrated };
        let mut system = System::new()
            .instance_of("plant", fmu)
            .instance_of("switch", &fmus.switch)
            .connect("plant.c2", "switch.c2")
            .connect("plant.c4", "switch.c4")
            .connect("switch.y1", "plant.y1")
            .stop(5.0);
        for (variable, value) in task.start_values() {
            system = system.start_value(&format!("switch.{variable}"), value);
        }
        if let Plant::Integrated(tolerance) = plant {
            system = system.start_value("plant.relative_tolerance", tolerance).start_value("plant.absolute_tolerance", tolerance);
        }
        match self {
            // The plant steps first, as with events.
            Self::Steps(h) => system.step(h).sweep("gauss-seidel").order(&["plant", "switch"]),
            Self::Located(tolerance) => {
                system.step(0.1).event("plant.y1", "switch.limit", Direction::Both).event_tolerance(tolerance)
            }
        }
    }
}
