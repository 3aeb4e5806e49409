//! What takes too long for every change is a selection, unless somebody asks for all of it.

/// The environment variable that `cargo xtask test --full` sets to `full`.
pub const SELECTION: &str = "LOTKA_TESTS";

/// What a test runs: `usual` for every change, `full` with `cargo xtask test --full`.
pub fn selected<T>(usual: T, full: T) -> T {
    if std::env::var_os(SELECTION).is_some_and(|selection| selection == "full") { full } else { usual }
}
