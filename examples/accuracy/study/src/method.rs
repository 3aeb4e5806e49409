//! The methods, each a setting of the master.

use lotka::{InputDelivery, System};

use crate::{Case, Setting};

/// A way to simulate, but for the size of steps and tolerances.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Fixed steps, all FMUs from the same constant inputs.
    JacobiConstant,
    /// Fixed steps, one FMU after the other, the newest values as constant inputs.
    GaussSeidelConstant,
    /// Jacobi with the mean of linear inputs from known values.
    JacobiLinear,
    /// Gauss–Seidel with the mean of linear inputs from known values.
    GaussSeidelLinear,
    /// Forward with half a step, backward with the other half, constant inputs.
    Symmetric,
    /// Iterated, the mean of cubic inputs through known values.
    IteratedCubic,
    /// Iterated, cubic inputs from values and derivatives at both ends, given to the FMUs as input derivatives.
    IteratedHermite,
    /// Step doubling as other masters do it: Gauss–Seidel, constant inputs, a local tolerance.
    LocalConstant,
    /// A local tolerance and nothing else: the method is chosen.
    Local,
    /// A `tolerance` and nothing else: the results are verified. All runs count.
    Verified,
}

/// Change at which an iteration has converged, relative and absolute.
const ITERATION_TOLERANCE: f64 = 1e-12;

/// Enough iterations where they converge at all.
const ITERATION_LIMIT: u32 = 50;

impl Method {
    /// All of them, in the order of tables and legends.
    pub const ALL: [Self; 10] = [
        Self::JacobiConstant,
        Self::GaussSeidelConstant,
        Self::JacobiLinear,
        Self::GaussSeidelLinear,
        Self::Symmetric,
        Self::IteratedCubic,
        Self::IteratedHermite,
        Self::LocalConstant,
        Self::Local,
        Self::Verified,
    ];

    /// What is done, in a few words.
    pub fn name(self) -> &'static str {
        match self {
            Self::JacobiConstant => "Jacobi, constant inputs",
            Self::GaussSeidelConstant => "Gauss–Seidel, constant inputs",
            Self::JacobiLinear => "Jacobi, linear inputs",
            Self::GaussSeidelLinear => "Gauss–Seidel, linear inputs",
            Self::Symmetric => "symmetric",
            Self::IteratedCubic => "iterated, cubic inputs",
            Self::IteratedHermite => "iterated, Hermite inputs",
            Self::LocalConstant => "local-tolerance, constant inputs",
            Self::Local => "local-tolerance",
            Self::Verified => "tolerance",
        }
    }

    /// Whether it is meant for a system: symmetric sweeps have no even powers of the step size where there is feedthrough.
    pub fn suits(self, case: Case) -> bool {
        self != Self::Symmetric || !case.has_feedthrough()
    }

    /// Fixed steps whose error is expected to fall with the step size or its square.
    pub fn is_fixed_low_order(self) -> bool {
        use Method::{GaussSeidelConstant, GaussSeidelLinear, JacobiConstant, JacobiLinear, Symmetric};
        matches!(self, JacobiConstant | GaussSeidelConstant | JacobiLinear | GaussSeidelLinear | Symmetric)
    }

    /// From coarse to fine, without end where the steps are fixed.
    pub fn settings(self, case: Case) -> Box<dyn Iterator<Item = Setting>> {
        let powers_of_ten = |exponents: std::ops::RangeInclusive<i32>| exponents.map(|exponent| 10_f64.powi(-exponent));
        match self {
            Self::Verified => Box::new(powers_of_ten(3..=10).map(Setting::Tolerance)),
            Self::Local | Self::LocalConstant => Box::new(powers_of_ten(2..=10).map(Setting::LocalTolerance)),
            _ => Box::new((0..).map(move |halvings| Setting::Step(case.largest_step() * 0.5_f64.powi(halvings)))),
        }
    }

    /// A system with this method.
    pub(crate) fn apply(self, system: System) -> System {
        let linear = |system: System| system.input_degree(1).input_delivery(InputDelivery::Mean).output_derivatives(false);
        let iterated = |system: System| system.sweep("gauss-seidel").iterations(ITERATION_LIMIT, Some(ITERATION_TOLERANCE));
        match self {
            Self::JacobiConstant => system.sweep("jacobi").input_degree(0),
            Self::GaussSeidelConstant | Self::LocalConstant => system.sweep("gauss-seidel").input_degree(0),
            Self::JacobiLinear => linear(system.sweep("jacobi")),
            Self::GaussSeidelLinear => linear(system.sweep("gauss-seidel")),
            Self::Symmetric => system.sweep("symmetric").input_degree(0),
            Self::IteratedCubic => iterated(system).input_degree(3).input_delivery(InputDelivery::Mean).output_derivatives(false),
            Self::IteratedHermite => iterated(system).input_degree(3).input_delivery(InputDelivery::Derivatives),
            Self::Local | Self::Verified => system,
        }
    }
}
