//! Signals that are known before the run: tables and formulas drive inputs exactly, steps end where they jump, and bad files are
//! told.

mod accuracy;
mod files;
mod followed;
mod overrides;
mod rows;
mod types;

use std::path::{Path, PathBuf};

use lotka::{CsvSettings, Interpolation, Memory, Outside, SourceSignal, StartValue, System};
use tests::run;
use tests::systems::driven::{lag, lag_at};

/// A folder for the files of a test.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    }

    /// Points as a table with the column `u`.
    fn table(&self, points: &[(f64, f64)]) -> PathBuf {
        let rows: Vec<_> = points.iter().map(|(t, u)| format!("{t:?},{u:?}")).collect();
        self.write("points.csv", &format!("time,u [K]\n{}\n", rows.join("\n")))
    }
}

fn csv(path: &Path, interpolation: Interpolation) -> SourceSignal {
    SourceSignal::Csv(CsvSettings { path: path.to_owned().into(), interpolation, outside: Outside::Hold })
}

/// The lag, driven by a table.
fn driven(path: &Path) -> System {
    lag().source("table", csv(path, Interpolation::Linear)).connect("lag.u", "table.u")
}

/// A jump at a time that is on no grid.
fn jump() -> SourceSignal {
    SourceSignal::Step { time: 10.0 / 3.0, from: StartValue::Integer(1), to: StartValue::Real(4.0) }
}

/// The same as points.
const JUMP: [(f64, f64); 3] = [(0.0, 1.0), (10.0 / 3.0, 1.0), (10.0 / 3.0, 4.0)];

/// Kinks and jumps on no grid, with a row that lies on a line and three of the same time.
const POINTS: [(f64, f64); 9] =
    [(0.0, 0.5), (1.37, 2.0), (2.37, 3.0), (3.37, 4.0), (3.37, 9.0), (3.37, -1.0), (5.0, -1.0), (7.77, 3.0), (11.0, 1.0)];

/// Largest error of the lag's state in the rows, relative to values above 1.
fn error(rows: &Memory, points: &[(f64, f64)]) -> f64 {
    let pairs = rows.time().iter().zip(rows.real("lag.x").unwrap());
    pairs.map(|(t, x)| (x - lag_at(points, *t)).abs() / lag_at(points, *t).abs().max(1.0)).fold(0.0, f64::max)
}
