//! What `lotka check` finds in archives and libraries, and the page that lists all rules.

mod examples;
mod page;
mod probe;

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use fmi2::Severity;
use fmu::{Finding, Limits, RULES};

/// One of the examples changes the working directory of the process while it is loaded, which is found in whatever is loaded at
/// the same time.
static LOADING: Mutex<()> = Mutex::new(());

/// All findings of a file, those of loading, too, when the file itself is usable.
fn findings(path: &Path, limits: &Limits) -> Vec<Finding> {
    let mut found = fmu::check(path, limits).unwrap();
    if found.iter().all(|finding| finding.problem.severity < Severity::Error) {
        let _alone = LOADING.lock().unwrap_or_else(PoisonError::into_inner);
        found.extend(fmu::check_loading(path));
    }
    found
}

#[test]
fn every_rule_has_an_example_that_breaks_it() {
    let mut covered = BTreeSet::new();
    for example in examples::all() {
        let folder = tempfile::tempdir().unwrap();
        let path = (example.build)(folder.path());
        let found = findings(&path, &example.limits);
        let rule = RULES.iter().find(|rule| rule.name == example.rule).unwrap();
        let worst = found.iter().filter(|f| f.problem.rule == rule.name).map(|f| f.problem.severity).max();
        assert_eq!(worst, Some(rule.worst), "{}: {found:#?}", rule.name);
        for Finding { problem, .. } in &found {
            let mut known = RULES.iter().chain(fmi2::description::RULES).chain(fmi3::description::RULES);
            assert!(known.any(|known| known.name == problem.rule && problem.severity <= known.worst), "{problem:?}");
            assert!(problem.remedy.as_ref().is_some_and(|remedy| !remedy.is_empty()), "{problem:?}");
        }
        covered.insert(rule.name);
    }
    assert_eq!(covered, RULES.iter().map(|rule| rule.name).collect());
}

#[test]
fn a_sound_fmu_breaks_none() {
    for name in ["prey", "predator_prey", "circle", "two_state_switch"] {
        let found = findings(&tests::packed(name), &Limits::default());
        let other: Vec<_> = found.iter().filter(|finding| finding.problem.rule != "needed-glibc").collect();
        assert!(other.is_empty(), "{name}: {other:#?}");
    }
}

#[test]
fn a_finding_is_two_stable_lines() {
    let folder = tempfile::tempdir().unwrap();
    let late = |xml: &mut String| *xml = xml.replace("startTime=\"0\"", "startTime=\"2\"");
    let path = tests::hostile::Hostile::new("late").edit_xml(late).build(folder.path());
    let found = findings(&path, &Limits::default());
    let text = found.iter().find(|finding| finding.problem.rule == "default-experiment").unwrap().to_string();
    assert_eq!(
        text,
        "modelDescription.xml:12:3: warning: stopTime of the default experiment is not after startTime [default-experiment]\n  \
         help: correct stopTime; until then, importers ignore both times"
    );
}
