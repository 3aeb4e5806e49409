use super::{Group, a};
use crate::hostile_suite::case::{CONTROLLED, Case};
use tests::hostile::{HANG, SPIN};

pub const GROUP: Group = Group { title: "Calls that never return", faults };

const LATE: &str = "no answer within 5 s";

/// Time limits without isolation.
const LIMIT_ALONE: &str =
    "[experiment]\nstop = 1\nstep = 0.1\n[instances]\na = { fmu = '../fmus/a.fmu', step-timeout = 1.0, init-timeout = 1.0 }\n";

fn hang(function: &'static str) -> Case {
    Case::new(format!("hang in {function}"), a().reply(function, HANG)).hangs(&[function, LATE])
}

fn early_hang(function: &'static str) -> Case {
    Case::new(format!("hang in {function}"), a().reply(function, HANG)).hangs_early(&[function, LATE])
}

fn faults() -> Vec<Case> {
    vec![
        Case::new("time limits, but no process of its own", a().reply("fmi2DoStep", HANG))
            .system(LIMIT_ALONE)
            .ends(10, &["step-timeout", "init-timeout", "isolation"]),
        Case::new("hang in the constructor of the library", a().reply("constructor", HANG)).hangs_early(&[LATE]),
        early_hang("fmi2Instantiate"),
        early_hang("fmi2SetupExperiment"),
        early_hang("fmi2EnterInitializationMode"),
        early_hang("fmi2ExitInitializationMode"),
        early_hang("fmi2GetReal"),
        hang("fmi2DoStep").rows(1),
        Case::new("hang in fmi2DoStep in mid-run", a().define("FAULT_AT=0.45").reply("fmi2DoStep", HANG))
            .hangs(&["fmi2DoStep", "t = 0.5 s", LATE])
            .rows(6),
        Case::new("endless computation in fmi2DoStep", a().reply("fmi2DoStep", SPIN)).hangs(&["fmi2DoStep", LATE]).rows(1),
        Case::new("hang in fmi2SetFMUstate", a().reply("fmi2SetFMUstate", HANG))
            .system(CONTROLLED)
            .hangs(&["fmi2SetFMUstate", LATE]),
        Case::new("a step that stays pending", a().reply("fmi2DoStep", 5).define("PENDING_POLLS=-1"))
            .hangs(&["fmi2DoStep", LATE])
            .rows(1),
        Case::new("endless logging", a().define("LOG_FOREVER")).hangs(&["fmi2DoStep", LATE]).rows(1),
        hang("fmi2Terminate").rows(11),
        hang("fmi2FreeInstance").rows(11),
        Case::new("hang in the destructor of the library", a().reply("destructor", HANG))
            .late(&["no answer within 5 s"])
            .hangs(&["fmi2FreeInstance", LATE]),
        Case::new("hang in an exit handler", a().reply("at_exit", HANG))
            .late(&["no answer within 5 s"])
            .hangs(&["fmi2FreeInstance", LATE]),
    ]
}
