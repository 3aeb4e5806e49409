//! Similarity of the names of inputs and outputs.

use std::{collections::HashMap, fmt};

/// How a name matches, best match first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum NameMatch {
    Same,
    /// The input has the name of the instance and its output, in either order.
    Qualified,
    /// The input has the name of an instance with a single output.
    Instance,
    /// The names are equal except for case, separators, and words for the direction.
    Similar,
}

impl fmt::Display for NameMatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Same => "same name",
            Self::Qualified => "named after instance and output",
            Self::Instance => "named after the instance, which has no other output",
            Self::Similar => "similar name",
        })
    }
}

/// Words for the direction of a signal.
const DIRECTIONS: [&str; 4] = ["in", "out", "input", "output"];

/// The words of a name in lower case, without those for the direction: `heatFlow_in` is `heat flow`.
pub(super) fn words(name: &str) -> String {
    let mut spaced = String::new();
    let mut previous = ' ';
    for c in name.chars() {
        if !c.is_alphanumeric() {
            spaced.push(' ');
        } else {
            if c.is_uppercase() && previous.is_lowercase() {
                spaced.push(' ');
            }
            spaced.extend(c.to_lowercase());
        }
        previous = c;
    }
    let words: Vec<_> = spaced.split_whitespace().filter(|word| !DIRECTIONS.contains(word)).collect();
    words.join(" ")
}

/// Finds outputs by names of inputs.
#[derive(Debug, Default)]
pub(super) struct NameIndex {
    same: HashMap<String, Vec<usize>>,
    other: HashMap<String, Vec<(usize, NameMatch)>>,
}

impl NameIndex {
    /// Adds an output under a number.
    pub(super) fn add(&mut self, output: usize, instance: &str, variable: &str, is_only_output: bool) {
        self.same.entry(variable.to_owned()).or_default().push(output);
        let [instance, variable] = [instance, variable].map(words);
        let mut add = |key: String, how| {
            if !key.is_empty() {
                self.other.entry(key).or_default().push((output, how));
            }
        };
        if !instance.is_empty() && !variable.is_empty() {
            add(format!("{instance} {variable}"), NameMatch::Qualified);
            add(format!("{variable} {instance}"), NameMatch::Qualified);
        }
        if is_only_output {
            add(instance, NameMatch::Instance);
        }
        add(variable, NameMatch::Similar);
    }

    /// The outputs whose name matches that of an input, each with its best match, in the order of the outputs.
    pub(super) fn find(&self, input: &str) -> Vec<(usize, NameMatch)> {
        let same = self.same.get(input).into_iter().flatten().map(|output| (*output, NameMatch::Same));
        let other = self.other.get(&words(input)).into_iter().flatten().copied();
        let mut found: Vec<_> = same.chain(other).collect();
        found.sort_unstable();
        found.dedup_by_key(|(output, _)| *output);
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_the_same_however_they_are_put_together() {
        for name in ["heat_flow", "heatFlow", "Heat.Flow", "in_heatFlow", "heat flow out", "HEAT_FLOW_IN"] {
            assert_eq!(words(name), "heat flow", "{name}");
        }
        assert_eq!(words("T_in"), "t");
        assert_eq!(words("u[1]"), "u 1");
        assert_eq!(words("input"), "");
        assert_ne!(words("inertia"), "ertia");
    }

    #[test]
    fn outputs_are_found_by_their_name_and_that_of_their_instance() {
        let mut index = NameIndex::default();
        index.add(0, "prey", "x", true);
        index.add(1, "wind", "speed", false);
        index.add(2, "wind", "X", false);
        assert_eq!(index.find("x"), [(0, NameMatch::Same), (2, NameMatch::Similar)]);
        assert_eq!(index.find("prey"), [(0, NameMatch::Instance)]);
        assert_eq!(index.find("windSpeed"), [(1, NameMatch::Qualified)]);
        assert_eq!(index.find("speed_of_wind"), []);
        assert_eq!(index.find("wind"), []);
        assert_eq!(index.find("in"), []);
    }
}
