use super::{Group, a, with_derivatives, with_feedthrough};
use crate::hostile_suite::case::{CONTROLLED, Case, STARTS};
use tests::hostile::{CRASH, Hostile};

pub const GROUP: Group = Group { title: "Crash (SIGSEGV) in each function", faults };

/// A value for `x0` is solved for: each iteration begins with other instances.
const SOLVE: &str = "[experiment]\nstop = 1\nstep = 0.1\n[instances]\na = { fmu = '../fmus/a.fmu'@ }\n\
    [initialization]\nsolve = [{ unknown = 'a.x0', residual = 'a.y', target = 3 }]\n";

const SEGV: &str = "SIGSEGV";

/// Dies in this function, whenever it is called.
fn dies(function: &'static str, fmu: Hostile) -> Case {
    Case::new(format!("crash in {function}"), fmu.reply(function, CRASH)).ends(17, &[SEGV])
}

fn named(function: &'static str, fmu: Hostile, texts: &[&'static str]) -> Case {
    dies(function, fmu).ends(17, texts)
}

fn faults() -> Vec<Case> {
    let mut cases = vec![
        Case::new("crash in the constructor of the library", a().reply("constructor", CRASH))
            .ends(17, &[SEGV])
            .checked(17, &[SEGV]),
        named("fmi2GetTypesPlatform", a(), &[SEGV]),
        named("fmi2GetVersion", a(), &[SEGV]),
        named("fmi2Instantiate", a(), &["fmi2Instantiate", SEGV]).checked(17, &["fmi2Instantiate", SEGV]),
        named("fmi2SetupExperiment", a(), &["fmi2SetupExperiment", SEGV]),
        named("fmi2EnterInitializationMode", a(), &["fmi2EnterInitializationMode", SEGV]),
        named("fmi2ExitInitializationMode", a(), &["fmi2ExitInitializationMode", SEGV]),
        named("fmi2DoStep", a(), &["fmi2DoStep", "t = 0 s", SEGV]).rows(1),
        Case::new("crash in fmi2DoStep in mid-run", a().define("FAULT_AT=0.45").reply("fmi2DoStep", CRASH))
            .ends(17, &["fmi2DoStep", "t = 0.5 s", SEGV])
            .rows(6),
        named("fmi2Terminate", a(), &["fmi2Terminate", SEGV]).rows(11),
        named("fmi2FreeInstance", a(), &["fmi2FreeInstance", SEGV]).rows(11).checked(17, &["fmi2FreeInstance", SEGV]),
    ];
    cases.extend(
        [
            ("fmi2SetReal", ["fmi2SetReal", SEGV]),
            ("fmi2SetInteger", ["fmi2SetInteger", SEGV]),
            ("fmi2SetBoolean", ["fmi2SetBoolean", SEGV]),
            ("fmi2SetString", ["fmi2SetString", SEGV]),
            ("fmi2GetReal", ["fmi2GetReal", SEGV]),
            ("fmi2GetInteger", ["fmi2GetInteger", SEGV]),
            ("fmi2GetBoolean", ["fmi2GetBoolean", SEGV]),
            ("fmi2GetString", ["fmi2GetString", SEGV]),
        ]
        .map(|(function, texts)| named(function, a(), &texts).system(STARTS)),
    );
    cases.extend(
        [
            ("fmi2GetFMUstate", ["fmi2GetFMUstate", SEGV]),
            ("fmi2SetFMUstate", ["fmi2SetFMUstate", SEGV]),
            ("fmi2FreeFMUstate", ["fmi2FreeFMUstate", SEGV]),
        ]
        .map(|(function, texts)| named(function, a(), &texts).system(CONTROLLED)),
    );
    cases.extend(
        [("fmi2SerializedFMUstateSize", ["fmi2Serialize", SEGV]), ("fmi2SerializeFMUstate", ["fmi2SerializeFMUstate", SEGV])]
            .map(|(function, texts)| named(function, a(), &texts).checkpointed()),
    );
    // A process of its own is told to make a step, and does not say what the step consists of.
    let step = |case: Case| case.isolated(17, &["fmi2DoStep", SEGV]);
    let discarding = || a().reply("fmi2DoStep", 2);
    let pending = || a().reply("fmi2DoStep", 5);
    cases.extend([
        // Instances are replaced, not reset.
        named("fmi2Reset", a(), &[]).system(SOLVE).runs(&[]),
        step(named("fmi2GetRealStatus", discarding(), &["fmi2GetRealStatus", SEGV])),
        step(named("fmi2GetBooleanStatus", discarding(), &["fmi2GetBooleanStatus", SEGV])),
        step(named("fmi2GetStatus", pending(), &["fmi2GetStatus", SEGV])),
        step(named("fmi2CancelStep", pending().reply("fmi2GetStatus", 2), &["fmi2CancelStep", SEGV])),
        named("fmi2SetRealInputDerivatives", with_derivatives(a()), &["fmi2SetRealInputDerivatives", SEGV]),
        named("fmi2GetRealOutputDerivatives", with_derivatives(a()), &["fmi2GetRealOutputDerivatives", SEGV]),
        named("fmi2GetDirectionalDerivative", with_feedthrough(a()), &["fmi2GetDirectionalDerivative", SEGV]),
    ]);
    cases
}
