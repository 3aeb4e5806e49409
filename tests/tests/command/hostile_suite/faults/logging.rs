use super::{Group, a};
use crate::hostile_suite::case::Case;

pub const GROUP: Group = Group { title: "Logging and printing", faults };

fn faults() -> Vec<Case> {
    vec![
        Case::new("odd arguments for the logger", a().define("BAD_LOG")).runs(&["no name", "100% of %s and %d and 5 %"]),
        Case::new("another thread logs during a step", a().define("LOG_FROM_THREAD")).runs(&[]),
        Case::new("a thread logs after fmi2FreeInstance", a().define("LOG_AFTER_FREE")).runs(&[]),
        Case::new("a thousand warnings in each step", a().define("LOG_LINES=1000")).runs(&["line 999"]),
        Case::new("prints to stdout", a().define("PRINT_LINES=1").define("MISBEHAVE_IN_STEP")).runs(&[]),
        Case::new("prints a hundred thousand lines to stdout", a().define("PRINT_LINES=10000").define("MISBEHAVE_IN_STEP"))
            .runs(&[]),
    ]
}
