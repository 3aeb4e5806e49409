//! `lotka check --together`.

use tests::{hostile::Hostile, quirks::Quirk};

use super::support::Case;

fn companion(name: &str, value: u32) -> Quirk {
    Quirk::new("companion").described_by("lag").named(name).companion("together", value)
}

#[test]
fn fmus_that_influence_each_other_are_told_from_those_that_do_not() {
    let case = Case::new("", []);
    companion("a", 2).build(case.dir());
    companion("b", 3).build(case.dir());
    Hostile::new("sound").build(case.dir());
    let ended = case.lotka(&["check", "--together", "a.fmu", "sound.fmu"]);
    ended.assert(0, &[]);
    assert!(ended.stdout.ends_with("the FMUs do not influence each other\n"), "{}", ended.stdout);
    let ended = case.lotka(&["check", "--together", "a.fmu", "b.fmu", "--json"]);
    ended.assert(19, &[]);
    let json = ended.json();
    assert_eq!(json["independent"], false);
    let differences = |index: usize, way: &str| json["fmus"][index]["differences"][way].clone();
    for way in ["alone_isolated", "together_isolated"] {
        assert!(differences(0, way).is_null() && differences(1, way).is_null(), "{json}");
    }
    assert!(differences(0, "together").is_null(), "{json}");
    assert_eq!(differences(1, "together"), "`y` differs from t = 0 s on, by up to 1.0e0");
}

#[test]
fn an_fmu_that_fails_beside_another_is_named() {
    let case = Case::new("", []);
    Hostile::new("a").reply("fmi2DoStep", 3).build(case.dir());
    Hostile::new("sound").build(case.dir());
    let ended = case.lotka(&["check", "--together", "sound.fmu", "a.fmu"]);
    ended.assert(19, &[]);
    assert!(ended.stdout.contains("does not run alone: ") && ended.stdout.contains("fmi2DoStep"), "{}", ended.stdout);
    case.lotka(&["check", "sound.fmu", "a.fmu"]).assert(2, &["--together"]);
    case.lotka(&["check", "--together", "sound.fmu"]).assert(2, &[]);
}
