//! The FMUs of a run that is made at the same time as another one.
//!
//! FMI 2.0 does not say that instances of an FMU may run on several threads of a process at the same time, and many cannot: they crash, or compute
//! something else each time. One run at a time is made in this process. The other one has the FMUs in hosts that are not known to be
//! thread-safe; where that is not possible or not worth it, runs follow one after the other. The rows are the same, bit by bit.

use std::{sync::OnceLock, thread};

use lotka_host::{HostOptions, HostedFmu};

use super::Loaded;

/// Who plays in a second run, and why.
#[derive(Clone)]
pub(crate) struct Understudies {
    choice: Choice,
    /// How each FMU is hosted that is not known to be thread-safe.
    hosts: Vec<Option<HostOptions>>,
    /// `None` if one cannot be opened.
    opened: OnceLock<Option<Vec<Loaded>>>,
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

impl Understudies {
    /// `hosts`: how the FMU of each instance would be hosted, `None` if it is known to be thread-safe. `threads`: what the user asked for.
    pub(super) fn new(names: &[String], fmus: &[Loaded], mut hosts: Vec<Option<HostOptions>>, threads: Option<usize>) -> Self {
        hosts.resize(fmus.len(), None);
        for (host, fmu) in hosts.iter_mut().zip(fmus) {
            host.take_if(|_| !matches!(fmu, Loaded::Here(_)));
        }
        let choice = Self::choose(names, fmus, &hosts, threads);
        Self { choice, hosts, opened: OnceLock::new() }
    }

    /// No clock is read: a run in hosts is worth it where there is a processor for both runs and for every host, or where the user asks for two
    /// threads.
    fn choose(names: &[String], fmus: &[Loaded], hosts: &[Option<HostOptions>], threads: Option<usize>) -> Choice {
        let cast = || names.iter().zip(fmus).zip(hosts);
        if threads.is_some_and(|threads| threads < 2) {
            return Choice::None("as asked for".to_owned());
        }
        if let Some(((name, _), _)) = cast().find(|((_, fmu), _)| fmu.capabilities().only_once_per_process) {
            return Choice::None(format!("the FMU of `{name}` allows one instance per process"));
        }
        let doubtful: Vec<_> = cast().filter(|(_, host)| host.is_some()).map(|((name, _), _)| name.clone()).collect();
        if let Some(((name, _), _)) = cast().find(|((_, fmu), host)| host.is_some() && !fmu.path().is_file()) {
            return Choice::None(format!(
                "the FMU of `{name}` is not known to be thread-safe and has no file for a process of its own"
            ));
        }
        if hosts.iter().flatten().any(|host| !host.has_program()) {
            return Choice::None(format!("{}, and there is no program for processes of their own", unknown(&doubtful)));
        }
        let wanted = 2 + doubtful.len();
        let processors = thread::available_parallelism().map_or(1, usize::from);
        match doubtful.len() {
            0 => Choice::Same,
            _ if threads.is_some() || wanted <= processors => Choice::Hosts(doubtful),
            _ => Choice::None(format!(
                "{}, and a second run in processes of their own wants {wanted} processors where there are {processors}",
                unknown(&doubtful)
            )),
        }
    }

    /// The FMUs of a run at the same time as one with `fmus`; `None` if there can be none.
    pub(super) fn of<'a>(&'a self, fmus: &'a [Loaded]) -> Option<&'a [Loaded]> {
        match self.choice {
            Choice::Same => Some(fmus),
            Choice::Hosts(_) => self.opened.get_or_init(|| self.open(fmus)).as_deref(),
            Choice::None(_) => None,
        }
    }

    fn open(&self, fmus: &[Loaded]) -> Option<Vec<Loaded>> {
        let open = |(fmu, host): (&Loaded, &Option<HostOptions>)| match host {
            Some(options) => HostedFmu::open(fmu.path(), options.clone()).map(Loaded::Hosted).ok(),
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
            Choice::Same => "runs are made two at a time".to_owned(),
            Choice::Hosts(names) => {
                format!("runs are made two at a time, one of them with FMUs in processes of their own: {}", unknown(names))
            }
            Choice::None(reason) => format!("runs are made one after the other: {reason}"),
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
