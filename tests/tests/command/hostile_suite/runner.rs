//! Runs a case in each of its modes and compares what happens with the verdicts.

use std::{
    collections::HashMap,
    fs,
    path::{Path, PathBuf},
    sync::{LazyLock, Mutex, PoisonError},
};

use tempfile::TempDir;
use tests::hostile::Hostile;

use super::{
    case::{Case, Mode, Rows as Expected, Verdict},
    inspection,
    process::{self, Ended},
    rows::Rows,
};

/// The outputs that are compared with those of a sound FMU.
const COMPARED: [&str; 2] = ["time", "a.y"];

/// How the faulty FMU may be named: its instance, one of its variables, its file.
const NAMES: [&str; 3] = ["`a`", "`a.", "a.fmu"];

/// A folder with `fmus`, `home`, `tmp`, and a folder to work in for each mode.
pub struct Site(TempDir);

impl Site {
    /// Writes the FMUs `a`, by `build`, and `b`, which is sound.
    pub fn new(build: impl FnOnce(&Path)) -> Self {
        let site = Self(TempDir::new().unwrap());
        let folders = ["fmus", "home", "tmp"].into_iter().chain(Mode::ALL.map(Mode::folder));
        folders.for_each(|name| fs::create_dir(site.path(name)).unwrap());
        Hostile::new("b").build(&site.path("fmus"));
        build(&site.path("fmus"));
        site
    }

    pub fn around(&self) -> &Path {
        self.0.path()
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Runs `lotka` in the folder of a mode.
    pub fn lotka(&self, mode: Mode, arguments: &[&str]) -> Ended {
        process::watch(process::lotka(arguments, &self.path(mode.folder()), self.around()))
    }
}

/// Everything that is not as it should be, with what the command said.
pub fn run(mut case: Case) -> Vec<String> {
    let site = Site::new(std::mem::replace(&mut case.build, Box::new(|_| {})));
    Mode::ALL.into_iter().filter_map(|mode| run_mode(&case, mode, &site)).collect()
}

fn run_mode(case: &Case, mode: Mode, site: &Site) -> Option<String> {
    let verdict = case.verdict(mode)?;
    let folder = site.path(mode.folder());
    fs::write(folder.join("system.toml"), case.system_file(mode)).unwrap();
    let before = inspection::listing(site.around());
    let ended = match mode {
        Mode::Check => site.lotka(mode, &["check", "../fmus/a.fmu"]),
        _ => {
            let run = site.lotka(mode, &[&["run", "system.toml", "--output-file", "out.csv"], case.flags].concat());
            if case.is_resumed {
                assert!(run.status.success(), "{}: there is nothing to resume: {run:?}", case.name);
                site.lotka(mode, &["resume", "out.csv.checkpoint"])
            } else {
                run
            }
        }
    };
    let results = folder.join("out.csv");
    let mut complaints = inspection::strays(&before, site.around(), &results);
    let left = inspection::leftovers(site.around());
    if !left.is_empty() && !case.leaves_process {
        complaints.push(format!("processes were left behind: {left:?}"));
    }
    complaints.extend(judge(verdict, &ended));
    if verdict.code != 0 && mode != Mode::Check && !case.nameless && !NAMES.iter().any(|name| ended.stderr.contains(name)) {
        complaints.push("the FMU that failed is not named".to_owned());
    }
    if mode != Mode::Check {
        complaints.extend(judge_rows(case, verdict, &results).err());
    }
    let what = || format!("{} ({}): {}\n  {ended:?}", case.name, mode.folder(), complaints.join("\n  "));
    (!complaints.is_empty()).then(what)
}

/// The exit code, and what stderr says.
fn judge(verdict: &Verdict, ended: &Ended) -> Vec<String> {
    let mut complaints = Vec::new();
    match inspection::code(ended) {
        Ok(code) if code == verdict.code => {}
        Ok(code) => complaints.push(format!("exit code {code} instead of {}", verdict.code)),
        Err(reason) => complaints.push(reason),
    }
    let missing = verdict.texts.iter().filter(|text| !ended.stderr.contains(**text));
    complaints.extend(missing.map(|text| format!("`{text}` is not said")));
    if ended.stderr.contains("internal error") || ended.stderr.contains("panicked") {
        complaints.push("there is a bug in lotka".to_owned());
    }
    if verdict.code == 0 && ended.stderr.lines().any(|line| line.starts_with("error")) {
        complaints.push("it tells an error and calls it success".to_owned());
    }
    complaints
}

fn judge_rows(case: &Case, verdict: &Verdict, results: &Path) -> Result<(), String> {
    let is_there = results.exists();
    if !is_there && verdict.code != 0 && !matches!(case.rows, Expected::Count(_)) {
        return Ok(());
    }
    let rows = Rows::read(results).map_err(|reason| format!("the rows cannot be read: {reason}"))?;
    match case.rows {
        Expected::Count(count) if rows.len() != count => Err(format!("there are {} rows instead of {count}", rows.len())),
        Expected::Sound if verdict.code == 0 => rows.difference(&sound(case), &COMPARED),
        _ => Ok(()),
    }
}

/// The rows of the same system with a sound FMU.
fn sound(case: &Case) -> Rows {
    static KNOWN: LazyLock<Mutex<HashMap<String, String>>> = LazyLock::new(Mutex::default);
    let system = case.system_file(Mode::InProcess);
    let known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner).get(&system).cloned();
    let text = known.unwrap_or_else(|| {
        let site = Site::new(|folder| drop(Hostile::new("a").build(folder)));
        fs::write(site.path("in-process/system.toml"), &system).unwrap();
        let ended = site.lotka(Mode::InProcess, &["run", "system.toml"]);
        assert!(ended.status.success(), "{ended:?}");
        let text = String::from_utf8(ended.stdout).unwrap();
        KNOWN.lock().unwrap_or_else(PoisonError::into_inner).insert(system, text.clone());
        text
    });
    Rows::parse(&text).unwrap()
}
