//! What is recorded: `[results]`, `--record`.

use lotka::{Results, Values};
use tests::hostile::{CRASH, Hostile};

use super::support::Case;

const RESULTS: &str = "[results]\nvariables = ['prey.*', '!prey.b', '!inputs']\n";

fn case(results: &str) -> Case {
    let case = Case::predator_prey("step = 1");
    let system = case.read("system.toml");
    case.write("system.toml", &(system + results));
    case
}

fn header(case: &Case) -> String {
    case.read("out.csv").lines().next().unwrap_or_default().to_owned()
}

#[test]
fn the_system_file_chooses_and_flags_choose_instead() {
    let case = case(RESULTS);
    case.run(&[]).assert(0, &[]);
    assert_eq!(header(&case), "time,prey.a,prey.x,prey.der(x)");
    assert_eq!(case.rows()[0], ["0.0", "0.1", "10.0", "-1.0"]);
    case.run(&["--record", "*.x", "--record", "outputs"]).assert(0, &[]);
    assert_eq!(header(&case), "time,prey.x,predator.x,predator.y");
}

#[test]
fn problems_of_the_list_have_their_lines() {
    let case = case("[results]\nvariables = ['pray.*', 'prey.*', 3, 'predator.z']\nvariable = 'x'\n");
    case.run(&[]).assert(
        10,
        &[
            "no variable matches `pray.*`",
            "did you mean `prey.*`?",
            "expected a name or a pattern in `variables`, found an integer",
            "instance `predator` has no variable `z`",
            "unknown key `variable` in [results]",
            "system.toml:11:14",
        ],
    );
    case.run(&["--record", "predator"]).assert(10, &["`predator` is an instance", "write `predator.*`"]);
}

