//! Checkpoints of systems in files: what has changed since is named.

use std::{fs, path::Path};

use lotka::{Checkpoint, CheckpointError, CheckpointFile, RunError, System};
use tempfile::TempDir;

use super::make;

/// Prey and predators of packed FMUs, in a folder of their own.
fn folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    for name in ["prey", "predator"] {
        fs::copy(tests::packed(name), folder.path().join(format!("{name}.fmu"))).unwrap();
    }
    let text = "[experiment]\nstop = 20\nlocal-tolerance = 1e-3\n[instances]\nprey = 'prey.fmu'\npredator = 'predator.fmu'\n\
                [connections]\n'prey.y' = 'predator.y'\n'predator.x' = 'prey.x'\n";
    fs::write(folder.path().join("system.toml"), text).unwrap();
    folder
}

fn system(folder: &Path) -> System {
    System::from_file(folder.join("system.toml")).unwrap()
}

/// Why the system of a folder does not go on.
fn refusal(folder: &Path, checkpoint: &Checkpoint) -> String {
    system(folder).build().unwrap().resume(checkpoint, &mut []).unwrap_err().error.to_string()
}

#[test]
fn the_same_files_elsewhere_go_on_and_changed_ones_are_named() {
    let there = folder();
    let whole = make(&system(there.path()), true, None);
    let checkpoint = &whole.checkpoints[whole.checkpoints.len() / 2];
    let elsewhere = folder();
    let rest = make(&system(elsewhere.path()), false, Some(checkpoint));
    assert_eq!(rest.report, whole.report);

    fs::copy(tests::packed("species"), elsewhere.path().join("wolves.fmu")).unwrap();
    let prey = elsewhere.path().join("prey.fmu");
    let mut bytes = fs::read(&prey).unwrap();
    bytes.extend(b"more");
    // A comment at the end of the archive: it still loads.
    let end = bytes.len() - 4 - 22;
    bytes[end + 20] = 4;
    fs::write(&prey, bytes).unwrap();
    let text = refusal(elsewhere.path(), checkpoint);
    assert!(text.contains(&format!("the FMU {} of instance `prey` has changed", prey.display())), "{text}");
    assert!(!text.contains("predator"), "{text}");

    let file = there.path().join("system.toml");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, format!("{text}# a remark\n")).unwrap();
    let refusal = refusal(there.path(), checkpoint);
    assert!(refusal.contains(&format!("the system file {} has changed", file.display())), "{refusal}");
    assert!(refusal.contains("restore the original"), "{refusal}");
}

#[test]
fn files_that_are_no_checkpoints_are_distinguished() {
    let folder = folder();
    let whole = make(&system(folder.path()), true, None);
    let path = folder.path().join("run.checkpoint");
    CheckpointFile::write(&path, &whole.checkpoints[3], b"note").unwrap();
    assert_eq!(CheckpointFile::read(&path).unwrap().note, b"note");
    let bytes = fs::read(&path).unwrap();
    for length in [1, 20, 100, bytes.len() / 2, bytes.len() - 1] {
        fs::write(&path, &bytes[..length]).unwrap();
        let error = CheckpointFile::read(&path).unwrap_err();
        assert!(matches!(error, CheckpointError::Cut { .. }), "{length}: {error}");
    }
    for position in (0..bytes.len()).step_by(97) {
        let mut changed = bytes.clone();
        changed[position] ^= 0x10;
        fs::write(&path, changed).unwrap();
        assert!(CheckpointFile::read(&path).is_err(), "byte {position}");
    }
    let error = CheckpointFile::read(folder.path().join("system.toml")).unwrap_err();
    assert!(matches!(error, CheckpointError::Foreign { .. }), "{error}");
    assert!(matches!(CheckpointFile::read(folder.path().join("none")).unwrap_err(), CheckpointError::Read { .. }));
}

#[test]
fn a_system_from_a_program_is_not_that_of_a_file() {
    let folder = folder();
    let whole = make(&system(folder.path()), true, None);
    let other = tests::predator_prey().stop(20.0).local_tolerance(1e-3);
    let error = other.build().unwrap().resume(&whole.checkpoints[0], &mut []).unwrap_err().error;
    assert!(matches!(&error, RunError::Checkpoint(_)) && error.to_string().contains("the system came from a file"), "{error}");
}
