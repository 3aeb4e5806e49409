//! Detection of jumps in the outputs of an instance as its inputs change from some values to others.

/// Number of parts of the path that are checked first.
const LOOKS: usize = 16;

/// Maximum number of bisections of one part: the values at both ends are then adjacent numbers.
const HALVINGS: usize = 200;

/// Minimum size of a jump, as a share of all changes along the path, and of the value.
const JUMP: (f64, f64) = (1e-3, 1e-9);

/// Beside a jump, over the first share of the path, outputs change by at most the second share of the jump.
const BESIDE: (f64, f64) = (1e-6, 0.1);

/// An input causes the jump alone if its change produces this share of the jump.
const ALONE: f64 = 0.5;

/// A jump of outputs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Threshold {
    /// The input that causes it.
    pub(crate) input: usize,
    /// Its value just before the jump, in the direction of the path.
    pub(crate) value: f64,
}

/// The straight path of the inputs.
struct Way<'w> {
    from: &'w [f64],
    to: &'w [f64],
}

impl Way<'_> {
    fn at(&self, share: f64) -> Vec<f64> {
        self.from.iter().zip(self.to).map(|(from, to)| from + share * (to - from)).collect()
    }
}

/// Finds where outputs jump as inputs move straight from some values to others. There must be one such place, and one input must
/// cause the jump, whatever the others are along the path. `outputs` computes the outputs for given inputs, always from the same
/// state; `None` if the instance refuses them.
pub(super) fn threshold(mut outputs: impl FnMut(&[f64]) -> Option<Vec<f64>>, from: &[f64], to: &[f64]) -> Option<Threshold> {
    let way = Way { from, to };
    let mut looks = Vec::new();
    for number in 0..=LOOKS {
        looks.push(outputs(&way.at(number as f64 / LOOKS as f64))?);
    }
    let changes: Vec<Vec<f64>> = looks.windows(2).map(|pair| changes(&pair[0], &pair[1])).collect();
    let total: Vec<f64> = (0..looks[0].len()).map(|output| changes.iter().map(|change| change[output].abs()).sum()).collect();
    let sizes: Vec<f64> = looks[0].iter().zip(&total).map(|(value, total)| value.abs() + total).collect();
    let (place, usual, deviation) = roughest(&changes, &total);
    if deviation < JUMP.0 {
        return None;
    }
    // The change in excess of the usual change there.
    let unusual = |a: &[f64], b: &[f64], share: f64| {
        let beyond = a.iter().zip(b).zip(&usual).map(|((a, b), usual)| (b - a - usual * share * LOOKS as f64).abs());
        largest_share(beyond, &total)
    };
    let end = |number: usize| (number as f64 / LOOKS as f64, looks[number].clone());
    let (mut low, mut high) = (end(place), end(place + 1));
    for _ in 0..HALVINGS {
        let middle = 0.5 * (low.0 + high.0);
        let inputs = way.at(middle);
        if inputs == way.at(low.0) || inputs == way.at(high.0) {
            break;
        }
        let values = outputs(&inputs)?;
        let half = 0.5 * (high.0 - low.0);
        if unusual(&low.1, &values, half) > unusual(&values, &high.1, half) {
            high = (middle, values);
        } else {
            low = (middle, values);
        }
    }
    let jumps = differences(&low.1, &high.1);
    let (before, after) = (way.at((low.0 - BESIDE.0).max(0.0)), way.at((high.0 + BESIDE.0).min(1.0)));
    let (left, right) = (outputs(&before)?, outputs(&after)?);
    let beside: Vec<f64> =
        differences(&left, &low.1).into_iter().zip(differences(&high.1, &right)).map(|(a, b)| a.max(b)).collect();
    let is_jump = |output: &usize| {
        jumps[*output] > JUMP.0 * total[*output]
            && jumps[*output] > JUMP.1 * sizes[*output]
            && beside[*output] < BESIDE.1 * jumps[*output]
    };
    let output = (0..jumps.len()).find(is_jump)?;
    let mut jumps = |a: &[f64], b: &[f64]| Some((outputs(a)?[output] - outputs(b)?[output]).abs() > ALONE * jumps[output]);
    let mut alone = Vec::new();
    for input in (0..from.len()).filter(|&input| from[input] != to[input]) {
        let mut moved = before.clone();
        moved[input] = after[input];
        if jumps(&before, &moved)? {
            alone.push(input);
        }
    }
    let [input] = alone[..] else { return None };
    for ends in [from, to] {
        let (mut below, mut above) = (ends.to_vec(), ends.to_vec());
        (below[input], above[input]) = (before[input], after[input]);
        if !jumps(&below, &above)? {
            return None;
        }
    }
    Some(Threshold { input, value: way.at(low.0)[input] })
}

