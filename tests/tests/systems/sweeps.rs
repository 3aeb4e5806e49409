//! Sweeps: the same records for any number of threads and shards, and for any interruption.

use std::{
    fs,
    ops::ControlFlow,
    path::{Path, PathBuf},
};

use lotka::{Error, Memory, RunRecord, Shard, Sweep, SweepRecords, SweepTable, SweepTableError, System, TypedValue};
use tempfile::TempDir;
use tests::packed;

/// A folder with prey and predator, and a study.
fn folder(sweep: &str, parameters: &str) -> (TempDir, PathBuf) {
    let folder = TempDir::new().unwrap();
    let [prey, predator] = ["prey", "predator"].map(packed);
    let system = format!(
        "[experiment]\nstop = 10\noutput-interval = 0.5\ntolerance = 1e-5\n[instances]\nprey = '{}'\npredator = '{}'\n\
         [connections]\n'prey.y' = 'predator.y'\n'predator.x' = 'prey.x'\n",
        prey.display(),
        predator.display()
    );
    fs::write(folder.path().join("system.toml"), system).unwrap();
    let study = folder.path().join("study.toml");
    fs::write(&study, format!("[sweep]\nsystem = 'system.toml'\n{sweep}\n[parameters]\n{parameters}\n")).unwrap();
    (folder, study)
}

const SOBOL: &str = "sampling = 'sobol'\nruns = 12\nseed = 3\nkeep = ['final', 'minimum', 'maximum', 'rows']\ntimes = [2.5]";
const PARAMETERS: &str = "prey.a = { from = 0.05, to = 0.5, scale = 'logarithmic' }\nprey.x = { from = 5, to = 20 }";

fn records(study: &Path, threads: usize, shard: Shard) -> Vec<RunRecord> {
    let mut sweep = Sweep::from_file(study).unwrap().threads(threads);
    let mut records = Vec::new();
    let all = sweep.run(shard, 0, |record| {
        records.push(record);
        ControlFlow::Continue(())
    });
    assert!(all.unwrap());
    records
}

/// Every bit of the values.
fn bits(record: &RunRecord) -> Vec<String> {
    let bits = |value: &TypedValue| match value {
        TypedValue::Real(value) => format!("{:x}", value.to_bits()),
        value => format!("{value:?}"),
    };
    record.values.iter().map(bits).collect()
}

#[test]
fn records_do_not_depend_on_threads_and_shards() {
    let (_folder, study) = folder(SOBOL, PARAMETERS);
    let all: Vec<_> = records(&study, 1, Shard::ALL).iter().map(bits).collect();
    assert_eq!(all.len(), 12);
    for (threads, shards) in [(2, 1), (1, 5), (3, 2)] {
        let mut found = Vec::new();
        for number in 1..=shards {
            found.extend(records(&study, threads, Shard::new(number, shards).unwrap()));
        }
        found.sort_by_key(|record| record.run);
        assert_eq!(found.iter().map(bits).collect::<Vec<_>>(), all, "{threads} threads, {shards} shards");
    }
}

#[test]
fn what_is_kept_is_what_a_run_of_its_own_has() {
    let (folder, study) = folder(SOBOL, PARAMETERS);
    let sweep = Sweep::from_file(&study).unwrap();
    let names: Vec<_> = sweep.columns().into_iter().map(|column| column.name).collect();
    for record in records(&study, 2, Shard::ALL).iter().step_by(5) {
        let value = |name: &str| record.values[names.iter().position(|known| known == name).unwrap()].as_f64().unwrap();
        let mut rows = Memory::new();
        let system = System::from_file(folder.path().join("system.toml")).unwrap();
        let system = system.start_value("prey.a", value("prey.a")).start_value("prey.x", value("prey.x"));
        let report = system.build().unwrap().run(&mut [&mut rows]).unwrap();
        let prey = rows.real("prey.x").unwrap();
        assert_eq!(value("final(prey.x)"), *prey.last().unwrap());
        assert_eq!(value("minimum(prey.x)"), prey.iter().copied().reduce(f64::min).unwrap());
        assert_eq!(value("maximum(prey.x)"), prey.iter().copied().reduce(f64::max).unwrap());
        assert_eq!(value("at(prey.x, 2.5)"), prey[5]);
        assert_eq!(value("error"), report.global_error.unwrap().largest);
        assert_eq!(value("calls"), report.counters.n_do_step_calls as f64);
        assert_eq!((value("time"), value("reached"), record.status.as_str()), (10.0, 1.0, "ok"));
        assert_eq!(record.rows.as_ref().unwrap().real("prey.x"), Some(prey));
    }
}

