use super::{Group, a, described};
use crate::hostile_suite::case::{Case, SINGLE};

pub const GROUP: Group = Group { title: "Instantiation", faults };

/// `a`, and a second instance of the same FMU.
const TWICE: &str = "[experiment]\nstop = 1\nstep = 0.1\n[instances]\nfirst = '../fmus/a.fmu'\na = { fmu = '../fmus/a.fmu'@ }\n";

fn faults() -> Vec<Case> {
    let once = || a().define("ONCE_PER_PROCESS");
    vec![
        Case::new("fmi2Instantiate returns NULL and logs why", a().define("INSTANTIATE_FAILS"))
            .refused(&["fmi2Instantiate", "no license found"]),
        Case::new("fmi2Instantiate returns NULL and logs nothing", a().define("INSTANTIATE_FAILS_SILENTLY"))
            .refused(&["fmi2Instantiate", "the FMU logged nothing"]),
        Case::new("GUID of another library", described("guid=\"{hostile}\"", "guid=\"{other}\"")).refused(&[
            "fmi2Instantiate",
            "{other}",
            "the GUID is",
        ]),
        Case::new("once per process, declared, used twice", once().capability("canBeInstantiatedOnlyOncePerProcess", true))
            .system(TWICE)
            .ends(0, &[])
            .rows(11),
        Case::new("once per process, not declared, used twice", once())
            .system(TWICE)
            .ends(11, &["fmi2Instantiate", "there is an instance already"])
            .isolated(0, &[]),
        Case::new("an instance that is returned again for another one", a().define("SAME_INSTANCE"))
            .system(TWICE)
            .ends(11, &["fmi2Instantiate", "already exists", "isolation = \"process\""])
            .isolated(0, &[]),
        Case::new("once per process, used once", once().capability("canBeInstantiatedOnlyOncePerProcess", true)).runs(&[]),
        Case::new("keeps the pointer to the callbacks", a().define("KEEP_CALLBACKS")).runs(&[]),
        Case::new("takes its memory from the callbacks", a().define("MEMORY_CALLBACKS")).runs(&[]),
        Case::new("used alone, without connections", a()).system(SINGLE).runs(&[]),
    ]
}
