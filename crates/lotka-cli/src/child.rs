//! The child process that runs the verb and loads FMUs. Its connection to the parent is set once, before the verb runs.

use std::sync::OnceLock;

use lotka::supervisor::Supervised;

static CHILD: OnceLock<Supervised> = OnceLock::new();

/// Returns the connection of this process to its parent, if it is a child.
pub(crate) fn this_process() -> Option<&'static Supervised> {
    CHILD.get()
}

/// Marks this process as a child.
pub(crate) fn begin(child: Supervised) -> &'static Supervised {
    CHILD.get_or_init(|| child)
}
