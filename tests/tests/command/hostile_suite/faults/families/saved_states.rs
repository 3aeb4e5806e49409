use super::{Group, all, case};
use crate::hostile_suite::case::{CONTROLLED, Case, TWINS};

pub const GROUP: Group = Group { title: "FMI 3.0: saved states", faults };

fn faults() -> Vec<Case> {
    let controlled = |name: &str, fault: &str| case(name, fault).system(CONTROLLED);
    let sound = [
        ("Warning from fmi3GetFMUState", "state-warns"),
        ("new state at each fmi3GetFMUState", "state-fresh"),
        ("pointer to a state that stays after fmi3FreeFMUState", "state-kept-pointer"),
    ];
    let useless = [
        ("state at the address 1, which is never restored", "state-odd"),
        ("the instance as its own state", "state-instance"),
        ("state of another time", "state-time"),
        ("state of another phase", "state-phase"),
    ];
    let mut cases: Vec<_> = sound.map(|(name, fault)| controlled(name, fault).ends(0, &[])).into();
    cases.extend(useless.map(|(name, fault)| controlled(name, fault).ends(12, &["`a`", "fmi3DoStep", "fmi3Error"])));
    cases.extend([
        controlled("state that is saved once", "state-kept").ends(13, &["fmi3DoStep", "fmi3Error"]),
        controlled("NULL as state, after some", "state-lost").ends(12, &["fmi3GetFMUState", "the state is NULL"]),
        controlled("Discard from fmi3GetFMUState", "state-discard").ends(12, &["fmi3GetFMUState", "fmi3Discard"]),
        controlled("Error from fmi3GetFMUState in mid-run", "state-error").ends(13, &["fmi3GetFMUState", "fmi3Error"]),
        controlled("state with NaN", "state-nan").ends(13, &["the connected output `a.y`, found NaN"]),
        controlled("state freed twice", "state-free-twice").ends(17, &["fmi3FreeFMUState", "SIGABRT"]),
        controlled("Error from fmi3FreeFMUState", "state-free-error").ends(12, &["fmi3FreeFMUState", "fmi3Error"]),
        controlled("the state that was saved last, of several", "state-last").ends(0, &[]),
        case("the state that another instance saved last", "state-last")
            .system(TWINS)
            .ends(10, &["after a rollback", "isolation = \"process\""])
            .isolated(0, &[]),
    ]);
    cases.extend(serialized());
    cases.extend(deserialized());
    cases
}

fn serialized() -> impl Iterator<Item = Case> {
    let sound =
        [("serialized state of another size in each call", "bytes-change"), ("Warning from fmi3SerializeFMUState", "bytes-warn")];
    let refused = [
        ("serialized state of no bytes (FMI 3.0)", "bytes-none"),
        ("serialized state of a byte less than it has", "bytes-fewer"),
        ("Error from fmi3SerializeFMUState", "bytes-refuse"),
    ];
    let unwritten = [("serialized state that is not written", "bytes-unwritten")];
    let too_large =
        [("serialized state of 2^64 - 1 bytes", "bytes-most"), ("serialized state of a gigabyte and a byte", "bytes-limit")];
    all(sound, |case| case.checkpointed().runs(&[]))
        .chain(all(refused, |case| case.checkpointed().ends(12, &["fmi3SerializeFMUState", "fmi3Error"])))
        .chain(all(unwritten, |case| case.checkpointed().ends(12, &["fmi3SerializeFMUState", "wrote no value"])))
        .chain(all(too_large, |case| case.checkpointed().ends(12, &["fmi3SerializedFMUStateSize", "more than 1073741824"])))
}

fn deserialized() -> impl Iterator<Item = Case> {
    let refused = [
        ("Error from fmi3DeserializeFMUState", "restore-error", "fmi3Error"),
        ("Discard from fmi3DeserializeFMUState", "restore-discard", "fmi3Discard"),
        ("NULL as state from fmi3DeserializeFMUState", "restore-null", "the state is NULL"),
    ];
    let crashes = [
        ("crash in fmi3DeserializeFMUState", "restore-crash", ["fmi3DeserializeFMUState", "SIGABRT"]),
        ("exit(0) in fmi3DeserializeFMUState", "restore-exit", ["fmi3DeserializeFMUState", "exit code 0"]),
        ("state at the address 1 from fmi3DeserializeFMUState", "restore-odd", ["fmi3SetFMUState", "SIGSEGV"]),
    ];
    let stale = [
        ("deserialized state of the start", "restore-start", "`a.y` is "),
        ("deserialized state that differs in one bit", "restore-almost", "`a.y` is "),
        ("deserialized state with another count", "restore-steps", "`a.steps` differs"),
        ("deserialized state with another text", "restore-label", "`a.text` differs"),
    ];
    let useless = [
        ("deserialized state of another time", "restore-time", "fmi3DoStep"),
        ("deserialized state of another phase", "restore-phase", "fmi3"),
    ];
    let mut cases: Vec<_> =
        refused.map(|(name, fault, says)| case(name, fault).ends(12, &["fmi3DeserializeFMUState", says])).into();
    cases.extend(crashes.map(|(name, fault, says)| case(name, fault).ends(17, &says)));
    cases.extend(stale.map(|(name, fault, says)| case(name, fault).ends(0, &[says, "may be wrong"])));
    cases.extend(useless.map(|(name, fault, says)| case(name, fault).ends(13, &["`a`", says, "fmi3Error"])));
    cases.extend([
        case("hang in fmi3DeserializeFMUState", "restore-hang").hangs(&["fmi3DeserializeFMUState", "no answer within 5 s"]),
        case("deserialized state with NaN", "restore-nan").ends(13, &["found NaN"]),
        case("Warning from fmi3DeserializeFMUState", "restore-warns").runs(&[]),
    ]);
    cases.into_iter().map(Case::resumed)
}
