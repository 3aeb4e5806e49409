//! Changes that the FMU makes to its process, and files that it leaves behind.

use std::path::Path;

use fmi2::Function;
use lotka_host::Watched;
use lotka_instance::LogMessage;

use super::answer::Answer;
use super::listing::listing;
use super::logs::PRINTED;
use super::probe_run::ProbeRun;
use super::test_harness::TestHarness;
use super::trouble::Trouble;

/// A run, and the process during it and after the instance was freed.
pub(super) struct Traces {
    pub during: Watched,
    pub after: Watched,
    /// The log lines, including those of the importer, which restores some of the state of the process.
    pub lines: Vec<LogMessage>,
}

impl Traces {
    fn of(harness: &TestHarness) -> Result<Self, Trouble> {
        let mut run = ProbeRun::start(harness)?;
        run.rows(harness.steps)?;
        let during = run.instance.process_state()?;
        run.instance.free()?;
        let after = run.instance.process_state()?;
        Ok(Self { during, after, lines: run.lines() })
    }

    /// Whether the importer restored the state of the process, when the library was loaded or later.
    pub fn was_put_back(&self, harness: &TestHarness, what: &str) -> bool {
        let logged = self.lines.iter().map(|line| line.message.as_str());
        let mut lines = logged.chain(harness.fmu.warnings().iter().map(String::as_str));
        lines.any(|line| line.contains("changed") && line.contains(what))
    }

    /// Threads that outlive the instance.
    pub fn threads(&self, harness: &TestHarness) -> Answer {
        let (during, left) =
            (self.during.now.new_threads(&self.during.before).len(), self.after.now.new_threads(&self.after.before));
        match left[..] {
            [] if during == 0 => Answer::pass("it has no threads of its own"),
            [] => Answer::pass(format!("{during} threads, all ended with the instance")),
            _ => Answer::fail(format!(
                "after {} {} threads remain: {}",
                harness.function(Function::FreeInstance),
                left.len(),
                left.join(", ")
            )),
        }
    }

    pub fn working_directory(&self, harness: &TestHarness) -> Answer {
        let (before, now) = (&self.during.before.directory, &self.during.now.directory);
        if before != now {
            let now = now.as_deref().map_or("none".into(), Path::to_string_lossy);
            Answer::fail(format!("a step changes the working directory, to {now}"))
        } else if self.was_put_back(harness, "working directory") {
            Answer::fail("it changes the working directory; Lotka restores it")
        } else {
            Answer::pass("it stays")
        }
    }

    pub fn locale(&self, harness: &TestHarness) -> Answer {
        let (before, now) = (&self.during.before.locale, &self.during.now.locale);
        if before != now {
            Answer::fail(format!("the locale changed from {before} to {now}: numbers may be written with a comma"))
        } else if self.was_put_back(harness, "the locale") {
            Answer::fail("it changes the locale; Lotka keeps it from other FMUs")
        } else {
            Answer::pass("it stays")
        }
    }

    pub fn floating_point(&self, harness: &TestHarness) -> Answer {
        let (before, now) = (self.during.before.floating_point, self.during.now.floating_point);
        if before != now {
            Answer::fail(format!("a step changes rounding, traps or flush-to-zero (control words {before:#x}, then {now:#x})"))
        } else if self.was_put_back(harness, "floating-point control") {
            Answer::fail("it changes rounding, traps or flush-to-zero; Lotka restores them")
        } else {
            Answer::pass("it stays")
        }
    }

    pub fn signal_handlers(&self, harness: &TestHarness) -> Answer {
        let changed = self.during.now.other_handlers(&self.during.before);
        let changed: Vec<_> = changed.iter().map(|signal| format!("signal {signal}")).collect();
        match changed[..] {
            [] if self.was_put_back(harness, "handlers of signals") => {
                Answer::fail("it changes handlers of signals; Lotka restores them")
            }
            [] => Answer::pass("they stay"),
            _ => Answer::fail(format!("the handlers of {} changed", changed.join(", "))),
        }
    }

    /// The standard stream that is not what it was.
    pub fn changed_stream(&self) -> Option<&'static str> {
        let (before, now) = (&self.during.before.streams, &self.after.now.streams);
        let names = ["standard input", "standard output", "standard error"];
        names.into_iter().zip(before.iter().zip(now)).find(|(_, (before, now))| before != now).map(|(name, _)| name)
    }

    /// Lines that the FMU printed instead of logging them.
    pub fn printed(&self) -> impl Iterator<Item = &str> {
        self.lines.iter().filter(|line| line.category == PRINTED).map(|line| line.message.as_str())
    }

    /// A file that is open after the instance was freed.
    pub fn file_left_open(&self) -> Option<&str> {
        self.after.now.new_files(&self.after.before).first().copied()
    }
}

pub(super) fn threads(harness: &TestHarness) -> Result<Answer, Trouble> {
    Ok(Traces::of(harness)?.threads(harness))
}

pub(super) fn working_directory(harness: &TestHarness) -> Result<Answer, Trouble> {
    Ok(Traces::of(harness)?.working_directory(harness))
}

pub(super) fn locale(harness: &TestHarness) -> Result<Answer, Trouble> {
    Ok(Traces::of(harness)?.locale(harness))
}

pub(super) fn floating_point(harness: &TestHarness) -> Result<Answer, Trouble> {
    Ok(Traces::of(harness)?.floating_point(harness))
}

pub(super) fn signal_handlers(harness: &TestHarness) -> Result<Answer, Trouble> {
    Ok(Traces::of(harness)?.signal_handlers(harness))
}

/// Closed and written streams, files that stay open, and new files.
pub(super) fn streams_and_files(harness: &TestHarness) -> Result<Answer, Trouble> {
    let traces = Traces::of(harness)?;
    if let Some(name) = traces.changed_stream() {
        return Ok(Answer::fail(format!("it closes or redirects {name}")));
    }
    if let Some(line) = traces.printed().next() {
        return Ok(Answer::fail(format!("it prints instead of logging: {line}")));
    }
    if let Some(file) = traces.file_left_open() {
        return Ok(Answer::fail(format!("after {} {file} is still open", harness.function(Function::FreeInstance))));
    }
    let mut there = [harness.fmu.folder(), harness.directory.path()].into_iter().flat_map(listing);
    Ok(match there.find(|file| !harness.files.contains(file)) {
        Some(file) => Answer::fail(format!("it leaves the file {}", file.display())),
        None => Answer::pass("standard streams untouched, no files left behind"),
    })
}
