//! `lotka run --manifest`.

use std::{fs, os::unix::fs::symlink};

use serde_json::Value;

use super::support::Case;
use lotka::FileIdentity;
use tests::hostile::{CRASH, Hostile};

fn manifest(case: &Case) -> Value {
    serde_json::from_str(&case.read("run.json")).unwrap()
}

#[test]
fn a_manifest_says_who_what_with_which_files_and_how_it_ended() {
    let case = Case::of(Hostile::new("a"));
    case.run(&["--manifest", "run.json", "--stop-time", "0.5", "--start-value", "a.k=2"]).assert(0, &[]);
    let json = manifest(&case);
    assert_eq!(json["format"], "lotka-manifest-1");
    assert_eq!(json["name"].as_str(), case.dir().file_name().unwrap().to_str());
    let command = json["command"].as_array().unwrap();
    assert_eq!(command[1..4], ["run", "system.toml", "--output-file"]);
    assert!(json["host"].is_string() && json["started"].as_str().unwrap().ends_with('Z'), "{json}");
    assert!(json["wall_time"].as_f64().unwrap() > 0.0);
    for (entry, file) in [(&json["system"], "system.toml"), (&json["fmus"][1], "b.fmu"), (&json["result"], "out.csv")] {
        let found = FileIdentity::of(case.path(file));
        assert_eq!((entry["sha256"].as_str(), entry["size"].as_u64()), (found.sha256.as_deref(), found.size), "{file}");
    }
    assert_eq!((&json["result"]["rows"], &json["result"]["path"]), (&6.into(), &"out.csv".into()));
    let fmu = &json["fmus"][0];
    assert_eq!((&fmu["instances"][0], &fmu["model_name"]), (&"a".into(), &"a".into()));
    assert!(fmu["guid"].is_string() && fmu["error"].is_null(), "{fmu}");
    let settings = &json["settings"];
    assert_eq!(settings["experiment"]["stop"], 0.5);
    assert_eq!(settings["instances"][0]["start"][0], serde_json::json!({ "variable": "k", "value": 2.0 }));
    assert_eq!(settings["algorithm"]["sweep"], "gauss-seidel");
    assert!(json["algorithm"].as_str().unwrap().starts_with("gauss-seidel sweep in the order a, b"));
    for version in ["lotka", "fmi", "os", "architecture", "rustc"] {
        assert!(json["versions"][version].as_str().is_some_and(|text| !text.is_empty()), "{version}");
    }
    let outcome = &json["outcome"];
    assert_eq!((&outcome["end"], &outcome["exit_code"], &outcome["time"]), (&"stop-time".into(), &0.into(), &0.5.into()));
    assert_eq!(outcome["statistics"]["n_steps"], 5);
}

#[test]
fn runs_that_fail_have_a_manifest() {
    let failing = Hostile::new("a").define("FAULT_AT=0.45").reply("fmi2DoStep", 3);
    let case = Case::of(failing);
    case.run(&["--manifest", "run.json"]).assert(13, &[]);
    let json = manifest(&case);
    assert_eq!((&json["outcome"]["exit_code"], &json["outcome"]["end"]), (&13.into(), &"failed".into()));
    assert!(json["outcome"]["error"].as_str().unwrap().contains("fmi2DoStep"), "{json}");
    assert_eq!(json["result"]["sha256"].as_str(), FileIdentity::of(case.path("out.csv")).sha256.as_deref());

    fs::remove_file(case.path("b.fmu")).unwrap();
    case.run(&["--manifest", "run.json"]).assert(11, &[]);
    let json = manifest(&case);
    assert_eq!((&json["outcome"]["exit_code"], &json["is_complete"]), (&11.into(), &false.into()));
    assert!(json["fmus"][1]["sha256"].is_null() && json["fmus"][1]["error"].as_str().unwrap().contains("b.fmu"), "{json}");
    assert!(json["fmus"][0]["sha256"].is_string() && json["result"].is_null(), "{json}");

    case.write("system.toml", "[instances");
    case.run(&["--manifest", "run.json"]).assert(10, &[]);
    let json = manifest(&case);
    assert_eq!(json["outcome"]["exit_code"], 10);
    assert!(json["system"]["sha256"].is_string() && json["settings"].is_null(), "{json}");
}

#[test]
fn runs_that_lose_their_process_have_a_manifest() {
    let case = Case::of(Hostile::new("a").define("FAULT_AT=0.45").reply("fmi2DoStep", CRASH));
    case.run(&["--manifest", "run.json"]).assert(17, &["fmi2DoStep"]);
    let json = manifest(&case);
    assert_eq!((&json["outcome"]["exit_code"], &json["result"]["rows"]), (&17.into(), &6.into()));
    assert!(json["outcome"]["error"].as_str().unwrap().contains("fmi2DoStep"), "{json}");
    assert!(json["wall_time"].is_number() && json["is_complete"] == true, "{json}");
    assert_eq!(json["result"]["sha256"].as_str(), FileIdentity::of(case.path("out.csv")).sha256.as_deref());
}

