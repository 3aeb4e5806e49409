//! Runs that go on from a checkpoint have bitwise the rows and the report of one that was never interrupted.

mod files;
mod methods;
mod refusals;

use lotka::{Checkpoint, CheckpointFile, Memory, Notification, Observer, Report, System};
use tempfile::TempDir;
use tests::hostile::Hostile;

/// Keeps all checkpoints.
#[derive(Default)]
struct Checkpoints(Vec<Checkpoint>);

impl Observer for Checkpoints {
    fn observe(&mut self, notification: &Notification<'_>) {
        if let Notification::Checkpoint(checkpoint) = notification {
            self.0.push((*checkpoint).clone());
        }
    }

    fn wants_steps(&self) -> bool {
        false
    }
}

/// Keeps what FMUs log.
#[derive(Default)]
struct Lines(Vec<String>);

impl Observer for Lines {
    fn observe(&mut self, notification: &Notification<'_>) {
        if let Notification::Log(line) = notification {
            self.0.push(line.message.clone());
        }
    }

    fn wants_steps(&self) -> bool {
        false
    }
}

/// Results of a run.
struct Made {
    report: Report,
    rows: Memory,
    checkpoints: Vec<Checkpoint>,
}

/// A run from the start, or from a checkpoint; with checkpoints at every communication point.
fn make(system: &System, keeps: bool, from: Option<&Checkpoint>) -> Made {
    let mut simulation = system.build().unwrap();
    if keeps {
        simulation.checkpoint_token().unwrap().request_all();
    }
    let (mut rows, mut checkpoints) = (Memory::new(), Checkpoints::default());
    let observers: &mut [&mut dyn Observer] = &mut [&mut rows, &mut checkpoints];
    let report = match from {
        None => simulation.run(observers),
        Some(checkpoint) => simulation.resume(checkpoint, observers),
    };
    let mut report = report.unwrap();
    // Each run takes its own time.
    report.instances.iter_mut().for_each(|instance| instance.time = None);
    Made { report, rows, checkpoints: checkpoints.0 }
}

/// The checkpoint at the last communication point before the end.
pub fn last_checkpoint(system: &System) -> Checkpoint {
    make(system, true, None).checkpoints.pop().unwrap()
}

/// Bits of all values, row by row from this one on, texts as they are.
fn values(rows: &Memory, from: usize) -> Vec<(u64, Vec<String>)> {
    let value = |name: &str, row: usize| match rows.real(name) {
        Some(numbers) => format!("{:x}", numbers[row].to_bits()),
        None => rows.text(name).unwrap()[row].clone(),
    };
    let names: Vec<_> = rows.columns().iter().map(|column| column.name.as_str()).collect();
    let each = rows.time().iter().enumerate().skip(from);
    each.map(|(row, time)| (time.to_bits(), names.iter().map(|name| value(name, row)).collect())).collect()
}

/// Through a file, as another process gets it.
fn through_file(checkpoint: &Checkpoint) -> Checkpoint {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("run.checkpoint");
    CheckpointFile::write(&path, checkpoint, b"").unwrap();
    CheckpointFile::read(&path).unwrap().checkpoint
}

/// At most so many of a list, the first and the last among them.
fn spread<T>(list: &[T], most: usize) -> impl Iterator<Item = &T> {
    let count = list.len().min(most);
    (0..count).map(move |n| &list[n * (list.len() - 1) / (count - 1).max(1)])
}

/// Asserts that checkpoints change nothing, and that a run gone on from any of them, or from one that was made after going on, is
/// the same.
#[track_caller]
pub fn assert_goes_on(name: &str, system: &System) {
    let plain = make(system, false, None);
    let whole = make(system, true, None);
    assert_eq!(whole.report, plain.report, "{name}: checkpoints change the report");
    assert!(values(&whole.rows, 0) == values(&plain.rows, 0), "{name}: checkpoints change the rows");
    assert!(whole.checkpoints.len() > 10, "{name}: {} checkpoints", whole.checkpoints.len());
    for checkpoint in spread(&whole.checkpoints, 6) {
        let first = make(system, true, Some(&through_file(checkpoint)));
        assert_same(name, &plain, &first, checkpoint);
        let second = &first.checkpoints[first.checkpoints.len() / 2];
        assert_same(name, &plain, &make(system, false, Some(second)), second);
    }
}

#[track_caller]
fn assert_same(name: &str, plain: &Made, resumed: &Made, checkpoint: &Checkpoint) {
    let time = checkpoint.time();
    assert_eq!(resumed.report, plain.report, "{name}, from {time} s");
    assert!(values(&resumed.rows, 0) == values(&plain.rows, checkpoint.rows() as usize), "{name}, from {time} s");
}

#[test]
fn what_fmus_logged_before_is_not_told_again() {
    let folder = TempDir::new().unwrap();
    let talker = Hostile::new("talker").reply("fmi2EnterInitializationMode", 1).define("LOG_LINES=1");
    let system = System::new().instance("talker", talker.build(folder.path())).stop(1.0).step(0.125);
    let (mut lines, mut checkpoints) = (Lines::default(), Checkpoints::default());
    let mut simulation = system.build().unwrap();
    simulation.checkpoint_token().unwrap().request_all();
    let whole = simulation.run(&mut [&mut lines, &mut checkpoints]).unwrap();
    assert_eq!((lines.0.len(), checkpoints.0.len()), (9, 8), "{:?}", lines.0);
    assert!(lines.0[0].contains("fmi2EnterInitializationMode"), "{:?}", lines.0);
    for (step, checkpoint) in checkpoints.0.iter().enumerate() {
        let mut rest = Lines::default();
        let resumed = system.build().unwrap().resume(&through_file(checkpoint), &mut [&mut rest]).unwrap();
        assert_eq!(rest.0, lines.0[1 + step..], "from step {step}");
        assert_eq!(resumed.warnings, whole.warnings, "from step {step}");
    }
}
