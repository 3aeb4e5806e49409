//! The methods, each a configuration of the master.

use lotka::{InputDelivery, System};

use crate::{Case, Setting};

/// A simulation method, without the sizes of steps and tolerances.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Fixed steps; all FMUs get constant inputs from the start of the step (Jacobi).
    JacobiConstant,
    /// Fixed steps; the FMUs step in sequence with the newest values as constant inputs (Gauss–Seidel).
    GaussSeidelConstant,
    /// Jacobi with the mean of linear inputs through known values.
    JacobiLinear,
    /// Gauss–Seidel with the mean of linear inputs through known values.
    GaussSeidelLinear,
    /// Half a step in forward order, half a step in backward order, constant inputs.
    Symmetric,
    /// Iteration with the mean of cubic inputs through known values.
    IteratedCubic,
    /// Iteration with cubic inputs from values and derivatives at both ends, passed to the FMUs as input derivatives.
    IteratedHermite,
    /// Step doubling as in other masters: Gauss–Seidel, constant inputs, a local tolerance.
    LocalConstant,
    /// A local tolerance only: Lotka chooses the method.
    Local,
    /// A `tolerance` only: Lotka verifies the results. All runs count.
    Verified,
}

/// Relative and absolute change at which an iteration has converged.
const ITERATION_TOLERANCE: f64 = 1e-12;

/// Iteration limit; sufficient where the iteration converges.
const ITERATION_LIMIT: u32 = 50;

impl Method {
    /// All methods, in the order of tables and legends.
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

    /// Returns a short description.
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

    /// Returns whether the method suits a system. With direct feedthrough, the error of symmetric sweeps has more than even
    /// powers of the step size.
    pub fn suits(self, case: Case) -> bool {
        self != Self::Symmetric || !case.has_feedthrough()
    }

    /// Returns whether steps are fixed and the expected order is 1 or 2.
    pub fn is_fixed_low_order(self) -> bool {
        use Method::{GaussSeidelConstant, GaussSeidelLinear, JacobiConstant, JacobiLinear, Symmetric};
        matches!(self, JacobiConstant | GaussSeidelConstant | JacobiLinear | GaussSeidelLinear | Symmetric)
    }

    /// Returns the settings from coarse to fine; infinitely many for fixed steps.
    pub fn settings(self, case: Case) -> Box<dyn Iterator<Item = Setting>> {
        let powers_of_ten = |exponents: std::ops::RangeInclusive<i32>| exponents.map(|exponent| 10_f64.powi(-exponent));
        match self {
            Self::Verified => Box::new(powers_of_ten(3..=10).map(Setting::Tolerance)),
            Self::Local | Self::LocalConstant => Box::new(powers_of_ten(2..=10).map(Setting::LocalTolerance)),
            _ => Box::new((0..).map(move |halvings| Setting::Step(case.largest_step() * 0.5_f64.powi(halvings)))),
        }
    }

    /// Returns a system configured with this method.
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
