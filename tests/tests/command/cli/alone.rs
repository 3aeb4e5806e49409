//! One FMU that runs alone.

use std::{fs, process::Command};

use super::support::{Case, lotka};
use tests::hostile::Hostile;

/// `a.fmu` alone in a folder.
fn case(a: Hostile) -> Case {
    Case::new("", [a])
}

fn without(attribute: &'static str) -> Hostile {
    Hostile::new("a").edit_xml(move |xml| *xml = xml.replace(attribute, ""))
}

fn times(rows: &str) -> Vec<f64> {
    rows.lines().skip(1).map(|row| row.split(',').next().unwrap().parse().unwrap()).collect()
}

#[test]
fn an_fmu_runs_over_its_default_experiment() {
    let case = case(Hostile::new("a"));
    let ended = case.lotka(&["run", "a.fmu"]);
    ended.assert(0, &["stop time 1 s reached", "10 steps"]);
    assert!(ended.stdout.starts_with("time,a.y,a.steps,a.positive,a.text\n0.0,1.0,"), "{}", ended.stdout);
    let wanted: Vec<_> = (0..=10).map(|n| f64::from(n) * 0.1).collect();
    assert_eq!(times(&ended.stdout), wanted);
    let ended = case.lotka(&["run", "a.fmu", "--start-time", "-1", "--stop-time", "0.5", "--step-size", "0.5"]);
    assert_eq!(times(&ended.stdout), [-1.0, -0.5, 0.0, 0.5]);
}

#[test]
fn it_is_the_system_that_one_would_write() {
    let case = case(Hostile::new("a"));
    case.write("system.toml", "[experiment]\nstop = 1\nstep = 0.1\n[instances]\na = { fmu = 'a.fmu', start = { k = 2 } }\n");
    let written = case.lotka(&["run", "system.toml"]);
    let alone = case.lotka(&["run", "a.fmu", "--start-value", "k=2"]);
    assert_eq!((alone.code, &alone.stdout), (0, &written.stdout));
    let checkpoint: &[&str] = &["--checkpoint-every", "0", "--output-file", "out.csv"];
    for flags in [&["--isolate"][..], &["--manifest", "m.json", "--report", "r.html"], checkpoint] {
        let all = [&["run", "a.fmu", "--start-value", "a.k=2", "--output-file", "out.csv"], flags].concat();
        let all: Vec<_> = if flags == checkpoint { [&all[..4], flags].concat() } else { all };
        case.lotka(&all).assert(0, &["stop time 1 s reached"]);
        assert_eq!(case.read("out.csv"), written.stdout, "{flags:?}");
    }
    fs::create_dir(case.path("below")).unwrap();
    let below = Command::new(lotka()).current_dir(case.path("below")).args(["resume", "../out.csv.checkpoint"]).output().unwrap();
    assert!(below.status.success(), "{below:?}");
    assert_eq!(case.read("out.csv"), written.stdout);
    case.lotka(&["resume", "out.csv.checkpoint"]).assert(0, &["stop time 1 s reached"]);
    assert_eq!(case.read("out.csv"), written.stdout);
    let kept = case.lotka(&["run", "a.fmu", "--tolerance", "1e-6", "--json"]);
    assert_eq!((kept.code, kept.json()["reached"].as_bool()), (0, Some(true)));
    assert_eq!(case.lotka(&["run", "a.fmu", "--try", "jacobi"]).code, 0);
    case.lotka(&["run", "a.fmu", "--output-file", "a.fmu"]).assert(2, &["--output-file a.fmu: it is the system file"]);
}

#[test]
fn variables_need_no_instance() {
    let case = case(Hostile::new("a"));
    let ended = case.lotka(&["run", "a.fmu", "--start-value", "x0=3", "--record", "y", "--record", "a.k", "--record", "!x0"]);
    assert!(ended.stdout.starts_with("time,a.y,a.k\n0.0,3.0,1.0\n"), "{ended:?}");
    let unknown = case.lotka(&["run", "a.fmu", "--start-value", "kk=2"]);
    unknown.assert(10, &["instance `a` has no variable `kk`; did you mean `k`?"]);
}