#[test]
fn sampled_instances_are_sampled_in_every_run() {
    let (folder, study) = folder("keep = ['final']", "prey.x = [5, 10, 20]");
    let file = folder.path().join("system.toml");
    let (system, prey) = (fs::read_to_string(&file).unwrap(), packed("prey"));
    let held = format!("prey = '{}'", prey.display());
    assert!(system.contains(&held));
    fs::write(&file, system.replace(&held, &format!("prey = {{ fmu = '{}', sample-time = 0.5 }}", prey.display()))).unwrap();
    let [all, others] = [2, 1].map(|threads| records(&study, threads, Shard::ALL).iter().map(bits).collect::<Vec<_>>());
    assert_eq!(all, others);
    let names: Vec<_> = Sweep::from_file(&study).unwrap().columns().into_iter().map(|column| column.name).collect();
    let place = names.iter().position(|name| name == "final(prey.x)").unwrap();
    for (x, record) in [5.0, 10.0, 20.0].into_iter().zip(&all) {
        let mut rows = Memory::new();
        let mut run = System::from_file(&file).unwrap().start_value("prey.x", x).build().unwrap();
        run.run(&mut [&mut rows]).unwrap();
        assert_eq!(record[place], format!("{:x}", rows.real("prey.x").unwrap().last().unwrap().to_bits()));
        assert_eq!(rows.time().windows(2).filter(|pair| pair[0] == pair[1]).count(), 19, "a jump at each sample before the end");
    }
}

#[test]
fn samplings_make_the_runs_that_they_promise() {
    let values = |sweep: &str, parameters: &str| {
        let (_folder, study) = folder(sweep, parameters);
        let sweep = Sweep::from_file(&study).unwrap();
        (0..sweep.n_runs())
            .map(|run| {
                sweep.parameters(run).into_iter().map(|(_, value)| value.to_string().trim_matches('`').parse::<f64>().unwrap())
            })
            .map(Iterator::collect::<Vec<_>>)
            .collect::<Vec<_>>()
    };
    let grid = values("", "prey.a = { from = 0.1, to = 0.3, count = 3 }\nprey.x = [5, 20]");
    assert_eq!(grid, [[0.1, 5.0], [0.1, 20.0], [0.2, 5.0], [0.2, 20.0], [0.3, 5.0], [0.3, 20.0]]);
    let list =
        values("sampling = 'list'", "prey.a = { from = 0.01, to = 1, count = 3, scale = 'logarithmic' }\nprey.x = [5, 10, 20]");
    assert_eq!(list.iter().map(|run| run[1]).collect::<Vec<_>>(), [5.0, 10.0, 20.0]);
    assert!((list[1][0] - 0.1).abs() < 1e-15 && list[2][0] == 1.0, "{list:?}");
    let random = values("sampling = 'random'\nruns = 200", "prey.a = { from = 2, to = 3 }\nprey.x = [1, 2]");
    assert!(random.iter().all(|run| (2.0..3.0).contains(&run[0]) && [1.0, 2.0].contains(&run[1])));
    assert!((60..140).contains(&random.iter().filter(|run| run[1] == 1.0).count()));
    let cube = values(
        "sampling = 'latin-hypercube'\nruns = 50\nseed = 9",
        "prey.a = { from = 0, to = 50 }\nprey.x = { from = 50, to = 0 }",
    );
    for parameter in 0..2 {
        let mut intervals: Vec<_> = cube.iter().map(|run| run[parameter].ceil() as i32 - 1).collect();
        intervals.sort_unstable();
        assert_eq!(intervals, (0..50).collect::<Vec<_>>());
    }
    let (folder, study) = folder("table = 'design.csv'", "prey.a = { column = 'rate' }");
    fs::write(folder.path().join("design.csv"), "name;rate\nlow;0.05\nhigh;1.5e-1\n").unwrap();
    let sweep = Sweep::from_file(&study).unwrap();
    assert_eq!((sweep.n_runs(), sweep.columns()[1].name.as_str()), (2, "prey.a"));
    assert_eq!(records(&study, 1, Shard::ALL)[1].values[1], TypedValue::Real(0.15));
}

#[test]
fn all_problems_of_a_study_are_reported() {
    let (_folder, study) = folder("times = [0.3, 11, 2.5]", "prey.q = [1]\nprey.y = [1]\nprey.a = [true, 1]\nprey.x = [1]");
    let Err(Error::System(problems)) = Sweep::from_file(&study) else { panic!("no problems") };
    let messages: Vec<_> = problems.list.iter().map(|problem| problem.message.as_str()).collect();
    assert_eq!(
        messages,
        [
            "the runs have no row at 0.3 s, so its values cannot be kept",
            "the runs have no row at 11 s, so its values cannot be kept",
            "instance `prey` has no variable `q`",
            "the start value of `prey.y` has no effect: the input is connected",
            "the start value of `prey.a` has the wrong type: expected Real, found true",
        ]
    );
    assert!(problems.to_string().contains("study.toml:3:10"), "{problems}");
}

