//! What FMI 3.0 has and FMI 2.0 has not, or has otherwise. `b` is of FMI 2.0.

use super::Group;
use crate::hostile_suite::case::{CONTROLLED, Case, STARTS};
use tests::hostile::{CRASH, HANG, Hostile};

pub const GROUP: Group = Group { title: "FMI 3.0", faults };

const WARNING: i32 = 1;
const DISCARD: i32 = 2;
const ERROR: i32 = 3;
const FATAL: i32 = 4;

/// Inputs as polynomials.
const INTERPOLATED: &str = "[experiment]\nstop = 1\nlocal-tolerance = 1e-4\n[instances]\na = { fmu = '../fmus/a.fmu'@ }\n\
    b = { fmu = '../fmus/b.fmu', start = { x0 = 3 } }\n[connections]\n'b.u' = 'a.y'\n'a.u' = 'b.y'\n";

/// Events of `a`, which reads a number that changes in every step.
const EVENTFUL: &str = "[experiment]\nstop = 1\nstep = 0.1\n[instances]\na = { fmu = '../fmus/a.fmu'@ }\n\
    b = { fmu = '../fmus/b.fmu', start = { x0 = 3 } }\n[connections]\n'b.u' = 'a.y'\n'a.u' = 'b.y'\n'a.level' = 'b.steps'\n'a.enable' = 'b.positive'\n\
    [events]\na = 'event-mode'\n";

/// Events of `a` at announced times alone.
const TIMED: &str = "[experiment]\nstop = 1\nstep = 0.1\n[instances]\na = { fmu = '../fmus/a.fmu'@ }\n\
    b = { fmu = '../fmus/b.fmu', start = { x0 = 3 } }\n[connections]\n'b.u' = 'a.y'\n'a.u' = 'b.y'\n[events]\na = 'event-mode'\n";

/// The FMU `a` of FMI 3.0, so far without fault.
fn a() -> Hostile {
    Hostile::fmi3("a")
}

/// From t = 0.5 s on.
fn late(function: &str, status: i32) -> Hostile {
    a().reply(function, status).define("FAULT_AT=0.45")
}

/// Asks for its inputs during steps.
fn updating() -> Hostile {
    a().define("UPDATES").capability("providesIntermediateUpdate", true)
}

/// Has event mode.
fn eventful() -> Hostile {
    a().define("EVENTS").capability("hasEventMode", true)
}

/// Adds a clock, and a variable that depends on it or does not.
fn add_clock(xml: &mut String, is_used: bool) {
    let tick = "<Clock name=\"tick\" valueReference=\"90\" causality=\"local\" intervalVariability=\"triggered\"/>";
    let clocks = if is_used { " clocks=\"90\"" } else { "" };
    let ticks = format!(
        "<Int32 name=\"ticks\" valueReference=\"91\" causality=\"local\" variability=\"discrete\" initial=\"calculated\"{clocks}/>"
    );
    *xml = xml.replacen("</ModelVariables>", &format!("{tick}{ticks}</ModelVariables>"), 1);
}

fn named(name: &str) -> String {
    format!("{name} (FMI 3.0)")
}

fn faults() -> Vec<Case> {
    [crashes(), steps(), values(), states(), updates(), events()].into_iter().flatten().collect()
}

