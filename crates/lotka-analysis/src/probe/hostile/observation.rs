//! One run of an FMU that is watched from outside.

use std::path::{Path, PathBuf};

use lotka_instance::LogMessage;

use super::super::listing::listing;
use super::super::probe_run::ProbeRun;
use super::super::test_harness::TestHarness;
use super::super::traces::Traces;
use super::super::trouble::Trouble;
use super::super::values::Values;
use super::host::Host;
use super::refused::Refused;
use super::site::{Contents, Site};
use crate::platform::Facts;

/// What was seen, as far as the run came.
#[derive(Default)]
pub(super) struct Observation {
    /// All steps were made.
    pub works: bool,
    pub trouble: Option<Trouble>,
    pub rows: Vec<Values>,
    /// What was logged and printed up to the end of the process.
    pub lines: Vec<LogMessage>,
    pub refused: Refused,
    pub traces: Option<Traces>,
    /// The process with the loaded library, and after the steps.
    pub facts: [Option<Facts>; 2],
    /// Processes that it started and that still ran after the steps.
    pub started: Vec<String>,
    /// Files that it leaves where it may write.
    pub left: Vec<PathBuf>,
    /// Files that it changed elsewhere.
    pub changed: Vec<String>,
}

impl Observation {
    /// An FMU that cannot be loaded.
    pub fn failed(trouble: Trouble) -> Self {
        let mut seen = Self::default();
        seen.refused.learn(&trouble.text);
        seen.trouble = Some(trouble);
        seen
    }

    /// Watches a run; `before` is what was in the site before the FMU was loaded.
    pub fn of(harness: &TestHarness, site: &Site, before: &Contents) -> Self {
        let host = Host::prepare(harness);
        let mut seen = Self { facts: [host.as_ref().and_then(Host::facts), None], ..Self::default() };
        let mut run = match ProbeRun::instantiated(harness, false) {
            Ok(run) => run,
            Err(trouble) => return Self { facts: seen.facts, ..Self::failed(trouble) },
        };
        seen.trouble = seen.watch(&mut run, harness, host.as_ref()).err();
        seen.left = left_by(harness);
        seen.lines = run.end();
        let texts = seen.lines.iter().map(|line| line.message.as_str());
        texts.chain(seen.trouble.iter().map(|trouble| trouble.text.as_str())).for_each(|text| seen.refused.learn(text));
        if let Some(traces) = &mut seen.traces {
            traces.lines.clone_from(&seen.lines);
        }
        seen.changed = site.changed(before, &own(harness));
        seen
    }

    fn watch(&mut self, run: &mut ProbeRun<'_>, harness: &TestHarness, host: Option<&Host>) -> Result<(), Trouble> {
        run.initialize(&harness.experiment)?;
        self.rows = run.rows(harness.steps)?;
        self.works = true;
        self.facts[1] = host.and_then(Host::facts);
        self.started = host.map(Host::started).unwrap_or_default();
        let during = run.instance.process_state()?;
        run.instance.free()?;
        let after = run.instance.process_state()?;
        self.traces = Some(Traces { during, after, lines: Vec::new() });
        Ok(())
    }

    /// Bytes that it read from the loaded library to the last step. Loading reads a description of the memory, whose length
    /// varies.
    pub fn read(&self) -> Option<u64> {
        let [loaded, stepped] = &self.facts;
        stepped.as_ref()?.read?.checked_sub(loaded.as_ref()?.read?)
    }
}

/// What belongs to the FMU or to Lotka: the folder of the files and the working directory, each with the lock beside it.
fn own(harness: &TestHarness) -> Vec<PathBuf> {
    let folders = [harness.fmu.folder(), harness.directory.path()];
    folders.into_iter().flat_map(|folder| [folder.to_owned(), folder.with_file_name("lock")]).collect()
}

/// New files where the FMU may write. Each host of a sandbox has a folder of its own in that of the FMU.
fn left_by(harness: &TestHarness) -> Vec<PathBuf> {
    let [folder, directory] = [harness.fmu.folder(), harness.directory.path()];
    let is_of_host = |path: &Path| path.parent() == Some(folder) && path.is_dir();
    let there = [folder, directory].into_iter().flat_map(listing);
    there.filter(|path| !harness.files.contains(path) && !is_of_host(path)).collect()
}