#[test]
fn a_manifest_has_the_list_and_the_default() {
    let case = case(RESULTS);
    let variables = |flags: &[&str]| {
        case.run(&[&["--manifest", "run.json"], flags].concat()).assert(0, &[]);
        let manifest: serde_json::Value = serde_json::from_str(&case.read("run.json")).unwrap();
        manifest["settings"]["results"]["variables"].to_string()
    };
    assert_eq!(variables(&[]), r#"["prey.*","!prey.b","!inputs"]"#);
    assert_eq!(variables(&["--record", "prey.x"]), r#"["prey.x"]"#);
}

#[test]
fn the_extension_says_the_format_and_a_flag_overrules_it() {
    let case = case(RESULTS);
    case.run(&[]).assert(0, &[]);
    let run = |flags: &[&str]| case.lotka(&[&["run", "system.toml"], flags].concat());
    run(&["--output-file", "rows.mat", "--manifest", "run.json"]).assert(0, &[]);
    run(&["--output-file", "rows.dat", "--output-format", "mat"]).assert(0, &[]);
    assert_eq!(std::fs::read(case.path("rows.mat")).unwrap(), std::fs::read(case.path("rows.dat")).unwrap());
    case.lotka(&["compare", "out.csv", "rows.mat"]).assert(0, &[]);
    case.lotka(&["compare", "rows.mat", "out.csv"]).assert(0, &[]);
    let manifest: serde_json::Value = serde_json::from_str(&case.read("run.json")).unwrap();
    assert_eq!((&manifest["result"]["rows"], manifest["result"]["sha256"].is_string()), (&101.into(), true));
    run(&["--output-format", "mat"]).assert(2, &["only CSV can go to stdout; also pass --output-file"]);
    case.lotka(&["run", "system.toml", "--start-value", "prey.x=11", "--output-file", "other.mat"]).assert(0, &[]);
    case.lotka(&["compare", "out.csv", "other.mat"]).assert(14, &[]);
}

#[test]
fn a_mat_file_of_a_run_that_fails_has_the_rows_so_far() {
    let case = Case::of(Hostile::new("a").reply("fmi2DoStep", 3).define("FAULT_AT=0.45"));
    let ended = case.lotka(&["run", "system.toml", "--output-file", "rows.mat"]);
    ended.assert(13, &["the rows so far are in rows.mat"]);
    assert_eq!(Results::open(case.path("rows.mat")).unwrap().time().len(), 6);
}

#[test]
fn a_run_goes_on_in_a_mat_file() {
    let case = case(RESULTS);
    let run = |flags: &[&str]| case.lotka(&[&["run", "system.toml"], flags].concat());
    run(&["--output-file", "whole.mat"]).assert(0, &[]);
    // Checkpoints at every step; the run that goes on from the last one repeats the end.
    run(&["--output-file", "rows.mat", "--checkpoint-every", "0"]).assert(0, &[]);
    let whole = std::fs::read(case.path("whole.mat")).unwrap();
    let mut longer = whole.clone();
    longer.extend([7; 100]);
    std::fs::write(case.path("rows.mat"), longer).unwrap();
    case.lotka(&["resume", "rows.mat.checkpoint"]).assert(0, &[]);
    assert_eq!(std::fs::read(case.path("rows.mat")).unwrap(), whole);
    let x = Results::open(case.path("rows.mat")).unwrap().values("prey.x").cloned();
    assert!(matches!(x, Some(Values::Real(x)) if x.len() == 101));
}

#[test]
fn a_full_disk_is_noticed_with_mat_files_too() {
    let case = case(RESULTS);
    let ended = case.lotka(&["run", "system.toml", "--output-file", "/dev/full", "--output-format", "mat"]);
    ended.assert(16, &["cannot write the results to /dev/full"]);
}

#[test]
fn parquet_and_arrow_files_hold_the_same_rows_also_of_runs_that_fail() {
    let case = case(RESULTS);
    case.run(&[]).assert(0, &[]);
    let run = |flags: &[&str]| case.lotka(&[&["run", "system.toml"], flags].concat());
    run(&["--output-file", "rows.mat"]).assert(0, &[]);
    for (format, kind) in [("parquet", "a Parquet file"), ("arrow", "an Arrow file")] {
        let rows = format!("rows.{format}");
        run(&["--output-file", &rows, "--manifest", "run.json"]).assert(0, &[]);
        case.lotka(&["compare", "out.csv", &rows]).assert(0, &[]);
        case.lotka(&["compare", &rows, "rows.mat"]).assert(0, &[]);
        case.lotka(&["report", &rows]).assert(0, &[]);
        case.lotka(&["plot", &rows, "-o", "rows.svg"]).assert(0, &[]);
        let manifest: serde_json::Value = serde_json::from_str(&case.read("run.json")).unwrap();
        assert_eq!((&manifest["result"]["rows"], manifest["result"]["sha256"].is_string()), (&101.into(), true));
        let checkpoints = run(&["--output-file", &rows, "--checkpoint-every", "1"]);
        checkpoints.assert(2, &[&format!("a run cannot be resumed in {kind}; choose .csv or .mat")]);
        run(&["--output-file", "/dev/full", "--output-format", format]).assert(16, &["cannot write the results to /dev/full"]);

        let case = Case::of(Hostile::new("a").reply("fmi2DoStep", 3).define("FAULT_AT=0.45"));
        let ended = case.lotka(&["run", "system.toml", "--output-file", &rows]);
        ended.assert(13, &[&format!("the rows so far are in {rows}")]);
        assert_eq!(Results::open(case.path(&rows)).unwrap().time().len(), 6);
    }
}

#[test]
fn rows_of_a_run_that_an_fmu_crashes_are_in_a_mat_file_all_the_same() {
    let case = Case::of(Hostile::new("a").reply("fmi2DoStep", CRASH).define("FAULT_AT=0.45"));
    let run = |flags: &[&str]| case.lotka(&[&["run", "system.toml", "--record", "!*.text"], flags].concat());
    run(&["--output-file", "out.csv"]).assert(17, &["the rows so far are in out.csv"]);
    run(&["--output-file", "rows.mat"]).assert(17, &["the rows so far are in rows.mat"]);
    case.lotka(&["compare", "out.csv", "rows.mat"]).assert(0, &[]);
    assert_eq!(Results::open(case.path("rows.mat")).unwrap().time().len(), 6);
    // Groups of a Parquet file are larger; in a process of its own the FMU costs no rows.
    let ended = run(&["--output-file", "rows.parquet"]);
    assert!(ended.code == 17 && !ended.stderr.contains("rows so far"), "{ended:?}");
    assert_eq!(Results::open(case.path("rows.parquet")).unwrap().time().len(), 0);
    run(&["--isolate", "--output-file", "rows.parquet"]).assert(17, &["the rows so far are in rows.parquet"]);
    case.lotka(&["compare", "out.csv", "rows.parquet"]).assert(0, &[]);
}

#[test]
fn texts_that_a_mat_file_leaves_out_are_named() {
    let case = Case::of(Hostile::new("a"));
    let ended = case.lotka(&["run", "system.toml", "--output-file", "rows.mat"]);
    ended.assert(0, &["a .mat file cannot hold strings; Lotka omits `a.text`, `b.text`"]);
    let results = Results::open(case.path("rows.mat")).unwrap();
    assert!(results.values("a.y").is_some() && results.values("a.text").is_none());
}

/// In FMI 2.0, an alias is a variable with the value reference of another one.
fn with_aliases_of_fmi2() -> Hostile {
    Hostile::new("a").edit_xml(|xml| {
        let kinds = [("z", "continuous", "Real"), ("count", "discrete", "Integer"), ("above", "discrete", "Boolean")];
        let alias = |(name, variability, kind): (&str, &str, &str)| {
            format!(
                "<ScalarVariable name='{name}' valueReference='1' causality='local' variability='{variability}' initial='calculated'><{kind}/></ScalarVariable>"
            )
        };
        let added: String = kinds.map(alias).concat();
        *xml = xml.replacen("</ModelVariables>", &(added + "</ModelVariables>"), 1);
    })
}

/// In FMI 3.0, it is an element of the variable.
fn with_alias_of_fmi3() -> Hostile {
    Hostile::fmi3("a").edit_xml(|xml| {
        let output =
            "<Float64 name=\"y\" valueReference=\"2\" causality=\"output\" variability=\"continuous\" initial=\"calculated\"";
        assert!(xml.contains(output));
        *xml = xml.replacen(&format!("{output}/>"), &format!("{output}><Alias name=\"z\"/></Float64>"), 1);
    })
}

#[test]
fn aliases_of_outputs_are_recorded_by_their_names() {
    let of_fmi2 = [("y", "z"), ("steps", "count"), ("positive", "above")];
    for (is_fmi3, pairs) in [(false, &of_fmi2[..]), (true, &of_fmi2[..1])] {
        let fmu = || if is_fmi3 { with_alias_of_fmi3() } else { with_aliases_of_fmi2() };
        for steps in ["step = 0.1", "tolerance = 1e-6\noutput-interval = 0.1"] {
            let case = Case::new(&format!("[experiment]\nstop = 1\n{steps}\n[instances]\na = 'a.fmu'\n"), [fmu()]);
            let names = pairs.iter().flat_map(|(output, alias)| [format!("a.{output}"), format!("a.{alias}")]);
            let flags: Vec<_> = names.flat_map(|name| ["--record".to_owned(), name]).collect();
            case.run(&flags.iter().map(String::as_str).collect::<Vec<_>>()).assert(0, &[]);
            let columns: Vec<_> = header(&case).split(',').map(str::to_owned).collect();
            let place = |name: &str| columns.iter().position(|column| *column == format!("a.{name}")).unwrap();
            for row in case.rows() {
                assert!(pairs.iter().all(|(output, alias)| row[place(output)] == row[place(alias)]), "{columns:?} {row:?}");
            }
        }
    }
}
