//! What can be said about isolation, and what is wrong to say.

use lotka::{Error, System};
use tests::hostile::Hostile;

/// All that is wrong with a system of one FMU.
fn problems(experiment: &str, instance: &str) -> String {
    let dir = tempfile::tempdir().unwrap();
    Hostile::new("a").build(dir.path());
    let path = dir.path().join("system.toml");
    let text = format!("[experiment]\nstop = 1\nstep = 0.1\n{experiment}\n[instances]\na = {{ fmu = 'a.fmu', {instance} }}\n");
    std::fs::write(&path, text).unwrap();
    match System::from_file(&path).and_then(|system| system.host_program(tests::host_program()).build()) {
        Ok(_) => String::new(),
        Err(Error::System(problems)) => problems.to_string().replace(&path.display().to_string(), "system.toml"),
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn everything_that_can_be_said_is_understood() {
    assert_eq!(problems("", "isolation = 'process', step-timeout = 2.0, init-timeout = 5.0"), "");
    assert_eq!(problems("isolation = 'process'\nstep-timeout = 2", ""), "");
    assert_eq!(problems("isolation = 'process'", "isolation = 'none'"), "");
    assert_eq!(problems("", "isolation = 'process', sandbox = true, step-timeout = 2.0, init-timeout = 5.0"), "");
    assert_eq!(problems("", "sandbox = true"), "", "a sandbox includes a process");
    assert_eq!(problems("sandbox = true", "sandbox = false"), "");
}

#[test]
fn time_limits_need_a_process() {
    let expected = "system.toml:6:62: `step-timeout` of instance `a`: an FMU that runs in this process cannot be stopped; also \
                    set isolation = \"process\"";
    assert_eq!(problems("", "isolation = 'none',      step-timeout = 2.0"), expected);
    assert!(problems("init-timeout = 5", "").starts_with("system.toml:4:16: `init-timeout` of instance `a`"));
    let both = problems("", "init-timeout = 1, step-timeout = 1");
    assert!(both.contains("`init-timeout`") && both.contains("`step-timeout`"), "{both}");
}

#[test]
fn what_makes_no_sense_is_reported() {
    assert!(
        problems("", "isolation = 'process', step-timeout = 0")
            .contains("`step-timeout` is 0; set a number of seconds greater than 0")
    );
    assert!(problems("", "isolation = 'process', init-timeout = -1").contains("`init-timeout` is -1"));
    assert!(problems("", "isolation = 'none', sandbox = true").contains("cannot be in a sandbox: `isolation` is \"none\""));
    assert!(problems("", "isolation = 'proces'").contains("unknown isolation `proces`; did you mean `process`?"));
    assert!(problems("", "sandbox = 3").contains("expected true, false or a table for `sandbox`, found an integer"));
}

#[test]
fn fmus_that_are_linked_in_cannot_be_isolated() {
    let system = tests::predator_prey().step(0.1).isolate(true).host_program(tests::host_program());
    let text = system.build().map(|_| ()).unwrap_err().to_string();
    assert!(text.contains("instance `prey` cannot run in a separate process") && text.contains("`predator`"), "{text}");
}

#[test]
fn a_missing_host_program_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let path = Hostile::new("a").build(dir.path());
    let system = System::new().instance("a", path).stop(1.0).step(0.1).isolate(true).host_program("/nowhere/host");
    let text = system.build().map(|_| ()).unwrap_err().to_string();
    assert!(text.contains("instance `a`: cannot find the program lotka-fmu-host") && text.contains("/nowhere/host"), "{text}");
    assert!(text.contains("LOTKA_FMU_HOST"), "{text}");
}

#[test]
fn a_program_that_is_no_host_is_reported() {
    let dir = tempfile::tempdir().unwrap();
    let path = Hostile::new("a").build(dir.path());
    let system = System::new().instance("a", path).stop(1.0).step(0.1).isolate(true);
    let text = system.host_program("/bin/true").build().map(|_| ()).unwrap_err().to_string();
    assert!(text.contains("loading the library did not return") && text.contains("exit code 0"), "{text}");
    let output = std::process::Command::new(tests::host_program()).stdin(std::process::Stdio::null()).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stderr).unwrap().contains("lotka, which starts it"));
}

/// A program that has opened files would have them closed.
#[test]
fn a_program_that_becomes_a_host_late_refuses() {
    use std::os::unix::process::CommandExt;
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_late-host"));
    let late = command.arg0("lotka-fmu-host").output().unwrap();
    let stderr = String::from_utf8_lossy(&late.stderr);
    assert_eq!(late.status.code(), Some(2));
    assert!(stderr.contains("call `serve_if_host` first in `main`"), "{stderr}");
    let other = std::process::Command::new(env!("CARGO_BIN_EXE_late-host")).status().unwrap();
    assert!(other.success(), "it is no host under its own name");
}
