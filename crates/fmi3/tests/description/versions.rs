//! Which versions are read.

use crate::rich::RICH;
use crate::{lenient, refused};
use fmi3::{ModelDescription, Severity, Strictness};

fn with_version(version: &str) -> String {
    RICH.replace("fmiVersion=\"3.0\"", &format!("fmiVersion=\"{version}\""))
}

#[test]
fn patches_of_this_version_are_read() {
    for version in ["3.0.1", "3.0.2", "3.0-beta.2", "3.0.3-rc.1"] {
        let reading = lenient(&with_version(version));
        assert_eq!((reading.description.fmi_version.as_str(), reading.warnings), (version, vec![]));
    }
}

#[test]
fn development_versions_are_noted() {
    let found = ModelDescription::examine(with_version("3.0-beta.2").as_bytes());
    let note = found.iter().find(|problem| problem.rule == "fmi-version").unwrap();
    assert_eq!((note.severity, note.message.as_str()), (Severity::Note, "fmiVersion names the development version \"beta.2\""));
}

#[test]
fn other_versions_are_named_and_nothing_else_is_said() {
    for (version, message) in [
        ("1.0", "FMI 1.0 is not supported"),
        ("2.0", "fmiVersion is \"2.0\", expected \"3.0\""),
        ("2.0.4", "fmiVersion is \"2.0.4\", expected \"3.0\""),
        ("3.1", "FMI 3.1 is not supported"),
        ("3.1-beta.1", "FMI 3.1 is not supported"),
        ("3.2.1", "FMI 3.2 is not supported"),
        ("4.0", "FMI 4.0 is not supported"),
    ] {
        let text = format!("<fmiModelDescription fmiVersion=\"{version}\" guid=\"x\"><Nonsense/></fmiModelDescription>");
        let problems = ModelDescription::read(text.as_bytes(), Strictness::Lenient).unwrap_err();
        assert_eq!(problems.0.last().unwrap().message, message);
        assert!(!problems.to_string().contains("Nonsense"), "{problems}");
        assert_eq!(problems.0.last().unwrap().rule, "fmi-version");
    }
}

#[test]
fn what_is_no_version_is_an_error() {
    for version in ["3", "three", "3.0.x", "3.00", "", "3.0 beta", "3.0-", "99999.0"] {
        refused(with_version(version).as_bytes(), "fmi-version");
    }
    refused(RICH.replace("fmiVersion=\"3.0\"", "").as_bytes(), "fmi-version");
}
