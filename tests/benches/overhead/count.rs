//! Instructions per step, counted by callgrind where it is installed: the same on every machine and under every load.

use std::{path::Path, process::Command};

use crate::{loops, scale};

/// One loop, or one work of another size, to be run in the process of this program that callgrind watches.
pub struct Count {
    name: String,
    is_bare: bool,
    /// Number of steps, or of repetitions.
    steps: usize,
}

impl Count {
    /// Reads `--count NAME bare|master STEPS`.
    pub fn requested(arguments: &[String]) -> Option<Self> {
        let at = arguments.iter().position(|argument| argument == "--count")?;
        let [name, side, steps, ..] = &arguments[at + 1..] else { return None };
        Some(Self { name: name.clone(), is_bare: side == "bare", steps: steps.parse().ok()? })
    }

    pub fn run(&self, folder: &Path) {
        if let Some(subject) = scale::all().into_iter().find(|subject| subject.name() == self.name) {
            return subject.run_once(folder, self.is_bare, self.steps);
        }
        let loops =
            [loops::of_c(folder), loops::of_kit(), loops::of_versions(), loops::of_networks(folder)].into_iter().flatten();
        let mut named = loops.filter(|one| one.name() == self.name);
        named.next().expect("the loop exists").run_once(self.is_bare, self.steps);
    }
}

/// Instructions per step without a master and with it, from runs of these two numbers of steps: start and end of the program
/// cancel out. `None` without callgrind.
pub fn instructions(name: &str, [few, many]: [usize; 2]) -> Option<[f64; 2]> {
    let side = |side| Some((counted(name, side, many)? - counted(name, side, few)?) / (many - few) as f64);
    Some([side("bare")?, side("master")?])
}

/// All instructions of one run.
fn counted(name: &str, side: &str, steps: usize) -> Option<f64> {
    let program = std::env::current_exe().ok()?;
    let mut command = Command::new("valgrind");
    command.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]).arg(program);
    let output = command.args(["--count", name, side, &steps.to_string()]).output().ok()?;
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let total = text.lines().find_map(|line| line.split_once("Collected :"))?.1.trim().parse().ok()?;
    output.status.success().then_some(total)
}
