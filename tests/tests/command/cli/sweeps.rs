//! `lotka sweep`.

use std::{fs, path::Path};

use lotka::{ResultColumn, Results};
use serde_json::{Value, json};
use tests::{
    hostile::{CRASH, Hostile},
    interop::{self, Interop},
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
    Results::open_any(&case.path("study.parquet")).unwrap().into_columns()
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

/// Runs that miss their tolerance are no failures without values: they have the best ones, and are told first.
#[test]
fn runs_that_miss_their_tolerance_are_told() {
    let case = case("tolerance = 1e-12\nmax-calls = 3000\noutput-interval = 1.0");
    let parameters = "prey.x = [0, 10, 12]\npredator.y = [0, 1, 1]\n";
    case.write("study.toml", &format!("[sweep]\nsystem = 'system.toml'\nsampling = 'list'\n[parameters]\n{parameters}"));
    let ended = sweep(&case, &["--report", "study.html"]);
    let told = ["run 1: tolerance 1e-12 not reached; the error of `", "3 runs: 2 tolerance-not-reached, 1 ok -> study.parquet"];
    ended.assert(15, &told);
    let columns = records(&case);
    let column = |name: &str| &columns.iter().find(|column| column.name == name).unwrap().values;
    assert!(format!("{:?}", column("final(prey.x)")).find("NaN").is_none());
    let page = case.read("study.html");
    assert!(page.find("tolerance-not-reached").unwrap() < page.find("Smallest and largest values").unwrap());
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

/// What headless Chromium finds in the report of a study.
fn opened(case: &Case, report: &str) -> Value {
    let tools = Interop::find(&Path::new(env!("CARGO_MANIFEST_DIR")).join("..")).unwrap_or_else(|error| panic!("{error}"));
    let output = interop::run(tools.script("open_study.py").arg(case.path(report)).arg(case.dir())).unwrap();
    let facts: Value = serde_json::from_str(&output).unwrap();
    assert_eq!((&facts["complaints"], &facts["without_name"]), (&json!([]), &json!([])));
    assert_eq!(facts["requests"].as_array().map(Vec::len), Some(1), "the page loads more than itself: {}", facts["requests"]);
    facts
}

#[test]
fn the_report_of_a_study_shows_its_runs_over_its_parameters() {
    let case = case("step = 0.1");
    // With the last value of `prey.a`, the predators grow beyond all numbers.
    let parameters = "[parameters]\n'prey.a' = [0.05, 0.1, 0.15, 5000.0]\n'prey.x' = [5.0, 10.0]\n";
    case.write(
        "study.toml",
        &format!("[sweep]\nsystem = 'system.toml'\nkeep = ['final', 'maximum']\nvariables = ['prey.x']\n{parameters}"),
    );
    sweep(&case, &["--report", "out.html"]).assert(13, &["2 step-discarded, 6 ok", "the report is in out.html"]);
    let facts = opened(&case, "out.html");
    let plots = facts["opened"].as_array().unwrap();
    let labels: Vec<_> = plots.iter().map(|plot| plot["label"].as_str().unwrap()).collect();
    assert_eq!(labels[..2], ["final(prey.x) over prey.a, 6 runs", "maximum(prey.x) over prey.a, 6 runs"]);
    assert_eq!(
        (&plots[0]["lines"], &plots[0]["runs"], &plots[0]["lost"]),
        (&2.into(), &json!([3, 3]), &1.into()),
        "{}",
        plots[0]
    );
    assert_eq!(facts["legend"].as_str().unwrap().split_whitespace().collect::<Vec<_>>(), ["prey.x:", "5", "10"]);
    let text = facts["text"].as_str().unwrap();
    for part in ["Outcomes", "step-discarded", "0.05 to 0.15 (3 values)", "Smallest and largest values"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let point = facts["point"].as_str().unwrap();
    assert!(point.starts_with("run 0: prey.a = 0.05, prey.x = 5: final(prey.x) = ") && point.ends_with("; ok"), "{point}");
    for mode in ["light", "dark"] {
        assert!(facts["contrast"][mode]["ratio"].as_f64().unwrap() >= 4.5, "{mode}: {}", facts["contrast"]);
    }
    // The runs that have failed have no value of this column; their calls are counted all the same.
    let by_kept = &facts["by_kept"];
    assert!(by_kept["legend"].as_str().unwrap().contains("no value"), "{by_kept}");
    let calls = by_kept["plots"].as_array().unwrap().iter().find(|plot| plot["label"] == "calls over prey.a, 8 runs").unwrap();
    assert_eq!(calls["runs"].as_array().unwrap().last(), Some(&1.into()), "two runs, at one place");
    let changed = &facts["changed"];
    assert_eq!(changed.as_array().map(Vec::len), Some(1), "{changed}");
    assert_eq!(changed[0]["label"], "maximum(prey.x) over prey.x, 6 runs");
    assert_eq!((&changed[0]["lines"], &changed[0]["runs"]), (&0.into(), &json!([6])), "prey.a varies, too: no curve");
    assert_eq!(changed[0]["ticks"], json!(["5", "10", "prey.x [1]"]));
    let picture = case.read("plot.svg");
    assert!(picture.starts_with("<svg ") && picture.contains("final(prey.x) over prey.a") && !picture.contains("currentColor"));
}

#[test]
fn the_rows_of_a_study_are_no_records() {
    let case = case("step = 1");
    case.write("study.toml", &STUDY.replace("[parameters]", "keep = ['final', 'rows']\n[parameters]"));
    sweep(&case, &["--shard", "1/2"]).assert(0, &[]);
    let (records, rows) = ("study-1-of-2.parquet", "study-1-of-2-rows.parquet");
    case.lotka(&["report", rows]).assert(2, &["study-1-of-2-rows.parquet has no records of a study", "[wrong-kind-of-file]"]);
    case.lotka(&["report", rows, records]).assert(2, &["[wrong-kind-of-file]"]);
    sweep(&case, &["--force", "--shard", "1/2", "--report", rows]).assert(2, &["[would-overwrite]"]);
}

#[test]
fn reports_join_the_shards_of_a_study() {
    let case = case("step = 1");
    sweep(&case, &["--shard", "1/2"]).assert(0, &[]);
    sweep(&case, &["--shard", "2/2"]).assert(0, &[]);
    sweep(&case, &[]).assert(0, &[]);
    let (one, two) = ("study-1-of-2.parquet", "study-2-of-2.parquet");
    case.lotka(&["report", two, one, "-o", "joined.html"]).assert(0, &["the report is in joined.html"]);
    case.lotka(&["report", "study.parquet"]).assert(0, &["the report is in study.html"]);
    let without_name = |file: &str| case.read(file).replace("study-2-of-2.parquet", "study.parquet");
    assert_eq!(without_name("joined.html"), without_name("study.html"), "in the order of the runs");
    case.lotka(&["report", one, "-o", "half.html"]).assert(0, &[]);
    assert!(case.read("half.html").contains("Missing shards (of 2): 2."));
    assert!(case.read("half.html").contains("The page has 4 of the 8 runs of the study."));

    case.lotka(&["run", "system.toml", "-o", "rows.csv"]).assert(0, &[]);
    let refused = |arguments: &[&str], text: &str| {
        case.lotka(&[&["report"], arguments].concat()).assert(2, &[text, "[wrong-usage]"]);
    };
    refused(
        &["rows.csv", "study.parquet"],
        "a report is about one run; to draw study.parquet over it, pass --overlay study.parquet",
    );
    refused(
        &["study.parquet", "--overlay", "rows.csv"],
        "study.parquet has the records of a study, which have no rows to draw rows.csv over",
    );
    case.lotka(&["report", one, "-o", one]).assert(2, &["[would-overwrite]"]);
    for (flag, file) in
        [("--report", "study.toml"), ("--report", "system.toml"), ("--report", "study.parquet"), ("--output-file", "system.toml")]
    {
        sweep(&case, &["--force", flag, file])
            .assert(2, &[&format!("{flag} {file}: the sweep reads or writes this file"), "[would-overwrite]"]);
    }
    case.lotka(&["report", one, "missing.parquet"]).assert(2, &["cannot read missing.parquet", "[unreadable-file]"]);
    case.write("study.toml", &STUDY.replace("0.15", "0.16"));
    sweep(&case, &["--force", "-q"]).assert(0, &[]);
    case.lotka(&["report", one, "study.parquet"])
        .assert(2, &["study-1-of-2.parquet and study.parquet are not shards of one sweep", "[sweep-changed]"]);
}
