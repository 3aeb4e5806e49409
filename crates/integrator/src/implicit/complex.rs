//! Complex numbers with the operations that a factorization needs.

use std::ops::{Div, Mul, Sub};

/// `re + i im`.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Complex {
    pub re: f64,
    pub im: f64,
}

impl Sub for Complex {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self { re: self.re - other.re, im: self.im - other.im }
    }
}

impl Mul for Complex {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        Self { re: self.re * other.re - self.im * other.im, im: self.re * other.im + self.im * other.re }
    }
}

impl Div for Complex {
    type Output = Self;

    /// By Smith's algorithm, which overflows only where the quotient does (R. L. Smith, Algorithm 116, Communications of the ACM
    /// 5, 1962, doi 10.1145/368637.368661).
    fn div(self, other: Self) -> Self {
        if other.re.abs() >= other.im.abs() {
            let ratio = other.im / other.re;
            let size = other.re + other.im * ratio;
            Self { re: (self.re + self.im * ratio) / size, im: (self.im - self.re * ratio) / size }
        } else {
            let ratio = other.re / other.im;
            let size = other.re * ratio + other.im;
            Self { re: (self.re * ratio + self.im) / size, im: (self.im * ratio - self.re) / size }
        }
    }
}
