//! What `cargo xtask dist` makes, used as people use it who have nothing else of the project.

mod archive;
mod ci;
mod install;
mod wheel;

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
    sync::LazyLock,
};

use tests::selected;

use super::package::xtask;

/// The folder of archive, wheel and checksums, made once for all tests here.
///
/// The programs are those of the tests. All tests in full link them with zig for old systems, as for a release: that takes
/// minutes.
static MADE: LazyLock<PathBuf> = LazyLock::new(|| make("dist", selected(&[], &["--glibc", "2.17"])));

/// Runs the task for a folder of this name, in place of what an earlier run has left there.
fn make(name: &str, options: &[&str]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let mut command = Command::new(xtask().0);
    command.args(["dist", "--profile", "dev", "--output-folder"]).arg(&folder).args(options);
    succeed(&command.env("CARGO", env!("CARGO")).output().unwrap());
    folder
}

/// stdout of a command that must succeed.
fn succeed(output: &Output) -> String {
    let [printed, errors] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text).into_owned());
    assert!(output.status.success(), "{}: {printed}{errors}", output.status);
    printed
}

/// The file that was made with this end of its name.
fn made(end: &str) -> PathBuf {
    let paths: Vec<_> = fs::read_dir(&*MADE).unwrap().map(|entry| entry.unwrap().path()).collect();
    let mut fitting = paths.iter().filter(|path| path.to_str().unwrap().ends_with(end));
    let path = fitting.next().unwrap_or_else(|| panic!("no {end} in {paths:?}")).clone();
    assert!(fitting.next().is_none(), "more than one {end}: {paths:?}");
    path
}

/// Unpacks the archive into a folder, and returns its only folder.
fn unpacked(folder: &Path) -> PathBuf {
    fs::create_dir_all(folder).unwrap();
    let archive = made(".tar.gz");
    succeed(&Command::new("tar").arg("-xzf").arg(&archive).arg("-C").arg(folder).output().unwrap());
    let top = folder.join(archive.file_name().unwrap().to_str().unwrap().strip_suffix(".tar.gz").unwrap());
    assert_eq!(fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect::<Vec<_>>(), [top.as_path()]);
    top
}

/// A command that finds no other program, and nothing of its user.
fn alone(program: impl AsRef<Path>, home: &Path) -> Command {
    let mut command = Command::new(program.as_ref());
    command.env_clear().env("PATH", "/nonexistent").env("HOME", home);
    command
}

#[test]
fn the_same_inputs_give_the_same_bytes_with_checksums() {
    // Not while the task runs for the other tests: two at a time would exchange files.
    LazyLock::force(&MADE);
    // Without zig, whose files would be built twice.
    let first = selected(false, true).then(|| make("dist-first", &[]));
    let sums = |folder: &Path| fs::read_to_string(folder.join("SHA256SUMS")).unwrap();
    assert_eq!(sums(first.as_ref().unwrap_or(&MADE)), sums(&make("dist-again", &[])));
    let checked = succeed(&Command::new("sha256sum").args(["--check", "SHA256SUMS"]).current_dir(&*MADE).output().unwrap());
    assert_eq!(checked.matches(": OK\n").count(), 2, "{checked}");
}
