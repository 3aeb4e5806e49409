//! `lotka check FMU --run`: the table, its JSON, and exit codes.

use super::support::Case;
use tests::hostile::{CRASH, Hostile};

#[test]
fn the_table_has_a_line_for_each_question() {
    let case = Case::of(Hostile::new("a").define("ROLLBACK_NOISE=1e-9").define("NEEDS_STOP"));
    let ended = case.lotka(&["check", "a.fmu", "--run"]);
    ended.assert(0, &[]);
    let (_, table) = ended.stdout.split_once('\n').unwrap();
    insta::assert_snapshot!(table);
    assert_eq!(case.lotka(&["check", "a.fmu", "--run", "--strict"]).code, 11);
}

#[test]
fn machines_read_the_same() {
    let case = Case::of(Hostile::new("a").define("NEEDS_STOP"));
    let object = case.lotka(&["check", "a.fmu", "--run", "--json"]).json();
    let run = &object["run"];
    assert_eq!((run["usable"].as_bool(), run["failed"].as_u64()), (Some(true), Some(1)), "{run}");
    let failed = run["items"].as_array().unwrap().iter().find(|item| item["verdict"] == "fail").unwrap();
    assert_eq!(failed["name"], "no-stop-time");
    assert!(failed["explanation"].as_str().unwrap().contains("a stop time is needed"), "{failed}");
}

#[test]
fn an_fmu_that_cannot_run_has_the_exit_code_of_the_reason() {
    let case = Case::of(Hostile::new("a").reply("fmi2DoStep", CRASH));
    let crashed = case.lotka(&["check", "a.fmu", "--run"]);
    assert_eq!(crashed.code, 17, "{crashed:?}");
    assert!(crashed.stdout.contains("SIGSEGV"), "{crashed:?}");
    let case = Case::of(Hostile::new("a").reply("fmi2DoStep", 3));
    assert_eq!(case.lotka(&["check", "a.fmu", "--run"]).code, 11);
    case.lotka(&["check", "a.fmu", "--run", "--time-limit", "0"]).assert(2, &["--time-limit 0"]);
}
