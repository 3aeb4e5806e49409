//! The models of a concurrent run.
//!
//! FMI 2.0 does not guarantee that instances of an FMU can run on several threads of a process at the same time. Many cannot: they crash, or
//! their results vary. Therefore only one run at a time is made in this process. A concurrent run uses hosts for FMUs that are not known to be
//! thread-safe. If that is impossible or not worthwhile, runs follow one after the other. The rows are bitwise the same.

use std::{
    fmt,
    sync::{Arc, OnceLock},
    thread,
};

use lotka_instance::InstanceFactory;

use super::Model;

/// Another way to create instances of a model, for a run on another thread; for example in processes of their own.
pub trait ConcurrentModel: fmt::Debug + Send + Sync {
    /// Whether opening it is likely to succeed.
    fn is_available(&self) -> bool;

    /// Opens it; `None` if that fails.
    fn open(&self) -> Option<Arc<dyn InstanceFactory>>;
}

/// The models of a concurrent run, and the reason for the choice.
#[derive(Clone)]
pub(crate) struct ConcurrentModels {
    choice: Choice,
    /// The ways to open those that are not known to be thread-safe.
    hosts: Vec<Option<Arc<dyn ConcurrentModel>>>,
    /// `None` if one of them cannot be opened.
    opened: OnceLock<Option<Vec<Model>>>,
}

#[derive(Debug, Clone, PartialEq)]
enum Choice {
    /// Both runs use all FMUs.
    Same,
    /// The FMUs of these instances run in hosts.
    Hosts(Vec<String>),
    /// Runs follow one after the other, for this reason.
    None(String),
}

impl ConcurrentModels {
    /// Chooses the models. `hosts` opens the model of each instance again; `None` if it is known to be thread-safe. `threads` is the user's setting.
    pub(super) fn new(
        names: &[String],
        fmus: &[Model],
        mut hosts: Vec<Option<Arc<dyn ConcurrentModel>>>,
        threads: Option<usize>,
    ) -> Self {
        hosts.resize(fmus.len(), None);
        let choice = Self::choose(names, fmus, &hosts, threads);
        Self { choice, hosts, opened: OnceLock::new() }
    }

    /// Reads no clock. Hosts are worthwhile if there is a processor for both runs and for every host, or if the user requests two
    /// threads.
    fn choose(names: &[String], fmus: &[Model], hosts: &[Option<Arc<dyn ConcurrentModel>>], threads: Option<usize>) -> Choice {
        let cast = || names.iter().zip(fmus).zip(hosts);
        if threads.is_some_and(|threads| threads < 2) {
            return Choice::None("as requested".to_owned());
        }
        if let Some(((name, _), _)) = cast().find(|((_, fmu), _)| fmu.capabilities().only_once_per_process) {
            return Choice::None(format!("the FMU of `{name}` allows one instance per process"));
        }
        let doubtful: Vec<_> = cast().filter(|(_, host)| host.is_some()).map(|((name, _), _)| name.clone()).collect();
        if let Some(((name, _), _)) = cast().find(|((_, fmu), host)| host.is_some() && !fmu.has_file()) {
            return Choice::None(format!(
                "the FMU of `{name}` is not known to be thread-safe and has no file to load in a separate process"
            ));
        }
        if hosts.iter().flatten().any(|host| !host.is_available()) {
            return Choice::None(format!("{}, and the program for separate processes is not available", unknown(&doubtful)));
        }
        let wanted = 2 + doubtful.len();
        let processors = thread::available_parallelism().map_or(1, usize::from);
        match doubtful.len() {
            0 => Choice::Same,
            _ if threads.is_some() || wanted <= processors => Choice::Hosts(doubtful),
            _ => Choice::None(format!(
                "{}, and a second run in separate processes needs {wanted} processors; this machine has {processors}",
                unknown(&doubtful)
            )),
        }
    }

    /// The FMUs of a run concurrent with one that uses `fmus`; `None` if there can be no such run.
    pub(super) fn of<'a>(&'a self, fmus: &'a [Model]) -> Option<&'a [Model]> {
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
    pub(super) fn are_hosted(&self) -> bool {
        matches!(self.choice, Choice::Hosts(_))
    }

    /// Describes the choice and its reason.
    pub(super) fn describe(&self) -> String {
        match &self.choice {
            Choice::Same => "Lotka makes two runs in parallel".to_owned(),
            Choice::Hosts(names) => {
                format!("Lotka makes two runs in parallel, one of them with its FMUs in separate processes: {}", unknown(names))
            }
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
