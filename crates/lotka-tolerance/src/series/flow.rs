//! Whether FMUs step exactly: one step against two halves and three thirds, with constant inputs, at the step size of the first
//! runs.

use std::{ops::ControlFlow, sync::Arc};

use lotka_step::{Error, algorithm::Stop};

use super::runs::Runs;
use crate::global::ErrorExpansion;

/// Changes below this share of a value are rounding.
const ROUNDING: f64 = 1e-11;

/// The same for FMUs whose own error is then measured in a run: a larger one may be invisible at the start.
const EXACT: f64 = 1e-13;

/// Minimum ratio of the changes from halves to thirds if they fall with a power, and maximum for power 1, where they fall to a
/// third.
const FIRST_ORDER: (f64, f64) = (1.8, 4.0);

/// The behavior of the steps of an FMU.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Flow {
    /// The step size has no effect, or no conclusion is possible.
    Exact,
    /// The internal error falls with a power of at least 2.
    Higher,
    /// The internal error is proportional to the step size.
    First,
}

/// The Real outputs of instances before and after a trial step, one instance after the other.
struct StepTrial {
    before: Vec<f64>,
    after: Vec<f64>,
}

impl Runs<'_> {
    /// Returns the powers of the error, given those of the coupling. FMUs that integrate with one step of a method per
    /// communication step add their own. Also finds which FMUs do not step exactly, or do not move in these trials. Instances
    /// must be initialized again afterwards, as in every run.
    ///
    /// # Errors
    /// An FMU ended its process, or returned fmi2Fatal.
    pub(super) fn with_errors_inside(&mut self, coupling: ErrorExpansion) -> Result<ErrorExpansion, Box<Error>> {
        let h = self.trial_step();
        let tried: Vec<usize> = {
            let coupled = &self.instance_set.coupled;
            let is_free = |index: &usize| coupled.instances[*index].inner.capabilities().variable_step;
            (0..coupled.plan.n_stepping).filter(is_free).collect()
        };
        let mut inexact = vec![false; self.set_factory.names.len()];
        tried.iter().for_each(|&index| inexact[index] = true);
        self.inexact = Arc::from(inexact.as_slice());
        let (mut begins, mut ends) = (Vec::new(), Vec::new());
        for parts in [1, 2, 3] {
            let made = self.trial_of(&tried, h, parts)?;
            self.instance_set.log.take();
            let Some(StepTrial { before, after }) = made else { return Ok(coupling) };
            begins = before;
            ends.push(after);
        }
        let [whole, halves, thirds] = &ends[..] else { return Ok(coupling) };
        let mut from = 0;
        for &index in &tried {
            let own = from..from + self.instance_set.coupled.plan.instances[index].outputs.len();
            let is_exact = |place: usize| {
                let distance = (whole[place] - halves[place]).abs().max((whole[place] - thirds[place]).abs());
                distance <= EXACT * whole[place].abs().max(halves[place].abs())
            };
            let plan = &self.instance_set.coupled.plan;
            // Outputs without a state do not move while inputs are held.
            let has_state = plan.instances[index].outputs.clone().any(|signal| !plan.is_immediate[signal]);
            let moves = !has_state || whole[own.clone()] != begins[own.clone()];
            inexact[index] = !moves || !own.clone().all(is_exact);
            from = own.end;
        }
        self.inexact = Arc::from(inexact);
        let values = whole.iter().zip(halves).zip(thirds);
        let flow = values.map(|((whole, halves), thirds)| flow(*whole, *halves, *thirds)).max().unwrap_or(Flow::Exact);
        Ok(match (flow, coupling) {
            (Flow::First, ErrorExpansion::Even | ErrorExpansion::FromTwo) => ErrorExpansion::FromOne,
            (Flow::Higher, ErrorExpansion::Even) => ErrorExpansion::FromTwo,
            _ => coupling,
        })
    }

    /// The Real outputs of instances before and after a step of size `h` in `parts` parts, each with the inputs of the start;
    /// `None` if one cannot be made.
    fn trial_of(&mut self, tried: &[usize], h: f64, parts: u32) -> Result<Option<StepTrial>, Box<Error>> {
        let coupled = &mut self.instance_set.coupled;
        coupled.begin();
        self.system.initialize(coupled, &self.system.set_up)?;
        let (start, begin) = (self.system.span().0, coupled.newest.clone());
        let (mut before, mut after) = (Vec::new(), Vec::new());
        for &index in tried {
            let part = h / f64::from(parts);
            for number in 0..parts {
                coupled.newest.copy_from(&begin);
                match coupled.step_with_newest(index, start + f64::from(number) * part, part) {
                    ControlFlow::Continue(()) => {}
                    ControlFlow::Break(stop) => return refused(*stop),
                }
            }
            let outputs = coupled.plan.instances[index].outputs.clone();
            before.extend_from_slice(&begin.reals[outputs.clone()]);
            after.extend_from_slice(&coupled.newest.reals[outputs]);
        }
        self.counters.n_trial_calls += coupled.calls().map(|calls| calls.steps).sum::<u64>();
        Ok(Some(StepTrial { before, after }))
    }
}

/// A failure here recurs in the runs, which report it; after some failures, however, no further run is possible.
pub(super) fn refused<T>(stop: Stop) -> Result<Option<T>, Box<Error>> {
    match stop {
        Stop::Failed(error) if error.ended_process() || error.is_fatal() => Err(error),
        _ => Ok(None),
    }
}

fn flow(whole: f64, halves: f64, thirds: f64) -> Flow {
    let (coarse, fine) = ((whole - halves).abs(), (halves - thirds).abs());
    let size = whole.abs().max(halves.abs()).max(thirds.abs());
    if !(fine > ROUNDING * size && coarse > FIRST_ORDER.0 * fine) {
        return Flow::Exact;
    }
    if coarse < FIRST_ORDER.1 * fine { Flow::First } else { Flow::Higher }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_inside_is_that_of_the_changes() {
        let end = |order: i32, parts: f64| 1.0 + 0.1 * parts.powi(-order);
        let found = |order| flow(end(order, 1.0), end(order, 2.0), end(order, 3.0));
        assert_eq!([1, 2, 4].map(found), [Flow::First, Flow::Higher, Flow::Higher]);
        assert_eq!(flow(1.0, 1.0, 1.0), Flow::Exact);
        assert_eq!(flow(1.0, 1.0 + 1e-13, 1.0), Flow::Exact, "rounding");
        assert_eq!(flow(1.0, 1.0 + 1e-9, 1.0 - 1e-9), Flow::Exact, "noise");
    }
}
