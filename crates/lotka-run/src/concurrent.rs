//! The models of concurrent runs.
//!
//! FMI 2.0 does not guarantee that instances of an FMU can run on several threads of a process at the same time. Many cannot:
//! they crash, or their results vary. Therefore only one run at a time is made in this process. Concurrent runs use hosts for
//! FMUs that are not known to be thread-safe. If that is impossible or not worthwhile, runs follow one after the other. The rows
//! are bitwise the same.

use std::{
    fmt,
    sync::{Arc, OnceLock},
    thread,
};

use lotka_instance::InstanceFactory;
use lotka_step::model::Model;

/// Another way to create instances of a model, for runs on other threads; for example in processes of their own.
pub trait ConcurrentModel: fmt::Debug + Send + Sync {
    /// Whether opening it is likely to succeed.
    fn is_available(&self) -> bool;

    /// Opens it; `None` if that fails.
    fn open(&self) -> Option<Arc<dyn InstanceFactory>>;
}

/// The models of concurrent runs, and the reason for the choice.
#[derive(Clone)]
pub struct ConcurrentModels {
    choice: Choice,
    /// Maximum number of concurrent runs.
    runs: usize,
    /// Whether the user sets this number.
    is_requested: bool,
    /// The ways to open those that are not known to be thread-safe.
    hosts: Vec<Option<Arc<dyn ConcurrentModel>>>,
    /// `None` if one of them cannot be opened.
    opened: OnceLock<Option<Vec<Model>>>,
}

#[derive(Debug, Clone, PartialEq)]
enum Choice {
    /// All runs use the same FMUs.
    Same,
    /// The FMUs of these instances run in hosts, except in one run.
    Hosts(Vec<String>),
    /// Runs follow one after the other, for this reason.
    None(String),
}

impl ConcurrentModels {
    /// Chooses the models. `hosts` opens the model of each instance again; `None` if it is known to be thread-safe. `threads` is
    /// the user's setting.
    pub(super) fn new(
        names: &[String],
        fmus: &[Model],
        mut hosts: Vec<Option<Arc<dyn ConcurrentModel>>>,
        threads: Option<usize>,
    ) -> Self {
        hosts.resize(fmus.len(), None);
        let (choice, runs) = Self::choose(names, fmus, &hosts, threads);
        Self { choice, runs, is_requested: threads.is_some(), hosts, opened: OnceLock::new() }
    }

    /// The choice, and the number of runs. Reads no clock. Hosts are worthwhile if there is a processor for every run and every
    /// host, or if the user requests several threads.
    fn choose(
        names: &[String],
        fmus: &[Model],
        hosts: &[Option<Arc<dyn ConcurrentModel>>],
        threads: Option<usize>,
    ) -> (Choice, usize) {
        let cast = || names.iter().zip(fmus).zip(hosts);
        let one_by_one = |reason| (Choice::None(reason), 1);
        let processors = thread::available_parallelism().map_or(1, usize::from);
        if threads.is_some_and(|threads| threads < 2) {
            return one_by_one("as requested".to_owned());
        }
        if threads.is_none() && processors < 2 {
            return one_by_one("this machine has one processor".to_owned());
        }
        if let Some(((name, _), _)) = cast().find(|((_, fmu), _)| fmu.capabilities().only_once_per_process) {
            return one_by_one(format!("the FMU of `{name}` allows one instance per process"));
        }
        let doubtful: Vec<_> = cast().filter(|(_, host)| host.is_some()).map(|((name, _), _)| name.clone()).collect();
        if let Some(((name, _), _)) = cast().find(|((_, fmu), host)| host.is_some() && !fmu.has_file()) {
            return one_by_one(format!(
                "the FMU of `{name}` is not known to be thread-safe and has no file to load in a separate process"
            ));
        }
        if hosts.iter().flatten().any(|host| !host.is_available()) {
            return one_by_one(format!("{}, and the program for separate processes is not available", unknown(&doubtful)));
        }
        if doubtful.is_empty() {
            return (Choice::Same, threads.unwrap_or(processors));
        }
        let beside = (processors - 1) / (1 + doubtful.len());
        match threads {
            Some(threads) => (Choice::Hosts(doubtful), threads),
            None if beside > 0 => (Choice::Hosts(doubtful), 1 + beside),
            None => one_by_one(format!(
                "{}, and a second run in separate processes needs {} processors; this machine has {processors}",
                unknown(&doubtful),
                2 + doubtful.len()
            )),
        }
    }

    /// The FMUs of runs concurrent with one that uses `fmus`; `None` if there can be no such runs.
    pub fn of<'a>(&'a self, fmus: &'a [Model]) -> Option<&'a [Model]> {
        match self.choice {
            Choice::Same => Some(fmus),
            Choice::Hosts(_) => self.opened.get_or_init(|| self.open(fmus)).as_deref(),
            Choice::None(_) => None,
        }
    }

    fn open(&self, fmus: &[Model]) -> Option<Vec<Model>> {
        let open = |(fmu, host): (&Model, &Option<Arc<dyn ConcurrentModel>>)| match host {
            Some(host) => host.open().map(Model::Factory),
            None => Some(fmu.clone()),
        };
        fmus.iter().zip(&self.hosts).map(open).collect()
    }

    /// Whether they run in hosts.
    pub fn are_hosted(&self) -> bool {
        matches!(self.choice, Choice::Hosts(_))
    }

    /// Maximum number of runs at the same time.
    pub fn runs(&self) -> usize {
        self.runs
    }

    /// Whether runs that take little time are better made one after the other: hosts take time to start, and steps in them take
    /// longer. The user may know better.
    pub fn is_costly(&self) -> bool {
        self.are_hosted() && !self.is_requested
    }

    /// Describes the choice and its reason.
    pub(super) fn describe(&self) -> String {
        match &self.choice {
            Choice::Same => format!("Lotka makes up to {} runs in parallel", self.runs),
            Choice::Hosts(names) => format!(
                "Lotka makes up to {} runs in parallel, all but one with their FMUs in separate processes: {}",
                self.runs,
                unknown(names)
            ),
            Choice::None(reason) => format!("Lotka makes one run after the other: {reason}"),
        }
    }
}

/// Names the instances whose FMUs may not run on two threads.
fn unknown(names: &[String]) -> String {
    let listed: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
    match &listed[..] {
        [one] => format!("the FMU of {one} is not known to be thread-safe"),
        several => format!("the FMUs of {} are not known to be thread-safe", several.join(", ")),
    }
}
