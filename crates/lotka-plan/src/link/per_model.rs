//! Values that depend on the model of an instance only.

use std::{collections::HashMap, ops::Index, ptr};

use lotka_instance::ModelDescription;

/// One value per model description, indexed by instance. Instances with the same description share the value.
#[derive(Debug)]
pub struct PerModel<T> {
    /// Per instance: its value.
    of_instance: Vec<usize>,
    values: Vec<T>,
}

impl<T> PerModel<T> {
    /// Makes the value of each description once, however many instances have it.
    pub fn new<'a>(descriptions: &[&'a ModelDescription], make: impl Fn(&'a ModelDescription) -> T) -> Self {
        let (mut known, mut values) = (HashMap::new(), Vec::new());
        let mut value_of = |description: &'a ModelDescription| {
            *known.entry(ptr::from_ref(description)).or_insert_with(|| {
                values.push(make(description));
                values.len() - 1
            })
        };
        let of_instance = descriptions.iter().map(|description| value_of(description)).collect();
        Self { of_instance, values }
    }
}

impl<T> Index<usize> for PerModel<T> {
    type Output = T;

    fn index(&self, instance: usize) -> &T {
        &self.values[self.of_instance[instance]]
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn each_model_is_asked_once() {
        let [a, b] = ["a", "b"].map(|name| ModelDescription { model_name: name.to_owned(), ..ModelDescription::default() });
        let asked = Cell::new(0);
        let names = PerModel::new(&[&a, &b, &a, &a], |description| {
            asked.set(asked.get() + 1);
            description.model_name.as_str()
        });
        assert_eq!([0, 1, 2, 3].map(|instance| names[instance]), ["a", "b", "a", "a"]);
        assert_eq!(asked.get(), 2);
    }
}
