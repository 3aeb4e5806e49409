//! The models of a run that is made at the same time as another one.
//!
//! FMI 2.0 does not say that instances of an FMU may run on several threads of a process at the same time, and many cannot: they crash, or compute
//! something else each time. One run at a time is made in this process. The other one has the FMUs in hosts that are not known to be
//! thread-safe; where that is not possible or not worth it, runs follow one after the other. The rows are the same, bit by bit.

use std::{
    fmt,
    sync::{Arc, OnceLock},
    thread,
};

use lotka_instance::InstanceFactory;

use super::Model;

/// Another way to make instances of a model, for a run on another thread: in processes of their own, say.
pub trait ConcurrentModel: fmt::Debug + Send + Sync {
    /// Whether it is likely that it can be opened.
    fn is_available(&self) -> bool;

    /// Opens it; `None` if that fails.
    fn open(&self) -> Option<Arc<dyn InstanceFactory>>;
}

/// The models of a second run, and why.
#[derive(Clone)]
pub(crate) struct ConcurrentModels {
    choice: Choice,
    /// Those that are not known to be thread-safe, as they are opened again.
    hosts: Vec<Option<Arc<dyn ConcurrentModel>>>,
    /// `None` if one cannot be opened.
    opened: OnceLock<Option<Vec<Model>>>,
}

#[derive(Debug, Clone, PartialEq)]
enum Choice {
    /// All FMUs can be used by both runs.
    Same,
    /// Those of these instances live in hosts.
    Hosts(Vec<String>),
    /// Runs follow one after the other, for this reason.
    None(String),
}

impl ConcurrentModels {
    /// `hosts`: how the model of each instance would be opened again, `None` if it is known to be thread-safe. `threads`: what the user asked for.
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

    /// No clock is read: a run in hosts is worth it where there is a processor for both runs and for every host, or where the user asks for two
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
        if let Some(((name, _), _)) = cast().find(|((_, fmu), host)| host.is_some() && !fmu.path().is_file()) {
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

    /// The FMUs of a run at the same time as one with `fmus`; `None` if there can be none.
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

    /// Whether they live in hosts.
    pub(super) fn are_hosted(&self) -> bool {
        matches!(self.choice, Choice::Hosts(_))
    }

    /// What was chosen, and why.
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

/// Instances whose FMUs may not run on two threads.
fn unknown(names: &[String]) -> String {
    let listed: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
    match &listed[..] {
        [one] => format!("the FMU of {one} is not known to be thread-safe"),
        several => format!("the FMUs of {} are not known to be thread-safe", several.join(", ")),
    }
}