/// The part of the path in which the change of the outputs differs most from that of adjacent parts. Also returns the usual
/// change there, and the difference as a share of the total change.
fn roughest(changes: &[Vec<f64>], total: &[f64]) -> (usize, Vec<f64>, f64) {
    let usual = |part: usize| -> Vec<f64> {
        let beside: Vec<&Vec<f64>> =
            [part.checked_sub(1), Some(part + 1)].into_iter().flatten().filter_map(|other| changes.get(other)).collect();
        (0..total.len()).map(|output| beside.iter().map(|change| change[output]).sum::<f64>() / beside.len() as f64).collect()
    };
    let deviation = |part: usize| {
        let beyond = changes[part].iter().zip(usual(part)).map(|(change, usual)| (change - usual).abs());
        largest_share(beyond, total)
    };
    let all = (0..changes.len()).map(|part| (part, deviation(part)));
    let (part, deviation) = all.max_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or_default();
    (part, usual(part), deviation)
}

fn largest_share(values: impl Iterator<Item = f64>, total: &[f64]) -> f64 {
    values.zip(total).filter(|(_, total)| **total > 0.0).map(|(value, total)| value / total).fold(0.0, f64::max)
}

fn changes(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| b - a).collect()
}

fn differences(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The threshold between two inputs with these values at the ends.
    fn found(model: impl Fn(&[f64]) -> f64) -> Option<Threshold> {
        threshold(|inputs| Some(vec![model(inputs), inputs[0]]), &[0.0, 1.0], &[1.0, 1.5])
    }

    #[test]
    fn a_switch_is_found_to_the_last_bit() {
        let level = 0.3_f64;
        let found = found(|u| u[0].sin() + if u[0] >= level { 0.01 } else { 0.0 }).unwrap();
        assert_eq!((found.input, found.value.next_up()), (0, level));
        let falling = threshold(|u| Some(vec![if u[0] >= level { 1.0 } else { -1.0 }]), &[1.0], &[0.0]).unwrap();
        assert!((falling.value - level).abs() < 1e-16, "{falling:?}");
    }

    #[test]
    fn what_is_continuous_is_no_switch() {
        assert_eq!(found(|u| (30.0 * u[0]).sin() + u[1]), None);
        assert_eq!(found(|u| (u[0] - 0.3).max(0.0)), None, "a kink");
        assert_eq!(found(|_| 1.0), None);
        assert_eq!(found(|u| (1e4 * (u[0] - 0.3)).tanh()), None, "steep");
    }

    #[test]
    fn a_level_that_depends_on_another_input_is_none() {
        let step = |is_past: bool| if is_past { 1.0 } else { 0.0 };
        assert_eq!(found(|u| step(u[0] + u[1] > 1.5)), None, "their sum");
        assert_eq!(found(|u| step(u[0] > 0.3 * u[1])), None, "one against the other");
        assert_eq!(found(|u| step(u[0] > 0.3) * u[1]).map(|found| found.input), Some(0), "its size may depend on it");
    }
}
