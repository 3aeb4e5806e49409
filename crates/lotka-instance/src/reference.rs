//! Value references, one type per base type, so that a Real cannot be read through an Integer function by mistake.

macro_rules! references {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
        #[repr(transparent)]
        pub struct $name(pub u32);
    )*};
}

references! {
    /// Value reference of a Real variable.
    RealRef,
    /// Value reference of an Integer or Enumeration variable.
    IntegerRef,
    /// Value reference of a Boolean variable.
    BooleanRef,
    /// Value reference of a String variable.
    StringRef,
    /// Value reference of a Binary variable.
    BinaryRef,
}
