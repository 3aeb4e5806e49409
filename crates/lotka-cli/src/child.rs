//! The process of the verb, which loads FMUs, as a child of the command. What it has of its parent is set once, before the verb runs.

use std::sync::OnceLock;

use lotka::supervisor::Supervised;

static CHILD: OnceLock<Supervised> = OnceLock::new();

/// This process as a child, if it is one.
pub(crate) fn this_process() -> Option<&'static Supervised> {
    CHILD.get()
}

/// From now on this process is a child.
pub(crate) fn begin(child: Supervised) -> &'static Supervised {
    CHILD.get_or_init(|| child)
}
