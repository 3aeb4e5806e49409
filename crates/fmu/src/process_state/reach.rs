//! What of its process an FMU can change, read from its libraries before any of its code runs.

use std::ops::BitOr;

use super::Parts;
use crate::loading::Linkage;

/// Functions that change a part.
const LOCALE: [&str; 4] = ["setlocale", "uselocale", "_ZNSt6locale6globalERKS_", "_ZNSt3__16locale6globalERKS0_"];
const CONTROL: [&str; 7] =
    ["fesetround", "fesetenv", "feupdateenv", "feholdexcept", "feenableexcept", "fedisableexcept", "fesetmode"];
const DIRECTORY: [&str; 2] = ["chdir", "fchdir"];
const VARIABLES: [&str; 7] = ["setenv", "unsetenv", "putenv", "clearenv", "environ", "__environ", "_environ"];
const HANDLERS: [&str; 6] = ["signal", "sigaction", "bsd_signal", "sysv_signal", "__sysv_signal", "sigset"];
/// Functions that load more libraries.
const LOADERS: [&str; 2] = ["dlopen", "dlmopen"];
/// Libraries that change nothing unless a function above is called.
const HARMLESS: [&str; 11] = [
    "libc.",
    "libm.",
    "libpthread.",
    "libdl.",
    "librt.",
    "libgcc_s.",
    "ld-linux",
    "libstdc++.",
    "libgomp.",
    "libquadmath.",
    "libmvec.",
];

/// Returns what the libraries of an FMU can change: all that it brings, by file name, with their bytes. An FMU that changes
/// nothing is called without further ado.
pub(crate) fn reach(libraries: &[(String, Linkage, Vec<u8>)]) -> Parts {
    let of = |(_, linkage, bytes): &(String, Linkage, Vec<u8>)| {
        let is_known = |needed: &String| {
            HARMLESS.iter().any(|harmless| needed.starts_with(harmless)) || libraries.iter().any(|(name, ..)| name == needed)
        };
        let uses = |names: &[&str]| linkage.symbols.iter().any(|symbol| names.contains(&&**symbol));
        if uses(&LOADERS) || !linkage.needed.iter().all(is_known) {
            return Parts::ALL;
        }
        Parts::LOCALE.when(uses(&LOCALE))
            | Parts::CONTROL
                .when(uses(&CONTROL) || linkage.code.iter().any(|code| bytes.get(code.clone()).is_some_and(loads_control)))
            | Parts::DIRECTORY.when(uses(&DIRECTORY))
            | Parts::VARIABLES.when(uses(&VARIABLES))
            | Parts::HANDLERS.when(uses(&HANDLERS))
    };
    libraries.iter().map(of).fold(Parts::default(), Parts::bitor)
}

/// Whether code contains `ldmxcsr`, which sets the floating-point control. Other code that looks like it does no harm.
fn loads_control(bytes: &[u8]) -> bool {
    let is_operand = |byte: u8| byte >> 3 & 7 == 2 && byte >> 6 != 3;
    cfg!(target_arch = "x86_64")
        && bytes
            .windows(4)
            .any(|code| matches!(code, [0x0f, 0xae, operand, _] | [0xc5, 0xf8, 0xae, operand] if is_operand(*operand)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(symbols: &[&str], needed: &[&str], bytes: &[u8]) -> Parts {
        let texts = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        let linkage = Linkage { soname: None, needed: texts(needed), symbols: texts(symbols), code: Vec::new() };
        reach(&[("own.so".to_owned(), linkage, bytes.to_vec())])
    }

    #[test]
    fn an_fmu_reaches_what_its_symbols_and_libraries_allow() {
        assert_eq!(of(&["malloc", "exp"], &["libm.so.6", "libc.so.6", "own.so"], b"code"), Parts::default());
        assert_eq!(of(&["setlocale"], &["libc.so.6"], &[]), Parts::LOCALE);
        assert_eq!(of(&["chdir", "sigaction"], &[], &[]), Parts::DIRECTORY | Parts::HANDLERS);
        assert_eq!(of(&[], &["libpython3.11.so.1.0"], &[]), Parts::ALL);
        assert_eq!(of(&["dlopen"], &[], &[]), Parts::ALL);
    }

    #[test]
    #[cfg(target_arch = "x86_64")]
    fn instructions_that_set_the_floating_point_control_are_seen() {
        // ldmxcsr [rsp - 4], vldmxcsr [rsp - 4], ldmxcsr [rax]; stmxcsr [rsp - 4], lfence.
        for code in [&[0x0f, 0xae, 0x54, 0x24, 0xfc][..], &[0xc5, 0xf8, 0xae, 0x54, 0x24, 0xfc], &[0x0f, 0xae, 0x10, 0xc3]] {
            assert!(loads_control(code), "{code:x?}");
        }
        for code in [&[0x0f, 0xae, 0x5c, 0x24, 0xfc][..], &[0x0f, 0xae, 0xe8, 0xc3]] {
            assert!(!loads_control(code), "{code:x?}");
        }
    }
}
