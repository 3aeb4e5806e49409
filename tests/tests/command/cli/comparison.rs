//! `lotka compare`.

use super::support::{Case, Ended};

/// A folder with two files of results.
fn compare(first: &str, second: &str, flags: &[&str]) -> Ended {
    let case = Case::new("", []);
    case.write("a.csv", first);
    case.write("b.csv", second);
    case.lotka(&[&["compare", "a.csv", "b.csv"], flags].concat())
}

const ROWS: &str = "time,a.x,a.n,a.s\n0.0,1.0,1,one\n0.5,2.0,1,one\n0.5,4.0,2,two\n1.0,5.0,2,two\n";

#[test]
fn equal_results_are_equal() {
    let ended = compare(ROWS, ROWS, &[]);
    assert_eq!((ended.code, ended.stderr.as_str()), (0, ""));
    assert!(ended.stdout.starts_with("the same times: 4 rows, row by row\n") && ended.stdout.ends_with("\nequal\n"), "{ended:?}");
}

#[test]
fn differences_are_reported_per_column_with_their_place() {
    let other = ROWS.replace("4.0,2,two", "4.4,3,two").replace("a.s", "a.t");
    let ended = compare(ROWS, &other, &["--tolerance", "1e-3"]);
    assert_eq!(ended.code, 14, "{ended:?}");
    let lines: Vec<String> = ended.stdout.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    for line in [
        "time same",
        "a.x different 4.0e-1 9.1e-2 0.5 0.5",
        "a.n different 1.0e0 3.3e-1 0.5 0.5",
        "a.s only in first",
        "a.t only in second",
        "different: 4 of 5 columns",
    ] {
        assert!(lines.iter().any(|found| found == line), "no `{line}` in\n{}", ended.stdout);
    }
    let near = ROWS.replace("4.0,2,two", "4.4,2,two");
    assert_eq!(compare(ROWS, &near, &["--tolerance", "0.1"]).code, 0);
    assert_eq!(compare(ROWS, &near, &["--absolute-tolerance", "0.41"]).code, 0);
    assert_eq!(compare(ROWS, &near, &["--absolute-tolerance", "0.39"]).code, 14);
    assert_eq!(compare(ROWS, &near, &["--variable", "a.n", "--variable", "a.s"]).code, 0);
}

#[test]
fn other_times_are_interpolated_and_that_is_said() {
    let finer = "time,a.x\n0.0,1.0\n0.25,1.5\n0.5,2.0\n0.5,4.0\n0.75,4.5\n1.0,5.0\n";
    let ended = compare(ROWS, finer, &["--variable", "a.x"]);
    assert_eq!(ended.code, 0, "{ended:?}");
    let expected = "the times differ (4 and 6 rows): 4 rows of a.csv, against values of b.csv that are interpolated linearly\n";
    assert!(ended.stdout.starts_with(expected), "{ended:?}");
    let shorter = compare(ROWS, "time,a.x\n0.0,1.0\n0.5,2.0\n", &["--variable", "a.x", "--json"]);
    assert_eq!((shorter.code, shorter.json()["columns"]["time"]["verdict"].as_str()), (14, Some("different")));
}

#[test]
fn json_has_the_same_findings() {
    let json = compare(ROWS, &ROWS.replace("5.0", "NaN"), &["--json"]).json();
    let column = &json["columns"]["a.x"];
    assert_eq!((&json["equal"], &json["rows"][1], &json["events"][0]), (&false.into(), &4.into(), &1.into()));
    assert_eq!((&column["verdict"], &column["differs_from"]), (&"different".into(), &1.0.into()));
    assert!(column["largest_difference"].is_null() && json["interpolated"].is_null(), "{json}");
}

#[test]
fn what_cannot_be_compared_is_named() {
    compare("time,a\n0,1\nx,1\n", ROWS, &[])
        .assert(10, &["error: a.csv:3: column `time`: expected a time in seconds, found `x`"]);
    compare("", ROWS, &[]).assert(10, &["a.csv: the file is empty"]);
    compare(ROWS, ROWS, &["--variable", "a.y"]).assert(2, &["neither file has a column `a.y`; a.csv has a.x, a.n, a.s"]);
    compare(ROWS, "{}", &[]).assert(2, &["a manifest can only be compared with a manifest"]);
    compare("{}", "{}", &[]).assert(2, &["a.csv: not a manifest: its `format` is null"]);
    compare(ROWS, ROWS, &["--tolerance", "-1"]).assert(2, &[]);
    let case = Case::new("", []);
    case.lotka(&["compare", "nowhere.csv", "nowhere.csv"]).assert(10, &["nowhere.csv: cannot be read"]);
}

