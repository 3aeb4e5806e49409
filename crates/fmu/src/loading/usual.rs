//! System libraries that programs usually contain.
//!
//! Many FMUs are linked without the libraries whose functions they call, because the simulation tool that tested them had loaded these. Which of
//! them a program has loaded depends on its other parts. Therefore all of them are loaded before the first FMU, wherever FMUs run: in a program
//! that embeds the master, in the command, and in hosts.

use std::path::Path;
use std::sync::Once;

use super::library::open;
use crate::platform::Scope;

/// Libraries that come with the GNU C library and with every C compiler, except the C library itself, which every program has. The C++ library is
/// excluded: FMUs with another version of it in their own library would get the functions of this one.
const USUAL: &[&str] = if cfg!(all(target_os = "linux", target_env = "gnu")) {
    &["libm.so.6", "libdl.so.2", "libpthread.so.0", "librt.so.1", "libgcc_s.so.1"]
} else {
    &[]
};

/// Loads them into the global scope, once. A missing one is skipped: an FMU that needs it reports that itself.
pub(crate) fn load_usual() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        for name in USUAL {
            let _ = open(Path::new(name), Scope::Global);
        }
    });
}
