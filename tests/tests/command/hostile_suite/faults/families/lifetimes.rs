use super::{Group, all, case};
use crate::hostile_suite::case::Case;

pub const GROUP: Group = Group { title: "FMI 3.0: lifetimes of strings, binaries and instances", faults };

/// Two instances of the FMU.
const TWICE: &str = "[experiment]\nstop = 1\nstep = 0.1\n[instances]\nc = { fmu = '../fmus/a.fmu', isolation = 'none' }\na = { fmu = '../fmus/a.fmu'@ }\n";

fn faults() -> Vec<Case> {
    let lost_strings = [
        ("string at a page that is gone", "string-freed"),
        ("string without an end, before a page that nobody may touch", "string-abyss"),
        ("string at the address 1", "string-odd"),
        ("string at the last address", "string-far"),
    ];
    let lost_binaries = [
        ("binary at a page that is gone", "binary-freed"),
        ("binary that is longer than what is there", "binary-abyss"),
        ("binary at the address 1", "binary-odd"),
    ];
    let sound = [
        ("NULL as string in mid-run", "string-null"),
        ("string of a megabyte", "string-long"),
        ("string in the space of the pointers", "string-values"),
        ("string that the next call changes", "string-reused"),
        ("string of which a copy is freed", "string-released"),
        ("binary of no bytes at the address 1", "binary-odd-empty"),
        ("binary of another size in each call", "binary-grows"),
        ("binary of no bytes in mid-run", "binary-none"),
        ("binary that ends before a page that nobody may touch", "binary-exact"),
        ("binary of a megabyte", "binary-long"),
        ("memory of the instance overwritten by fmi3Terminate", "terminate-frees"),
        ("values after fmi3Terminate end the process", "use-after-terminate"),
    ];
    let impossible = [
        ("binary of 2^64 - 1 bytes", "binary-most"),
        ("binary of a gigabyte and a byte", "binary-limit"),
        ("NULL as binary in mid-run", "binary-null"),
    ];
    let crashes = |function: &'static str| move |case: Case| case.ends(17, &[function, "t = 0.5 s", "SIGSEGV"]).rows(5);
    all(lost_strings, crashes("fmi3GetString"))
        .chain(all(lost_binaries, crashes("fmi3GetBinary")))
        .chain(all(sound, |case| case.runs(&[])))
        .chain(all(impossible, |case| {
            case.ends(13, &["fmi3GetBinary", "`blob`", "a binary has no bytes, or more than 1073741824"]).rows(5)
        }))
        .chain([
            case("string with line ends, quotes and escape sequences", "string-bytes").ends(0, &[]),
            case("strings after an error, at the address 1", "string-error").ends(13, &["fmi3GetString", "fmi3Error"]).rows(5),
            case("strings after Discard, at the address 1", "string-discard").ends(13, &["fmi3GetString", "fmi3Discard"]).rows(5),
            case("binary after an error, of 2^64 - 1 bytes", "binary-error").ends(13, &["fmi3GetBinary", "fmi3Error"]).rows(5),
            case("binary after Discard, of 2^64 - 1 bytes", "binary-discard").ends(13, &["fmi3GetBinary", "fmi3Discard"]).rows(5),
            case("instance at the address 1", "instantiate-odd").ends(17, &["fmi3EnterInitializationMode", "SIGSEGV"]),
            // In a process of its own there is no other instance.
            case("the same instance for two", "instantiate-same")
                .system(TWICE)
                .ends(11, &["fmi3InstantiateCoSimulation", "already exists", "isolation = \"process\""])
                .isolated(0, &[]),
            case("instance freed twice", "free-twice").ends(17, &["fmi3FreeInstance", "SIGABRT"]).rows(11),
        ])
        .collect()
}
