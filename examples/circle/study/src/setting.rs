//! Integrators and their accuracy settings.

/// Names of the kit's integrators, and whether each has step-size control.
pub const INTEGRATORS: [(&str, bool); 15] = [
    ("euler", false),
    ("modified-euler", false),
    ("midpoint", false),
    ("heun", false),
    ("rk4", false),
    ("adams-bashforth-2", false),
    ("adams-bashforth-3", false),
    ("adams-bashforth-4", false),
    ("milne", false),
    ("rkf45", true),
    ("tr-bdf2", true),
    ("esdirk34", true),
    ("dopri5", true),
    ("radau5", true),
    ("auto", true),
];

/// The accuracy setting of an integrator.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Setting {
    /// Largest internal step \[s\].
    InternalStep(f64),
    /// Relative tolerance; the absolute tolerance is a thousandth of it.
    Tolerance(f64),
}

impl Setting {
    /// Returns the name of the FMU's parameter and its value.
    pub fn parameter(self) -> (&'static str, f64) {
        match self {
            Self::InternalStep(step) => ("internal_step", step),
            Self::Tolerance(tolerance) => ("relative_tolerance", tolerance),
        }
    }
}

impl std::fmt::Display for Setting {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::InternalStep(step) => write!(f, "steps of {} ms", 1e3 * step),
            Self::Tolerance(tolerance) => write!(f, "tolerance {tolerance:.0e}"),
        }
    }
}
