use super::{Group, a};
use crate::hostile_suite::case::{CONTROLLED, Case, PAIR, SINGLE};
use tests::hostile::Hostile;

pub const GROUP: Group = Group { title: "Statuses", faults };

const WARNING: i32 = 1;
const DISCARD: i32 = 2;
const ERROR: i32 = 3;
const FATAL: i32 = 4;
const PENDING: i32 = 5;

/// Steps grow under error control until the FMU discards one.
const LARGE: &str = "[experiment]\nstop = 1\nlocal-tolerance = 1e-4\nfirst-step = 0.1\n[instances]\n\
    a = { fmu = '../fmus/a.fmu'@ }\nb = { fmu = '../fmus/b.fmu', start = { x0 = 3 } }\n[connections]\n'b.u' = 'a.y'\n'a.u' = 'b.y'\n";
/// A start value that the FMU may refuse.
const START: &str = "[experiment]\nstop = 1\nstep = 0.1\n[instances]\na = { fmu = '../fmus/a.fmu', start = { k = 2 }@ }\n";
/// Without saved states.
const PREDICTED: &str = "[experiment]\nstop = 1\nlocal-tolerance = 1e-4\n[instances]\na = { fmu = '../fmus/a.fmu'@ }\n\
    b = { fmu = '../fmus/b.fmu', start = { x0 = 3 } }\n\
    [connections]\n'b.u' = 'a.y'\n'a.u' = 'b.y'\n[algorithm]\nestimator = 'predictor-corrector'\n";

/// From t = 0.5 s on.
fn late(function: &str, status: i32) -> Hostile {
    a().reply(function, status).define("FAULT_AT=0.45")
}