fn crashes() -> Vec<Case> {
    const FUNCTIONS: [(&str, &str); 17] = [
        ("fmi3InstantiateCoSimulation", STARTS),
        ("fmi3EnterInitializationMode", STARTS),
        ("fmi3ExitInitializationMode", STARTS),
        ("fmi3DoStep", STARTS),
        ("fmi3Terminate", STARTS),
        ("fmi3FreeInstance", STARTS),
        ("fmi3SetFloat64", STARTS),
        ("fmi3SetInt64", STARTS),
        ("fmi3SetBoolean", STARTS),
        ("fmi3SetString", STARTS),
        ("fmi3GetFloat64", STARTS),
        ("fmi3GetUInt64", STARTS),
        ("fmi3GetBoolean", STARTS),
        ("fmi3GetString", STARTS),
        ("fmi3GetBinary", STARTS),
        ("fmi3GetFMUState", CONTROLLED),
        ("fmi3SetFMUState", CONTROLLED),
    ];
    let crash = |(function, system): (&'static str, &'static str)| {
        Case::new(format!("crash in {function}"), a().reply(function, CRASH)).system(system).ends(17, &[function, "SIGSEGV"])
    };
    let mut cases: Vec<_> = FUNCTIONS.map(crash).into();
    cases.push(Case::new("crash in fmi3GetVersion", a().reply("fmi3GetVersion", CRASH)).ends(17, &["SIGSEGV"]));
    cases.push(
        Case::new("hang in fmi3DoStep", late("fmi3DoStep", HANG))
            .hangs(&["fmi3DoStep", "t = 0.5 s", "no answer within 5 s"])
            .rows(6),
    );
    cases.push(
        Case::new(named("NULL instead of an instance"), a().define("INSTANTIATE_FAILS"))
            .refused(&["fmi3InstantiateCoSimulation", "no license found"]),
    );
    let other = a().edit_xml(|xml| *xml = xml.replacen("{hostile}", "{other}", 1));
    let texts = ["fmi3InstantiateCoSimulation", "instantiation token {other}", "the token is another one"];
    cases.push(Case::new("token of another library", other).refused(&texts));
    cases
}

fn steps() -> Vec<Case> {
    let time = |name: &str, value: &str| Case::new(name, a().define(&format!("LAST_TIME={value}")));
    let own_time = |name: &str, value: &str, more: &[&str]| {
        let fmu = a().define(&format!("OWN_TIME={value}"));
        Case::new(name, more.iter().fold(fmu, |fmu, define| fmu.define(define)))
    };
    vec![
        Case::new(named("no fault"), a()).runs(&[]),
        Case::new(named("no fault, error control"), a()).system(CONTROLLED).ends(0, &[]),
        time("lastSuccessfulTime NaN", "NAN").ends(13, &["fmi3DoStep", "t = 0 s", "lastSuccessfulTime is NaN"]).rows(1),
        time("lastSuccessfulTime before the step", "(t - 1)")
            .ends(13, &["lastSuccessfulTime is -1, outside of the step from 0 to 0.1"]),
        time("lastSuccessfulTime after the step", "(t + 20 * h)").ends(13, &["lastSuccessfulTime is 2, outside of the step"]),
        own_time("lastSuccessfulTime late by 1e-9 s", "(t + h + 1e-9)", &[]).ends(0, &[]).rows(11),
        own_time("lastSuccessfulTime early by 1e-9 s", "(t + h - 1e-9)", &[]).ends(0, &[]).rows(11),
        own_time("lastSuccessfulTime on a grid of 0.08 s", "(0.08 * floor((t + h) / 0.08 + 1e-6))", &[])
            .runs(&["lastSuccessfulTime = 0.08 s at t = 0.1 s without an early return"]),
        own_time("early return outside of the step", "(t + 2 * h)", &["EARLY_RETURN=1"])
            .ends(13, &["lastSuccessfulTime is 0.2, outside of the step"]),
        time("lastSuccessfulTime infinite", "INFINITY").ends(13, &["lastSuccessfulTime is inf"]),
        time("lastSuccessfulTime with a rounding error", "((t + h) * (1 + 1e-15))").ends(0, &[]).rows(11),
        Case::new("lastSuccessfulTime that is not written", a().define("UNWRITTEN_OUTPUTS")).runs(&[]),
        Case::new("event that needs event mode", a().define("EVENT_NEEDED=1"))
            .runs(&["fmi3DoStep set eventHandlingNeeded at t = 0.1 s, although event mode is not in use"]),
        Case::new("clock that nothing uses", a().edit_xml(|xml| add_clock(xml, false))).runs(&[]),
        Case::new("clock on which a variable depends", a().edit_xml(|xml| add_clock(xml, true)))
            .refused(&["variables depend on the clock `tick`"]),
        Case::new("termination by byte 0x80", a().define("TERMINATE=(t > 0.45 ? 0x80 : 0)"))
            .ends(0, &["instance `a` requested the end"])
            .rows(7),
        Case::new(named("Warning"), a().reply("fmi3DoStep", WARNING)).runs(&["a [warning]", "returns 1 in this test"]),
        Case::new(named("Discard, fixed steps"), late("fmi3DoStep", DISCARD))
            .ends(13, &["discarded the communication step at t = 0.5 s with h = 0.1"])
            .rows(6),
        Case::new(named("Discard once, error control"), a().reply("fmi3DoStep", DISCARD).define("FAULT_TIMES=1"))
            .system(CONTROLLED)
            .ends(0, &[]),
        Case::new(named("Error"), late("fmi3DoStep", ERROR))
            .ends(13, &["fmi3DoStep at t = 0.5 s returned fmi3Error", "returns 3 in this test"])
            .rows(6),
        Case::new(named("Fatal"), late("fmi3DoStep", FATAL))
            .ends(13, &["fmi3DoStep at t = 0.5 s returned fmi3Fatal", "returns 4 in this test"])
            .rows(6),
        Case::new("status 5, which FMI 3.0 has not", late("fmi3DoStep", 5))
            .ends(13, &["fmi3DoStep at t = 0.5 s returned 5, which is not an FMI status"])
            .rows(6),
    ]
}

