//! User-defined methods.

use std::{fmt, sync::Arc};

/// A method registered by a user: its name and its constructor.
pub struct Custom<F: ?Sized> {
    name: &'static str,
    pub(super) make: Arc<F>,
}

impl<F: ?Sized> Custom<F> {
    pub(super) fn new(name: &'static str, make: Arc<F>) -> Self {
        Self { name, make }
    }

    /// The name under which it is registered.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.name
    }
}

impl<F: ?Sized> Clone for Custom<F> {
    fn clone(&self) -> Self {
        Self { name: self.name, make: self.make.clone() }
    }
}

impl<F: ?Sized> fmt::Debug for Custom<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Custom").field(&self.name).finish()
    }
}

/// Two are equal if they come from the same registration.
impl<F: ?Sized> PartialEq for Custom<F> {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name && Arc::ptr_eq(&self.make, &other.make)
    }
}
