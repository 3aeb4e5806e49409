//! Which variables, of which types, a list of references stands for.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use fmi3::description::{Element, ValueType};
use lotka_instance::description::IntegerType;

use crate::instance::Lane;

/// Number of lists whose groups are remembered.
const LISTS: usize = 16;

/// The variables of one type in a list, which one call reads or sets.
#[derive(Debug, PartialEq)]
pub(crate) struct Group {
    pub(crate) value_type: ValueType,
    /// Value references of the variables of the FMU.
    pub(crate) references: Box<[u32]>,
    /// Number of values of all of them.
    pub(crate) n_values: usize,
    /// Of each reference of the list that belongs here: the position among these values, and the position in the list.
    pub(crate) places: Box<[(usize, usize)]>,
    /// The arrays.
    pub(crate) arrays: Box<[ArrayPlace]>,
    /// Whether the values are those of the list, in the same order.
    pub(crate) is_identity: bool,
}

impl Group {
    /// Whether its values are Float64, which need no conversion.
    #[inline]
    pub(crate) fn is_plain(&self) -> bool {
        self.value_type == ValueType::Float64
    }
}

/// An array among the variables of a group.
#[derive(Debug, PartialEq)]
pub(crate) struct ArrayPlace {
    pub(crate) reference: u32,
    /// Position of its first value.
    pub(crate) offset: usize,
    /// Number of its elements.
    pub(crate) length: usize,
    /// Whether all elements are in the list.
    pub(crate) is_whole: bool,
}

/// What the references of an FMU stand for.
pub(crate) struct Layout(HashMap<u32, Element>);

impl Layout {
    pub(crate) fn new(elements: HashMap<u32, Element>) -> Self {
        Self(elements)
    }

    /// What a reference stands for. An unknown one is passed on as that of a scalar of the usual type, so that the FMU refuses
    /// it.
    pub(crate) fn element(&self, lane: Lane, reference: u32) -> Element {
        let unknown = Element { value_reference: reference, position: 0, length: 1, value_type: usual_type(lane) };
        self.0.get(&reference).copied().filter(|element| lane_of(element.value_type) == lane).unwrap_or(unknown)
    }

    /// Groups the variables of a list by type, in the order in which the types occur.
    pub(crate) fn groups(&self, lane: Lane, references: impl Iterator<Item = u32>) -> Box<[Group]> {
        let mut drafts: Vec<Draft> = Vec::new();
        let mut n_listed = 0;
        for (index, reference) in references.enumerate() {
            n_listed += 1;
            let element = self.element(lane, reference);
            let found = drafts.iter().position(|draft| draft.value_type == element.value_type).unwrap_or_else(|| {
                drafts.push(Draft::new(element.value_type));
                drafts.len() - 1
            });
            drafts[found].add(element, index);
        }
        drafts.into_iter().map(|draft| draft.finish(n_listed)).collect()
    }
}

/// Lists of references with their groups, the most recent one last.
#[derive(Default)]
pub(crate) struct Lists(Vec<List>);

struct List {
    lane: Lane,
    references: Box<[u32]>,
    groups: Arc<[Group]>,
}

impl Lists {
    /// The groups of a list.
    pub(super) fn groups(&self, index: usize) -> &[Group] {
        &self.0[index].groups
    }

    /// The groups of a list, as long as they are needed.
    pub(super) fn shared(&self, index: usize) -> Arc<[Group]> {
        self.0[index].groups.clone()
    }
    /// Returns the index of a list, which holds until the next call.
    pub(super) fn index(&mut self, layout: &Layout, lane: Lane, references: impl Iterator<Item = u32> + Clone) -> usize {
        let is_it = |list: &List| list.lane == lane && list.references.iter().copied().eq(references.clone());
        if let Some(index) = self.0.iter().position(is_it) {
            return index;
        }
        let groups = layout.groups(lane, references.clone()).into();
        if self.0.len() == LISTS {
            self.0.remove(0);
        }
        self.0.push(List { lane, references: references.collect(), groups });
        self.0.len() - 1
    }
}

/// A group under construction.
struct Draft {
    value_type: ValueType,
    references: Vec<u32>,
    /// Offset, length and number of listed elements of each reference.
    extents: Vec<(usize, usize, usize)>,
    by_reference: HashMap<u32, usize>,
    n_values: usize,
    places: Vec<(usize, usize)>,
    /// The places that are listed at least once.
    listed: HashSet<usize>,
}

