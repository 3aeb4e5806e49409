//! What the master costs. Run with `cargo xtask bench`, or `cargo xtask bench NAME` for the lines whose name contains NAME.
//!
//! Times are processor times: minima over many rounds, in which both sides take turns, so that the load of the machine matters little and its speed
//! cancels in the ratio. With `--instructions`, callgrind counts instructions, too. `--check` compares all this with the committed table, and
//! `--write` replaces the table.

mod bare;
mod count;
mod hosts;
mod loops;
mod parallel;
mod table;

use std::{path::Path, process::ExitCode};

use count::Count;
use loops::Loop;
use table::{Committed, Line, title};

/// A line that seems slower than the committed one is measured again: other programs may have disturbed it.
const ATTEMPTS: usize = 4;

/// Measures lines, prints them, and keeps them.
struct Bench {
    /// Lines whose name contains this are measured.
    filter: String,
    /// Whether instructions are counted.
    counts: bool,
    committed: Committed,
    lines: Vec<Line>,
}

impl Bench {
    fn wants(&self, name: &str) -> bool {
        name.to_lowercase().contains(&self.filter.to_lowercase())
    }

    fn loops(&mut self, name: &str, loops: Vec<Loop>) {
        let wanted: Vec<_> = loops.into_iter().filter(|one| self.wants(one.name())).collect();
        if !wanted.is_empty() {
            title(name);
        }
        for mut one in wanted {
            let mut line = one.measure();
            if self.counts {
                one.count(&mut line);
            }
            for _ in 1..ATTEMPTS {
                if self.committed.is_exceeded(&line) {
                    line.improve(&one.measure());
                }
            }
            self.committed.print(&line);
            self.lines.push(line);
        }
    }
}

impl Bench {
    fn parallel(&mut self, folder: &Path) {
        let wanted: Vec<_> = parallel::NAMES.into_iter().filter(|name| self.wants(name)).collect();
        if !wanted.is_empty() {
            title("two threads, elapsed time; the limit is half that of one");
        }
        for name in wanted {
            let mut line = parallel::measure(name, folder);
            for _ in 1..ATTEMPTS {
                if self.committed.is_exceeded(&line) {
                    line.improve(&parallel::measure(name, folder));
                }
            }
            self.committed.print(&line);
            self.lines.push(line);
        }
    }
}

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    if let Some(count) = Count::requested(&arguments) {
        count.run(folder.path());
        return ExitCode::SUCCESS;
    }
    let has = |flag: &str| arguments.iter().any(|argument| argument == flag);
    let (checks, writes) = (has("--check"), has("--write"));
    let filter = arguments.iter().find(|argument| !argument.starts_with('-')).cloned().unwrap_or_default();
    let counts = checks || writes || has("--instructions");
    let mut bench = Bench { filter, counts, committed: Committed::read(), lines: Vec::new() };
    bench.loops("two FMUs in C, per communication step", loops::of_c(folder.path()));
    bench.loops("two FMUs of the kit", loops::of_kit());
    bench.loops("networks of FMUs in C", loops::of_networks(folder.path()));
    bench.parallel(folder.path());
    if bench.wants("host") {
        hosts::print();
    }
    let exceeded: Vec<_> = bench.lines.iter().filter(|line| bench.committed.is_exceeded(line)).collect();
    if checks && !exceeded.is_empty() {
        exceeded.iter().for_each(|line| eprintln!("`{}` is more than 10 % worse than in the committed table", line.name));
        return ExitCode::FAILURE;
    }
    if writes {
        bench.committed.write(&bench.lines);
    }
    ExitCode::SUCCESS
}
