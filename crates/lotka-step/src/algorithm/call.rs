//! One step of one instance: its arguments, and how its inputs are set.

use std::ops::Range;

use lotka_plan::time::ulp;

/// How the inputs of an instance are set.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Route {
    /// These signals are passed without copying.
    Direct(Span),
    /// Real inputs are computed, and nothing else is exchanged.
    Computed,
    /// Everything else.
    General,
}

/// A step of one instance, from `t` by `h` \[s\].
#[derive(Debug, Clone, Copy)]
pub(crate) struct Call {
    pub(super) t: f64,
    pub(super) h: f64,
    /// The size of all steps \[s\]; NaN if sizes differ.
    pub(super) nominal: f64,
    /// Whether no state before `t` will be restored.
    pub(super) commit: bool,
}

/// A size that differs from another one by this share, or by the rounding of times, is the same.
const SAME_SIZE: f64 = 1e-9;

impl Call {
    /// The size without the rounding of times, if this is that of all steps or half of it \[s\].
    pub(super) fn exact(self) -> f64 {
        let rounding = SAME_SIZE * self.h + 2.0 * ulp(self.t.abs() + self.h);
        let sizes = [self.nominal, 0.5 * self.nominal];
        sizes.into_iter().find(|size| (size - self.h).abs() <= rounding).unwrap_or(self.h)
    }
}

/// Adjacent Real signals.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Span {
    pub(super) start: u32,
    pub(super) len: u32,
}

impl Span {
    pub(super) fn new(range: &Range<usize>) -> Self {
        Self { start: range.start as u32, len: range.len() as u32 }
    }

    /// Start and end as sums of small numbers, which proves to the compiler that they are in order.
    #[inline]
    pub(super) fn range(self) -> Range<usize> {
        self.start as usize..self.start as usize + self.len as usize
    }
}
