//! Files that an FMU reads, writes and leaves.

use std::path::{Path, PathBuf};

use super::super::answer::Answer;
use super::super::probe_run::ProbeRun;
use super::super::test_harness::TestHarness;
use super::observation::Observation;
use super::process::denied_of_files;
use super::trial::{Trial, Way, unknown};

/// Words of the system about a file that may not be opened, which FMUs pass on.
const REFUSALS: [&str; 2] = ["Permission denied", "EACCES"];

pub(super) fn writes_outside(trial: &Trial) -> Answer {
    let changed: Vec<_> = trial.all_seen().flat_map(|seen| &seen.changed).map(String::as_str).collect();
    if let [first, others @ ..] = &changed[..] {
        return Answer::fail(format!("it changes {first}{}", and_more(others.len())));
    }
    denied_of_files(trial).or_else(|| complains(trial)).unwrap_or_else(|| match trial.way {
        _ if !trial.main.seen.works => unknown(trial),
        Way::Plain if trial.all_seen().all(|seen| seen.refused.is_empty()) => Answer::skipped(
            "in a sandbox it fails without a denied call: it writes elsewhere, or needs more than 4 GiB of memory",
        ),
        Way::Plain => Answer::pass(format!("in `HOME` and `TMPDIR`, {}; elsewhere unknown", trial.extent())),
        Way::Sandbox | Way::Reading => Answer::pass(format!(
            "beside its folder, {}; elsewhere unknown, as the sandbox refuses without a trace",
            trial.extent()
        )),
    })
}

/// A line of the FMU about a refused file, where it can read all files.
fn complains(trial: &Trial) -> Option<Answer> {
    let seen = if trial.way == Way::Reading { Some(&trial.main.seen) } else { trial.reading.as_ref() };
    let mut texts = seen.into_iter().flat_map(|seen| &seen.lines).map(|line| line.message.as_str());
    let line = texts.find(|text| REFUSALS.iter().any(|refusal| text.contains(refusal)))?;
    Some(Answer::fail(format!("the sandbox refused a file that is not to be read: {line}")))
}

pub(super) fn reads_outside(trial: &Trial) -> Answer {
    match (trial.way, &trial.main.harness) {
        _ if !trial.main.seen.works => unknown(trial),
        (Way::Sandbox, Some(harness)) => compared(trial, harness),
        (Way::Reading, _) => Answer::fail("it works only where it can read files that are neither its own nor of the system"),
        _ => match trial.site.as_ref().and_then(|site| site.read()) {
            Some(read) if read.is_empty() => {
                Answer::pass(format!("files in `HOME`, {}; others unknown, as it does not work in a sandbox", trial.extent()))
            }
            Some(read) => Answer::fail(format!("it reads {}{}", read[0], and_more(read.len() - 1))),
            None => Answer::skipped("the file system does not note which files are read"),
        },
    }
}

/// Compares runs in two sandboxes. An FMU that does not repeat its runs in one of them shows nothing by them.
fn compared(trial: &Trial, harness: &TestHarness) -> Answer {
    let Some((site, reading)) = trial.site.as_ref().zip(trial.reading.as_ref()) else { return unknown(trial) };
    let (seen, again) = (&trial.main.seen, Observation::of(harness, site, &site.contents()));
    let differs = |other: &Observation| ProbeRun::difference(harness, &other.rows, &seen.rows);
    if !reading.works || !again.works {
        return Answer::skipped("it does not work in each run");
    }
    if differs(&again).is_some() || again.read() != seen.read() || seen.read().is_none() {
        return Answer::skipped("two runs in the same sandbox differ");
    }
    let bytes = reading.read().zip(seen.read()).map(|(open, own)| i128::from(open) - i128::from(own));
    match (differs(reading), bytes) {
        (Some(difference), _) => Answer::fail(format!("where it can read all files, {difference}")),
        (None, Some(bytes)) if bytes != 0 => Answer::fail(format!("where it can read all files, it reads {bytes} bytes more")),
        _ => Answer::pass(format!("it reads the same bytes where it can read all files, {}", trial.extent())),
    }
}

pub(super) fn open_files(trial: &Trial) -> Answer {
    let Some(traces) = &trial.main.seen.traces else { return unknown(trial) };
    match traces.file_left_open() {
        Some(file) => Answer::fail(format!("{file} is still open")),
        None => trial.not_seen(),
    }
}

pub(super) fn files_left(trial: &Trial) -> Answer {
    let Some(harness) = &trial.main.harness else { return unknown(trial) };
    let left: Vec<_> = trial.main.seen.left.iter().map(|path| inside(harness, path)).collect();
    match &left[..] {
        [] => trial.not_seen(),
        [first, others @ ..] => Answer::fail(format!("{first}{}", and_more(others.len()))),
    }
}

/// A path as the FMU sees it: within its folder, or in its working directory.
fn inside(harness: &TestHarness, path: &Path) -> String {
    let (folder, directory) = (harness.fmu.folder(), harness.directory.path());
    let inside = path.strip_prefix(folder).or_else(|_| path.strip_prefix(directory)).unwrap_or(path);
    // Each host of a sandbox has a working directory in the folder of the FMU.
    let is_of_host = inside.iter().next().is_some_and(|first| !harness.files.contains(&folder.join(first)));
    let own: PathBuf = if path.starts_with(folder) && is_of_host { inside.iter().skip(1).collect() } else { inside.to_owned() };
    own.display().to_string()
}

fn and_more(count: usize) -> String {
    if count == 0 { String::new() } else { format!(" and {count} more") }
}
