//! What a process of one step costs: `lotka run` against a program that does nothing, in processor time of all its processes.

use std::{
    fs,
    mem::MaybeUninit,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use tests::lean::Lean;

use crate::table::Line;

const ROUNDS: usize = 60;

/// Aims in milliseconds, of which the program that does nothing takes the first one.
const NOTHING: f64 = 0.7;

/// A system of two FMUs.
#[derive(Clone, Copy)]
pub enum Subject {
    /// In C.
    C,
    /// Of the kit.
    Kit,
}

impl Subject {
    pub fn name(self) -> String {
        match self {
            Self::C => "lotka run, one step of two FMUs in C".to_owned(),
            Self::Kit => "lotka run, one step of two FMUs of the kit".to_owned(),
        }
    }

    fn aim(self) -> f64 {
        match self {
            Self::C => 3.0 / NOTHING,
            Self::Kit => 4.0 / NOTHING,
        }
    }

    fn fmus(self, folder: &Path) -> [PathBuf; 2] {
        match self {
            Self::C => ["one", "other"].map(|name| Lean::new(name).build(folder)),
            Self::Kit => ["prey", "predator"].map(tests::packed),
        }
    }

    pub fn measure(self, folder: &Path) -> Line {
        let [one, other] = self.fmus(folder);
        let system = folder.join("one-step.toml");
        let [first, second] = match self {
            Self::C => ["\"a.u1\" = \"b.y1\"", "\"b.u1\" = \"a.y1\""],
            Self::Kit => ["\"a.y\" = \"b.y\"", "\"b.x\" = \"a.x\""],
        };
        let text = format!(
            "[experiment]\nstop = 0.1\nstep = 0.1\n[instances]\na = {one:?}\nb = {other:?}\n[connections]\n{first}\n{second}\n[algorithm]\ninput-degree = 0\n"
        );
        fs::write(&system, text).expect("the folder can be written to");
        let mut ours = Command::new(tests::lotka());
        ours.arg("run").arg(&system).env("XDG_CACHE_HOME", folder.join("cache"));
        let mut nothing = Command::new("true");
        let (mut limit, mut best) = (f64::INFINITY, f64::INFINITY);
        for _ in 0..ROUNDS {
            limit = limit.min(cpu_time_of(&mut nothing));
            best = best.min(cpu_time_of(&mut ours));
        }
        Line { name: self.name(), limit, ours: best, unit: "ms", aim: self.aim(), instructions: None }
    }
}

/// Processor time of a program and of all processes that it waits for [ms].
fn cpu_time_of(command: &mut Command) -> f64 {
    let before = of_children();
    let status = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    assert!(status.is_ok_and(|status| status.success()), "{command:?} fails");
    of_children() - before
}

/// Processor time of all processes that this one has waited for [ms].
fn of_children() -> f64 {
    let mut usage = MaybeUninit::<libc::rusage>::uninit();
    // SAFETY: the structure belongs to this function.
    let result = unsafe { libc::getrusage(libc::RUSAGE_CHILDREN, usage.as_mut_ptr()) };
    assert_eq!(result, 0, "its arguments are right");
    // SAFETY: the call has initialized it.
    let usage = unsafe { usage.assume_init() };
    [usage.ru_utime, usage.ru_stime].iter().map(|time| time.tv_sec as f64 * 1e3 + time.tv_usec as f64 * 1e-3).sum()
}
