//! `lotka sweep`.

use std::fs;

use lotka::{ResultColumn, read_parquet};
use tests::{
    hostile::{CRASH, Hostile},
    patience::wait_until,
};

use super::support::{Case, Ended, Running};

const STUDY: &str = "[sweep]\nsystem = 'system.toml'\n[parameters]\nprey.a = { from = 0.05, to = 0.15, count = 8 }\n";

fn case(settings: &str) -> Case {
    let case = Case::predator_prey(settings);
    case.write("study.toml", STUDY);
    case
}

fn sweep(case: &Case, arguments: &[&str]) -> Ended {
    case.lotka(&[&["sweep", "study.toml"], arguments].concat())
}

fn records(case: &Case) -> Vec<ResultColumn> {
    read_parquet(fs::File::open(case.path("study.parquet")).unwrap()).unwrap().0
}

#[test]
fn a_study_makes_a_file_with_a_record_per_run() {
    let case = case("tolerance = 1e-4");
    sweep(&case, &["--jobs", "2"]).assert(0, &["8 runs: 8 ok -> study.parquet"]);
    let columns = records(&case);
    let names: Vec<_> = columns.iter().map(|column| column.name.as_str()).collect();
    assert_eq!(names[..7], ["run", "prey.a", "status", "reached", "error", "time", "calls"]);
    assert_eq!(columns[0].values.len(), 8);
    sweep(&case, &[]).assert(2, &["`study.parquet` already exists; pass --resume to continue it, or --force to overwrite it"]);
    sweep(&case, &["--resume"]).assert(0, &["8 of 8 runs are there already", "0 runs -> study.parquet"]);
    sweep(&case, &["--force", "--shard", "3/3", "-q"]).assert(0, &[]);
    assert!(case.path("study-3-of-3.parquet").exists());
    let object = sweep(&case, &["--json", "--output-file", "other.parquet"]).json();
    assert_eq!((&object["runs"], &object["made"], &object["statuses"]["ok"]), (&8.into(), &8.into(), &8.into()));
}

#[test]
fn problems_of_a_study_have_their_places() {
    let case = case("step = 1");
    case.write("study.toml", &STUDY.replace("prey.a", "prey.q"));
    sweep(&case, &[]).assert(10, &["instance `prey` has no variable `q`", "study.toml:4:6", "[unknown-variable]"]);
    for shard in ["0/3", "4/3", "x"] {
        sweep(&case, &["--shard", shard]).assert(2, &["expected K/N with K from 1 to N, such as 3/16"]);
    }
    sweep(&case, &["--jobs", "0"]).assert(2, &["--jobs"]);
}

#[test]
fn records_of_other_inputs_are_not_continued() {
    let case = case("step = 1");
    sweep(&case, &["-q"]).assert(0, &[]);
    case.write("study.toml", &format!("{STUDY}# changed\n"));
    sweep(&case, &["--resume"]).assert(2, &["study.parquet has the records of another study", "[sweep-changed]"]);
    sweep(&case, &["--force"]).assert(0, &["8 runs: 8 ok"]);
}

/// In processes of their own, an FMU that crashes is a record.
#[test]
fn a_crash_is_a_record() {
    let case = Case::of(Hostile::new("a").reply("fmi2DoStep", CRASH));
    case.write("study.toml", "[sweep]\nsystem = 'system.toml'\n[parameters]\nb.k = [1, 2, 3]\n");
    sweep(&case, &["--isolate", "--jobs", "2"]).assert(13, &["the FMU crashed its process", "3 runs: 3 process-ended"]);
}

#[test]
fn an_interrupt_keeps_the_records_so_far() {
    let case = case("tolerance = 1e-8");
    case.write("study.toml", &STUDY.replace("count = 8", "count = 100000"));
    let running = Running::lotka(&case, &["sweep", "study.toml", "--jobs", "1"]);
    // Records are written once a second.
    wait_until("records are written", || fs::metadata(case.path("study.parquet")).is_ok_and(|file| file.len() > 3000));
    running.signal("INT");
    assert_eq!(running.end().0, Some(130));
    let done = records(&case)[0].values.len();
    assert!((1..100_000).contains(&done), "{done}");
}
