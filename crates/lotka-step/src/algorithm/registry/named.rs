//! Names of methods.

/// Methods of one kind, named by a key of the system file.
pub trait Named: Sized + Clone + 'static {
    /// The key.
    const KEY: &'static str;

    /// Returns the methods of this crate, the default first.
    fn built_in() -> Vec<Self>;

    /// Returns the name in the system file.
    fn name(&self) -> &'static str;
}
