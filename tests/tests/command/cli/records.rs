//! Behavior records: `lotka check --run` makes them, runs have the same rows with them and without, and every other command shows
//! them.

use std::fs;

use serde_json::Value;
use tests::{hostile::Hostile, quirks::Quirk};

use super::support::{Case, Ended};

const PAIR: &str = "[instances]\na = 'a.fmu'\nb = 'b.fmu'\n[connections]\n'a.u' = 'b.y'\n'b.u' = 'a.y'\n";

/// An FMU with these properties, whose usual steps have this size.
fn lag(case: &Case, name: &str, step: &str, defines: &[&str]) {
    let fmu = Quirk::new("inner_steps").described_by("lag").named(name).attribute("stepSize", step);
    defines.iter().fold(fmu, |fmu, define| fmu.define(define)).build(case.dir());
}

/// `a` with these properties, and `b` without any.
fn pair(experiment: &str, step: &str, defines: &[&str]) -> Case {
    let case = Case::new(&format!("[experiment]\n{experiment}\n{PAIR}"), []);
    lag(&case, "a", step, defines);
    lag(&case, "b", "0.1", &[]);
    case
}

fn tested(case: &Case) -> Ended {
    case.lotka(&["check", "a.fmu", "--run"])
}

/// Number of records.
fn count(case: &Case) -> usize {
    let files = fs::read_dir(case.cache()).into_iter().flatten();
    files.filter(|file| file.as_ref().unwrap().file_name().to_str().unwrap().starts_with("about-")).count()
}

/// Rows and messages of a run that ends well.
#[track_caller]
fn rows(case: &Case, flags: &[&str]) -> (String, String) {
    let ended = case.run(flags);
    ended.assert(0, &[]);
    (case.read("out.csv"), ended.stderr.lines().filter(|line| line.starts_with("warning")).collect())
}

fn steps_of_a(case: &Case, flags: &[&str]) -> u64 {
    let object: Value = case.run(&[&["--json"], flags].concat()).json();
    object["statistics"]["n_do_step_calls"].as_u64().unwrap()
}

/// FMUs that discard sizes and take others, that take no other step then, and that end with an error.
#[test]
fn an_fmu_that_refuses_rounded_sizes_has_the_same_rows_with_and_without_its_record() {
    for (step, size, stop) in
        [("0.01", "0.01", "1"), ("0.1", "0.1", "40"), ("0.3333333333333333", "(1.0/3)", "20"), ("0.7", "0.7", "21")]
    {
        let experiment = format!("stop = {stop}\nstep = {step}");
        let usual = rows(&pair(&experiment, step, &[]), &[]).0;
        let times = |rows: &str| rows.lines().map(|row| row.split(',').next().unwrap().to_owned()).collect::<Vec<_>>();
        for more in [&[][..], &["NO_MORE"], &["STATUS=fmi2Error"], &["STATUS=fmi2Error", "NO_MORE"]] {
            let case = pair(&experiment, step, &[&[&*format!("EXACT={size}")], more].concat());
            let made = rows(&case, &[]);
            assert!(made.1.contains("[exact-steps]") && made.1.contains(&format!("exactly {step} s")), "{more:?}: {}", made.1);
            assert_eq!(times(&made.0), times(&usual), "{more:?}");
            assert_eq!(rows(&case, &["--checkpoint-every", "0"]), made, "{more:?}");
            let calls = steps_of_a(&case, &[]);
            tested(&case).assert(19, &[]);
            assert_eq!(count(&case), 1);
            assert_eq!(rows(&case, &[]), made, "{step} {more:?}");
            assert_eq!(rows(&case, &["--no-behavior-record"]), made, "{step} {more:?}");
            assert_eq!(rows(&case, &["--isolate"]), made, "{step} {more:?}");
            assert_eq!(steps_of_a(&case, &["--no-behavior-record"]), calls);
            let saved = u64::from(more.is_empty());
            assert_eq!(steps_of_a(&case, &[]), calls - saved, "a discarded step is spared");
            let shown = case.lotka(&["inspect", "a.fmu"]).stdout;
            assert!(shown.contains(&format!("refuses sizes that are off by rounding from {step} s\n")), "{shown}");
        }
    }
}

