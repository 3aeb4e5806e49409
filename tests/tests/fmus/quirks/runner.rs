//! Runs a case in every way and compares what happens with the verdicts.

use std::{fs, path::Path};

use lotka::{Checkpoint, CheckpointFile, Column, Memory, Notification, Observer, System};
use tempfile::TempDir;

use super::case::{Case, Verdict, Way};

/// What came of a run.
struct Outcome {
    code: i32,
    said: String,
    /// The last row: names and values.
    last: Vec<(String, f64)>,
}

/// Everything that is not as it should be, with what was said.
pub fn run(mut case: Case) -> Vec<String> {
    let folder = TempDir::new().unwrap();
    case.fmus.drain(..).for_each(|fmu| drop(fmu.build(folder.path())));
    Way::ALL.into_iter().filter_map(|way| run_way(&case, way, folder.path())).collect()
}

fn run_way(case: &Case, way: Way, folder: &Path) -> Option<String> {
    let verdict = case.verdict(way)?;
    fs::write(folder.join("system.toml"), case.system_file(way)).unwrap();
    let outcome = match way {
        Way::Resumed => resume(&folder.join("system.toml")),
        Way::Isolated => command(folder, &["--isolate"]),
        _ => command(folder, &[]),
    };
    let complaints = judge(case, verdict, &outcome, way);
    let what = || format!("{} ({}): {}\n{}", case.name, way.title(), complaints.join("\n  "), outcome.said);
    (!complaints.is_empty()).then(what)
}

fn judge(case: &Case, verdict: &Verdict, outcome: &Outcome, way: Way) -> Vec<String> {
    let mut complaints = Vec::new();
    // A program that links the master sees errors, not exit codes.
    let is_as_expected =
        if way == Way::Resumed { (outcome.code == 0) == (verdict.code == 0) } else { outcome.code == verdict.code };
    if !is_as_expected {
        complaints.push(format!("exit code {} instead of {}", outcome.code, verdict.code));
    }
    complaints
        .extend(verdict.says.iter().filter(|text| !outcome.said.contains(**text)).map(|text| format!("`{text}` is not said")));
    complaints
        .extend(verdict.says_not.iter().filter(|text| outcome.said.contains(**text)).map(|text| format!("`{text}` is said")));
    let Some(error) = verdict.error else { return complaints };
    for &(column, expected) in &case.expected {
        match outcome.last.iter().find(|(name, _)| name == column) {
            Some((_, value)) if (value - expected).abs() <= error * expected.abs().max(1e-3) => {}
            Some((_, value)) => complaints.push(format!("{column} is {value:?} instead of {expected:?}")),
            None => complaints.push(format!("there is no {column}")),
        }
    }
    complaints
}

fn command(folder: &Path, flags: &[&str]) -> Outcome {
    let rows = folder.join("out.csv");
    // There may be none from an earlier way.
    let _ = fs::remove_file(&rows);
    let ended = assert_cmd::Command::new(tests::lotka())
        .current_dir(folder)
        .args(["run", "system.toml", "--output-file", "out.csv"])
        .args(flags)
        .output()
        .unwrap();
    let code = ended.status.code().unwrap_or_else(|| panic!("killed: {:?}", ended.status));
    Outcome { code, said: String::from_utf8_lossy(&ended.stderr).into_owned(), last: last_row(&rows) }
}

/// Names and values of the last row; texts are left out.
fn last_row(path: &Path) -> Vec<(String, f64)> {
    let text = fs::read_to_string(path).unwrap_or_default();
    let mut lines = text.lines();
    let names = lines.next().unwrap_or_default().split(',').map(str::to_owned);
    let fields = lines.last().unwrap_or_default().split(',');
    names.zip(fields).filter_map(|(name, field)| Some((name, field.parse().ok()?))).collect()
}

/// Keeps all checkpoints.
#[derive(Default)]
pub struct Checkpoints(pub Vec<Checkpoint>);

impl Observer for Checkpoints {
    fn observe(&mut self, notification: &Notification<'_>) {
        if let Notification::Checkpoint(checkpoint) = notification {
            self.0.push((*checkpoint).clone());
        }
    }
}

/// Runs with checkpoints at every communication point, and goes on from the middle one, through a file, with new instances.
fn resume(system: &Path) -> Outcome {
    try_resume(system).unwrap_or_else(|error| Outcome { code: 1, said: error.to_string(), last: Vec::new() })
}

fn try_resume(system: &Path) -> Result<Outcome, Box<dyn std::error::Error>> {
    let mut checkpoints = Checkpoints::default();
    let mut simulation = System::from_file(system)?.build()?;
    simulation.checkpoint_token()?.request_all();
    simulation.run(&mut [&mut checkpoints])?;
    let file = system.with_extension("checkpoint");
    CheckpointFile::write(&file, &checkpoints.0[checkpoints.0.len() / 2], b"")?;
    let mut rows = Memory::new();
    let report = System::from_file(system)?.build()?.resume(&CheckpointFile::read(&file)?.checkpoint, &mut [&mut rows])?;
    let said: Vec<&str> = report.warnings.iter().map(|warning| warning.text.as_str()).collect();
    let last = |column: &Column| Some((column.name.clone(), *rows.real(&column.name)?.last()?));
    let time = rows.time().last().map(|time| ("time".to_owned(), *time));
    Ok(Outcome { code: 0, said: said.join("\n"), last: time.into_iter().chain(rows.columns().iter().filter_map(last)).collect() })
}
