use super::{Group, a};
use crate::hostile_suite::case::{Case, PAIR};

pub const GROUP: Group = Group { title: "What the FMU does to its process", faults };

/// Done in fmi2Instantiate, and again in each step.
fn changes(name: &str, define: &str, texts: &[&'static str]) -> [Case; 2] {
    let late = a().define(define).define("MISBEHAVE_IN_STEP");
    [
        Case::new(format!("{name} in fmi2Instantiate"), a().define(define)).runs(texts),
        Case::new(format!("{name} in fmi2DoStep"), late).runs(&[]),
    ]
}

fn faults() -> Vec<Case> {
    const UNDONE: &str = "this was undone";
    let mut cases: Vec<Case> = [
        changes("another working directory", "CHANGE_DIRECTORY", &["the working directory", UNDONE]),
        changes("another rounding", "CHANGE_ROUNDING", &["floating-point control", UNDONE]),
        changes("flush to zero", "FLUSH_TO_ZERO", &["floating-point control", UNDONE]),
        changes("floating-point traps", "ENABLE_TRAPS", &["floating-point control", UNDONE]),
        changes("ignored signals", "CHANGE_SIGNALS", &[]),
        changes("ignored ends of children", "IGNORE_CHILDREN", &[]),
        changes("blocked signals", "BLOCK_SIGNALS", &[]),
        changes("another locale", "CHANGE_LOCALE", &[]),
        changes("closed stdin", "CLOSE_STDIN", &[]),
        changes("closed stdout", "CLOSE_STDOUT", &[]),
        changes("closed stderr", "CLOSE_STDERR", &[]),
        changes("an environment without variables", "CLEAR_ENVIRONMENT", &[]),
    ]
    .into_iter()
    .flatten()
    .collect();
    cases.extend([
        Case::new("a mask that forbids all in fmi2DoStep", a().define("CHANGE_UMASK").define("MISBEHAVE_IN_STEP")).runs(&[]),
        Case::new("closes all files in fmi2DoStep", a().define("CLOSE_FILES").define("MISBEHAVE_IN_STEP"))
            .isolated(0, &[])
            .rows(11),
        Case::new(
            "closes all files in fmi2DoStep and interrupts all threads",
            a().define("CLOSE_FILES").define("WAKE_THREADS").define("MISBEHAVE_IN_STEP"),
        )
        .isolated(0, &[])
        .rows(11),
        Case::new(
            "replaces all files in fmi2DoStep and interrupts all threads",
            a().define("REPLACE_FILES").define("WAKE_THREADS").define("MISBEHAVE_IN_STEP"),
        )
        .isolated(0, &[])
        .rows(11),
        Case::new("no more open files in fmi2DoStep", a().define("NO_MORE_FILES").define("MISBEHAVE_IN_STEP")).runs(&[]),
        Case::new("no file may grow in fmi2DoStep", a().define("NO_FILE_SIZE").define("MISBEHAVE_IN_STEP"))
            // Not even the file that stderr goes to may grow: the parent, which is not limited, tells.
            .ends(16, &["cannot write the messages of the FMU process, which ended with exit code 16: "])
            .nameless()
            .isolated(0, &[]),
        Case::new("a timer that ends the process", a().define("START_TIMER").define("MISBEHAVE_IN_STEP"))
            .system(PAIR)
            .ends(17, &["fmi2DoStep", "SIGALRM"])
            .rows(1),
        Case::new("3000 folders in each other, beside its library", a().define("LEAVE_FOLDERS=3000")).runs(&[]),
        Case::new("leaves a process behind", a().define("START_PROCESS=4")).runs(&[]).leaves_process(),
    ]);
    cases
}
