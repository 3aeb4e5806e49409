//! Instructions per step, counted by callgrind where it is installed: the same on every machine and under every load.

use std::{path::Path, process::Command};

use crate::loops;

/// Number of steps of the two runs whose difference is counted: start and end of the program cancel out.
const STEPS: [usize; 2] = [1000, 3000];

/// One loop to be run once, in the process of this program that callgrind watches.
pub struct Count {
    name: String,
    is_bare: bool,
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
        let loops = [loops::of_c(folder), loops::of_kit(), loops::of_networks(folder)].into_iter().flatten();
        let mut named = loops.filter(|one| one.name() == self.name);
        named.next().expect("the loop exists").run_once(self.is_bare, self.steps);
    }
}

/// Instructions per communication step of a bare loop and of the master's; `None` without callgrind.
pub fn instructions(name: &str) -> Option<[f64; 2]> {
    let side = |side| Some((counted(name, side, STEPS[1])? - counted(name, side, STEPS[0])?) / (STEPS[1] - STEPS[0]) as f64);
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
