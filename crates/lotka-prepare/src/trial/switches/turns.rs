//! Inputs that reverse between communication points: a level there is passed for so short a time that no run may show it.
//!
//! A level that an input passes on its way from one value to another lies between two communication points, and the reaction of
//! the instance shows. A level just below the peak of an input may be passed only between two points. Only the highest peaks
//! count: the way to the others has been passed before.

use lotka_instance::CallResult;
use lotka_step::algorithm::Coupled;

use super::{Switch, try_step::try_step};
use crate::trial::saved::save;

/// Extension of the range of an input past its peak in a trial, as a share of the distance from the adjacent points.
const FARTHER: f64 = 0.25;

/// Points on the path that are checked first.
const LOOKS: [f64; 4] = [0.0, 1.0 / 3.0, 2.0 / 3.0, 1.0];

/// Outputs may jump if their changes have a second difference of this share of their sum, and of this share of the outputs.
const MAY_JUMP: f64 = 0.1;
const ROUNDING: f64 = 1e-9;

/// The inputs of the instances that can be tried.
#[derive(Debug)]
pub struct Turns {
    followed: Vec<Input>,
    /// The inputs of one instance.
    inputs: Vec<f64>,
    /// Reversals whose instance is not yet at the communication point.
    due: Vec<Turn>,
}

/// An input followed from step to step.
#[derive(Debug)]
struct Input {
    reader: usize,
    input: usize,
    /// The last values with their times \[s\], newest last, and their number.
    points: [(f64, f64); 3],
    count: usize,
    /// The range that was passed before them, or has been tried.
    low: f64,
    high: f64,
}

/// A path that an input may have taken.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Turn {
    reader: usize,
    input: usize,
    from: f64,
    to: f64,
}

impl Turns {
    /// The inputs of all instances whose state can be saved.
    #[must_use]
    pub fn new(coupled: &Coupled) -> Self {
        let can_be_tried = |reader: &usize| coupled.instances[*reader].inner.capabilities().save_state;
        let readers = (0..coupled.plan.n_stepping).filter(can_be_tried);
        let inputs = readers
            .flat_map(|reader| (0..coupled.plan.instances[reader].input_references.len()).map(move |input| (reader, input)));
        Self { followed: inputs.map(|(reader, input)| Input::new(reader, input)).collect(), inputs: Vec::new(), due: Vec::new() }
    }

    /// Records the values at the communication point `time`, at an event or not. Returns the reversals that can be tried: those
    /// of all instances but `late`.
    pub fn follow(&mut self, coupled: &mut Coupled, time: f64, is_event: bool, late: Option<usize>) -> Vec<Turn> {
        if is_event {
            self.followed.iter_mut().for_each(|input| input.count = 0);
        }
        let mut known = None;
        for input in &mut self.followed {
            if known != Some(input.reader) {
                known = Some(input.reader);
                coupled.read_inputs_of(input.reader, &mut self.inputs);
            }
            self.due.extend(input.take(time, self.inputs[input.input]));
        }
        let (now, later): (Vec<_>, Vec<_>) = self.due.drain(..).partition(|turn| late != Some(turn.reader));
        self.due = later;
        now
    }
}

impl Input {
    fn new(reader: usize, input: usize) -> Self {
        Self { reader, input, points: [(0.0, 0.0); 3], count: 0, low: f64::INFINITY, high: f64::NEG_INFINITY }
    }

    /// Records another value. Returns the path to a peak, if the input reversed at the previous value, farther out than before.
    fn take(&mut self, time: f64, value: f64) -> Option<Turn> {
        if self.count >= self.points.len() {
            let oldest = self.points[0].1;
            (self.low, self.high) = (self.low.min(oldest), self.high.max(oldest));
        }
        self.points = [self.points[1], self.points[2], (time, value)];
        self.count += 1;
        let [(t0, a), (t1, b), (t2, c)] = self.points;
        let (before, after) = ((b - a) / (t1 - t0), (c - b) / (t2 - t1));
        let turns = before * after < 0.0 || before * after == 0.0 && before != after;
        if self.count < self.points.len() || !turns {
            return None;
        }
        // The vertex of the parabola through the three.
        let curvature = (after - before) / (t2 - t0);
        let slope = before + curvature * (t1 - t0);
        let top = b - slope * slope / (4.0 * curvature);
        let is_up = before > after;
        let from = if is_up { a.min(c) } else { a.max(c) };
        let to = top + FARTHER * (top - from);
        if !to.is_finite() || if is_up { top <= self.high } else { top >= self.low } {
            return None;
        }
        (self.low, self.high) = (self.low.min(to), self.high.max(to));
        Some(Turn { reader: self.reader, input: self.input, from, to })
    }
}