fn faults() -> Vec<Case> {
    let discard = || a().reply("fmi2DoStep", DISCARD);
    vec![
        Case::new("Discard once, fixed steps", late("fmi2DoStep", DISCARD).define("FAULT_TIMES=1"))
            .ends(13, &["discarded the communication step at t = 0.5 s with h = 0.1", "is too large", "local-tolerance"])
            .rows(6),
        Case::new("Discard once, error control", discard().define("FAULT_TIMES=1")).system(CONTROLLED).ends(0, &[]),
        Case::new("Discard always, fixed steps", discard()).ends(13, &["discarded the communication step at t = 0 s"]).rows(1),
        Case::new("Discard always, error control", discard())
            .system(CONTROLLED)
            .ends(13, &["discarded the communication step", "down to the minimum"]),
        Case::new("Discard for large steps", discard().define("FAULT_ABOVE=0.02")).system(LARGE).ends(0, &[]),
        Case::new(
            "Discard for large steps, no saved states",
            discard()
                .define("FAULT_ABOVE=0.02")
                .capability("canGetAndSetFMUstate", false)
                .capability("canSerializeFMUstate", false),
        )
        .system(PREDICTED)
        .ends(13, &["discarded the communication step"]),
        Case::new("Discard with NaN as last successful time", discard().define("LAST_SUCCESSFUL_TIME=NAN"))
            .ends(13, &["discarded the communication step"]),
        Case::new("Discard with a time before the step", discard().define("LAST_SUCCESSFUL_TIME=-1e300"))
            .ends(13, &["discarded the communication step"]),
        Case::new("Discard with a time after the step", discard().define("LAST_SUCCESSFUL_TIME=1e300"))
            .ends(13, &["discarded the communication step"]),
        Case::new(
            "Discard, and no answer about the time",
            discard().reply("fmi2GetRealStatus", ERROR).reply("fmi2GetBooleanStatus", ERROR),
        )
        .ends(13, &["discarded the communication step"]),
        Case::new("Discard with the wish to end", late("fmi2DoStep", DISCARD).define("TERMINATED=fmi2True"))
            .ends(0, &["instance `a` requested the end"])
            .rows(7),
        Case::new("Error", late("fmi2DoStep", ERROR))
            .ends(13, &["fmi2DoStep at t = 0.5 s returned fmi2Error", "returns 3 in this test"])
            .rows(6),
        Case::new("Error, error control", late("fmi2DoStep", ERROR))
            .system(CONTROLLED)
            .ends(13, &["fmi2DoStep", "returned fmi2Error"]),
        Case::new("Fatal", late("fmi2DoStep", FATAL))
            .ends(13, &["fmi2DoStep at t = 0.5 s returned fmi2Fatal", "returns 4 in this test"])
            .rows(6),
        Case::new("Warning", a().reply("fmi2DoStep", WARNING)).runs(&["a [warning]", "returns 1 in this test"]),
        Case::new("Pending, done after a while", a().reply("fmi2DoStep", PENDING)).runs(&[]),
        Case::new("Pending, and no answer how far it is", a().reply("fmi2DoStep", PENDING).reply("fmi2GetStatus", DISCARD))
            .ends(13, &["fmi2GetStatus"]),
        Case::new("Pending, and Fatal when asked", a().reply("fmi2DoStep", PENDING).reply("fmi2GetStatus", FATAL))
            .ends(13, &["fmi2GetStatus", "fmi2Fatal"]),
        Case::new("status 6", late("fmi2DoStep", 6))
            .ends(13, &["fmi2DoStep at t = 0.5 s returned 6, which is not an FMI status"])
            .rows(6),
        Case::new("status 99", late("fmi2DoStep", 99))
            .ends(13, &["fmi2DoStep at t = 0.5 s returned 99, which is not an FMI status"])
            .rows(6),
        Case::new("status -1", late("fmi2DoStep", -1)).ends(13, &["returned -1, which is not an FMI status"]).rows(6),
        Case::new(
            "Warning from all of the initialization",
            a().reply("fmi2SetupExperiment", WARNING)
                .reply("fmi2EnterInitializationMode", WARNING)
                .reply("fmi2ExitInitializationMode", WARNING),
        )
        .runs(&["fmi2SetupExperiment returns 1 in this test", "fmi2ExitInitializationMode returns 1 in this test"]),
        Case::new("Error from fmi2SetupExperiment", a().reply("fmi2SetupExperiment", ERROR))
            .ends(12, &["fmi2SetupExperiment", "fmi2Error"]),
        Case::new("Error from fmi2EnterInitializationMode", a().reply("fmi2EnterInitializationMode", ERROR))
            .ends(12, &["fmi2EnterInitializationMode", "fmi2Error"]),
        Case::new("Fatal from fmi2EnterInitializationMode", a().reply("fmi2EnterInitializationMode", FATAL))
            .ends(12, &["fmi2EnterInitializationMode", "fmi2Fatal"]),
        Case::new("Error from fmi2ExitInitializationMode", a().reply("fmi2ExitInitializationMode", ERROR))
            .ends(12, &["fmi2ExitInitializationMode", "fmi2Error"]),
        Case::new("Discard from fmi2SetReal for a start value", a().reply("fmi2SetReal", DISCARD))
            .system(START)
            .ends(12, &["fmi2SetReal", "fmi2Discard"]),
        Case::new("Discard from fmi2SetReal in mid-run", late("fmi2SetReal", DISCARD))
            .system(PAIR)
            .ends(13, &["fmi2SetReal", "fmi2Discard"])
            .rows(6),
        Case::new("Discard from fmi2GetReal in mid-run", late("fmi2GetReal", DISCARD)).ends(13, &["fmi2GetReal", "fmi2Discard"]),
        Case::new("Error from fmi2GetReal at the start", a().reply("fmi2GetReal", ERROR)).ends(12, &["fmi2GetReal", "fmi2Error"]),
        Case::new("Error from fmi2GetString in mid-run", late("fmi2GetString", ERROR))
            .system(SINGLE)
            .ends(13, &["fmi2GetString", "fmi2Error"]),
        Case::new("Pending from fmi2GetReal", late("fmi2GetReal", PENDING)).ends(13, &["fmi2GetReal", "fmi2Pending"]),
        Case::new("Fatal from fmi2GetReal", late("fmi2GetReal", FATAL)).ends(13, &["fmi2GetReal", "fmi2Fatal"]),
        Case::new("Error from fmi2Terminate", a().reply("fmi2Terminate", ERROR)).runs(&["fmi2Terminate", "fmi2Error"]),
        Case::new("Fatal from fmi2Terminate", a().reply("fmi2Terminate", FATAL)).runs(&["fmi2Terminate", "fmi2Fatal"]),
    ]
}