/// A run that fails is a record with a code, and values that nobody takes for results.
#[test]
fn failures_are_records() {
    let (folder, study) = folder("table = 'design.csv'\nkeep = ['final', 'minimum']", "prey.a = { column = 'a' }");
    fs::write(folder.path().join("design.csv"), "a\n0.1\nmany\n0.2\n").unwrap();
    let records = records(&study, 2, Shard::ALL);
    let status: Vec<_> = records.iter().map(|record| record.status.as_str()).collect();
    assert_eq!(status, ["ok", "value-type", "ok"]);
    assert!(records[1].values.iter().skip(7).all(|value| value.as_f64().unwrap().is_nan()), "{:?}", records[1]);
    assert!(records[1].message.as_ref().unwrap().contains("expected Real, found `many`"));
}

/// All columns of a file as text.
fn contents(path: &Path) -> String {
    let contents = lotka::Results::open_any(path).unwrap();
    format!("{:?} {:?}", contents.note(), contents.columns())
}

#[test]
fn an_interrupted_sweep_continues_with_the_same_files() {
    let (folder, study) = folder(SOBOL, PARAMETERS);
    let shard = Shard::new(2, 2).unwrap();
    let [whole, parts] = ["whole.parquet", "parts.parquet"].map(|name| folder.path().join(name));
    let make = |path: &Path, limits: &[usize]| {
        for limit in limits {
            let mut sweep = Sweep::from_file(&study).unwrap().threads(2);
            let mut table = SweepTable::resume(&sweep, path, shard).unwrap();
            let (from, mut left) = (table.done(), *limit);
            let mut write = |record: RunRecord| {
                table.add(&record);
                left -= 1;
                if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            sweep.run(shard, from, &mut write).unwrap();
            table.finish().unwrap();
        }
    };
    make(&whole, &[100]);
    make(&parts, &[1, 3, 100, 100]);
    let rows = |path: &Path| path.with_file_name(format!("{}-rows.parquet", path.file_stem().unwrap().display()));
    assert_eq!(contents(&parts), contents(&whole));
    assert_eq!(contents(&rows(&parts)), contents(&rows(&whole)));

    // Rows without a record are those of a run that was interrupted; they are made again.
    fs::copy(rows(&whole), rows(&parts)).unwrap();
    fs::remove_file(&parts).unwrap();
    make(&parts, &[2]);
    fs::copy(rows(&whole), rows(&parts)).unwrap();
    make(&parts, &[100]);
    assert_eq!(contents(&rows(&parts)), contents(&rows(&whole)));

    // Other inputs.
    let system = fs::read_to_string(folder.path().join("system.toml")).unwrap();
    fs::write(folder.path().join("system.toml"), system + "# changed\n").unwrap();
    let sweep = Sweep::from_file(&study).unwrap();
    let before = contents(&whole);
    assert!(matches!(SweepTable::resume(&sweep, &whole, shard), Err(SweepTableError::Other { .. })));
    assert_eq!(contents(&whole), before);
}

#[test]
fn records_of_shards_are_those_of_the_whole_study() {
    let (folder, study) = folder(SOBOL, PARAMETERS);
    let path = |name: &str| folder.path().join(name);
    let write = |name: &str, shard: Shard| {
        let mut sweep = Sweep::from_file(&study).unwrap();
        let mut table = SweepTable::create(&sweep, &path(name), shard).unwrap();
        let add = |record: RunRecord| {
            table.add(&record);
            ControlFlow::Continue(())
        };
        sweep.run(shard, 0, add).unwrap();
        table.finish().unwrap();
    };
    write("whole.parquet", Shard::ALL);
    let shards: Vec<_> = (1..=3).map(|number| Shard::new(number, 3).unwrap()).collect();
    shards.iter().zip(["a.parquet", "b.parquet", "c.parquet"]).for_each(|(shard, name)| write(name, *shard));
    let read = |names: &[&str]| SweepRecords::read(&names.iter().map(|name| path(name)).collect::<Vec<_>>());
    let whole = read(&["whole.parquet"]).unwrap();
    let joined = read(&["c.parquet", "a.parquet", "b.parquet", "a.parquet"]).unwrap();
    // Columns without a value are not equal to themselves.
    assert_eq!(format!("{:?}", whole.columns), format!("{:?}", joined.columns));
    assert_eq!((whole.missing, joined.missing, joined.n_runs), ((vec![], 1), (vec![], 3), Some(12)));
    let part = read(&["b.parquet"]).unwrap();
    assert_eq!((part.runs()[..2].to_vec(), part.missing.clone()), (vec![1, 4], (vec![1, 3], 3)));
    assert_eq!(
        part.columns[1..=part.n_parameters()].iter().filter(|column| column.name.starts_with("prey.")).count(),
        part.n_parameters()
    );
    assert!(matches!(read(&["whole.parquet", "a.parquet"]), Err(SweepTableError::Mixed { .. })), "other shards");
    fs::write(path("rows.csv"), "time,x\n0,1\n").unwrap();
    assert!(SweepRecords::is_in(&path("a.parquet")) && !SweepRecords::is_in(&path("rows.csv")));
    assert!(read(&["rows.csv"]).is_err() && read(&[]).is_err());
}
