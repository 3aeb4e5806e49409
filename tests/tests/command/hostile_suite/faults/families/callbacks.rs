use super::{Group, all};
use crate::hostile_suite::case::{CONTROLLED, Case};
use tests::hostile::Hostile;

pub const GROUP: Group = Group { title: "FMI 3.0: callbacks", faults };

fn faults() -> Vec<Case> {
    logs().chain(updates()).collect()
}

fn logs() -> impl Iterator<Item = Case> {
    let sound = [
        ("logs NULL as category and message", "log-null"),
        ("logs for no environment", "log-no-environment"),
        ("logs with the status 77", "log-status"),
        ("logs with the status -1", "log-negative"),
        ("logs bytes, escape sequences and conversions", "log-bytes"),
        ("logs empty texts", "log-empty"),
        ("logs on another thread during steps (FMI 3.0)", "log-thread"),
        ("logs 2000 lines in each step", "log-flood"),
        ("logs on another thread for ever", "log-after-free"),
        ("logs NULL from fmi3InstantiateCoSimulation", "instantiate-log-null"),
        ("logs fmi3Fatal, and goes on", "instantiate-warn"),
        ("logs from fmi3FreeInstance", "free-log"),
        ("logs on another thread from fmi3FreeInstance", "free-hang-thread"),
        ("logs an error from fmi3Terminate, which succeeds", "terminate-log"),
        ("logs from fmi3GetFloat64", "get-log"),
    ];
    let crashes = |case: Case| case.ends(17, &["fmi3DoStep", "t = 0 s", "SIGSEGV"]).rows(1);
    all(sound, |case| case.runs(&[]))
        .chain(all([("logs a text without an end", "log-abyss"), ("logs a text that is gone", "log-freed")], crashes))
        .chain(all([("logs for the environment at the address 8, after fmi3FreeInstance", "free-log-later")], |case| {
            case.ends(17, &["fmi3FreeInstance", "SIGSEGV"]).rows(11)
        }))
        .chain(all(
            [
                ("fmi3DoStep within fmi3GetFloat64", "get-step"),
                ("fmi3DoStep on another thread within fmi3DoStep", "step-elsewhere"),
            ],
            |case| case.ends(13, &["fmi3DoStep", "fmi3Error"]),
        ))
}

/// `intermediateUpdate` with inputs as polynomials.
fn updates() -> impl Iterator<Item = Case> {
    const IGNORED: &str = "intermediateUpdate outside of a step, or on another thread; the call was ignored";
    let asking = |name: &str, fault: &str| {
        Case::new(name, Hostile::family("a", fault).capability("providesIntermediateUpdate", true)).system(CONTROLLED)
    };
    let sound = [
        ("asks with NULL for what is returned", "ask-null"),
        ("asks for no environment", "ask-no-environment"),
        ("asks at times that go back", "ask-backwards"),
        ("asks a thousand times in each step", "ask-often"),
        ("asks by bytes 0x80 and 0xff", "ask-bytes"),
        ("asks for nothing", "ask-nothing"),
        ("asks on another thread for ever", "log-after-free"),
        ("asks from fmi3FreeInstance", "free-ask"),
        ("asks from fmi3Terminate", "terminate-ask"),
    ];
    let ignored = [("asks from fmi3GetFloat64", "get-ask"), ("asks from fmi3InstantiateCoSimulation", "instantiate-ask")];
    let infinite = [("asks at inf", "ask-infinite"), ("asks at -inf", "ask-negative-infinite")];
    let of = move |(name, fault)| asking(name, fault);
    sound
        .map(of)
        .map(|case| case.ends(0, &[]))
        .into_iter()
        .chain(ignored.map(of).map(|case| case.ends(0, &[IGNORED])))
        .chain(infinite.map(of).map(|case| case.ends(13, &["intermediateUpdate was called for", "inf s, outside of the step"])))
}
