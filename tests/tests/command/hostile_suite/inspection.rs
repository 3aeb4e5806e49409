//! What must be true of every run, whatever the fault.

use std::{
    collections::BTreeSet,
    fs,
    os::unix::process::ExitStatusExt,
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

use tests::patience::PATIENCE;

use super::process::{self, Ended};

/// The exit codes that `lotka --help` lists, without those for a bug, a wrong flag and an interrupt.
const DOCUMENTED: [i32; 10] = [0, 10, 11, 12, 13, 14, 15, 16, 17, 18];

/// The command ended by itself, with a code that is documented.
pub fn code(ended: &Ended) -> Result<i32, String> {
    if ended.was_killed {
        return Err("it did not end, and was killed by the test".to_owned());
    }
    if let Some(signal) = ended.status.signal() {
        return Err(format!("it died of signal {signal}"));
    }
    let code = ended.status.code().unwrap_or(-1);
    if DOCUMENTED.contains(&code) { Ok(code) } else { Err(format!("exit code {code} is not one to expect")) }
}

/// All files and folders below a folder.
pub fn listing(folder: &Path) -> BTreeSet<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let below = |path: PathBuf| if path.is_dir() && !path.is_symlink() { listing(&path) } else { BTreeSet::new() };
    entries.flat_map(|entry| below(entry.path()).into_iter().chain([entry.path()])).collect()
}

/// What is there that was not there before, apart from the results and a checkpoint beside them.
pub fn strays(before: &BTreeSet<PathBuf>, around: &Path, results: &Path) -> Vec<String> {
    let after = listing(around);
    let shown = |path: &PathBuf| path.strip_prefix(around).unwrap_or(path).display().to_string();
    let is_top = |path: &&PathBuf| path.parent().is_some_and(|parent| before.contains(parent));
    let new = after
        .difference(before)
        .filter(|path| !path.to_string_lossy().starts_with(&*results.to_string_lossy()))
        .filter(is_top)
        .map(|path| format!("{} was left behind", shown(path)));
    let lost = before.difference(&after).map(|path| format!("{} is gone", shown(path)));
    new.chain(lost).collect()
}

/// The processes that stay once the command has ended; they are killed, so that the next test is not disturbed. One that was
/// killed takes a while to be gone.
pub fn leftovers(around: &Path) -> Vec<String> {
    let since = Instant::now();
    loop {
        let left = process::of_folder(around);
        if left.is_empty() || since.elapsed() > PATIENCE {
            left.iter().for_each(|number| process::kill(number));
            return left;
        }
        thread::sleep(Duration::from_millis(1));
    }
}