#[test]
fn manifests_tell_what_differs_and_tolerances_look_at_the_rows() {
    let case = Case::predator_prey("step = 0.1\noutput-interval = 1.0");
    case.lotka(&["run", "system.toml", "--output-file", "a.csv", "--manifest", "a.json"]).assert(0, &[]);
    let finer = ["run", "system.toml", "--output-file", "b.csv", "--manifest", "b.json", "--step-size", "0.05"];
    case.lotka(&finer).assert(0, &[]);
    let ended = case.lotka(&["compare", "a.json", "b.json"]);
    assert_eq!(ended.code, 14, "{ended:?}");
    for text in ["settings.experiment.step", "result.sha256", "(ignored)", "the runs are different"] {
        assert!(ended.stdout.contains(text), "no `{text}` in\n{}", ended.stdout);
    }
    let json = case.lotka(&["compare", "a.json", "b.json", "--tolerance", "0.1", "--json"]).json();
    assert_eq!((&json["equal"], &json["results"]["equal"]), (&false.into(), &true.into()));
    let counting: Vec<_> = json["differences"].as_array().unwrap().iter().filter(|change| change["counts"] == true).collect();
    assert_eq!(counting.len(), 1, "{counting:?}");
    assert_eq!(counting[0]["values"].as_array().unwrap().as_slice(), ["0.1", "0.05"]);
}

#[test]
fn runs_without_rows_are_not_known_to_be_the_same() {
    let case = Case::predator_prey("step = 0.5");
    let run = |flags: &[&str]| case.lotka(&[&["run", "system.toml", "-q"], flags].concat()).assert(0, &[]).code;
    run(&["--json", "--manifest", "a.json"]);
    run(&["--json", "--manifest", "b.json"]);
    run(&["--output-file", "c.csv", "--manifest", "c.json"]);
    let ended = case.lotka(&["compare", "a.json", "b.json"]);
    assert_eq!(ended.code, 14, "{ended:?}");
    let reason = "no results to compare: no hash of rows in a.json and in b.json";
    assert!(ended.stdout.contains(reason) && ended.stdout.ends_with("the runs are different\n"), "{ended:?}");
    let ended = case.lotka(&["compare", "a.json", "c.json", "--tolerance", "1", "--json"]);
    let json = ended.json();
    assert_eq!((ended.code, &json["equal"], &json["results"]), (14, &false.into(), &serde_json::Value::Null));
    assert!(json["reason"].as_str().unwrap().contains("no hash of rows in a.json;"), "{json}");
    assert!(case.lotka(&["compare", "c.json", "c.json", "--json"]).assert(0, &[]).json()["reason"].is_null());
}

#[test]
fn runs_that_end_otherwise_are_different() {
    let case = Case::predator_prey("step = 0.5");
    case.run(&["--manifest", "a.json"]).assert(0, &[]);
    let canceled = case.read("a.json").replace("\"stop-time\"", "\"canceled\"").replace("\"exit_code\": 0", "\"exit_code\": 130");
    case.write("b.json", &canceled);
    for flags in [&[][..], &["--tolerance", "1e-3"]] {
        let ended = case.lotka(&[&["compare", "a.json", "b.json", "--json"], flags].concat());
        let counting = |change: &&serde_json::Value| change["counts"] == true;
        let json = ended.json();
        let entries: Vec<_> =
            json["differences"].as_array().unwrap().iter().filter(counting).map(|change| &change["entry"]).collect();
        assert_eq!((ended.code, entries), (14, vec![&"outcome.end".into(), &"outcome.exit_code".into()]), "{json}");
    }
}

#[test]
fn a_last_line_that_was_cut_is_reported() {
    let cut = ROWS.replace("1.0,5.0,2,two\n", "1.0,5.");
    let ended = compare(ROWS, &cut, &["--json"]);
    ended.assert(14, &["warning: b.csv: line 5 has no line end: Lotka ignores this incomplete row"]);
    let json = ended.json();
    assert_eq!((&json["rows"][1], &json["unfinished"][0]), (&3.into(), &serde_json::Value::Null));
    assert_eq!(json["unfinished"][1], serde_json::json!({ "line": 5, "kept": false }));
    let ended = compare(ROWS, ROWS.trim_end(), &[]);
    ended.assert(0, &["warning: b.csv: line 5 has no line end: if the file is truncated, its last field is wrong"]);
}
