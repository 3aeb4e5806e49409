//! The FMU of every instance: files are opened at the same time, and loaded one after the other.

use std::{
    collections::{HashMap, HashSet},
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use lotka_instance::{InstanceFactory, InstantiationError};
use lotka_message::{Coded, Findings};
use lotka_system::{Guard, Isolation};

use super::System;
use crate::{Error, LoadError, parallel};

/// Size of all files from which on threads open them \[byte\].
const WORTH_THREADS: u64 = 1 << 20;

/// An FMU, or the reason why it cannot be opened.
pub(super) type Outcome<T> = Result<T, Box<dyn InstantiationError>>;

/// A file of a system, once per kind of isolation.
struct File<'g, T> {
    path: PathBuf,
    guard: &'g Guard,
    /// Its FMU, once it is loaded.
    fmu: Option<T>,
}

/// The files of a system.
struct Files<'g, T> {
    all: Vec<File<'g, T>>,
    numbers: HashMap<PathBuf, Vec<usize>>,
}

impl<'g, T: Clone> Files<'g, T> {
    /// The number of a file. If its first instance has an FMU, all without one share this.
    fn number(&mut self, path: PathBuf, guard: &'g Guard, known: Option<&T>) -> usize {
        let numbers = self.numbers.entry(path.clone()).or_default();
        if let Some(number) = numbers.iter().find(|number| self.all[**number].guard == guard) {
            return *number;
        }
        numbers.push(self.all.len());
        self.all.push(File { path, guard, fmu: known.cloned() });
        self.all.len() - 1
    }
}

impl System {
    /// Returns the FMU of every instance, from each file once per kind of isolation; instances in `known` that are not isolated
    /// already have theirs. `open` is called for several files at the same time; then `settle` once for all of them, which may
    /// open some in another way; `load` on this thread, in the order of the instances.
    pub(super) fn for_each_instance<R: Send, T: Clone>(
        &self,
        guards: &[Guard],
        findings: &Findings,
        open: impl Fn(&Path, &Guard) -> Outcome<R> + Sync,
        settle: impl FnOnce(&[Option<(&Path, &Guard)>], &mut [Option<Outcome<R>>]) -> Result<(), Vec<LoadError>>,
        load: impl Fn(R) -> Outcome<T>,
        known: &HashMap<String, T>,
    ) -> Result<Vec<T>, Error> {
        let mut files = Files { all: Vec::new(), numbers: HashMap::new() };
        let instances = self.description.instances.iter();
        let places: Vec<(usize, Option<&T>)> = instances
            .zip(guards)
            .map(|(instance, guard)| {
                let known = known.get(&instance.name.value).filter(|_| guard.place == Isolation::None);
                (files.number(self.base.join(&instance.fmu.value), guard, known), known)
            })
            .collect();
        let unknown: Vec<_> = files.all.iter().map(|file| file.fmu.is_none().then_some((&*file.path, file.guard))).collect();
        let open_unknown = |file: &Option<(&Path, &Guard)>| file.map(|(path, guard)| open(path, guard));
        let mut opened = parallel::map(self.n_threads_to_open(&unknown), &unknown, open_unknown);
        settle(&unknown, &mut opened).map_err(|failures| self.not_loaded(failures, findings))?;
        let (mut result, mut failures) = (Vec::new(), Vec::new());
        for (instance, (number, known)) in self.description.instances.iter().zip(places) {
            let file = &mut files.all[number];
            let fmu = match known.or(file.fmu.as_ref()) {
                Some(fmu) => Ok(fmu.clone()),
                // A file that failed for another instance fails once more.
                None => opened[number].take().unwrap_or_else(|| open(&file.path, file.guard)).and_then(&load),
            };
            match fmu {
                Ok(fmu) => {
                    file.fmu.get_or_insert_with(|| fmu.clone());
                    result.push(fmu);
                }
                Err(reason) => failures.push(LoadError::new(&instance.name.value, reason)),
            }
        }
        if failures.is_empty() { Ok(result) } else { Err(self.not_loaded(failures, findings)) }
    }

    /// Prepares the instances of FMUs in hosts, except the first one of each, which has its host.
    pub(super) fn prepare_instances(&self, hosted: &[Arc<dyn InstanceFactory>]) {
        let mut known = HashSet::new();
        let others: Vec<_> = hosted.iter().filter(|factory| !known.insert(Arc::as_ptr(factory))).collect();
        parallel::map(self.n_threads(), &others, |factory| factory.prepare());
    }

    /// Number of threads that open these files: small ones are opened before a thread has started.
    fn n_threads_to_open(&self, files: &[Option<(&Path, &Guard)>]) -> usize {
        let files = || files.iter().flatten();
        let starts_hosts = files().any(|(_, guard)| guard.place == Isolation::Process);
        let size = || files().map(|(path, _)| fs::metadata(path).map_or(0, |data| data.len())).sum::<u64>();
        if starts_hosts || size() > WORTH_THREADS { self.n_threads() } else { 1 }
    }

    /// Reports FMUs that cannot be loaded, together with the problems of the text of the file.
    fn not_loaded(&self, failures: Vec<LoadError>, findings: &Findings) -> Error {
        if findings.is_empty() {
            return Error::Load(failures);
        }
        let mut findings = findings.clone();
        for failure in &failures {
            let instance = self.description.instances.iter().find(|instance| instance.name.value == failure.instance);
            findings.error(failure.code(), &instance.and_then(|instance| instance.fmu.span.clone()), failure.to_string(), None);
        }
        findings.finish((), self.description.file.as_ref()).map_or_else(Error::System, |_| Error::Load(failures))
    }
}
