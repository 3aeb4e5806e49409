use super::{Group, a};
use crate::hostile_suite::case::{CONTROLLED, Case};
use tests::hostile::{
    ABORT, BUS, CRASH, DIVIDE, DOUBLE_FREE, END_THREAD, EXECUTE, EXIT, EXIT_3, EXIT_FROM_THREAD, ILLEGAL, KILL, QUIT, SMASH,
    STACK, TERMINATE,
};

pub const GROUP: Group = Group { title: "Other ends of the process", faults };

/// Ends the process in this way in `fmi2DoStep` from t = 0.5 s on.
fn in_mid_run(name: &'static str, end: i32, text: &'static str) -> Case {
    Case::new(format!("{name} in fmi2DoStep"), a().define("FAULT_AT=0.45").reply("fmi2DoStep", end))
        .ends(17, &["fmi2DoStep", "t = 0.5 s", text])
        .rows(6)
}

fn in_function(name: &'static str, function: &'static str, end: i32, text: &'static str) -> Case {
    Case::new(format!("{name} in {function}"), a().reply(function, end)).ends(17, &[function, text])
}

fn faults() -> Vec<Case> {
    let mut cases = vec![
        in_mid_run("abort", ABORT, "SIGABRT"),
        in_mid_run("exit(0)", EXIT, "exit code 0"),
        in_mid_run("exit(3)", EXIT_3, "exit code 3"),
        in_mid_run("_exit(0)", QUIT, "exit code 0"),
        in_mid_run("SIGKILL", KILL, "SIGKILL"),
        in_mid_run("SIGTERM", TERMINATE, "SIGTERM"),
        in_mid_run("integer division by zero", DIVIDE, "SIGFPE"),
        in_mid_run("illegal instruction", ILLEGAL, "SIGILL"),
        in_mid_run("access behind a mapped file", BUS, "SIGBUS"),
        in_mid_run("stack overflow", STACK, "SIG"),
        in_mid_run("double free", DOUBLE_FREE, "SIGABRT"),
        in_mid_run("overwritten heap", SMASH, "SIG"),
        in_mid_run("end of the thread", END_THREAD, "SIGABRT").ends(17, &["SIGABRT"]).nameless(),
        in_mid_run("exit(0) of another thread", EXIT_FROM_THREAD, "exit code 0"),
        in_mid_run("becoming another program", EXECUTE, "exit code 0"),
    ];
    for function in ["fmi2Instantiate", "fmi2SetupExperiment", "fmi2EnterInitializationMode", "fmi2GetReal", "fmi2Terminate"] {
        cases.push(in_function("exit(0)", function, EXIT, "exit code 0"));
        cases.push(in_function("abort", function, ABORT, "SIGABRT"));
    }
    cases.extend([
        in_function("exit(0)", "fmi2FreeInstance", EXIT, "exit code 0").rows(11),
        in_function("exit(0)", "fmi2SetFMUstate", EXIT, "exit code 0").system(CONTROLLED),
        Case::new("exit(0) in the constructor of the library", a().reply("constructor", EXIT))
            .ends(17, &["exit code 0"])
            .checked(17, &["exit code 0"]),
        Case::new("crash in the destructor of the library", a().reply("destructor", CRASH)).late(&["SIGSEGV"]),
        Case::new("exit(3) in the destructor of the library", a().reply("destructor", EXIT_3)).late(&["exit code 3"]),
        Case::new("crash in an exit handler", a().reply("at_exit", CRASH)).late(&["SIGSEGV"]),
        Case::new("abort in an exit handler", a().reply("at_exit", ABORT)).late(&["SIGABRT"]),
    ]);
    cases
}
