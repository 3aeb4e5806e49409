//! FMUs that do not get along in one process, and instances of one FMU that do not: they get processes of their own.

use std::{
    collections::{BTreeMap, HashSet},
    path::{Path, PathBuf},
    sync::Arc,
};

use fmu::{Clash, Footprint};
use lotka_instance::{BehaviorRecord, Comparison, InstantiationError};
use lotka_message::{Code, Coded, Warning};
use lotka_system::{Guard, Isolation};

use super::{
    System, hosts,
    loading::{Opened, Ready},
    opening::Outcome,
};
use crate::{Error, LoadError, parallel};

/// Two FMUs that do not get along in one process, while this program cannot start another one.
#[derive(Debug, thiserror::Error)]
#[error(
    "{} and {} cannot run in one process: {clash}\n  help: give them processes of their own: begin `main` with \
     `lotka::serve_if_host`, or set `System::host_program` or LOTKA_FMU_HOST to the path of lotka-fmu-host; isolation = \"none\" \
     runs them in one process nevertheless", other.display(), path.display()
)]
struct Clashing {
    path: PathBuf,
    other: PathBuf,
    clash: Clash,
}

impl Coded for Clashing {
    fn code(&self) -> Code {
        Code::FmusClash
    }
}

impl InstantiationError for Clashing {}

/// A file that is unpacked and would be loaded into this process.
struct Candidate<'a> {
    index: usize,
    path: &'a Path,
    guard: &'a Guard,
    footprint: Footprint,
    /// The user asked for this process.
    is_chosen: bool,
}

impl System {
    /// Opens FMUs again in processes of their own if they would not get along with others in this one, unless the user asked for
    /// this process.
    pub(super) fn part_clashing(
        &self,
        files: &[Option<(&Path, &Guard)>],
        opened: &mut [Option<Outcome<Ready>>],
        warnings: &mut Vec<Warning>,
    ) -> Result<(), Vec<LoadError>> {
        let candidates = self.candidates(files, opened);
        let (mut parting, mut failures) = (Parting::default(), Vec::new());
        for (index, candidate) in candidates.iter().enumerate() {
            for other in &candidates[..index] {
                if let Some(clash) = candidate.footprint.clash(&other.footprint) {
                    failures.extend(parting.part(&[other, candidate], other.path, clash, warnings));
                }
            }
            let is_other = |path: &PathBuf| !candidates.iter().any(|candidate| candidate.path == path);
            let loaded = candidate.footprint.clash_with_loaded().filter(|(path, _)| is_other(path));
            if let Some((path, clash)) = loaded {
                failures.extend(parting.part(&[candidate], &path, clash, warnings));
            }
        }
        if !failures.is_empty() {
            return Err(failures.into_iter().map(|failure| self.not_alone(failure)).collect());
        }
        let parted: Vec<_> = candidates.iter().filter(|candidate| parting.0.contains(&candidate.index)).collect();
        let hosted = parallel::map(self.n_threads(), &parted, |candidate| hosts::open(candidate.path, &candidate.guard.options));
        for (candidate, factory) in parted.iter().zip(hosted) {
            opened[candidate.index] = Some(factory.map(|factory| Ready::Hosted(Opened::new(factory, false))));
        }
        Ok(())
    }

    /// FMUs that permit one instance per process, but have several, run in separate processes; so do those whose instances
    /// disturbed each other in a test run, unless the user asked for this process or there is no other one.
    pub(super) fn part_singles(
        &self,
        opened: &mut [Opened],
        guards: &[Guard],
        records: &[Option<Arc<BehaviorRecord>>],
        warnings: &mut Vec<Warning>,
    ) -> Result<(), Error> {
        let disturbed = |index: usize| records[index].as_deref().and_then(disturbance);
        let is_single = |index: usize| {
            let fmu = &opened[index];
            fmu.is_here && (fmu.factory.capabilities().only_once_per_process || disturbed(index).is_some())
        };
        let mut singles: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for index in (0..opened.len()).filter(|index| is_single(*index)) {
            singles.entry(opened[index].factory.description().token.clone()).or_default().push(index);
        }
        let mut failures = Vec::new();
        for instances in singles.values().filter(|instances| instances.len() > 1) {
            let is_moved = |index: &usize| {
                let is_free = !self.is_chosen(*index) && hosts::is_available(&guards[*index].options);
                is_free || opened[*index].factory.capabilities().only_once_per_process
            };
            let moved: Vec<usize> = instances.iter().copied().filter(is_moved).collect();
            if let Some(difference) = disturbed(instances[0]) {
                warnings.push(self.of_disturbed(instances, difference, !moved.is_empty()));
            }
            for index in moved {
                let Some(file) = opened[index].factory.file() else { continue };
                match hosts::open(file, &guards[index].options) {
                    Ok(factory) => opened[index] = Opened::new(factory, false),
                    Err(reason) => failures.push(LoadError::new(&self.description.instances[index].name.value, reason)),
                }
            }
        }
        if failures.is_empty() { Ok(()) } else { Err(Error::Load(failures)) }
    }

