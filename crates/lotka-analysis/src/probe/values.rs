//! Values of variables, read and compared.

use lotka_instance::{CallResult, Instance};

use super::variables::Variables;

/// Values of [`Variables`], in their order.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Values {
    pub reals: Vec<f64>,
    integers: Vec<i128>,
    booleans: Vec<bool>,
    strings: Vec<String>,
    binaries: Vec<Vec<u8>>,
}

impl Values {
    pub fn read(instance: &mut dyn Instance, variables: &Variables) -> CallResult<Self> {
        let mut values = Self {
            reals: vec![0.0; variables.reals.len()],
            integers: vec![0; variables.integers.len()],
            booleans: vec![false; variables.booleans.len()],
            strings: vec![String::new(); variables.strings.len()],
            binaries: vec![Vec::new(); variables.binaries.len()],
        };
        if !values.reals.is_empty() {
            instance.get_real(&references(&variables.reals), &mut values.reals)?;
        }
        if !values.integers.is_empty() {
            instance.get_integer(&references(&variables.integers), &mut values.integers)?;
        }
        if !values.booleans.is_empty() {
            instance.get_boolean(&references(&variables.booleans), &mut values.booleans)?;
        }
        if !values.strings.is_empty() {
            instance.get_string(&references(&variables.strings), &mut values.strings)?;
        }
        if !values.binaries.is_empty() {
            instance.get_binary(&references(&variables.binaries), &mut values.binaries)?;
        }
        Ok(values)
    }

    /// How these differ from what they should be, bit for bit; `None` when they do not.
    pub fn difference(&self, wanted: &Self, variables: &Variables) -> Option<String> {
        let pairs = variables.reals.iter().zip(self.reals.iter().zip(&wanted.reals));
        let differing: Vec<_> = pairs.filter(|(_, (value, wanted))| value.to_bits() != wanted.to_bits()).collect();
        let worst = differing.iter().max_by(|a, b| relative(a.1).total_cmp(&relative(b.1)));
        if let Some(((name, _), (value, wanted))) = worst {
            let amount = relative((value, wanted));
            let more = and_more(differing.len() - 1);
            return Some(format!("{name} is {value} instead of {wanted}, a relative difference of {amount:.1e}{more}"));
        }
        discrete(&variables.integers, &self.integers, &wanted.integers)
            .or_else(|| discrete(&variables.booleans, &self.booleans, &wanted.booleans))
            .or_else(|| discrete(&variables.strings, &self.strings, &wanted.strings))
            .or_else(|| discrete(&variables.binaries, &self.binaries, &wanted.binaries))
    }
}

fn references<R: Copy>(variables: &[(String, R)]) -> Vec<R> {
    variables.iter().map(|(_, reference)| *reference).collect()
}

/// The difference over the larger of both values.
fn relative((value, wanted): (&f64, &f64)) -> f64 {
    let difference = (value - wanted).abs() / value.abs().max(wanted.abs());
    if difference.is_nan() { f64::INFINITY } else { difference }
}

fn discrete<R, T: PartialEq + std::fmt::Debug>(variables: &[(String, R)], values: &[T], wanted: &[T]) -> Option<String> {
    let mut pairs = variables.iter().zip(values.iter().zip(wanted));
    let ((name, _), (value, wanted)) = pairs.find(|(_, (value, wanted))| value != wanted)?;
    Some(format!("{name} is {value:?} instead of {wanted:?}"))
}

pub(super) fn and_more(count: usize) -> String {
    if count == 0 { String::new() } else { format!(" (and {count} more)") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lotka_instance::{IntegerRef, RealRef};

    #[test]
    fn the_worst_real_is_named_with_how_far_off_it_is() {
        let variables = Variables {
            reals: vec![("x".into(), RealRef(0)), ("y".into(), RealRef(1))],
            integers: vec![("n".into(), IntegerRef(0))],
            ..Variables::default()
        };
        let values = |reals: [f64; 2], n| Values {
            reals: reals.to_vec(),
            integers: vec![n],
            booleans: vec![],
            strings: vec![],
            binaries: vec![],
        };
        let wanted = values([1.0, 2.0], 1);
        assert_eq!(wanted.difference(&wanted, &variables), None);
        let text = values([1.0 + 1e-9, 2.5], 1).difference(&wanted, &variables).unwrap();
        assert_eq!(text, "y is 2.5 instead of 2, a relative difference of 2.0e-1 (and 1 more)");
        assert_eq!(values([1.0, 2.0], 3).difference(&wanted, &variables).unwrap(), "n is 3 instead of 1");
        assert!(values([-0.0, f64::NAN], 1).difference(&values([0.0, 1.0], 1), &variables).unwrap().contains("y is NaN"));
    }
}
