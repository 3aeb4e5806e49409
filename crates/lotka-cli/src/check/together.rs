//! `lotka check --together`: whether FMUs influence each other without a connection. Each runs alone and with the others, in one
//! process and in separate ones, and every run is a command of its own, so that nothing is left of the others.

use std::{
    env, fs, io,
    path::{Path, PathBuf},
    process::Command,
};

use lotka::{ComparisonSettings, FmuInfo, Results, System};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::arguments::Arguments;
use crate::{
    data,
    exit::ExitCode,
    failure::Failure,
    json,
    table::{self, row},
};

/// Number of steps if no FMU has a step size.
const STEPS: f64 = 100.0;

/// A way to run the FMUs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    AloneIsolated,
    TogetherIsolated,
    Together,
}

/// The ways that are compared with each FMU alone in a process of the command.
const WAYS: [(Way, &str, &str); 3] = [
    (Way::AloneIsolated, "alone, isolated", "alone_isolated"),
    (Way::TogetherIsolated, "together, isolated", "together_isolated"),
    (Way::Together, "together, in one process", "together"),
];

/// What one way of running changes for one FMU; `None` if nothing.
type Change = Option<String>;

/// Runs the FMUs of a command line.
pub(super) fn check(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let paths: Vec<_> = [&arguments.path].into_iter().chain(&arguments.others).collect();
    let fmus = paths.iter().map(lotka::inspect_fmu).collect::<Result<Vec<_>, _>>()?;
    let trial = Trial::new(&fmus).map_err(|source| Failure::System { path: env::temp_dir(), source })?;
    let changes = trial.changes()?;
    let apart = changes.iter().all(|[alone, isolated, _]| alone.is_none() && isolated.is_none());
    let together = changes.iter().all(|[_, _, together]| together.is_none());
    let verdict = match (apart, together) {
        (true, true) => "the FMUs do not influence each other",
        (true, false) => "the FMUs influence each other in one process; run them with isolation = \"process\"",
        (false, _) => {
            "the results of an FMU depend on how it runs, even in a process of its own; the comparison shows nothing more"
        }
    };
    if arguments.json {
        let fmu = |(path, changes): (&&PathBuf, &[Change; 3])| {
            let ways: serde_json::Map<_, _> =
                WAYS.iter().zip(changes).map(|((.., key), change)| ((*key).to_owned(), change.clone().into())).collect();
            json!({ "path": path, "differences": ways })
        };
        let fmus: Vec<Value> = paths.iter().zip(&changes).map(fmu).collect();
        data::print(&json::lines(&json!({ "fmus": fmus, "independent": apart && together })))?;
    } else {
        data::print(&text(&paths, &changes, verdict))?;
    }
    Ok(if apart && together { ExitCode::Done } else { ExitCode::Limited })
}

fn text(paths: &[&PathBuf], changes: &[[Change; 3]], verdict: &str) -> String {
    let mut rows = vec![row(["FMU", "compared with alone", ""])];
    for (path, changes) in paths.iter().zip(changes) {
        for ((_, name, _), change) in WAYS.iter().zip(changes) {
            rows.push(row([&path.display().to_string(), name, change.as_deref().unwrap_or("the same")]));
        }
    }
    format!("{}{verdict}\n", table::columns("  ", &rows))
}

/// The runs and their folder.
struct Trial<'a> {
    fmus: &'a [FmuInfo],
    folder: TempDir,
    stop: f64,
    step: f64,
}

impl<'a> Trial<'a> {
    fn new(fmus: &'a [FmuInfo]) -> io::Result<Self> {
        let defaults = || fmus.iter().filter_map(|fmu| fmu.interface.default_experiment);
        let duration = defaults().filter_map(|default| Some(default.stop_time? - default.start_time.unwrap_or(0.0)));
        let stop = duration.filter(|duration| *duration > 0.0).fold(f64::INFINITY, f64::min);
        let stop = if stop.is_finite() { stop } else { 1.0 };
        let step = defaults().filter_map(|default| default.step_size).fold(0.0, f64::max);
        let step = if step > 0.0 && step <= stop { step } else { stop / STEPS };
        // A whole number of steps, for FMUs that cannot vary them.
        let stop = (stop / step).floor().max(1.0) * step;
        Ok(Self { fmus, folder: tempfile::tempdir()?, stop, step })
    }

    /// What each way changes, for each FMU.
    fn changes(&self) -> Result<Vec<[Change; 3]>, Failure> {
        let all: Vec<_> = (0..self.fmus.len()).collect();
        let [isolated, together] = [true, false].map(|is_isolated| self.run(&all, is_isolated));
        let (isolated, together) = (isolated?, together?);
        let changes = |index: usize| {
            let alone_isolated = self.run(&[index], true)?;
            Ok(match self.run(&[index], false)? {
                Ok(alone) => [&alone_isolated, &isolated, &together].map(|other| change(&alone, other)),
                Err(reason) => [(); 3].map(|()| Some(format!("does not run alone: {reason}"))),
            })
        };
        all.iter().copied().map(changes).collect()
    }

    /// Runs FMUs that nothing connects; the rows, or why there are none.
    fn run(&self, fmus: &[usize], is_isolated: bool) -> Result<Result<Results, String>, Failure> {
        let [system, rows] = ["system.toml", "rows.csv"].map(|name| self.folder.path().join(name));
        let cannot = |source| Failure::System { path: system.clone(), source };
        let mut trial = System::new().stop(self.stop).step(self.step).isolate(is_isolated);
        for &index in fmus {
            let path = std::path::absolute(&self.fmus[index].path).map_err(cannot)?;
            trial = trial.instance(&format!("fmu{index}"), path);
        }
        trial.save(&system)?;
        // There are none before the first run.
        let _ = fs::remove_file(&rows);
        let program = env::current_exe().map_err(cannot)?;
        let ended = Command::new(program).args(["run", "--quiet"]).arg(&system).arg("--output-file").arg(&rows).output();
        let ended = ended.map_err(cannot)?;
        if !ended.status.success() {
            return Ok(Err(reason(&ended.stderr, self.folder.path())));
        }
        Ok(Ok(Results::open(&rows).map_err(Box::new).map_err(Failure::Results)?))
    }
}

/// The error of a run, or else the first line that it prints.
fn reason(stderr: &[u8], folder: &Path) -> String {
    let text = String::from_utf8_lossy(stderr).replace(&format!("{}/", folder.display()), "");
    let error = text.lines().find_map(|line| line.strip_prefix("error: "));
    error.or_else(|| text.lines().next()).unwrap_or("without a message").to_owned()
}

/// How the columns of an FMU differ from those of the FMU alone.
fn change(alone: &Results, other: &Result<Results, String>) -> Change {
    let other = match other {
        Ok(other) => other,
        Err(reason) => return Some(format!("fails: {reason}")),
    };
    let variables = alone.columns().iter().map(|column| column.name.clone()).collect();
    let found = lotka::compare(alone, other, &ComparisonSettings { variables, ..ComparisonSettings::default() });
    let differing = found.variables.into_iter().find(|variable| !variable.verdict.is_equal())?;
    let name = differing.name.split_once('.').map_or(&*differing.name, |(_, name)| name);
    Some(match (differing.differs_from, differing.absolute) {
        (Some(time), Some(difference)) => format!("`{name}` differs from t = {time} s on, by up to {difference:.1e}"),
        _ => format!("`{name}` differs"),
    })
}
