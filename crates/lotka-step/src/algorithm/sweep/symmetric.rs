//! Symmetric: a forward sweep with half steps and a backward sweep.

use super::Sweep;
use crate::{
    algorithm::{Attempt, Coupled, Step},
    checkpoint::{Persistent, Transfer, Transferred},
    signal::Moment,
};

/// Order 2 with constant inputs, and only even powers of the step size in the error, if no output in a loop has direct
/// feedthrough (Strang 1968, doi 10.1137/0705041; Hairer, Lubich, Wanner, Geometric Numerical Integration, 2006, II.5).
///
/// All but the last instance step by `h/2`, the last one by `h`, then all others by `h/2` in reverse order, each with the newest
/// known values. To keep the scheme symmetric, the first instance reads sources at the communication point, and all others read
/// them in the middle of the step. The second half of the first instance and its first half in the next step are merged into one
/// step where no output is due in between.
#[derive(Debug, Default)]
pub(crate) struct Symmetric {
    /// Time that the first instance has reached, if it lags \[s\].
    behind: Option<f64>,
}

impl Persistent for Symmetric {
    fn transfer(&mut self, transfer: &mut Transfer<'_>) -> Transferred {
        transfer.value(&mut self.behind)
    }
}

impl Sweep for Symmetric {
    fn pass(&mut self, coupled: &mut Coupled, instances: &[usize], step: Step, due: bool) -> Attempt<()> {
        let [others @ .., last] = instances else { return Attempt::Continue(()) };
        let Step { t, h } = step;
        let half = 0.5 * h;
        let middle = t + half;
        let rest = (t + h) - middle;
        coupled.put_sources(if others.is_empty() { Moment::Middle } else { Moment::Begin });
        for (position, &instance) in others.iter().enumerate() {
            let begin = if position == 0 { self.behind.take().unwrap_or(t) } else { t };
            coupled.step_with_newest(instance, begin, middle - begin)?;
            coupled.put_sources(Moment::Middle);
        }
        coupled.step_with_newest(*last, t, h)?;
        let [first, inner @ ..] = others else {
            coupled.put_sources(Moment::End);
            return Attempt::Continue(());
        };
        for &instance in inner.iter().rev() {
            coupled.step_with_newest(instance, middle, rest)?;
        }
        coupled.put_sources(Moment::End);
        if !due {
            self.behind = Some(middle);
            return Attempt::Continue(());
        }
        if let Some(tracer) = &mut coupled.tracer {
            tracer.pass_middle(&coupled.newest);
        }
        coupled.step_with_newest(*first, middle, rest)?;
        coupled.refresh(instances)
    }

    fn is_symmetric(&self) -> bool {
        true
    }

    fn is_behind(&self) -> bool {
        self.behind.is_some()
    }

    fn order(&self, _: u32) -> u32 {
        2
    }
}
