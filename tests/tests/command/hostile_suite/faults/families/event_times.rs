use super::{Group, case, eventful};
use crate::hostile_suite::case::{CONTROLLED, Case};
use tests::hostile::Hostile;

pub const GROUP: Group = Group { title: "FMI 3.0: times of events", faults };

const CHATTER: [&str; 2] = ["event of `a`", "in immediate succession"];

fn faults() -> Vec<Case> {
    let sound = [
        ("events in event mode, no fault", "", 17),
        ("no further event", "next-none", 11),
        ("next event defined by byte 0x80", "next-bytes", 17),
        ("next event not defined, and NaN", "next-unset", 11),
        ("three updates at each event, by byte 0x80", "again-byte", 17),
        ("99 updates at each event", "again-99", 17),
        ("nominals and states changed by byte 0xff", "nominals", 17),
    ];
    let chatter = [
        ("next event 1e-300 s ahead, again and again", "next-tiny"),
        ("next event a nanosecond ahead, again and again", "next-chatter"),
        ("event at the beginning of each step, by fmi3DoStep", "event-begin"),
        ("event at the next number, by fmi3DoStep", "event-next"),
        ("event 1e-300 s after the beginning, by fmi3DoStep", "event-tiny"),
    ];
    let instant = [
        ("next event now", "next-now"),
        ("next event at the next number", "next-after"),
        ("next event at -0", "next-negative-zero"),
        ("next event at the greatest number", "next-huge"),
    ];
    let mut cases: Vec<_> = sound.map(|(name, fault, rows)| eventful(name, fault).ends(0, &[]).rows(rows)).into();
    cases.extend(chatter.map(|(name, fault)| eventful(name, fault).ends(13, &CHATTER)));
    cases.extend(instant.map(|(name, fault)| eventful(name, fault).ends(13, &["`a"])));
    cases.extend([
        eventful("next event at -inf", "next-negative-infinite")
            .ends(12, &["fmi3UpdateDiscreteStates", "nextEventTime is -inf, which is not after the present time 0"]),
        eventful("next event announced too late", "next-too-late").ends(13, &["fmi3DoStep", "goes past the event"]),
        eventful("updates without end from 0.2 s on", "again-at-times")
            .ends(13, &["fmi3UpdateDiscreteStates", "after 100 updates at the same time", "never end (Zeno)"]),
        eventful("the end at the first event", "end-at-once").ends(0, &["instance `a` requested the end"]).rows(1),
        eventful("Discard from fmi3UpdateDiscreteStates", "discard-update")
            .ends(12, &["fmi3UpdateDiscreteStates", "fmi3Discard"]),
        eventful("event in the middle of each step, by fmi3DoStep", "event-middle")
            .ends(13, &["`a` stops early", "in immediate succession"]),
        eventful("event at the end of each step, by fmi3DoStep", "event-end").ends(0, &[]),
        eventful("event beyond the step, by fmi3DoStep", "event-beyond")
            .ends(13, &["fmi3DoStep", "lastSuccessfulTime is 0.2"])
            .rows(1),
        Case::new(
            "event at the beginning of each step, by fmi3DoStep, error control",
            Hostile::family("a", "event-begin").capability("hasEventMode", true),
        )
        .system(CONTROLLED)
        .ends(13, &CHATTER),
        case("event at the end of each step, without event mode", "event-end").ends(0, &["eventHandlingNeeded"]).rows(11),
    ]);
    cases
}
