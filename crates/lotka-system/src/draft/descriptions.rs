//! Similarity of inputs and outputs by their descriptions.

use std::{collections::HashMap, fmt};

use super::names::words;

/// How descriptions match, best match first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum DescriptionMatch {
    /// Both have the same words.
    Same,
    /// The input is described by the name of the output, with or without that of its instance.
    NamesOutput,
    /// The output is described by the name of the input.
    NamesInput,
}

impl fmt::Display for DescriptionMatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Same => "same description",
            Self::NamesOutput => "its description names the output",
            Self::NamesInput => "the description of the output names it",
        })
    }
}

/// Words that describe every variable.
const EMPTY: [&str; 17] = [
    "a",
    "actual",
    "an",
    "boolean",
    "by",
    "connector",
    "current",
    "for",
    "from",
    "integer",
    "of",
    "real",
    "signal",
    "the",
    "to",
    "value",
    "variable",
];

/// The words of a description that tell it from others; none of one or two letters alone.
pub(super) fn telling(description: &str) -> Option<String> {
    let words = words(description);
    let words: Vec<_> = words.split(' ').filter(|word| !EMPTY.contains(word)).collect();
    let is_telling = words.iter().any(|word| word.chars().filter(|c| c.is_alphabetic()).count() > 2);
    is_telling.then(|| words.join(" "))
}

/// Finds outputs by descriptions of inputs.
#[derive(Debug, Default)]
pub(super) struct DescriptionIndex {
    described: HashMap<String, Vec<usize>>,
    named: HashMap<String, Vec<usize>>,
}

impl DescriptionIndex {
    /// Adds an output under a number.
    pub(super) fn add(&mut self, output: usize, instance: &str, variable: &str, description: Option<&str>) {
        if let Some(text) = description.and_then(telling) {
            self.described.entry(text).or_default().push(output);
        }
        for name in [variable.to_owned(), format!("{instance} {variable}"), format!("{variable} {instance}")] {
            if let Some(text) = telling(&name) {
                self.named.entry(text).or_default().push(output);
            }
        }
    }

    /// The outputs that match the description of an input, each with its best match, in the order of the outputs.
    pub(super) fn find(&self, name: &str, description: Option<&str>) -> Vec<(usize, DescriptionMatch)> {
        let description = description.and_then(telling);
        let in_index = |index: &HashMap<String, Vec<usize>>, text: Option<&String>, how: DescriptionMatch| {
            let found = text.and_then(|text| index.get(text)).cloned().unwrap_or_default();
            found.into_iter().map(move |output| (output, how))
        };
        let mut found: Vec<_> = in_index(&self.described, description.as_ref(), DescriptionMatch::Same)
            .chain(in_index(&self.named, description.as_ref(), DescriptionMatch::NamesOutput))
            .chain(in_index(&self.described, telling(name).as_ref(), DescriptionMatch::NamesInput))
            .collect();
        found.sort_unstable();
        found.dedup_by_key(|(output, _)| *output);
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_every_variable_has_tell_nothing() {
        assert_eq!(telling("Temperature of the ambient air").as_deref(), Some("temperature ambient air"));
        for text in ["", "u", "Connector of Real input signal", "Connector of Real output signal 1", "T_in"] {
            assert_eq!(telling(text), None, "{text}");
        }
    }

    #[test]
    fn outputs_are_found_by_description_and_name() {
        let mut index = DescriptionIndex::default();
        index.add(0, "weather", "T", Some("Ambient temperature"));
        index.add(1, "wind", "speed", None);
        assert_eq!(index.find("u1", Some("the ambient temperature")), [(0, DescriptionMatch::Same)]);
        assert_eq!(index.find("ambientTemperature", None), [(0, DescriptionMatch::NamesInput)]);
        assert_eq!(index.find("u2", Some("wind speed")), [(1, DescriptionMatch::NamesOutput)]);
        assert_eq!(index.find("u2", Some("Speed of the wind")), [(1, DescriptionMatch::NamesOutput)]);
        assert_eq!(index.find("T", Some("temperature")), []);
    }
}