/// It refuses what is too long, and takes all shorter steps: a run with a record must not make them exact too early, or at
/// another size.
#[test]
fn only_the_sizes_that_were_refused_are_expected_to_be() {
    for step in ["0.1", "0.05", "0.3"] {
        let case = pair(&format!("stop = 12\nstep = {step}"), "0.1", &["LONGEST=0.1"]);
        let ended = || {
            let ended = case.run(&["-q"]);
            (ended.code, ended.stderr, case.read("out.csv"))
        };
        let without = ended();
        tested(&case);
        assert_eq!(ended(), without, "{step}");
    }
    let shown = {
        let case = pair("stop = 1\nstep = 0.1", "0.1", &["LONGEST=0.1"]);
        tested(&case);
        case.lotka(&["inspect", "a.fmu"]).stdout
    };
    assert!(shown.contains("refuses sizes that are longer than 0.1 s, even by rounding"), "{shown}");
}

#[test]
fn internal_steps_that_are_not_declared_are_measured_and_shown() {
    for (grid, size) in [("0.02", "0.02"), ("(1.0/64)", "0.015625")] {
        for saves in [true, false] {
            let case = Case::new(&format!("[experiment]\nstop = 1\nstep = 0.05\n{PAIR}"), []);
            let fmu =
                || Quirk::new("inner_steps").described_by("lag").attribute("stepSize", "0.1").define(&format!("GRID={grid}"));
            let saves = saves.to_string();
            let fmu = fmu().attribute("canGetAndSetFMUstate", &saves).attribute("canSerializeFMUstate", &saves);
            fmu.named("a").build(case.dir());
            lag(&case, "b", "0.1", &[]);
            let made = rows(&case, &[]);
            assert!(case.lotka(&["inspect", "a.fmu"]).stdout.contains("not measured; `lotka check --run` does"));
            let table = tested(&case).stdout;
            let found = format!("advances in internal steps of {size} s, which it does not declare");
            assert!(table.contains(&found), "{table}");
            let shown = case.lotka(&["inspect", "a.fmu"]).stdout;
            assert!(shown.contains(&format!("internal steps  {size} s: ")), "{shown}");
            let json = case.lotka(&["inspect", "a.fmu", "--json"]).json();
            assert_eq!(json["behavior"]["own_steps"]["fixed"].to_string(), size);
            let with = rows(&case, &[]);
            assert_eq!(with.0, made.0, "a record changes no row");
            let warning =
                format!("`a` advances in internal steps of {size} s: the communication step size 0.05 s is not a multiple of it");
            assert!(with.1.contains(&warning), "{}", with.1);
            assert_eq!(with.1.matches("[internal-steps]").count(), 1, "{}", with.1);
            assert_eq!(rows(&case, &["--no-behavior-record"]), made);
            let fitting = (3.0 * size.parse::<f64>().unwrap()).to_string();
            assert!(!rows(&case, &["--step-size", &fitting]).1.contains("internal-steps"));
            let changed = rows(&case, &["--start-value", "a.k=2"]).1;
            assert!(!changed.contains(&warning), "other parameters may lead to other steps: {changed}");
            let draft = case.lotka(&["new", "a.fmu", "b.fmu", "--output-file", "-"]).stdout;
            let line = draft.lines().find(|line| line.contains("step = ") && !line.contains("local")).unwrap();
            let step: f64 = line.split("step = ").nth(1).unwrap().split_whitespace().next().unwrap().parse().unwrap();
            let ratio = step / size.parse::<f64>().unwrap();
            assert!((ratio - ratio.round()).abs() < 1e-9, "{line}");
        }
    }
}

#[test]
fn runs_for_a_tolerance_have_the_same_rows_and_calls() {
    let experiment = "stop = 2\ntolerance = 1e-4\noutput-interval = 0.1";
    for grid in ["0.02", "(1.0/80)"] {
        let case = pair(experiment, "0.1", &[&format!("GRID={grid}")]);
        let all = |flags: &[&str]| {
            let object = case.run(&[&["--json"], flags].concat()).json();
            (case.read("out.csv"), object["statistics"].to_string(), object["warnings"].to_string())
        };
        let made = all(&[]);
        tested(&case);
        assert_eq!(all(&[]), made);
        assert_eq!(all(&["--no-behavior-record"]), made);
    }
}

