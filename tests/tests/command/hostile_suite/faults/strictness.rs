use super::{Group, a};
use crate::hostile_suite::case::{CONTROLLED, Case, PAIR};
use tests::hostile::Hostile;

pub const GROUP: Group = Group { title: "Stricter than the standard", faults };

const NO_STOP: &str = "[experiment]\nstop = 1\nstep = 0.1\n[instances]\na = { fmu = '../fmus/a.fmu', pass-stop-time = false@ }\n";
/// 0.1 + 0.1 + 0.1 > 0.3 in doubles.
const TENTHS: &str = "[experiment]\nstop = 0.3\nstep = 0.1\n[instances]\na = { fmu = '../fmus/a.fmu'@ }\n";
const TENTHS_NO_STOP: &str = "[experiment]\nstop = 0.3\nstep = 0.1\n[instances]\n\
    a = { fmu = '../fmus/a.fmu', pass-stop-time = false@ }\n";

const TOLERANCE: &str = "[experiment]\nstop = 1\ntolerance = 1e-3\n[instances]\na = { fmu = '../fmus/a.fmu'@ }\n";

fn of_one_size(fmu: Hostile) -> Hostile {
    fmu.capability("canHandleVariableCommunicationStepSize", false)
}

fn faults() -> Vec<Case> {
    vec![
        Case::new("bitwise time", a().define("STRICT_TIME")).runs(&[]),
        Case::new("bitwise time, error control", a().define("STRICT_TIME")).system(CONTROLLED).runs(&[]),
        Case::new("bitwise stop time", a().define("STRICT_STOP")).runs(&[]),
        Case::new("bitwise stop time, error control", a().define("STRICT_STOP")).system(CONTROLLED).runs(&[]),
        Case::new("bitwise stop time and one step size", of_one_size(a().define("STRICT_STOP")))
            .system(TENTHS)
            .ends(13, &["the step ends after the stop time"]),
        Case::new("bitwise stop time and one step size, not told the stop time", of_one_size(a().define("STRICT_STOP")))
            .system(TENTHS_NO_STOP)
            .ends(0, &[])
            .rows(4),
        Case::new("bitwise step size", of_one_size(a().define("STRICT_STEP").define("STRICT_TIME"))).runs(&[]),
        Case::new("one step size, error control", of_one_size(a())).system(CONTROLLED).ends(10, &["step"]),
        Case::new("no reading between setting and stepping", a().define("STRICT_GET")).runs(&[]),
        Case::new("needs a stop time", a().define("NEEDS_STOP")).runs(&[]),
        Case::new("needs a stop time, not told", a().define("NEEDS_STOP"))
            .system(NO_STOP)
            .ends(12, &["fmi2SetupExperiment", "a stop time is needed"]),
        Case::new("needs a tolerance, fixed steps", a().define("NEEDS_TOLERANCE"))
            .system(PAIR)
            .ends(12, &["fmi2SetupExperiment", "a tolerance is needed"]),
        Case::new("needs a tolerance, local tolerance", a().define("NEEDS_TOLERANCE"))
            .system(CONTROLLED)
            .ends(12, &["fmi2SetupExperiment", "a tolerance is needed"]),
        Case::new("needs a tolerance, tolerance", a().define("NEEDS_TOLERANCE")).system(TOLERANCE).runs(&[]),
    ]
}