fn values() -> Vec<Case> {
    vec![
        Case::new("Boolean byte 0x55", a().define("TRUE_BYTE=0x55")).runs(&[]),
        Case::new(named("NULL as string"), a().define("NULL_STRING")).runs(&[]),
        Case::new(named("string that is not UTF-8"), a().define("BAD_UTF8")).runs(&[]),
        Case::new("NULL as binary", a().define("NULL_BINARY")).ends(12, &["fmi3GetBinary", "a binary has no bytes"]),
        Case::new("binary of no bytes, at NULL", a().define("NULL_BINARY").define("BINARY_SIZE=0")).runs(&[]),
        Case::new("binary of a terabyte", a().define("BINARY_SIZE=((size_t)1 << 40)"))
            .ends(12, &["fmi3GetBinary", "a binary has no bytes, or more than 1073741824"]),
        Case::new(named("NaN in mid-run, connected"), a().define("NAN_AT=0.45"))
            .ends(13, &["the connected output `a.y`, found NaN at t = 0.5 s"])
            .rows(5),
        Case::new("array that is larger than declared", sized("2", "3")).ends(12, &["fmi3GetFloat64", "values instead of"]),
        Case::new("array that is smaller than declared", sized("2", "1")).ends(12, &["fmi3GetFloat64", "values are too few"]),
        Case::new("array of 2^40 elements", sized("2", "1099511627776"))
            .refused(&["the arrays have 1099511627776 elements, and at most 1048576 are supported"]),
        Case::new("array of no elements", sized("2", "0")).refused(&["dimension 1 of \"pair\" has the size 0"]),
        Case::new("Error from fmi3GetBinary in mid-run", late("fmi3GetBinary", ERROR)).ends(13, &["fmi3GetBinary", "fmi3Error"]),
    ]
}

/// The array has this size in the description alone.
fn sized(old: &str, new: &str) -> Hostile {
    let [old, new] = [old, new].map(|size| format!("<Dimension start=\"{size}\"/>"));
    a().edit_xml(move |xml| *xml = xml.replacen(&old, &new, 1))
}

fn states() -> Vec<Case> {
    vec![
        Case::new(named("NULL as state"), a().define("NULL_STATE"))
            .system(CONTROLLED)
            .ends(12, &["fmi3GetFMUState", "the state is NULL"]),
        Case::new(named("state that forgets"), a().define("FORGETFUL_STATE")).system(CONTROLLED).ends(10, &["after a rollback"]),
        Case::new(named("Error from fmi3SetFMUState"), a().reply("fmi3SetFMUState", ERROR))
            .system(CONTROLLED)
            .ends(12, &["fmi3SetFMUState", "fmi3Error"]),
        Case::new(named("serialized state of a terabyte"), a().define("SERIALIZED_SIZE=((size_t)1 << 40)"))
            .checkpointed()
            .ends(12, &["fmi3SerializedFMUStateSize", "a size of 1099511627776 bytes"]),
    ]
}

