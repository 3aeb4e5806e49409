//! Tables of sources: one that is read serves the inputs that read it, and every problem of another one is told in a few lines.

use std::{cell::LazyCell, fs};

use lotka::{Error, System};
use tempfile::TempDir;

use crate::system::folder;

thread_local! {
    /// A folder with the FMU `a.fmu`, which has a description only.
    static FOLDER: LazyCell<TempDir> = LazyCell::new(folder);
}

/// Its input reads a column of the table.
const SYSTEM: &str = r#"
[experiment]
stop = 1.0
step = 0.1
[instances]
a = "a.fmu"
[sources]
table = { csv = "table.csv", outside = "hold" }
[connections]
"a.u" = "table.x"
"#;

pub(super) fn run(bytes: &[u8]) {
    FOLDER.with(|folder| {
        let path = |name: &str| folder.path().join(name);
        for (name, bytes) in [("table.csv", bytes), ("table.toml", SYSTEM.as_bytes())] {
            fs::write(path(name), bytes).unwrap_or_else(|error| panic!("{error}"));
        }
        let system = System::from_file(path("table.toml")).unwrap_or_else(|error| panic!("{error}"));
        match system.analyze() {
            Ok(_) => {}
            Err(Error::System(problems)) => {
                assert!((1..=30).contains(&problems.list.len()), "{} problems", problems.list.len());
                assert!(problems.list.iter().all(|problem| !problem.message.is_empty()));
            }
            Err(error) => panic!("a table is no reason for: {error}"),
        }
    });
}
