//! FMUs that cannot be loaded or instantiated.

use super::support::{Case, LOOP};
use tests::hostile::{ABORT, BadArchive, Hostile};

/// Runs and checks a system whose instance `a` is a bad archive; both end with 11 and name instance and file.
fn assert_bad(bad: BadArchive, texts: &[&str]) {
    let case = Case::new("[experiment]\nstop = 1\nstep = 0.1\n[instances]\na = 'bad.fmu'\n", []);
    bad.build(case.dir());
    for verb in ["run", "check"] {
        case.lotka(&[verb, "system.toml"]).assert(11, &["instance `a`", "bad.fmu"]).assert(11, texts);
    }
    case.lotka(&["check", "bad.fmu"]).assert(11, &["bad.fmu"]).assert(11, texts);
}

#[test]
fn every_missing_fmu_is_named() {
    let case = Case::new(&format!("[experiment]\nstop = 1\nstep = 0.1\n{LOOP}"), []);
    case.run(&[]).assert(11, &["instance `a`: a.fmu", "instance `b`: b.fmu", "No such file"]);
    assert!(!case.path("out.csv").exists());
    case.lotka(&["check", "a.fmu"]).assert(11, &["a.fmu"]);
    case.lotka(&["inspect", "a.fmu"]).assert(11, &["a.fmu"]);
}

#[test]
fn a_file_that_is_no_archive_is_reported_so() {
    assert_bad(BadArchive::NotAZip, &["not a zip archive"]);
    assert_bad(BadArchive::Empty, &["not a zip archive"]);
}

#[test]
fn the_platforms_that_are_there_are_named() {
    assert_bad(BadArchive::ForeignPlatform, &["no library for linux64", "darwin64, win64"]);
}

#[test]
fn other_versions_of_fmi_are_refused_by_number() {
    for version in ["1.0", "3.1"] {
        let fmu = Hostile::new("a").edit_xml(move |xml| {
            *xml = xml.replace("fmiVersion=\"2.0\"", &format!("fmiVersion=\"{version}\""));
        });
        Case::of(fmu).run(&[]).assert(11, &["instance `a`", "modelDescription.xml", version]);
    }
}

#[test]
fn a_library_for_another_description_says_which_guid() {
    let case = Case::of(Hostile::new("a").edit_xml(|xml| *xml = xml.replace("guid=\"{hostile}\"", "guid=\"{other}\"")));
    case.run(&[]).assert(11, &["instance `a`", "fmi2Instantiate", "{other}", "logged: the GUID is"]);
    case.lotka(&["check", "a.fmu"]).assert(11, &["fmi2Instantiate", "{other}"]);
}

#[test]
fn what_the_fmu_logs_when_it_refuses_is_shown() {
    let case = Case::of(Hostile::new("a").define("INSTANTIATE_FAILS"));
    case.run(&[]).assert(11, &["instance `a`", "no license found"]);
}

#[test]
fn problems_of_a_description_have_line_and_column() {
    let case = Case::of(Hostile::new("a").edit_xml(|xml| *xml = xml.replacen("<Real start=\"0\"/>", "<Real start=\"0,5\"/>", 1)));
    case.lotka(&["check", "a.fmu"]).assert(11, &["modelDescription.xml:14:98: error: start=\"0,5\"", "[malformed-value]"]);
}

#[test]
fn strict_turns_warnings_into_errors() {
    let late = |xml: &mut String| *xml = xml.replace("startTime=\"0\"", "startTime=\"2\"");
    let case = Case::of(Hostile::new("a").edit_xml(late));
    let ended = case.lotka(&["check", "a.fmu"]);
    ended.assert(0, &["modelDescription.xml:12:3: warning: ", " [default-experiment]\n  help: "]);
    assert!(ended.stdout.starts_with("a.fmu: can be used, 1 warning, "), "{ended:?}");
    let strict = case.lotka(&["check", "a.fmu", "--strict"]);
    strict.assert(11, &["modelDescription.xml:12:3: error: ", "\nerror: a.fmu: cannot be used: 1 error, "]);
    assert_eq!(strict.stdout, "");
    case.lotka(&["check", "system.toml"]).assert(0, &["warning: system.toml: instance `a`: "]);
    case.lotka(&["check", "system.toml", "--strict"]).assert(10, &["error: system.toml: instance `a`: "]);
    let sound = case.lotka(&["check", "b.fmu", "--strict"]);
    assert!(
        sound.assert(0, &["archive: note: "]).stdout.starts_with("b.fmu: can be used, "),
        "notes are never errors: {sound:?}"
    );
}

#[test]
fn findings_can_be_read_by_machines() {
    let twice = |xml: &mut String| *xml = xml.replace("name=\"k\"", "name=\"u\"");
    let case = Case::of(Hostile::new("a").edit_xml(twice));
    let ended = case.lotka(&["check", "a.fmu", "--json"]);
    assert_eq!(ended.code, 11, "{ended:?}");
    let object = ended.json();
    assert_eq!((object["usable"].as_bool(), object["errors"].as_u64(), object["run"].is_null()), (Some(false), Some(1), true));
    let finding = &object["findings"].as_array().unwrap().iter().find(|finding| finding["severity"] == "error").unwrap();
    assert_eq!((&finding["rule"], &finding["file"]), (&"duplicate-name".into(), &"modelDescription.xml".into()));
    assert_eq!((&finding["line"], &finding["column"]), (&16.into(), &5.into()));
    assert_eq!(finding["remedy"], "rename one");
    case.lotka(&["check", "system.toml", "--run"]).assert(2, &["--run is for FMUs"]);
    case.lotka(&["check", "system.toml", "--static"]).assert(2, &["--static is for FMUs"]);
}

#[test]
fn a_static_check_runs_nothing_of_the_fmu() {
    let case = Case::of(Hostile::new("a").reply("constructor", ABORT));
    assert!(case.lotka(&["check", "a.fmu", "--static"]).assert(0, &[]).stdout.starts_with("a.fmu: can be used, "));
    assert_eq!(case.lotka(&["check", "a.fmu"]).code, 17);
}
