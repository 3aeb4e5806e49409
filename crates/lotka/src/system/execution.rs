//! How a system is run, beside what is computed: where its FMUs live, what is watched, on how many threads.

use std::path::PathBuf;

use lotka_instance::Sandbox;

use super::System;
use lotka_system::Isolation;

impl System {
    /// Every instance gets a process of its own, whatever the description says, or none that has no other reason for one. A crash, `exit` or
    /// endless loop of its FMU then is an error of the run. The program for that is [`System::host_program`].
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

    /// How long loading, instantiation and each call up to the end of initialization may take \[s\]; needs [`System::isolate`].
    #[must_use]
    pub fn init_timeout(mut self, seconds: f64) -> Self {
        self.description.isolation.init_timeout = Some(seconds.into());
        self
    }

    /// How long each call after initialization may take \[s\]; needs [`System::isolate`].
    #[must_use]
    pub fn step_timeout(mut self, seconds: f64) -> Self {
        self.description.isolation.step_timeout = Some(seconds.into());
        self
    }

    /// The program `lotka-fmu-host` in which isolated FMUs run. Without it: the environment variable `LOTKA_FMU_HOST`, then this program itself, if it
    /// calls [`crate::serve_if_host`], then the file of this name beside this program.
    #[must_use]
    pub fn host_program(mut self, path: impl Into<PathBuf>) -> Self {
        self.host_program = Some(path.into());
        self
    }

    /// Measures the time spent in each instance; costs two clock reads per call.
    #[must_use]
    pub fn profile(mut self, on: bool) -> Self {
        self.watch.profile = on;
        self
    }

    /// Asks the FMUs to log what they do (`loggingOn`); the lines arrive as [`crate::Event::Log`].
    #[must_use]
    pub fn debug_logging(mut self, on: bool) -> Self {
        self.watch.debug_logging = on;
        self
    }

    /// The runs that `tolerance` asks for are made at the same time on so many threads at most; more than two are of no use. The results are the
    /// same, bit for bit. Without it there are two threads where all FMUs are known to be thread-safe, or where there are processors enough to have
    /// the others in processes of their own.
    #[must_use]
    pub fn threads(mut self, most: usize) -> Self {
        self.watch.threads = Some(most);
        self
    }
}