impl Draft {
    fn new(value_type: ValueType) -> Self {
        Self {
            value_type,
            references: Vec::new(),
            extents: Vec::new(),
            by_reference: HashMap::new(),
            n_values: 0,
            places: Vec::new(),
            listed: HashSet::new(),
        }
    }

    fn add(&mut self, element: Element, index: usize) {
        let number = *self.by_reference.entry(element.value_reference).or_insert_with(|| {
            self.references.push(element.value_reference);
            self.extents.push((self.n_values, element.length, 0));
            self.n_values += element.length;
            self.references.len() - 1
        });
        let (offset, _, n_listed) = &mut self.extents[number];
        let place = *offset + element.position;
        *n_listed += usize::from(self.listed.insert(place));
        self.places.push((place, index));
    }

    /// Finishes the group of a list with this number of references.
    fn finish(self, n_listed: usize) -> Group {
        let Self { value_type, references, extents, n_values, places, .. } = self;
        let arrays = references.iter().zip(&extents).filter(|(_, (_, length, _))| *length > 1);
        let arrays = arrays.map(|(&reference, &(offset, length, listed))| ArrayPlace {
            reference,
            offset,
            length,
            is_whole: listed == length,
        });
        let is_identity = n_listed == n_values && places.iter().enumerate().all(|(n, place)| *place == (n, n));
        Group {
            value_type,
            arrays: arrays.collect(),
            references: references.into(),
            n_values,
            places: places.into(),
            is_identity,
        }
    }
}

fn lane_of(value_type: ValueType) -> Lane {
    match value_type {
        ValueType::Float64 | ValueType::Float32 => Lane::Real,
        ValueType::Integer(_) => Lane::Integer,
        ValueType::Boolean => Lane::Boolean,
        ValueType::String => Lane::String,
        ValueType::Binary => Lane::Binary,
    }
}

fn usual_type(lane: Lane) -> ValueType {
    match lane {
        Lane::Real => ValueType::Float64,
        Lane::Integer => ValueType::Integer(IntegerType::Int32),
        Lane::Boolean => ValueType::Boolean,
        Lane::String => ValueType::String,
        Lane::Binary => ValueType::Binary,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout() -> Layout {
        let element = |value_reference, position, length, value_type| Element { value_reference, position, length, value_type };
        let (double, single) = (ValueType::Float64, ValueType::Float32);
        Layout::new(HashMap::from([
            (1, element(1, 0, 1, double)),
            (2, element(2, 0, 3, double)),
            (10, element(2, 1, 3, double)),
            (11, element(2, 2, 3, double)),
            (3, element(3, 0, 1, single)),
            (4, element(4, 0, 1, ValueType::Integer(IntegerType::UInt8))),
        ]))
    }

    #[test]
    fn whole_arrays_and_scalars_in_order_are_passed_as_they_are() {
        let groups = layout().groups(Lane::Real, [1, 2, 10, 11].into_iter());
        assert_eq!(groups.len(), 1);
        assert_eq!((&*groups[0].references, groups[0].n_values, groups[0].is_identity), (&[1, 2][..], 4, true));
        assert!(groups[0].arrays[0].is_whole);
    }

    #[test]
    fn single_elements_need_the_whole_array() {
        let groups = layout().groups(Lane::Real, [11, 1].into_iter());
        assert_eq!((&*groups[0].references, groups[0].n_values, groups[0].is_identity), (&[2, 1][..], 4, false));
        assert_eq!(&*groups[0].places, [(2, 0), (3, 1)]);
        assert!(!groups[0].arrays[0].is_whole);
        // The same element twice is not a second one.
        assert!(!layout().groups(Lane::Real, [2, 10, 10].into_iter())[0].arrays[0].is_whole);
    }

    #[test]
    fn types_have_their_own_groups_and_unknown_references_are_passed_on() {
        let groups = layout().groups(Lane::Real, [3, 1, 99, 4].into_iter());
        let found: Vec<_> = groups.iter().map(|group| (group.value_type, &*group.references)).collect();
        assert_eq!(found, [(ValueType::Float32, &[3][..]), (ValueType::Float64, &[1, 99, 4][..])]);
        // The values of the first group come first in the list, but are not all of it.
        assert!(!layout().groups(Lane::Real, [1, 3].into_iter())[0].is_identity);
        assert_eq!(layout().groups(Lane::Integer, [4].into_iter())[0].value_type, ValueType::Integer(IntegerType::UInt8));
    }
}
