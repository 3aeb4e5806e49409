//! `lotka check FMU --hostile`: each question has an FMU that does what it asks about, and sound ones do nothing of it.

use std::fs;

use serde_json::Value;
use tempfile::TempDir;
use tests::hostile::{CRASH, HANG, Hostile};

use super::support::{Case, Ended};

fn watched(fmu: Hostile) -> Ended {
    let case = Case::new("", [fmu]);
    let ended = case.lotka(&["check", "a.fmu", "--hostile", "--json", "--time-limit", "5"]);
    // It leaves nothing where it is called.
    let mut files: Vec<_> = fs::read_dir(case.dir()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    files.sort();
    assert_eq!(files, ["a.fmu", "system.toml"]);
    ended
}

fn a() -> Hostile {
    Hostile::new("a")
}

/// A deed of `tests/hostile/sandbox.h` around a folder.
fn deed(name: &str, target: &str) -> Hostile {
    a().define("TRESPASS").define(&format!("INITIAL_LABEL=\"{name}\"")).define(&format!("TARGET=\"{target}\""))
}

/// The questions with this answer, and their explanations.
fn answers<'j>(json: &'j Value, verdict: &str) -> Vec<(&'j str, &'j str)> {
    let items = json["hostile"]["items"].as_array().unwrap().iter();
    let texts = items.filter(|item| item["verdict"] == verdict);
    texts.map(|item| (item["name"].as_str().unwrap(), item["explanation"].as_str().unwrap())).collect()
}

/// These questions are answered with `found`, each with this text, and no others.
#[track_caller]
fn assert_found(fmu: Hostile, wanted: &[(&str, &str)]) -> Value {
    let ended = watched(fmu);
    assert_eq!(ended.code, 19, "{ended:?}");
    let json = ended.json();
    let found = answers(&json, "found");
    assert_eq!(
        found.iter().map(|(name, _)| *name).collect::<Vec<_>>(),
        wanted.iter().map(|(name, _)| *name).collect::<Vec<_>>(),
        "{found:?}"
    );
    for ((_, explanation), (name, text)) in found.iter().zip(wanted) {
        assert!(explanation.contains(text), "{name}: {explanation}");
    }
    json
}

#[test]
fn sound_fmus_do_nothing_of_it() {
    let case = Case::new("", []);
    for name in ["prey", "fmi3/prey", "predator_prey"] {
        let ended = case.lotka(&["check", tests::packed(name).to_str().unwrap(), "--hostile", "--json"]);
        let json = ended.json();
        assert_eq!((ended.code, answers(&json, "found"), answers(&json, "unknown")), (0, vec![], vec![]), "{name}: {json:#}");
        assert_eq!(json["hostile"]["sandbox"], true);
    }
    assert_found_nothing(&watched(a()));
}

#[track_caller]
fn assert_found_nothing(ended: &Ended) {
    assert_eq!((ended.code, answers(&ended.json(), "found")), (0, vec![]), "{ended:?}");
}

#[test]
fn changes_of_the_process_are_found() {
    let faults = [
        "CHANGE_DIRECTORY",
        "CHANGE_LOCALE",
        "CHANGE_ROUNDING",
        "CHANGE_SIGNALS",
        "CHANGE_UMASK",
        "CLEAR_ENVIRONMENT",
        "NO_FILE_SIZE",
        "CLOSE_STDOUT",
        "LEAVE_THREAD",
        "LEAVE_FILE_OPEN",
        "MISBEHAVE_IN_STEP",
    ];
    let fmu = faults.iter().fold(a(), |fmu, fault| fmu.define(fault));
    assert_found(
        fmu,
        &[
            ("working-directory", "it changes the working directory"),
            ("environment", "environment variables"),
            ("locale", "it changes the locale"),
            ("floating-point", "rounding"),
            ("signals", "signal 11"),
            ("limits", "Max file size 0 0 bytes"),
            ("umask", "0022 becomes 0777"),
            ("streams", "standard output"),
            ("threads", "1 threads remain"),
            ("open-files", "/dev/null is still open"),
        ],
    );
    assert_found(a().define("BLOCK_SIGNALS"), &[("signals", "it blocks signals")]);
}

#[test]
fn lines_files_and_memory_that_an_fmu_leaves_are_found() {
    let fmu = a().define("LEAVE_FILE").define("PRINT_LINES=3").define("LOG_LINES=101").define("LEAK=65536");
    assert_found(
        fmu,
        &[
            ("prints", "3 lines, the first one: printed by the FMU"),
            ("files-left", "left_behind.txt"),
            ("log-flood", "lines in 9 steps"),
            ("memory", "KiB per reset"),
        ],
    );
}