#[test]
fn rows_on_stdout_have_a_hash_too() {
    let case = Case::of(Hostile::new("a"));
    let rows = case.lotka(&["run", "system.toml", "--manifest", "run.json"]).stdout;
    case.write("rows.csv", &rows);
    let json = manifest(&case);
    assert_eq!(json["result"]["sha256"].as_str(), FileIdentity::of(case.path("rows.csv")).sha256.as_deref());
    assert!(json["result"]["path"].is_null(), "{json}");
    case.lotka(&["run", "system.toml", "--json", "--manifest", "run.json"]).assert(0, &[]);
    assert!(manifest(&case)["result"].is_null());
}

#[test]
fn a_manifest_that_cannot_be_written_ends_the_run_before_it_begins() {
    let case = Case::of(Hostile::new("a"));
    case.run(&["--manifest", "nowhere/run.json"]).assert(16, &["cannot write the manifest to nowhere/run.json", "No such file"]);
    case.run(&["--manifest", "a.fmu"]).assert(2, &["--manifest a.fmu: it is an FMU"]);
    assert!(!case.path("out.csv").exists());
}

#[test]
fn a_manifest_takes_the_place_of_nothing_else_that_is_written() {
    let case = Case::of(Hostile::new("a"));
    fs::create_dir(case.path("sub")).unwrap();
    symlink(case.dir(), case.path("here")).unwrap();
    for name in ["out.csv", "./out.csv", "sub/../out.csv", "here/out.csv"] {
        case.run(&["--manifest", name]).assert(2, &[&format!("--manifest {name}: the rows go there; choose another file")]);
        assert!(!case.path("out.csv").exists());
    }
    case.write("out.csv", "rows");
    symlink("out.csv", case.path("link")).unwrap();
    case.run(&["--manifest", "link"]).assert(2, &["the rows go there"]);
    assert_eq!(case.read("out.csv"), "rows");
    for flags in [&["--manifest", "./out.csv.checkpoint"][..], &["--manifest", "here/c", "--checkpoint", "c"]] {
        let ended = case.run(&[&["--checkpoint-every", "1"], flags].concat());
        ended.assert(2, &["--manifest ", ": the checkpoints go there; choose another file"]);
    }
}

/// A link to the old file still has the old text: nothing was cut short and written anew.
#[test]
fn a_manifest_is_whole_at_any_time() {
    let lost = Hostile::new("a").define("FAULT_AT=0.45").reply("fmi2DoStep", CRASH);
    for (fmu, code) in [(Hostile::new("a"), 0), (lost, 17)] {
        let case = Case::of(fmu);
        case.write("run.json", "{ \"of\": \"an earlier run\" }");
        fs::hard_link(case.path("run.json"), case.path("old.json")).unwrap();
        case.run(&["--manifest", "run.json"]).assert(code, &[]);
        assert_eq!(case.read("old.json"), "{ \"of\": \"an earlier run\" }");
        assert_eq!(manifest(&case)["outcome"]["exit_code"], code);
        assert!(!case.path("run.json.part").exists());
    }
}

#[test]
fn a_run_that_is_not_gone_on_with_leaves_the_manifest_alone() {
    let case = Case::predator_prey("step = 0.5");
    case.run(&["--checkpoint-every", "3600", "--manifest", "run.json"]).assert(0, &[]);
    let (complete, system) = (case.read("run.json"), case.read("system.toml"));
    case.write("system.toml", &system.replace("0.5", "0.25"));
    case.lotka(&["resume", "out.csv.checkpoint"]).assert(18, &["has changed"]);
    assert_eq!(case.read("run.json"), complete);

    case.write("system.toml", &system);
    case.lotka(&["resume", "out.csv.checkpoint"]).assert(0, &[]);
    let json = manifest(&case);
    assert_eq!((&json["command"][1], &json["outcome"]["end"]), (&"resume".into(), &"stop-time".into()));
}

#[test]
fn the_same_files_give_the_same_result() {
    let case = Case::predator_prey("local-tolerance = 1e-4");
    case.run(&["--manifest", "first.json"]).assert(0, &[]);
    case.run(&["--manifest", "second.json"]).assert(0, &[]);
    let ended = case.lotka(&["compare", "first.json", "second.json"]);
    ended.assert(0, &[]);
    assert_eq!(ended.stdout, "the runs are the same: files, settings, end and results\n");
}
