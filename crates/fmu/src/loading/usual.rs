//! System libraries that programs usually contain.
//!
//! Many FMUs are linked without the libraries whose functions they call, because the simulation tool that tested them had loaded
//! these. Which of them a program has loaded depends on its other parts. Therefore all of them are loaded before the first FMU,
//! wherever FMUs run: in a program that embeds the master, in the command, and in hosts.

use std::path::Path;
use std::sync::Once;

use super::library::open_one;
use crate::platform::{Scope, has_symbol};

/// Libraries that come with the GNU C library and with every C compiler, except the C library itself, which every program has;
/// and one function of each. The C++ library is excluded: FMUs with another version of it in their own library would get the
/// functions of this one.
const USUAL: &[(&str, &str)] = if cfg!(all(target_os = "linux", target_env = "gnu")) {
    &[
        ("libm.so.6", "expm1"),
        ("libdl.so.2", "dlopen"),
        ("libpthread.so.0", "pthread_create"),
        ("librt.so.1", "timer_create"),
        ("libgcc_s.so.1", "_Unwind_Resume"),
    ]
} else {
    &[]
};

/// Loads those that this program lacks into the global scope, once; from version 2.34 the C library itself has the functions of
/// three of them. A missing one is skipped: an FMU that needs it reports that itself.
pub(crate) fn load_usual() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        for (name, _) in USUAL.iter().filter(|(_, function)| !has_symbol(function)) {
            let _ = open_one(Path::new(name), Scope::Global);
        }
    });
}