#[test]
fn runs_that_differ_are_found() {
    let time = assert_found(a().define("DIFFERENT_EACH_TIME"), &[("repeatability", "instead of")]);
    let unknown = [("reads-outside", "two runs in the same sandbox differ"), ("instances", "two runs differ anyway")];
    assert_eq!(answers(&time, "unknown"), unknown);
    let fmu = a().define("FORGETFUL_STATE").define("FORGETFUL_RESET");
    assert_found(fmu, &[("rollback", "instead of"), ("reset", "instead of")]);
    assert_found(a().define("SHARED_STATE"), &[("instances", "with a second instance")]);
    let fmu = a().reply("fmi2FreeInstance", CRASH).define("NO_STOP");
    let json = watched(fmu).json();
    let found = answers(&json, "found");
    assert!(found.iter().any(|(name, text)| *name == "free" && text.contains("SIGSEGV")), "{json:#}");
    assert_eq!(answers(&json, "note").iter().map(|(name, _)| *name).collect::<Vec<_>>(), ["stop-time"]);
    assert_found(a().define("SHORT_NAMES"), &[("instances", "with a name of 5000 characters")]);
    assert_found(a().define("RESETS=0"), &[("memory", "fmi2Reset"), ("reset", "fmi2Reset"), ("call-order", "fmi2Reset")]);
}

#[test]
fn what_the_sandbox_denies_is_found_and_named() {
    // The FMU goes on without it.
    let quietly = |name: &str, target: &str| deed(name, target).define("TRESPASS_QUIETLY");
    assert_found(quietly("connect_tcp", "/nonexistent"), &[("network", "the sandbox denied socket")]);
    assert_found(quietly("fork_bomb", "/nonexistent"), &[("programs", "the sandbox denied clone")]);
    assert_found(quietly("trace_parent", "/nonexistent"), &[("other-calls", "the sandbox denied ptrace")]);
    let home = TempDir::new().unwrap();
    fs::write(home.path().join("secret"), "of the user").unwrap();
    let target = home.path().to_str().unwrap();
    assert_found(quietly("change_mode", target), &[("writes-outside", "the sandbox denied chmod")]);
    assert_found(quietly("read_home", target), &[("reads-outside", "bytes more")]);
    assert_found(quietly("write_outside", "../../.."), &[("writes-outside", "it changes $TMPDIR/written")]);
    assert_eq!(fs::read_to_string(home.path().join("secret")).unwrap(), "of the user");
}

#[test]
fn an_fmu_that_needs_more_than_a_sandbox_runs_with_more_and_the_page_says_so() {
    let home = TempDir::new().unwrap();
    fs::write(home.path().join("secret"), "of the user").unwrap();
    let target = home.path().to_str().unwrap();
    let json = assert_found(deed("read_home", target), &[("reads-outside", "it works only")]);
    let way = json["hostile"]["way"].as_str().unwrap();
    assert!(way.contains("in a sandbox that lets it read all files") && json["hostile"]["sandbox"] == true, "{way}");
    let json = assert_found(deed("start_program", target), &[("programs", "a call while signals were blocked")]);
    let way = json["hostile"]["way"].as_str().unwrap();
    assert!(way.contains("without a sandbox") && way.contains("SIGSYS") && json["hostile"]["sandbox"] == false, "{way}");
    let json = assert_found(deed("connect_tcp", target), &[("network", "the sandbox denied socket")]);
    assert_eq!(json["hostile"]["sandbox"], false);
    let words = "the sandbox refused a file that is not to be read: cannot write_outside: Permission denied";
    assert_found(deed("write_outside", target), &[("writes-outside", words)]);
}

#[test]
fn an_fmu_that_cannot_be_watched_has_the_exit_code_of_the_reason() {
    let crashed = watched(a().reply("fmi2DoStep", CRASH));
    assert_eq!(crashed.code, 17, "{crashed:?}");
    let json = crashed.json();
    assert!(json["hostile"]["failure"].as_str().unwrap().contains("SIGSEGV"), "{json:#}");
    let found = answers(&json, "found");
    assert!(found.len() == 1 && found[0].0 == "life-cycle", "{json:#}");
    // Nothing is claimed of what was not seen.
    assert!(answers(&json, "not seen").is_empty(), "{json:#}");
    assert_eq!(watched(a().reply("fmi2DoStep", 3)).code, 11);
    let case = Case::new("", [a().reply("fmi2DoStep", HANG)]);
    case.lotka(&["check", "a.fmu", "--hostile", "--time-limit", "0.5"]).assert(17, &[]);
    case.lotka(&["check", "system.toml", "--hostile"]).assert(2, &["--hostile is for FMUs", "lotka run --sandbox"]);
    case.lotka(&["check", "a.fmu", "--hostile", "--time-limit", "0"]).assert(2, &["--time-limit", "found 0"]);
    case.lotka(&["check", "a.fmu", "--hostile", "--run"]).assert(2, &[]);
    case.lotka(&["check", "none.fmu", "--hostile"]).assert(11, &["none.fmu"]);
}

/// Escape sequences reach no terminal, and a text of any length is one line.
#[test]
fn the_page_is_a_page_whatever_the_fmu_says() {
    let case = Case::new("", [a().define("PRINT_LINES=1").define("PRINTED=\"\\033]0;title\\007\\033[2J\"")]);
    let ended = case.lotka(&["check", "a.fmu", "--hostile"]);
    ended.assert(19, &[]);
    assert!(ended.stdout.chars().all(|c| c == '\n' || !c.is_control()), "{:?}", ended.stdout);
    assert_eq!(ended.stdout.lines().count(), 2 + lotka::hostile_items().count(), "{}", ended.stdout);
    assert!(ended.stdout.lines().all(|line| line.len() < 400), "{}", ended.stdout);
}