    /// Says what is done about instances that disturb each other.
    fn of_disturbed(&self, instances: &[usize], disturbed: &str, is_moved: bool) -> Warning {
        let names: Vec<_> =
            instances.iter().map(|index| format!("`{}`", self.description.instances[*index].name.value)).collect();
        let (names, found) =
            (names.join(", "), format!("in a test run, instances of this FMU disturbed each other ({disturbed})"));
        if is_moved {
            return Warning::new(Code::FmusParted, format!("{names} run in separate processes: {found}"));
        }
        Warning::new(Code::FmusMixed, format!("{names} run in one process, but {found}; their results may be wrong"))
    }

    /// Whether the user asked for this process.
    fn is_chosen(&self, index: usize) -> bool {
        let of_instance = self.description.instances[index].isolation.isolation.as_ref();
        let place = of_instance.or(self.description.isolation.isolation.as_ref());
        place.is_some_and(|place| place.value == Isolation::None)
    }

    fn candidates<'a>(&self, files: &[Option<(&'a Path, &'a Guard)>], opened: &[Option<Outcome<Ready>>]) -> Vec<Candidate<'a>> {
        let instances = self.description.instances.iter().enumerate().filter(|(index, _)| self.is_chosen(*index));
        let chosen: HashSet<_> = instances.map(|(_, instance)| self.base.join(&instance.fmu.value)).collect();
        let candidate = |index: usize| {
            let ((path, guard), ready) = (files[index]?, opened[index].as_ref()?.as_ref().ok()?);
            let Ready::Unpacked(unpacked, _) = ready else { return None };
            let (footprint, is_chosen) = (unpacked.footprint().clone(), chosen.contains(path));
            Some(Candidate { index, path, guard, footprint, is_chosen })
        };
        (0..files.len()).filter_map(candidate).collect()
    }

    /// The failure of the first instance of a file.
    fn not_alone(&self, failure: Clashing) -> LoadError {
        let is_it = |instance: &&lotka_system::InstanceSettings| self.base.join(&instance.fmu.value) == failure.path;
        let instance = self.description.instances.iter().find(is_it).map_or("", |instance| &instance.name.value);
        LoadError::new(instance, Box::new(failure) as Box<dyn InstantiationError>)
    }
}

/// How two instances in one process disturbed each other in a test run, if they did.
fn disturbance(record: &BehaviorRecord) -> Option<&str> {
    match &record.together {
        Some(Comparison::Differs(difference)) => Some(difference),
        Some(Comparison::Same) | None => None,
    }
}

/// The files, by their numbers, that get processes of their own.
#[derive(Default)]
struct Parting(HashSet<usize>);

impl Parting {
    /// Decides about FMUs that do not get along: two candidates, or one with an FMU that is loaded. The last one is the second of
    /// them.
    fn part(&mut self, files: &[&Candidate<'_>], first: &Path, clash: Clash, warnings: &mut Vec<Warning>) -> Option<Clashing> {
        let second = files[files.len() - 1].path;
        let movable: Vec<_> = files.iter().filter(|file| !file.is_chosen).collect();
        let (first_name, second_name) = (first.display(), second.display());
        if movable.is_empty() {
            let text = format!(
                "{first_name} and {second_name} run in one process, because `isolation` is \"none\", but {clash}; their results may be \
                 wrong"
            );
            warnings.push(Warning::new(Code::FmusMixed, text));
            return None;
        }
        if movable.iter().any(|file| !hosts::is_available(&file.guard.options)) {
            return Some(Clashing { path: second.to_owned(), other: first.to_owned(), clash });
        }
        let n_before = self.0.len();
        self.0.extend(movable.iter().map(|file| file.index));
        if self.0.len() > n_before {
            let text = format!("{first_name} and {second_name} run in separate processes: {clash}");
            warnings.push(Warning::new(Code::FmusParted, text));
        }
        None
    }
}
