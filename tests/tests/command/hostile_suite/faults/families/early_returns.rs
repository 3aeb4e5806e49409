use super::{Group, all, case};
use crate::hostile_suite::case::{CONTROLLED, Case};

pub const GROUP: Group = Group { title: "FMI 3.0: early returns", faults };

/// With a bound of the error: several runs.
const TOLERANT: &str = "[experiment]\nstop = 1\ntolerance = 1e-3\n[instances]\na = { fmu = '../fmus/a.fmu'@ }\n\
    b = { fmu = '../fmus/b.fmu', start = { x0 = 3 } }\n[connections]\n'b.u' = 'a.y'\n'a.u' = 'b.y'\n";

/// The step ends there each time; `lastSuccessfulTime` is impossible.
const IMPOSSIBLE: [(&str, &str, &str); 4] = [
    ("beyond the step", "beyond", "outside of the step"),
    ("at NaN", "nan", "lastSuccessfulTime is NaN"),
    ("at -inf", "infinite", "lastSuccessfulTime is -inf"),
    ("before the step", "past", "lastSuccessfulTime is -"),
];

/// The step makes no progress, or next to none.
const IDLE: [(&str, &str); 3] = [("at its beginning", "begin"), ("at the next number", "next"), ("1e-300 s later", "tiny")];

fn faults() -> Vec<Case> {
    fixed().into_iter().chain(impossible()).chain(idle()).collect()
}

fn fixed() -> Vec<Case> {
    let sound = [
        ("early return in the middle of each step", "early-middle"),
        ("early return in the middle of each step, from 0.5 s on", "late-middle"),
        ("early return just before the end of each step", "early-almost"),
        ("early return at the end of each step", "early-end"),
        ("early return set at each step that is complete", "early-flag"),
        ("early return in every other step", "early-alternate"),
        ("early return by byte 0xfe", "flags-bytes"),
        ("just before the end of each step, without early return", "silent-almost"),
        ("at the end of each step, without early return", "silent-end"),
    ];
    let foreign = [
        ("at the beginning of each step, without early return", "silent-begin"),
        ("at the next number after the beginning of each step, without early return", "silent-next"),
        ("1e-300 s after the beginning of each step, without early return", "silent-tiny"),
        ("in the middle of each step, without early return", "silent-middle"),
        ("beyond the end of each step, without early return", "silent-beyond"),
        ("before each step, without early return", "silent-past"),
    ];
    let lost = [
        ("at NaN, without early return", "silent-nan"),
        ("at -inf, without early return", "silent-infinite"),
        ("at the greatest number, without early return", "silent-huge"),
    ];
    all(sound, |case| case.ends(0, &[]).rows(11))
        // The FMU insists on the time that it has reached.
        .chain(all(foreign, |case| case.ends(13, &["lastSuccessfulTime", "fmi3DoStep at t = 0.1 s returned fmi3Error"]).rows(2)))
        .chain(all(lost, |case| case.ends(13, &["fmi3DoStep", "lastSuccessfulTime is"]).rows(1)))
        .chain([
            case("early return at a time that is not written", "early-unwritten")
                .ends(13, &["fmi3DoStep", "lastSuccessfulTime is NaN"])
                .rows(1),
            case("early return, events and the end at once", "all-flags").ends(0, &["instance `a` requested the end"]).rows(2),
        ])
        .collect()
}

/// Each with fixed steps, with error control, and with a bound of the error.
fn impossible() -> impl Iterator<Item = Case> {
    IMPOSSIBLE.into_iter().flat_map(|(name, place, text)| {
        let fault = format!("early-{place}");
        [
            case(&format!("early return {name}"), &fault).ends(13, &["fmi3DoStep", text]).rows(1),
            case(&format!("early return {name}, error control"), &fault).system(CONTROLLED).ends(12, &["fmi3DoStep", text]),
            case(&format!("early return {name}, tolerance"), &fault).system(TOLERANT).ends(13, &["fmi3DoStep", text]),
        ]
    })
}

/// The run ends, whatever its steps are.
fn idle() -> impl Iterator<Item = Case> {
    let from_the_start = IDLE.into_iter().flat_map(|(name, place)| {
        let fault = format!("early-{place}");
        [
            case(&format!("early return from each step {name}"), &fault)
                .ends(13, &["discarded the communication step at t = 0 s with h = 0.1"])
                .rows(1),
            case(&format!("early return from each step {name}, error control"), &fault).system(CONTROLLED).ends(13, &["`a`"]),
            case(&format!("early return from each step {name}, tolerance"), &fault).system(TOLERANT).ends(13, &["`a`"]),
        ]
    });
    from_the_start.chain(IDLE.into_iter().flat_map(|(name, place)| {
        let (name, fault) = (format!("early return from each step {name}, from 0.5 s on"), format!("late-{place}"));
        [
            case(&name, &fault).ends(13, &["discarded the communication step at t = 0.5 s"]).rows(6),
            case(&format!("{name}, error control"), &fault).system(CONTROLLED).ends(13, &["`a`"]),
            case(&format!("{name}, tolerance"), &fault).system(TOLERANT).ends(13, &["`a`"]),
        ]
    }))
}
