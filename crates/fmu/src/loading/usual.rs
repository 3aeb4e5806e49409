//! Libraries of the system that programs bring along.
//!
//! Many FMUs are linked without the libraries whose functions they call, as the simulation tool that tested them had all of them loaded. Which of
//! them a program has depends on what else is in it, so all of them are loaded before the first FMU, wherever FMUs run: in a program that embeds
//! the master, in the command, and in hosts.

use std::path::Path;
use std::sync::Once;

use super::library::open;
use crate::platform::Scope;

/// What comes with the GNU C library and with every C compiler, without the C library itself, which every program has. The C++ library is not
/// among them: FMUs that bring another version of it in their own library would get functions of this one.
const USUAL: &[&str] = if cfg!(all(target_os = "linux", target_env = "gnu")) {
    &["libm.so.6", "libdl.so.2", "libpthread.so.0", "librt.so.1", "libgcc_s.so.1"]
} else {
    &[]
};

/// Loads them into the global scope, once. One that the system lacks is left out: an FMU that needs it says so itself.
pub(crate) fn load_usual() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        for name in USUAL {
            let _ = open(Path::new(name), Scope::Global);
        }
    });
}
