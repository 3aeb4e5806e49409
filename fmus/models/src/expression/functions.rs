//! The functions allowed in a formula, with their derivatives.

/// A function of one argument.
#[derive(Debug, Clone, Copy)]
pub(super) struct Function {
    pub(super) name: &'static str,
    pub(super) value: fn(f64) -> f64,
    pub(super) derivative: fn(f64) -> f64,
}

macro_rules! functions {
    ($($name:literal $value:expr, $derivative:expr;)*) => {
        /// All functions. A function returns NaN outside its domain.
        pub(super) const FUNCTIONS: &[Function] = &[$(Function { name: $name, value: $value, derivative: $derivative }),*];
    };
}

functions! {
    "abs" f64::abs, f64::signum;
    "sqrt" f64::sqrt, |x| 0.5 / x.sqrt();
    "cbrt" f64::cbrt, |x| 1.0 / (3.0 * x.cbrt().powi(2));
    "exp" f64::exp, f64::exp;
    "ln" f64::ln, |x| 1.0 / x;
    "log2" f64::log2, |x| 1.0 / (x * std::f64::consts::LN_2);
    "log10" f64::log10, |x| 1.0 / (x * std::f64::consts::LN_10);
    "sin" f64::sin, f64::cos;
    "cos" f64::cos, |x| -x.sin();
    "tan" f64::tan, |x| 1.0 + x.tan().powi(2);
    "asin" f64::asin, |x| 1.0 / ((1.0 - x) * (1.0 + x)).sqrt();
    "acos" f64::acos, |x| -1.0 / ((1.0 - x) * (1.0 + x)).sqrt();
    "atan" f64::atan, |x| 1.0 / (1.0 + x * x);
    "sinh" f64::sinh, f64::cosh;
    "cosh" f64::cosh, f64::sinh;
    "tanh" f64::tanh, |x| 1.0 / x.cosh().powi(2);
    "asinh" f64::asinh, |x| 1.0 / x.hypot(1.0);
    "acosh" f64::acosh, |x| 1.0 / ((x - 1.0) * (x + 1.0)).sqrt();
    "atanh" f64::atanh, |x| 1.0 / ((1.0 - x) * (1.0 + x));
}
