use super::{Group, case};
use crate::hostile_suite::case::{CONTROLLED, Case};

pub const GROUP: Group = Group { title: "FMI 3.0: requests to terminate", faults };

fn faults() -> Vec<Case> {
    const ENDS: &str = "instance `a` requested the end";
    vec![
        case("the end at the beginning of a step", "terminate-begin").ends(0, &[ENDS]).rows(6),
        case("the end in the middle of a step", "terminate-middle").ends(0, &[ENDS]).rows(7),
        case("the end at the end of a step", "terminate-end").ends(0, &[ENDS]).rows(7),
        case("the end beyond a step", "terminate-beyond").ends(13, &["fmi3DoStep", "outside of the step"]).rows(6),
        case("the end at NaN", "terminate-nan").ends(13, &["fmi3DoStep", "lastSuccessfulTime is NaN"]).rows(6),
        case("the end, and an error", "terminate-error").ends(13, &["fmi3DoStep", "fmi3Error", "the end, and an error"]),
        case("the end, and Discard", "terminate-discard").ends(13, &["discarded the communication step"]),
        case("the end at the end of a step, error control", "terminate-end").system(CONTROLLED).ends(0, &[ENDS]),
    ]
}
