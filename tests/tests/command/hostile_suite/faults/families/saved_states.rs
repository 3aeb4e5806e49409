use super::{Group, all, case};
use crate::hostile_suite::case::{CONTROLLED, Case};

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
    ]);
    cases.extend(serialized());
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
