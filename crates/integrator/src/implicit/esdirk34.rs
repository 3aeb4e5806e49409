//! A diagonally implicit method of order 3 whose first stage is explicit.

use super::sdirk::Coefficients;

/// Order 3, L-stable, four stages, the first explicit. The embedded result has order 4, so the estimate is that of order 3.
///
/// Source: J. B. Jørgensen, M. R. Kristensen, P. G. Thomsen, A Family of ESDIRK Integration Methods, 2018, arXiv 1803.01613.
pub(crate) static ESDIRK34: Coefficients = Coefficients {
    a: &[
        &[],
        &[GAMMA],
        &[0.140_737_774_724_706_2, -0.108_365_551_381_320_8],
        &[0.102_399_400_619_911, -0.376_878_452_255_556_1, 0.838_612_530_127_186_1],
    ],
    gamma: GAMMA,
    c: &[0.0, 0.871_733_043_016_918, 0.468_238_744_851_844_4, 1.0],
    d: &[-0.054_625_497_240_413_94, -0.494_208_893_625_994_96, 0.221_934_499_735_064_66, 0.326_899_891_131_344_27],
    order: 3,
};

/// The diagonal: the root of `γ³ - 3γ² + 3γ/2 - 1/6` that makes the method L-stable.
const GAMMA: f64 = 0.435_866_521_508_459;
