//! Connections, found by their ends.

use super::{Link, SignalType, VariableIndex};

/// The links of a system, sorted by instance, by input and by output.
#[derive(Debug)]
pub struct LinkIndex<'a> {
    /// In the order of their instances; those of one instance in their own order.
    by_instance: Vec<&'a Link>,
    /// Links with their inputs, in the order of these.
    by_input: Vec<(VariableIndex, &'a Link)>,
    /// Outputs with each link that they feed; the links of one output in their own order.
    by_output: Vec<(VariableIndex, &'a Link)>,
}

impl<'a> LinkIndex<'a> {
    /// Indexes links.
    #[must_use]
    pub fn new(links: &'a [Link]) -> Self {
        let mut by_instance: Vec<_> = links.iter().collect();
        by_instance.sort_by_key(|link| link.instance);
        let mut by_input: Vec<_> = links.iter().map(|link| (link.input(), link)).collect();
        by_input.sort_by_key(|(input, _)| *input);
        let mut by_output: Vec<_> =
            links.iter().flat_map(|link| link.sources.iter().map(move |source| (source.output(), link))).collect();
        by_output.sort_by_key(|(output, _)| *output);
        Self { by_instance, by_input, by_output }
    }

    /// Returns the links into an instance, in their own order.
    #[must_use]
    pub fn into_instance(&self, instance: usize) -> &[&'a Link] {
        let start = self.by_instance.partition_point(|link| link.instance < instance);
        let end = self.by_instance.partition_point(|link| link.instance <= instance);
        &self.by_instance[start..end]
    }

    /// Returns the link into an input.
    #[must_use]
    pub fn into_input(&self, input: VariableIndex) -> Option<&'a Link> {
        let at = self.by_input.partition_point(|(known, _)| *known < input);
        self.by_input.get(at).filter(|(known, _)| *known == input).map(|(_, link)| *link)
    }

    /// Returns the links that an output feeds, in their own order.
    pub fn from_output(&self, output: VariableIndex) -> impl Iterator<Item = &'a Link> + use<'_, 'a> {
        let start = self.by_output.partition_point(|(known, _)| *known < output);
        self.by_output[start..].iter().take_while(move |(known, _)| *known == output).map(|(_, link)| *link)
    }

    /// Whether another instance reads an output.
    #[must_use]
    pub fn is_read(&self, output: VariableIndex) -> bool {
        self.from_output(output).next().is_some()
    }

    /// Returns the connected outputs of an instance with the links that they feed, in the order of the outputs.
    pub fn from_instance(&self, instance: usize) -> impl Iterator<Item = (usize, &'a Link)> + use<'_, 'a> {
        let start = self.by_output.partition_point(|((known, _), _)| *known < instance);
        let own = self.by_output[start..].iter().take_while(move |((known, _), _)| *known == instance);
        own.map(|((_, output), link)| (*output, *link))
    }

    /// Returns the connected inputs of an instance that have one of these types, sorted.
    #[must_use]
    pub fn inputs_of(&self, instance: usize, is_wanted: impl Fn(SignalType) -> bool) -> Vec<usize> {
        let wanted = self.into_instance(instance).iter().filter(|link| is_wanted(link.signal));
        let mut inputs: Vec<_> = wanted.map(|link| link.variable).collect();
        inputs.sort_unstable();
        inputs
    }
}

/// A connection of an input to outputs, all as instance and index of the variable.
#[cfg(test)]
pub(crate) fn link((instance, variable): VariableIndex, outputs: &[VariableIndex]) -> Link {
    let source = |&(instance, variable): &VariableIndex| super::LinkSource {
        instance,
        variable,
        signal: SignalType::Real,
        factor: 1.0,
        offset: 0.0,
        degree: None,
        map: Vec::new(),
        conversion: None,
    };
    Link { instance, variable, signal: SignalType::Real, sources: outputs.iter().map(source).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_found_by_each_of_their_ends() {
        let links = [link((2, 5), &[(0, 1)]), link((0, 3), &[(2, 1), (0, 1)]), link((2, 0), &[(0, 1), (0, 2)])];
        let index = LinkIndex::new(&links);
        assert_eq!(index.into_instance(2), [&links[0], &links[2]]);
        assert!(index.into_instance(1).is_empty());
        assert_eq!(index.into_input((0, 3)), Some(&links[1]));
        assert_eq!(index.into_input((0, 4)), None);
        assert!(index.from_output((0, 1)).eq([&links[0], &links[1], &links[2]]));
        assert!(index.is_read((2, 1)) && !index.is_read((2, 0)));
        let outputs: Vec<_> = index.from_instance(0).map(|(output, _)| output).collect();
        assert_eq!(outputs, [1, 1, 1, 2]);
        assert_eq!(index.inputs_of(2, |_| true), [0, 5]);
        assert!(index.inputs_of(2, |signal| signal == SignalType::Text).is_empty());
    }
}
