//! `lotka check FMU --run`: the table, its JSON, and exit codes.

use super::support::Case;
use tests::hostile::{CRASH, Hostile};

#[test]
fn the_table_has_a_line_for_each_question() {
    let case = Case::of(Hostile::new("a").define("ROLLBACK_NOISE=1e-9").define("NEEDS_STOP"));
    let ended = case.lotka(&["check", "a.fmu", "--run"]);
    ended.assert(19, &[]);
    let (first, table) = ended.stdout.split_once('\n').unwrap();
    assert!(first.starts_with("a.fmu: usable"), "{first}");
    insta::assert_snapshot!(table);
    assert_eq!(case.lotka(&["check", "a.fmu", "--run", "--strict"]).code, 11);
}

#[test]
fn machines_read_the_same() {
    let case = Case::of(Hostile::new("a").define("NEEDS_STOP"));
    let object = case.lotka(&["check", "a.fmu", "--run", "--json"]).json();
    let run = &object["run"];
    assert_eq!((run["usable"].as_bool(), run["failed"].as_u64()), (Some(true), Some(1)), "{run}");
    assert_eq!((&run["verdict"], &run["avoid"]["no-stop-time"]), (&"usable".into(), &"`pass-stop-time = false`".into()));
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
    let case = Case::of(Hostile::new("a").reply("fmi2FreeInstance", CRASH));
    let crashed = case.lotka(&["check", "a.fmu", "--run"]);
    assert!(crashed.code == 17 && crashed.stdout.starts_with("a.fmu: unusable"), "{crashed:?}");
    let alone = Case::of(Hostile::new("a").neighbor(false)).lotka(&["check", "a.fmu", "--run"]);
    assert!(alone.code == 11 && alone.stdout.starts_with("a.fmu: unusable"), "{alone:?}");
    let sound = Case::of(Hostile::new("a")).lotka(&["check", "a.fmu", "--run"]);
    assert!(sound.code == 0 && sound.stdout.starts_with("a.fmu: sound"), "{sound:?}");
    assert!(!sound.stdout.contains("avoid"), "{sound:?}");
    case.lotka(&["check", "a.fmu", "--run", "--time-limit", "0"]).assert(2, &["--time-limit", "found 0"]);
}

#[test]
fn both_versions_of_a_model_have_the_same_answers() {
    let case = Case::new("", []);
    let answers = |file: std::path::PathBuf| {
        let object = case.lotka(&["check", file.to_str().unwrap(), "--run", "--json"]).json();
        let items = object["run"]["items"].as_array().unwrap().clone();
        let answer =
            |item: &serde_json::Value| (item["name"].as_str().unwrap().to_owned(), item["verdict"].as_str().unwrap().to_owned());
        items.iter().map(answer).collect::<Vec<_>>()
    };
    let second = answers(tests::packed("predator"));
    assert!(second.iter().all(|(_, verdict)| verdict != "fail"), "{second:?}");
    assert_eq!(answers(tests::packed("fmi3/predator")), second);
}