impl Turn {
    pub fn reader(&self) -> usize {
        self.reader
    }

    /// Finds where the instance switches on the path, in a step from now.
    pub fn look(&self, coupled: &mut Coupled, step: (f64, f64)) -> CallResult<Option<Switch>> {
        let slot = save(coupled, self.reader)?;
        let (mut from, mut to) = (coupled.inputs_of(self.reader), coupled.inputs_of(self.reader));
        (from[self.input], to[self.input]) = (self.from, self.to);
        let looks = LOOKS.map(|share| {
            let mut inputs = from.clone();
            inputs[self.input] = self.from + share * (self.to - self.from);
            try_step(coupled, self.reader, slot, &inputs, step)
        });
        let found = may_jump(&looks).then(|| Switch::between(coupled, self.reader, slot, (&from, &to), step)).flatten();
        coupled.instances[self.reader].inner.free_slot(slot)?;
        Ok(found)
    }
}

/// Whether the change of an output along the path differs from a parabola.
fn may_jump(looks: &[Option<Vec<f64>>; 4]) -> bool {
    let [Some(first), Some(second), Some(third), Some(last)] = looks else { return false };
    (0..first.len()).any(|output| {
        let [a, b, c] = [second[output] - first[output], third[output] - second[output], last[output] - third[output]];
        let beyond = (a - 2.0 * b + c).abs();
        beyond > MAY_JUMP * (a.abs() + b.abs() + c.abs()) && beyond > ROUNDING * last[output].abs()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The paths that are tried if an input has these values, one each second.
    fn tried(values: &[f64]) -> Vec<(f64, f64)> {
        let mut input = Input::new(0, 0);
        let turns = values.iter().enumerate().filter_map(|(second, value)| input.take(second as f64, *value));
        turns.map(|turn| (turn.from, turn.to)).collect()
    }

    #[test]
    fn tops_that_are_farther_out_than_all_before_are_tried() {
        assert_eq!(tried(&[0.0, 1.0, 0.0, -1.0]), [(0.0, 1.25)]);
        // The peak of the parabola through 0, 1, 1 / 2 is 49 / 48.
        let [(from, to)] = tried(&[0.0, 1.0, 0.5, -1.0])[..] else { panic!() };
        assert!(from == 0.0 && (to - 1.25 * 49.0 / 48.0).abs() < 1e-15, "{to}");
        assert_eq!(tried(&[2.0, 1.0, 0.0, 1.0, 0.0]), [(1.0, -0.25)], "the start was higher");
        assert_eq!(tried(&[0.0, 1.0, 0.0, 1.1, 0.0]).len(), 2, "the second top was tried with the first");
        assert_eq!(tried(&[0.0, 1.0, 1.0, 0.0]).len(), 1, "between two equal values");
        assert_eq!(tried(&[1.0, 1.0, 1.0]), []);
        assert_eq!(tried(&[0.0, f64::NAN, 0.0, 1.0, 0.0]), [(0.0, 1.25)]);
    }

    #[test]
    fn jumps_are_distinguished_from_what_is_smooth() {
        let looks = |model: fn(f64) -> f64| LOOKS.map(|share| Some(vec![1.0, model(share)]));
        assert!(may_jump(&looks(|u| if u > 0.9 { 0.1 * u } else { 0.1 + 0.1 * u })));
        assert!(
            !may_jump(&looks(|u| 1.0 + u))
                && !may_jump(&looks(|_| 1.0))
                && !may_jump(&looks(|u| 1.0 + 1e-15 * (9.0 * u).round()))
        );
    }
}
