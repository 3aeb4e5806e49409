//! Tables of studies: the runs have the values of the rows, or every problem is reported.

use std::{cell::LazyCell, fs};

use lotka::{Error, Fmu, Keep, Sampling, Shard, Sweep, System};
use tempfile::TempDir;

thread_local! {
    static FOLDER: LazyCell<TempDir> =
        LazyCell::new(|| tempfile::tempdir().unwrap_or_else(|error| panic!("no scratch folder: {error}")));
}

pub(super) fn run(bytes: &[u8]) {
    let table = FOLDER.with(|folder| folder.path().join("table.csv"));
    fs::write(&table, bytes).unwrap_or_else(|error| panic!("{error}"));
    let prey = Fmu::from_functions(fmu_sdk::description::<models::Prey>(), fmu_sdk::functions::<models::Prey>());
    let system = System::new().instance_of("prey", &prey).stop(0.2).step(0.1);
    let keep = Keep { finals: true, ..Keep::default() };
    match Sweep::of(system, Sampling::Table(table.into()), Vec::new(), keep) {
        Ok(sweep) => {
            let rows = (0..sweep.n_runs()).map(|run| sweep.parameters(run)).collect::<Vec<_>>();
            assert!(rows.windows(2).all(|rows| rows[0].len() == rows[1].len()));
            let mut made = 0;
            let runs = sweep.threads(1).run(Shard::ALL, 0, |record| {
                assert_eq!(record.run, made);
                made += 1;
                std::ops::ControlFlow::Continue(())
            });
            assert!(runs.is_err() || made == rows.len(), "{made} of {} runs", rows.len());
        }
        Err(Error::System(problems)) => {
            assert!((1..=bytes.len() + 8).contains(&problems.list.len()), "{} problems", problems.list.len());
            assert!(problems.list.iter().all(|problem| !problem.message.is_empty()));
        }
        Err(error) => panic!("a table is no reason for: {error}"),
    }
}
