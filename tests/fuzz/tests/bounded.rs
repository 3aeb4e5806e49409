//! A bounded run of every fuzz target: its seeds, and damaged copies of them, always the same.
//!
//! An input that fails is kept in a file that the message names; it belongs to the seeds once the fault is mended.
#![allow(clippy::unwrap_used, reason = "a test that fails says where")]

use std::{
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    path::{Path, PathBuf},
    sync::mpsc,
    thread,
    time::Duration,
};

use fuzz::{Mutator, TARGETS, Target, seeds};

/// Damaged copies per target.
const MUTATIONS: usize = 3000;

/// An input that takes longer never ends: those of these sizes take milliseconds.
const LIMIT: Duration = Duration::from_secs(600);

#[test]
fn archives_leave_nothing_outside_their_folder() {
    feed("archive");
}

#[test]
fn descriptions_that_are_read_are_written_the_same() {
    feed("description");
}

#[test]
fn memory_that_a_host_spoils_is_read_without_harm() {
    feed("protocol");
}

#[test]
fn results_that_are_read_are_sound() {
    feed("results");
}

#[test]
fn problems_of_system_files_have_a_place() {
    feed("system");
}

#[test]
fn tables_serve_or_are_reported() {
    feed("table");
}

#[test]
fn every_target_has_a_program_and_seeds() {
    for target in TARGETS {
        let program = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("libfuzzer/fuzz_targets/{}.rs", target.name));
        assert!(program.is_file(), "{} is missing", program.display());
        assert!(seeds(target.name).len() >= 4, "{} has few seeds", target.name);
    }
}

fn feed(name: &str) {
    let target = Target::of(name).unwrap();
    let inputs = inputs(name);
    let (sender, finished) = mpsc::channel();
    let worker = {
        let inputs = inputs.clone();
        thread::spawn(move || {
            for (index, input) in inputs.iter().enumerate() {
                let outcome = catch_unwind(AssertUnwindSafe(|| (target.run)(input)));
                if sender.send((index, outcome)).is_err() {
                    return;
                }
            }
        })
    };
    for expected in 0..inputs.len() {
        match finished.recv_timeout(LIMIT) {
            Ok((_, Ok(()))) => {}
            Ok((index, Err(panic))) => {
                eprintln!("the input is kept in {}", keep(name, &inputs[index]).display());
                resume_unwind(panic);
            }
            Err(_) => panic!("an input takes longer than {LIMIT:?}; it is kept in {}", keep(name, &inputs[expected]).display()),
        }
    }
    worker.join().unwrap();
}

/// The seeds, then damaged copies of each in turn.
fn inputs(name: &str) -> Vec<Vec<u8>> {
    let seeds: Vec<_> = seeds(name).into_iter().map(|(_, bytes)| bytes).collect();
    let mut mutator = Mutator::new(1);
    let damaged = (0..MUTATIONS).map(|index| {
        let other = mutator.below(seeds.len());
        mutator.mutate(&seeds[index % seeds.len()], &seeds[other])
    });
    let damaged: Vec<_> = damaged.collect();
    seeds.into_iter().chain(damaged).collect()
}

fn keep(name: &str, input: &[u8]) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-failed"));
    std::fs::write(&path, input).unwrap();
    path
}
