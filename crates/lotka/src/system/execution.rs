//! How a system is executed, without influence on the results: processes of its FMUs, observation, number of threads.

use std::path::{Path, PathBuf};

use lotka_instance::{BehaviorRecord, Sandbox};

use super::System;
use lotka_system::Isolation;

impl System {
    /// Runs every instance in its own process, whatever the description says; `false` withdraws that, except from instances that
    /// need one for another reason.
    ///
    /// A crash, `exit` or endless loop of an FMU then is an error of the run. [`System::host_program`] sets the program of these
    /// processes.
    #[must_use]
    pub fn isolate(mut self, on: bool) -> Self {
        let isolation = if on { Isolation::Process } else { Isolation::None };
        self.description.isolation.isolation = Some(isolation.into());
        self.description.instances.iter_mut().for_each(|instance| instance.isolation.isolation = None);
        self
    }

    /// Confines every instance that has no sandbox of its own.
    #[must_use]
    pub fn sandbox(mut self, sandbox: Sandbox) -> Self {
        self.description.isolation.sandbox = Some(Some(sandbox).into());
        for settings in self.description.instances.iter_mut().map(|instance| &mut instance.isolation) {
            settings.sandbox.take_if(|sandbox| sandbox.value.is_none());
        }
        self
    }

    /// Limits the duration of loading, instantiation and each call up to the end of initialization \[s\]; needs
    /// [`System::isolate`].
    #[must_use]
    pub fn init_timeout(mut self, seconds: f64) -> Self {
        self.description.isolation.init_timeout = Some(seconds.into());
        self
    }

    /// Limits the duration of each call after initialization \[s\]; needs [`System::isolate`].
    #[must_use]
    pub fn step_timeout(mut self, seconds: f64) -> Self {
        self.description.isolation.step_timeout = Some(seconds.into());
        self
    }

    /// Sets the program `lotka-fmu-host` in which isolated FMUs run.
    ///
    /// The default is the environment variable `LOTKA_FMU_HOST`, then this program itself if it calls [`crate::serve_if_host`],
    /// then the file of this name beside this program.
    #[must_use]
    pub fn host_program(mut self, path: impl Into<PathBuf>) -> Self {
        self.host_program = Some(path.into());
        self
    }

    /// Keeps the contents of FMU archives in this folder, so that the same archive is opened faster next time, also by other
    /// programs: [`crate::user_cache`] is where the command keeps them.
    ///
    /// Lotka creates a missing folder with mode 0700, and does not use one that others can read or change. It checks contents at
    /// each use. The cache has no influence on results and failures. It is used on Linux only.
    #[must_use]
    pub fn cache(mut self, folder: impl Into<PathBuf>) -> Self {
        self.cache = Some(folder.into());
        self
    }

    /// Uses the behavior records of the FMUs that are kept in the cache (`lotka check --run` makes them), by default. They change
    /// no row: Lotka avoids steps that an FMU is known to refuse, and warns of what a run cannot see.
    #[must_use]
    pub fn behavior_records(mut self, on: bool) -> Self {
        self.execution.ignores_records = !on;
        self
    }

    /// The record of an FMU, if it is used.
    pub(super) fn record_of(&self, fmu: &Path) -> Option<BehaviorRecord> {
        let folder = self.cache.as_ref().filter(|_| !self.execution.ignores_records)?;
        crate::behavior_record(folder, fmu)
    }

    /// Measures the time spent in each instance; costs two clock reads per call.
    #[must_use]
    pub fn profile(mut self, on: bool) -> Self {
        self.execution.profile = on;
        self
    }

    /// Asks the FMUs to log what they do (`loggingOn`); the lines arrive as [`crate::Notification::Log`].
    #[must_use]
    pub fn debug_logging(mut self, on: bool) -> Self {
        self.execution.debug_logging = on;
        self
    }

    /// Limits the number of threads, by default the number of processors. The results are the same, bit for bit.
    ///
    /// In a single run, instances step at the same time if the coupling scheme permits it, their FMUs are known to be
    /// thread-safe, and their steps take more than a few microseconds. With `tolerance`, whole runs are made at the same time
    /// instead: all of them in this process if all FMUs are known to be thread-safe; otherwise all but one have the other FMUs in
    /// processes of their own.
    #[must_use]
    pub fn threads(mut self, most: usize) -> Self {
        self.execution.threads = Some(most);
        self
    }
}
