//! What many runs of one system cost, by the clock: verified runs of predator and prey with other parameters, and runs in pieces.

use std::{
    fs,
    path::Path,
    process::{Command, Stdio},
    time::Instant,
};

use fmu::Fmu;
use lotka::{Ensemble, StartValue, System};

use crate::{
    bare::{Pair, Side2},
    table::Line,
};

const ROUNDS: usize = 4;

/// Number of runs of an ensemble, and of a sweep.
const RUNS: usize = 1000;
const SWEPT: usize = 10_000;

/// Time of a verified run that is aimed at [ms].
const AIM: f64 = 0.3;

/// Number of steps of a run in pieces of one step each, and their size [s].
const PIECES: usize = 1000;
const H: f64 = 0.1;

/// What is compared.
#[derive(Clone, Copy)]
pub enum Subject {
    /// A verified run of an ensemble, against a bare loop of as many steps of its instances.
    Verified,
    /// Runs on two threads, against half the time of one.
    Threads,
    /// `lotka sweep` with two jobs, against half the time of one.
    Jobs,
    /// `lotka sweep`, against the library.
    Sweep,
    /// A run in pieces of one step, against the same run in one piece.
    Session,
}

pub const ALL: [Subject; 5] = [Subject::Verified, Subject::Threads, Subject::Jobs, Subject::Sweep, Subject::Session];

impl Subject {
    pub fn name(self) -> String {
        match self {
            Self::Verified => "ensemble: a verified run, against its steps".to_owned(),
            Self::Threads => format!("2 threads, ensemble of {RUNS}"),
            Self::Jobs => format!("2 jobs, lotka sweep of {SWEPT}"),
            Self::Sweep => format!("lotka sweep of {SWEPT}, against the library"),
            Self::Session => format!("session: {PIECES} pieces of one step, against a run"),
        }
    }

    pub fn measure(self, folder: &Path) -> Line {
        let [limit, ours, aim] = match self {
            Self::Verified => verified(),
            Self::Threads => {
                let [one, two] = in_turns([1, 2].map(|threads| move || ensemble(threads, RUNS).0));
                [one / 2.0, two, 2.0 / 1.9]
            }
            Self::Jobs => {
                let [one, two] = in_turns([1, 2].map(|jobs| move || sweep(folder, jobs)));
                [one / 2.0, two, 2.0 / 1.9]
            }
            Self::Sweep => {
                let works: [&dyn Fn() -> f64; 2] = [&|| ensemble(2, SWEPT).0, &|| sweep(folder, 2)];
                let [limit, ours] = in_turns(works);
                [limit, ours, 1.5]
            }
            Self::Session => session(),
        };
        Line { name: self.name(), limit, ours, unit: "ms", aim, instructions: None }
    }
}

fn verified() -> [f64; 3] {
    let mut calls = 0.0;
    let mut run = || {
        let (elapsed, steps) = ensemble(1, RUNS);
        calls = steps;
        elapsed / RUNS as f64
    };
    let [ours] = in_turns([&mut run]);
    let [prey, predator] = fmus();
    let mut pair = Pair::<Side2>::new([(&prey, "y", "x"), (&predator, "x", "y")], 0.01);
    let steps = (calls / 2.0) as usize;
    let bare = || {
        pair.begin();
        clock(|| pair.gauss_seidel(steps))
    };
    let [limit] = in_turns([bare]);
    [limit, ours, AIM / limit]
}

fn session() -> [f64; 3] {
    let mut simulation = system().step(H).stop(H * PIECES as f64).build().expect("the system fits");
    let (mut limit, mut ours) = (f64::INFINITY, f64::INFINITY);
    for _ in 0..ROUNDS {
        limit = limit.min(clock(|| _ = simulation.run(&mut []).expect("the run ends well")));
        let start = Instant::now();
        let mut session = simulation.start(Vec::new()).map_err(|failure| failure.to_string()).expect("the run begins");
        for piece in 1..=PIECES {
            session.advance_to(piece as f64 * H);
        }
        let (after, ended) = session.finish();
        ended.expect("the run ends well");
        ours = ours.min(start.elapsed().as_secs_f64() * 1e3);
        simulation = after;
    }
    [limit, ours, 1.5]
}

fn fmus() -> [Fmu; 2] {
    ["prey", "predator"].map(|name| Fmu::open(tests::packed(name)).expect("our FMUs load"))
}

fn system() -> System {
    let [prey, predator] = fmus();
    let system = System::new().instance_of("prey", &prey).instance_of("predator", &predator);
    system.connect("prey.y", "predator.y").connect("predator.x", "prey.x").threads(1)
}

/// Makes verified runs, and returns their time [ms] and the mean number of steps of instances in a run.
fn ensemble(threads: usize, runs: usize) -> (f64, f64) {
    let system = system().stop(100.0).output_interval(1.0).tolerance(1e-6);
    let mut ensemble = Ensemble::new(&system).expect("the system fits").threads(threads);
    let values = |run: usize| vec![("prey.a", StartValue::Real(0.05 + 0.1 * run as f64 / runs as f64))];
    let mut make = |runs: usize| {
        let calls = |member: &lotka::Member<'_>| member.outcome.as_ref().map_or(0, |report| report.counters.n_do_step_calls);
        ensemble.run(0..runs, values, calls).expect("the FMUs open").iter().sum::<u64>()
    };
    // All workers open their FMUs.
    make(20 * threads);
    let mut calls = 0;
    let elapsed = clock(|| calls = make(runs));
    (elapsed, calls as f64 / runs as f64)
}

/// The time of `lotka sweep` with the same runs [ms].
fn sweep(folder: &Path, jobs: usize) -> f64 {
    let [prey, predator] = ["prey", "predator"].map(tests::packed);
    let system = format!(
        "[experiment]\nstop = 100\noutput-interval = 1\ntolerance = 1e-6\n[instances]\nprey = {prey:?}\npredator = {predator:?}\n\
         [connections]\n'prey.y' = 'predator.y'\n'predator.x' = 'prey.x'\n"
    );
    let study =
        format!("[sweep]\nsystem = 'swept.toml'\n[parameters]\n'prey.a' = {{ from = 0.05, to = 0.15, count = {SWEPT} }}\n");
    fs::write(folder.join("swept.toml"), system).expect("the folder can be written to");
    fs::write(folder.join("study.toml"), study).expect("the folder can be written to");
    let mut command = Command::new(tests::lotka());
    command.args(["sweep", "study.toml", "--force", "--jobs", &jobs.to_string()]).current_dir(folder);
    command.stdin(Stdio::null()).stderr(Stdio::null()).env("XDG_CACHE_HOME", folder.join("cache"));
    clock(|| assert!(command.status().is_ok_and(|status| status.success()), "{command:?} fails"))
}

/// The least time of each work, by the clock [ms]; they take turns.
fn in_turns<const N: usize>(mut works: [impl FnMut() -> f64; N]) -> [f64; N] {
    let mut best = [f64::INFINITY; N];
    for _ in 0..ROUNDS {
        best.iter_mut().zip(&mut works).for_each(|(best, work)| *best = best.min(work()));
    }
    best
}

/// Elapsed time [ms].
fn clock(work: impl FnOnce()) -> f64 {
    let start = Instant::now();
    work();
    start.elapsed().as_secs_f64() * 1e3
}
