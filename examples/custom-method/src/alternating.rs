//! A coupling scheme: Gauss–Seidel in forward order in one step and in backward order in the next.

use lotka::method::{Attempt, Coupled, Persistent, Step, Sweep, Transfer, Transferred};

/// Two consecutive steps are symmetric in time, so that errors of odd order cancel. The order is 2 with held inputs and fixed
/// steps, at the cost of Gauss–Seidel (composition of a method with its adjoint; Hairer, Lubich, Wanner, Geometric Numerical
/// Integration, 2006, II.4).
#[derive(Default)]
pub struct Alternating {
    /// Start of the last step \[s\].
    last: Option<f64>,
    is_back: bool,
}

impl Persistent for Alternating {
    fn transfer(&mut self, transfer: &mut Transfer<'_>) -> Transferred {
        transfer.value(&mut self.last)?;
        transfer.value(&mut self.is_back)
    }
}

impl Sweep for Alternating {
    fn pass(&mut self, coupled: &mut Coupled, instances: &[usize], Step { t, h }: Step, _due: bool) -> Attempt<()> {
        // A repeated step keeps its direction.
        if self.last.is_none_or(|last| t > last) {
            self.is_back = !self.is_back;
            self.last = Some(t);
        }
        for position in 0..instances.len() {
            let position = if self.is_back { instances.len() - 1 - position } else { position };
            coupled.step_with_newest(instances[position], t, h)?;
        }
        coupled.refresh(instances)
    }

    fn order(&self, degree: u32) -> u32 {
        degree + 1
    }
}
