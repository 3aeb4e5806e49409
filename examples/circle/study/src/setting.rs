//! Integrators, and how fine they are.

/// The integrators of the kit by name, and whether they choose their steps themselves.
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

/// How fine an integrator is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Setting {
    /// Largest internal step \[s\].
    InternalStep(f64),
    /// Relative tolerance; the absolute one is a thousandth of it.
    Tolerance(f64),
}

impl Setting {
    /// The parameter of the FMU and its value.
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