#[test]
fn saved_states_that_are_inexact_are_a_warning_where_runs_roll_back() {
    for (fault, seen) in
        [("FORGETFUL_STATE", "after fmi2SetFMUstate y is "), ("ROLLBACK_NOISE=1e-9", "a relative difference of 1.0e-9")]
    {
        let case = Case::of(Hostile::new("a").define(fault));
        let made = rows(&case, &[]);
        assert_eq!(case.lotka(&["check", "a.fmu", "--run"]).code, 19);
        assert_eq!(rows(&case, &[]), made, "a run without rollback has nothing to fear");
        let warning = "instance `a` does not return exactly to its saved states";
        for flags in [&["--local-tolerance", "1e-3"][..], &["--local-tolerance", "1e-2", "--output-interval", "0.1"]] {
            let system = case.read("system.toml").replace("step = 0.1\n", "");
            case.write("controlled.toml", &system);
            let run = |more: &[&str]| {
                let ended = case.lotka(&[&["run", "controlled.toml", "--output-file", "out.csv"], flags, more].concat());
                (ended, case.read("out.csv"))
            };
            let ((with, rows), (without, others)) = (run(&[]), run(&["--no-behavior-record"]));
            assert!(with.stderr.contains(warning) && with.stderr.contains(seen), "{}", with.stderr);
            assert!(with.stderr.contains("[inexact-rollback]") && !without.stderr.contains(warning), "{}", without.stderr);
            assert_eq!((with.code, rows), (without.code, others));
        }
    }
}

/// Only here do rows change: those without the record are wrong.
#[test]
fn instances_that_disturb_each_other_get_processes_of_their_own() {
    let of_one_fmu = "[experiment]\nstop = 1\nstep = 0.1\n[instances]\na = 'a.fmu'\nb = 'a.fmu'\n";
    let case = Case::new(of_one_fmu, [Hostile::new("a").define("SHARED_STATE")]);
    let (alone, mixed) = (rows(&case, &["--isolate"]), rows(&case, &[]));
    assert!(alone.0 != mixed.0 && mixed.1.is_empty(), "{mixed:?}");
    assert!(tested(&case).stdout.contains("two-instances"));
    let (parted, said) = rows(&case, &[]);
    assert_eq!(parted, alone.0);
    let found = "in a test run, instances of this FMU disturbed each other (after step 1, y is ";
    assert!(said.starts_with(&format!("warning: `a`, `b` run in separate processes: {found}")), "{said}");
    assert_eq!(said.matches("[fmus-parted]").count(), 1, "{said}");
    assert_eq!(rows(&case, &["--isolate"]), alone, "they have processes of their own already");
    assert_eq!(rows(&case, &["--no-behavior-record"]), mixed);
    case.write("system.toml", &of_one_fmu.replace("step = 0.1", "step = 0.1\nisolation = 'none'"));
    let (together, said) = rows(&case, &[]);
    assert_eq!(together, mixed.0);
    assert!(said.contains("`a`, `b` run in one process, but") && said.contains("[fmus-mixed]"), "{said}");
    // Nor do sampled instances share a process.
    let sampled = "a = { fmu = 'a.fmu', sample-time = 0.5 }\nb = { fmu = 'a.fmu', sample-time = 0.2 }\n";
    case.write("system.toml", &of_one_fmu.replace("a = 'a.fmu'\nb = 'a.fmu'\n", sampled));
    let (parted, said) = rows(&case, &[]);
    assert_eq!(parted, rows(&case, &["--isolate"]).0);
    assert_eq!(said.matches("[fmus-parted]").count(), 1, "{said}");
    // A single instance has nobody to disturb.
    case.write("system.toml", &of_one_fmu.replace("b = 'a.fmu'\n", ""));
    assert!(rows(&case, &[]).1.is_empty());
    assert!(case.lotka(&["inspect", "a.fmu"]).stdout.contains("two instances   other outputs: after step 1, y is "));
}