#[test]
fn a_variable_may_begin_like_the_name_of_the_instance() {
    let renamed = Hostile::new("a").edit_xml(|xml| *xml = xml.replace("name=\"k\"", "name=\"a.k\""));
    let case = case(renamed);
    for name in ["a.k", "a.a.k"] {
        let ended = case.lotka(&["run", "a.fmu", "--start-value", &format!("{name}=5"), "--record", name]);
        assert!(ended.stdout.starts_with("time,a.a.k\n0.0,5.0\n"), "{name}: {ended:?}");
    }
}

#[test]
fn inputs_come_from_a_table() {
    let case = case(Hostile::new("a"));
    case.write("named.csv", "time,u,a.level\n0,1,2\n1,2,3\n");
    case.write("system.toml", "[experiment]\nstop = 1\nstep = 0.1\n[instances]\na = 'a.fmu'\n[sources]\ninput = { csv = 'plain.csv' }\n[connections]\n'a.u' = 'input.u'\n'a.level' = 'input.level'\n");
    case.write("plain.csv", "time,u,level\n0,1,2\n1,2,3\n");
    let values = |text: &str| text.lines().skip(1).map(str::to_owned).collect::<Vec<_>>();
    let written = case.lotka(&["run", "system.toml"]);
    let fed = case.lotka(&["run", "a.fmu", "--input-file", "named.csv"]);
    assert_eq!((fed.code, values(&fed.stdout)), (0, values(&written.stdout)), "{fed:?}");
    let resting = case.lotka(&["run", "a.fmu"]);
    assert_ne!(values(&fed.stdout).last(), values(&resting.stdout).last());
}

#[test]
fn a_table_that_does_not_fit_is_refused() {
    let case = case(Hostile::new("a"));
    let refused = |table: &str, texts: &[&str]| {
        case.write("t.csv", table);
        case.lotka(&["run", "a.fmu", "--input-file", "t.csv"]).assert(10, texts);
    };
    refused("time,levle\n0,1\n1,1\n", &["instance `a` has no variable `levle`; did you mean `level`?"]);
    refused("time,y\n0,1\n1,1\n", &["`a.y` cannot be the target of a connection: it is an output, expected an input"]);
    refused("time,u\n0,1\n0.5,1\n", &["t.csv has values from 0 s to 0.5 s, but the experiment", "--stop-time"]);
    refused("u,time\n0,1\n1,1\n", &["t.csv:1: expected `time` as the first column, found `u`"]);
    case.lotka(&["run", "a.fmu", "--input-file", "nowhere.csv"]).assert(10, &["nowhere.csv: cannot be read"]);
    case.write("t.csv", "time,u\n0,1\n1,1\n");
    let all = ["run", "a.fmu", "--input-file", "t.csv", "--output-file", "t.csv"];
    case.lotka(&all).assert(2, &["--output-file t.csv: the system reads it"]);
    case.write("system.toml", "[experiment]\nstop = 1\nstep = 0.1\n[instances]\na = 'a.fmu'\n");
    let system = case.lotka(&["run", "system.toml", "--input-file", "t.csv"]);
    system.assert(2, &["--input-file is for an FMU that runs alone", "[sources]"]);
}

#[test]
fn what_the_default_experiment_lacks_is_said_or_chosen() {
    let endless = case(without("stopTime=\"1\""));
    endless.lotka(&["run", "a.fmu"]).assert(2, &["a.fmu has no stop time in its default experiment; pass --stop-time"]);
    endless.lotka(&["run", "a.fmu", "--stop-time", "0.3"]).assert(0, &["3 steps"]);
    let free = case(without("stepSize=\"0.1\""));
    free.lotka(&["run", "a.fmu"]).assert(0, &["stop time 1 s reached", "1000 steps"]);
    free.lotka(&["run", "a.fmu", "--stop-time", "5"]).assert(0, &["stop time 5 s reached", "1000 steps"]);
    free.lotka(&["run", "a.fmu", "--start-time", "2"]).assert(10, &["the stop time 1 s is not after the start time 2 s"]);
}

#[test]
fn an_fmu_of_constant_steps_ends_after_a_whole_number_of_them() {
    let fmu = Hostile::new("a")
        .capability("canHandleVariableCommunicationStepSize", false)
        .edit_xml(|xml| *xml = xml.replace("stepSize=\"0.1\"", "stepSize=\"0.375\""));
    let ended = case(fmu).lotka(&["run", "a.fmu"]);
    ended.assert(0, &["stop time 0.75 s reached", "2 steps"]);
}
