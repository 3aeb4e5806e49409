//! FMUs that can be instantiated only once per process.

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The GUIDs of such FMUs with an instance. Two copies of a library count as one FMU, because their shared data are unknown.
static CLAIMED: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

fn claimed() -> MutexGuard<'static, BTreeSet<String>> {
    CLAIMED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The right to the only instance; released when dropped.
pub(super) struct Single(String);

impl Single {
    /// Claims the right; `None` if there is an instance.
    pub fn claim(guid: &str) -> Option<Self> {
        claimed().insert(guid.to_owned()).then(|| Self(guid.to_owned()))
    }
}

impl Drop for Single {
    fn drop(&mut self) {
        claimed().remove(&self.0);
    }
}
