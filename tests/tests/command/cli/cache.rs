//! The cache of the user, and `--no-cache`.

use std::{
    fs,
    path::Path,
    process::{Command, Stdio},
};

use tempfile::TempDir;
use tests::hostile::Hostile;

use super::support::{Case, Ended, lotka};

fn command(case: &Case, cache: &Path, flags: &[&str]) -> Command {
    let mut command = Command::new(lotka());
    command.current_dir(case.dir()).arg("run").arg("system.toml").args(flags).env("XDG_CACHE_HOME", cache);
    command
}

fn run(case: &Case, cache: &Path, flags: &[&str]) -> Ended {
    command(case, cache, flags).output().unwrap().into()
}

/// The names of the contents in the cache; other files say which archives have them.
fn kept(cache: &Path) -> Vec<String> {
    let files = fs::read_dir(cache.join("lotka/fmus")).into_iter().flatten();
    let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    names.filter(|name| !name.starts_with("of-")).collect()
}

#[test]
fn runs_are_the_same_with_and_without_the_cache() {
    for (fmu, code) in [
        (Hostile::new("a"), 0),
        (Hostile::new("a").omit("fmi2DoStep"), 11),
        (Hostile::new("a").reply("fmi2DoStep", 3), 13),
        (Hostile::new("a").edit_xml(|xml| *xml = xml.replace("2.0", "1.0")), 11),
    ] {
        let case = Case::of(fmu);
        let cache = TempDir::new().unwrap();
        let without = run(&case, cache.path(), &["--no-cache"]);
        assert_eq!(without.code, code, "{}", without.stderr);
        assert_eq!(fs::read_dir(cache.path()).unwrap().count(), 0);
        for flags in [&[][..], &[], &["--isolate"], &["--sandbox"]] {
            let with = run(&case, cache.path(), flags);
            assert_eq!((with.code, &with.stdout), (code, &without.stdout));
            if flags.is_empty() {
                assert_eq!(with.stderr, without.stderr);
            }
        }
    }
}

#[test]
fn processes_that_race_for_an_empty_cache_all_run_and_leave_one_copy_of_each_fmu() {
    let case = Case::of(Hostile::new("a"));
    let cache = TempDir::new().unwrap();
    let expected = run(&case, cache.path(), &["--no-cache"]);
    for _ in 0..3 {
        let start = |_| command(&case, cache.path(), &[]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let started: Vec<_> = (0..6).map(start).collect();
        for child in started {
            let ended = Ended::from(child.wait_with_output().unwrap());
            assert_eq!((ended.code, ended.stdout, ended.stderr), (0, expected.stdout.clone(), expected.stderr.clone()));
        }
        let kept = kept(cache.path());
        assert!(kept.len() == 2 && kept.iter().all(|name| name.len() == 64), "{kept:?}");
        // The next round finds half of one.
        let path = cache.path().join("lotka/fmus").join(&kept[0]);
        let content = fs::read(&path).unwrap();
        fs::remove_file(&path).unwrap();
        fs::write(&path, &content[..content.len() / 2]).unwrap();
    }
}

#[test]
fn without_a_place_for_the_cache_a_run_does_without() {
    let case = Case::of(Hostile::new("a"));
    let expected = run(&case, case.dir(), &["--no-cache"]);
    for (variable, value) in [("XDG_CACHE_HOME", "relative"), ("XDG_CACHE_HOME", "/dev/null"), ("XDG_CACHE_HOME", "/proc/self")] {
        let mut command = command(&case, case.dir(), &[]);
        let ended = Ended::from(command.env_remove("HOME").env(variable, value).output().unwrap());
        assert_eq!((ended.code, ended.stdout, ended.stderr), (0, expected.stdout.clone(), expected.stderr.clone()), "{value}");
    }
}

#[test]
fn an_fmu_that_is_rebuilt_has_one_place_which_the_command_shows_and_clears() {
    let case = Case::of(Hostile::new("a"));
    let cache = TempDir::new().unwrap();
    for version in 0..12 {
        Hostile::new("a")
            .edit_xml(move |xml| *xml = xml.replacen("modelName=", &format!("version=\"{version}\" modelName="), 1))
            .build(case.dir());
        assert_eq!(run(&case, cache.path(), &[]).code, 0);
    }
    assert_eq!(kept(cache.path()).len(), 2);
    let show = |flags: &[&str]| {
        let mut command = Command::new(lotka());
        Ended::from(command.arg("cache").args(flags).env("XDG_CACHE_HOME", cache.path()).output().unwrap())
    };
    let shown = show(&[]);
    assert!(shown.code == 0 && shown.stdout.contains("a.fmu") && shown.stdout.contains(": 2 FMUs, "), "{shown:?}");
    assert_eq!(show(&["--json"]).json()["fmus"].as_array().unwrap().len(), 2);
    assert!(show(&["--clear"]).stdout.ends_with("removed\n"));
    assert!(fs::read_dir(cache.path().join("lotka/fmus")).unwrap().next().is_none());
    assert!(show(&[]).stdout.contains(": 0 FMUs, 0.0 MB kept"));
}
