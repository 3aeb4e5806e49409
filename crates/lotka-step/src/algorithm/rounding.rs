//! Step sizes that are off by the rounding of times, and instances that refuse them.
//!
//! An instance receives the distance of two times, until it refuses one. From then on it receives the size that all steps have.
//! Of an instance that is known to refuse sizes, the first such size is not tried: the steps are the same in all cases.

use lotka_instance::{Discard, RoundedSizes};
use lotka_plan::time::ulp;

use super::call::Call;
use crate::checkpoint::{Transfer, Transferred};

/// How an instance takes sizes that are off by the rounding of times.
#[derive(Debug, Clone, Copy, Default)]
pub struct Rounding {
    /// Whether it has refused such a size, or would have, and receives sizes without rounding.
    wants_exact: bool,
    /// The sizes that it is known to refuse.
    expected: RoundedSizes,
    /// The sizes that it has accepted in this run, and whether that needs no further attention.
    accepted: RoundedSizes,
    is_settled: bool,
    /// The side on which the size was off that it has discarded.
    discarded: RoundedSizes,
    /// Whether the run can begin again, and the side of the size after which it must.
    can_begin_again: bool,
    stuck: Option<RoundedSizes>,
}

impl Rounding {
    /// Expects that these sizes are refused.
    pub(super) fn expect(&mut self, refused: RoundedSizes, can_begin_again: bool) {
        (self.expected, self.can_begin_again) = (refused, can_begin_again);
    }

    /// The size of a step as the instance receives it \[s\].
    #[inline(always)]
    pub(super) fn size(&mut self, call: Call) -> f64 {
        let is_usual = !self.wants_exact && !self.expected.any();
        if is_usual { call.h } else { self.expected_size(call) }
    }

    fn expected_size(&mut self, call: Call) -> f64 {
        self.wants_exact |= off(call).is_any_of(self.expected) && call.exact() == call.nominal;
        if self.wants_exact { call.exact() } else { call.h }
    }

    /// Whether it receives sizes without rounding.
    pub fn wants_exact(&self) -> bool {
        self.wants_exact
    }

    /// Records a step that was made.
    #[inline(always)]
    pub(super) fn accept(&mut self, call: Call) {
        if call.h != call.nominal && !self.is_settled {
            let off = off(call);
            self.accepted = self.accepted.or(off);
            self.is_settled = self.accepted == RoundedSizes::BOTH || call.nominal.is_nan();
        }
    }

    /// Whether the rounding of its size may be why a step was discarded at its beginning. It is then repeated with the exact
    /// size.
    pub(super) fn explains(&mut self, call: Call, discard: &Discard) -> bool {
        let is_at_begin = discard.last_successful_time.is_none_or(|time| time <= call.t + ulp(call.t));
        let explains = !self.wants_exact && !discard.terminate && is_at_begin && call.exact() != call.h;
        if explains {
            (self.wants_exact, self.discarded) = (true, off(call));
        }
        explains
    }

    /// Whether an instance that fails in this step must begin again without the rounding of sizes: it has just discarded the
    /// size, and takes no step after that (`is_repeated`), or has never accepted a size with this rounding.
    pub(super) fn gets_stuck(&mut self, call: Call, is_repeated: bool) -> bool {
        let refused = match (is_repeated, self.wants_exact) {
            (true, _) => self.discarded,
            (false, true) => RoundedSizes::default(),
            (false, false) => off(call),
        };
        let is_new = refused.any() && !refused.is_any_of(self.accepted.or(self.expected)) && call.exact() == call.nominal;
        self.stuck = (self.can_begin_again && is_new).then_some(refused);
        self.stuck.is_some()
    }

    /// The side of the size after which the run must begin again.
    pub fn stuck(&self) -> Option<RoundedSizes> {
        self.stuck
    }

    pub(super) fn transfer(&mut self, transfer: &mut Transfer<'_>) -> Transferred {
        transfer.value(&mut self.wants_exact)
    }
}

/// The side on which a size is off.
fn off(call: Call) -> RoundedSizes {
    let exact = call.exact();
    RoundedSizes { longer: call.h > exact, shorter: call.h < exact }
}
