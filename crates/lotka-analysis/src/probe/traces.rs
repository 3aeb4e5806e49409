//! Changes that the FMU makes to its process, and files that it leaves behind.

use std::path::{Path, PathBuf};

use fmi2::Function;
use lotka_host::Watched;

use super::logs::PRINTED;
use super::probe_run::ProbeRun;
use super::report::Answer;
use super::test_harness::TestHarness;
use super::trouble::Trouble;

/// A run, and the process during it and after the instance was freed.
struct Traces {
    during: Watched,
    after: Watched,
    /// The log lines, including those of the importer, which restores some of the state of the process.
    lines: Vec<(String, String)>,
}

impl Traces {
    fn of(harness: &TestHarness) -> Result<Self, Trouble> {
        let mut run = ProbeRun::start(harness)?;
        run.rows(harness.steps)?;
        let during = run.instance.process_state()?;
        run.instance.free()?;
        let after = run.instance.process_state()?;
        let lines = run.lines().into_iter().map(|line| (line.category, line.message)).collect();
        Ok(Self { during, after, lines })
    }

    /// Whether the importer restored the state of the process, when the library was loaded or later.
    fn was_put_back(&self, harness: &TestHarness, what: &str) -> bool {
        let logged = self.lines.iter().map(|(_, message)| message.as_str());
        let mut lines = logged.chain(harness.fmu.warnings().iter().map(String::as_str));
        lines.any(|line| line.contains("changed") && line.contains(what))
    }
}

/// Threads that outlive the instance.
pub(super) fn threads(harness: &TestHarness) -> Result<Answer, Trouble> {
    let traces = Traces::of(harness)?;
    let (during, left) =
        (traces.during.now.new_threads(&traces.during.before).len(), traces.after.now.new_threads(&traces.after.before));
    Ok(match left[..] {
        [] if during == 0 => Answer::pass("it has no threads of its own"),
        [] => Answer::pass(format!("{during} threads, all ended with the instance")),
        _ => Answer::fail(format!(
            "after {} {} threads remain: {}",
            harness.function(Function::FreeInstance),
            left.len(),
            left.join(", ")
        )),
    })
}

pub(super) fn working_directory(harness: &TestHarness) -> Result<Answer, Trouble> {
    let traces = Traces::of(harness)?;
    let (before, now) = (&traces.during.before.directory, &traces.after.now.directory);
    Ok(if before != now {
        let now = now.as_deref().map_or("none".into(), Path::to_string_lossy);
        Answer::fail(format!("a step changes the working directory, to {now}"))
    } else if traces.was_put_back(harness, "working directory") {
        Answer::fail("it changes the working directory; Lotka restores it")
    } else {
        Answer::pass("it stays")
    })
}

pub(super) fn locale(harness: &TestHarness) -> Result<Answer, Trouble> {
    let traces = Traces::of(harness)?;
    let (before, now) = (&traces.during.before.locale, &traces.during.now.locale);
    Ok(if before != now {
        Answer::fail(format!("the locale changed from {before} to {now}: numbers may be written with a comma"))
    } else if traces.was_put_back(harness, "the locale") {
        Answer::fail("it changes the locale; Lotka keeps it from other FMUs")
    } else {
        Answer::pass("it stays")
    })
}

pub(super) fn floating_point(harness: &TestHarness) -> Result<Answer, Trouble> {
    let traces = Traces::of(harness)?;
    let (before, now) = (traces.during.before.floating_point, traces.during.now.floating_point);
    Ok(if before != now {
        Answer::fail(format!("a step changes rounding, traps or flush-to-zero (control words {before:#x}, then {now:#x})"))
    } else if traces.was_put_back(harness, "floating-point control") {
        Answer::fail("it changes rounding, traps or flush-to-zero; Lotka restores them")
    } else {
        Answer::pass("it stays")
    })
}

pub(super) fn signal_handlers(harness: &TestHarness) -> Result<Answer, Trouble> {
    let traces = Traces::of(harness)?;
    let changed: Vec<_> =
        traces.during.now.other_handlers(&traces.during.before).iter().map(|signal| format!("signal {signal}")).collect();
    Ok(match changed[..] {
        [] if traces.was_put_back(harness, "handlers of signals") => {
            Answer::fail("it changes handlers of signals; Lotka restores them")
        }
        [] => Answer::pass("they stay"),
        _ => Answer::fail(format!("the handlers of {} changed", changed.join(", "))),
    })
}

/// Closed and written streams, files that stay open, and new files.
pub(super) fn streams_and_files(harness: &TestHarness) -> Result<Answer, Trouble> {
    let traces = Traces::of(harness)?;
    let (before, now) = (&traces.during.before.streams, &traces.after.now.streams);
    let names = ["standard input", "standard output", "standard error"];
    if let Some(name) = names.iter().zip(before.iter().zip(now)).find(|(_, (before, now))| before != now).map(|(name, _)| name) {
        return Ok(Answer::fail(format!("it closes or redirects {name}")));
    }
    if let Some((_, line)) = traces.lines.iter().find(|(category, _)| category == PRINTED) {
        return Ok(Answer::fail(format!("it prints instead of logging: {line}")));
    }
    if let [file, ..] = traces.after.now.new_files(&traces.after.before)[..] {
        return Ok(Answer::fail(format!("after {} {file} is still open", harness.function(Function::FreeInstance))));
    }
    let mut there = [harness.fmu.folder(), harness.directory.path()].into_iter().flat_map(listing);
    Ok(match there.find(|file| !harness.files.contains(file)) {
        Some(file) => Answer::fail(format!("it leaves the file {}", file.display())),
        None => Answer::pass("standard streams untouched, no files left behind"),
    })
}

/// The contents of a folder and its subfolders.
pub(super) fn listing(folder: &Path) -> Vec<PathBuf> {
    let entries: Vec<_> = std::fs::read_dir(folder).into_iter().flatten().flatten().collect();
    let inside = entries.iter().filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
    let inside: Vec<_> = inside.flat_map(|entry| listing(&entry.path())).collect();
    entries.iter().map(std::fs::DirEntry::path).chain(inside).collect()
}