fn updates() -> Vec<Case> {
    const IGNORED: &str = "intermediateUpdate outside of a step, or on another thread; the call was ignored";
    vec![
        Case::new("inputs during steps", updating()).system(INTERPOLATED).ends(0, &[]),
        Case::new("inputs at a time before the step", updating().define("UPDATE_AT=(t - 0.5)"))
            .system(INTERPOLATED)
            .ends(13, &["intermediateUpdate was called for", "outside of the step"]),
        Case::new("inputs at a time after the step", updating().define("UPDATE_AT=(t + 2 * h)"))
            .system(INTERPOLATED)
            .ends(13, &["intermediateUpdate was called for", "outside of the step"]),
        Case::new("inputs at no time", updating().define("UPDATE_AT=NAN"))
            .system(INTERPOLATED)
            .ends(13, &["intermediateUpdate was called for NaN s"]),
        Case::new("inputs asked for by another thread", updating().define("UPDATE_FROM_THREAD"))
            .system(INTERPOLATED)
            .ends(0, &[IGNORED]),
        Case::new("inputs asked for between steps", updating().define("UPDATE_BETWEEN_STEPS"))
            .system(INTERPOLATED)
            .ends(0, &[IGNORED]),
        Case::new("inputs asked for, and refused", updating().reply("fmi3SetFloat64", ERROR).define("FAULT_AT=0.01"))
            .system(INTERPOLATED)
            .ends(13, &["fmi3SetFloat64", "fmi3Error"]),
    ]
}

fn events() -> Vec<Case> {
    let case = |name: &str, fmu: Hostile| Case::new(name, fmu).system(EVENTFUL);
    let mut cases = vec![
        case("events in event mode", eventful()).runs(&[]).rows(17),
        Case::new("events in event mode, error control", eventful()).system(CONTROLLED).ends(0, &[]),
        case(
            "event at a time inside the step",
            eventful().define("EVENT_NEEDED=(t + h > 0.33)").define("LAST_TIME=(t + h > 0.33 && t < 0.33 ? 0.33 : t + h)"),
        )
        .ends(0, &[]),
        case("events without end", eventful().define("UPDATE_AGAIN=1"))
            .ends(12, &["`a`", "fmi3UpdateDiscreteStates", "t = 0 s", "after 100 updates at the same time", "never end (Zeno)"]),
        case("events without end in mid-run", eventful().define("UPDATE_AGAIN=(self->now.time > 0.3)"))
            .ends(13, &["`a`", "fmi3UpdateDiscreteStates", "t = 0.30000000000000004 s", "never end (Zeno)"]),
        case(
            "event at the beginning of each step",
            eventful().define("EVENT_NEEDED=1").define("EARLY_RETURN=1").define("LAST_TIME=t"),
        )
        .ends(13, &["event of `a`", "in immediate succession at t = 0 s"]),
        case("nextEventTime in the past", eventful().define("NEXT_EVENT=(self->now.time - 0.125)")).ends(
            12,
            &["`a`", "fmi3UpdateDiscreteStates", "t = 0 s", "nextEventTime is -0.125, which is not after the present time 0"],
        ),
        case("nextEventTime NaN", eventful().define("NEXT_EVENT=NAN"))
            .ends(12, &["fmi3UpdateDiscreteStates", "nextEventTime is NaN"]),
        case("nextEventTime infinite", eventful().define("NEXT_EVENT=INFINITY"))
            .ends(13, &["fmi3DoStep", "goes past the event at 0.25 s"]),
        case("termination by an event", eventful().define("UPDATE_ENDS=(self->now.time > 0.55)"))
            .ends(0, &["instance `a` requested the end"])
            // By the number that it reads at 0.6 s, between its events.
            .rows(10),
        case("event mode without its functions", a().capability("hasEventMode", true))
            .ends(10, &["the events of `a` cannot be handled in event mode: its FMU has none"]),
    ];
    for function in ["fmi3EnterEventMode", "fmi3UpdateDiscreteStates", "fmi3EnterStepMode"] {
        cases.push(
            Case::new(format!("crash in {function}"), eventful().reply(function, CRASH))
                .system(TIMED)
                .ends(17, &[function, "SIGSEGV"]),
        );
        cases.push(
            case(&format!("Error from {function}"), eventful().reply(function, ERROR).define("FAULT_AT=0.2"))
                .ends(13, &[function, "fmi3Error"]),
        );
    }
    cases
}
