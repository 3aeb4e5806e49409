//! The runs in which an FMU is watched, and the way that suits it.

use std::path::Path;

use lotka_host::Sandbox;

use super::super::answer::Answer;
use super::super::options::ProbeOptions;
use super::super::possible_steps::with_possible_steps;
use super::super::test_harness::TestHarness;
use super::super::trouble::Trouble;
use super::observation::Observation;
use super::options::HostileOptions;
use super::site::Site;

/// How an FMU runs, from the most confined way on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// In a sandbox with its own files.
    Sandbox,
    /// In a sandbox in which it can read all files.
    Reading,
    /// Without a sandbox.
    Plain,
}

/// An FMU that was run in one of the ways.
pub(super) struct Attempt {
    pub harness: Option<TestHarness>,
    pub seen: Observation,
}

/// The FMU with all that was seen of it.
pub(super) struct Trial {
    /// The way in which all questions are asked: the most confined one in which the FMU works.
    pub way: Way,
    pub main: Attempt,
    /// Why a more confined way does not do.
    pub reason: Option<Trouble>,
    /// What was seen in the sandbox with its own files.
    pub confined: Option<Observation>,
    /// What was seen in the sandbox in which it can read all files.
    pub reading: Option<Observation>,
    pub site: Option<Site>,
}

impl Attempt {
    fn new(path: &Path, options: &HostileOptions, site: &Site, way: Way) -> Self {
        let sandbox = match way {
            Way::Sandbox => Some(Sandbox::default()),
            // Where it writes beside its folder, this is seen.
            Way::Reading => Some(Sandbox { read: vec!["/".into()], write: vec![site.folder().to_owned()], ..Sandbox::default() }),
            Way::Plain => None,
        };
        let options = ProbeOptions { time_limit: options.time_limit, host_program: options.host_program.clone(), sandbox };
        let before = site.contents();
        match TestHarness::open(path, &options).map(with_possible_steps) {
            Ok(harness) => Self { seen: Observation::of(&harness, site, &before), harness: Some(harness) },
            Err(trouble) => Self { harness: None, seen: Observation::failed(trouble) },
        }
    }
}

impl Trial {
    pub fn of(path: &Path, options: &HostileOptions) -> Self {
        let site = match Site::new(&options.site) {
            Ok(site) => site,
            Err(error) => {
                let trouble = Trouble::new(format!("cannot write to {}: {error}", options.site.display()));
                return Self::new(Way::Sandbox, Attempt { harness: None, seen: Observation::failed(trouble) });
            }
        };
        let attempt = |way| Attempt::new(path, options, &site, way);
        let [confined, reading] = [Way::Sandbox, Way::Reading].map(attempt);
        let trial = if confined.seen.works {
            Self { reading: Some(reading.seen), ..Self::new(Way::Sandbox, confined) }
        } else if reading.seen.works {
            Self { reason: confined.seen.trouble.clone(), confined: Some(confined.seen), ..Self::new(Way::Reading, reading) }
        } else {
            let plain = attempt(Way::Plain);
            let way = if plain.seen.works { Way::Plain } else { Way::Sandbox };
            let (main, others) = if plain.seen.works { (plain, confined) } else { (confined, plain) };
            Self {
                reason: others.seen.trouble.clone(),
                confined: Some(others.seen),
                reading: Some(reading.seen),
                ..Self::new(way, main)
            }
        };
        Self { site: Some(site), ..trial }
    }

    fn new(way: Way, main: Attempt) -> Self {
        Self { way, main, reason: None, confined: None, reading: None, site: None }
    }

    /// Everything seen of the FMU.
    pub fn all_seen(&self) -> impl Iterator<Item = &Observation> {
        [Some(&self.main.seen), self.confined.as_ref(), self.reading.as_ref()].into_iter().flatten()
    }

    /// `in 12 steps`, as far as the FMU was seen.
    pub fn extent(&self) -> String {
        format!("in {} steps", self.main.seen.rows.len())
    }

    /// The answer of what was not seen.
    pub fn not_seen(&self) -> Answer {
        if self.main.seen.works { Answer::pass(self.extent()) } else { unknown(self) }
    }
}

/// The answer where the FMU does not come far enough.
pub(super) fn unknown(trial: &Trial) -> Answer {
    let what = if trial.main.seen.works { "the end of the instance fails" } else { "the FMU does not work" };
    Answer::skipped(what)
}
