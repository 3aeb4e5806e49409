//! What the master costs. Run with `cargo xtask bench`, or `cargo xtask bench NAME` for the lines whose name contains NAME.
//!
//! Times are processor times: minima over many rounds, in which both sides take turns, so that the load of the machine matters
//! little and its speed cancels in the ratio. With `--instructions`, callgrind counts instructions, too. `--check` compares all
//! this with the committed table, and `--write` replaces the table.

mod bare;
mod count;
mod hosts;
mod loops;
mod many;
mod parallel;
mod process;
mod scale;
mod table;

use std::process::ExitCode;

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

    /// Measures the subjects of one part of the table that are wanted.
    fn part<T>(
        &mut self,
        name: &str,
        subjects: Vec<T>,
        name_of: impl Fn(&T) -> String,
        mut measure: impl FnMut(&mut T) -> Line,
        count: impl Fn(&T, &mut Line),
    ) {
        let wanted: Vec<_> = subjects.into_iter().filter(|subject| self.wants(&name_of(subject))).collect();
        if !wanted.is_empty() {
            title(name);
        }
        for mut subject in wanted {
            let mut line = measure(&mut subject);
            if self.counts {
                count(&subject, &mut line);
            }
            for _ in 1..ATTEMPTS {
                if self.committed.is_exceeded(&line) {
                    line.improve(&measure(&mut subject));
                }
            }
            self.committed.print(&line);
            self.lines.push(line);
        }
    }

    fn loops(&mut self, name: &str, loops: Vec<Loop>) {
        self.part(name, loops, |one| one.name().to_owned(), Loop::measure, Loop::count);
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
    bench.loops("the same in FMI 3.0, against FMI 2.0", loops::of_versions());
    bench.loops("networks of FMUs in C", loops::of_networks(folder.path()));
    let (sizes, threads) = (scale::all(), parallel::NAMES.to_vec());
    bench.part(
        "by size",
        sizes,
        |subject| subject.name(),
        |subject| subject.measure(folder.path()),
        |subject, line| subject.count(line),
    );
    let processes = vec![process::Subject::C, process::Subject::Kit];
    let title = "processes of one step, against a program that does nothing";
    bench.part(title, processes, |subject| subject.name(), |subject| subject.measure(folder.path()), |_, _| {});
    let title = "two threads, by the clock; the limit is half the time of one";
    bench.part(title, threads, |name| (*name).to_owned(), |name| parallel::measure(name, folder.path()), |_, _| {});
    let title = "many runs, by the clock";
    bench.part(title, many::ALL.to_vec(), |subject| subject.name(), |subject| subject.measure(folder.path()), |_, _| {});
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