#[test]
fn outputs_that_differ_in_every_run_are_a_warning_where_runs_are_compared() {
    let case = Case::of(Hostile::new("a").define("DIFFERENT_EACH_TIME"));
    let said = |flags: &[&str]| case.run(flags).stderr;
    let warning = "instance `a` has other outputs in a second run that is the same (after step 1, y is ";
    let verified = ["--tolerance", "1e-3"];
    assert!(!said(&verified).contains(warning));
    assert_eq!(tested(&case).code, 19);
    assert!(said(&verified).contains(warning) && said(&verified).contains("[not-repeatable]"), "{}", said(&verified));
    assert!(!said(&[]).contains(warning), "a single run is compared with nothing");
    assert!(!said(&["--tolerance", "1e-3", "--no-behavior-record"]).contains(warning));
    let system = case.read("system.toml");
    assert!(system.contains("a = 'a.fmu'"), "{system}");
    case.write("system.toml", &system.replace("a = 'a.fmu'", "a = { fmu = 'a.fmu', sample-time = 0.1 }"));
    assert!(said(&verified).contains(warning), "sampled: {}", said(&verified));
    assert!(case.lotka(&["inspect", "a.fmu"]).stdout.contains("a second run    other outputs: after step 1, y is "));
}

#[test]
fn a_record_is_about_contents() {
    let case = pair("stop = 1\nstep = 0.01", "0.01", &["EXACT=0.01"]);
    tested(&case);
    let measured = |case: &Case| !case.lotka(&["inspect", "a.fmu"]).stdout.contains("not measured");
    assert!(measured(&case));
    fs::copy(case.path("a.fmu"), case.path("other.fmu")).unwrap();
    assert!(!case.lotka(&["inspect", "other.fmu"]).stdout.contains("not measured"), "the same contents");
    lag(&case, "a", "0.01", &["EXACT=0.01", "OFFSET=0.25"]);
    assert!(!measured(&case), "other contents");
    fs::rename(case.path("other.fmu"), case.path("a.fmu")).unwrap();
    assert!(measured(&case));
    // A record of another version begins with another number.
    for file in fs::read_dir(case.cache()).unwrap().map(|file| file.unwrap().path()) {
        if file.file_name().unwrap().to_str().unwrap().starts_with("about-") {
            let mut bytes = fs::read(&file).unwrap();
            bytes[0] += 1;
            fs::remove_file(&file).unwrap();
            fs::write(&file, bytes).unwrap();
            let private = std::os::unix::fs::PermissionsExt::from_mode(0o400);
            fs::set_permissions(&file, private).unwrap();
        }
    }
    assert!(!measured(&case), "another version");
    tested(&case);
    assert!(measured(&case), "it was made again");
}

#[test]
fn the_cache_lists_and_clears_records_and_the_manifest_has_those_that_were_used() {
    let case = pair("stop = 1\nstep = 0.01", "0.01", &["EXACT=0.01"]);
    tested(&case);
    rows(&case, &["--manifest", "with.json"]);
    rows(&case, &["--manifest", "without.json", "--no-behavior-record"]);
    let behavior = |name: &str| serde_json::from_str::<Value>(&case.read(name)).unwrap()["fmus"][0]["behavior"].clone();
    assert_eq!(behavior("with.json")["refused_sizes"]["step"].to_string(), "0.01");
    assert_eq!(behavior("without.json"), Value::Null);
    let listed = case.lotka(&["cache", "--json"]).json();
    let tested: Vec<_> = listed["fmus"].as_array().unwrap().iter().filter(|fmu| fmu["tested"] == true).collect();
    assert!(tested.len() == 1 && tested[0]["archives"][0].as_str().unwrap().ends_with("a.fmu"), "{listed}");
    assert!(case.lotka(&["cache"]).stdout.contains("days unused  tested"));
    case.lotka(&["cache", "--clear"]).assert(0, &[]);
    assert_eq!(count(&case), 0);
}
