//! Runs systems with a tolerance and compares the promised with the true errors.

use std::{
    fmt::Write,
    sync::atomic::{AtomicU64, Ordering},
};

use lotka::{Memory, RunFailure};

use super::{Case, Family, Through};

/// Points between two rows at which to determine the size of solutions, and the maximum total where rows are dense.
const BETWEEN: usize = 20;
const POINTS: usize = 1600;

/// Fraction of the largest value of an output below which errors are absolute; fraction of the largest value of all outputs below
/// which an output is ignored.
const SCALES: (f64, f64) = (1e-3, 1e-12);

/// Allowed decrease of a share, and allowed factor of calls: other systems differ by that much.
const LESS: f64 = 0.15;
const MORE: f64 = 1.5;

/// The outcome of a system.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// Seed of the system within its family.
    pub seed: u64,
    /// The run reports that the tolerance is met.
    pub kept: bool,
    /// Largest error relative to the tolerance.
    pub error: f64,
    /// Largest estimate relative to the tolerance.
    pub estimate: f64,
    /// doStep calls.
    pub calls: u64,
    /// Why the tolerance is not met, or what failed.
    pub reason: String,
    /// The run failed.
    pub failed: bool,
}

/// Runs a system with a tolerance.
#[must_use]
pub fn judge(seed: u64, case: &Case, tolerance: f64) -> Outcome {
    let mut outcome = Outcome {
        seed,
        kept: false,
        error: f64::INFINITY,
        estimate: f64::INFINITY,
        calls: 0,
        reason: String::new(),
        failed: true,
    };
    let mut rows = Memory::new();
    let mut simulation = match case.system.clone().tolerance(tolerance).build() {
        Ok(simulation) => simulation,
        Err(error) => return Outcome { reason: error.to_string(), ..outcome },
    };
    let report = match simulation.run(&mut [&mut rows]).or_else(RunFailure::accept_missed_tolerance) {
        Ok(report) => report,
        Err(failure) => return Outcome { reason: failure.to_string(), ..outcome },
    };
    let Some(global) = report.global_error else { return outcome };
    let claims = global.largest <= tolerance;
    assert_eq!(global.reached, claims, "an estimate within the tolerance is kept: {}", global.verdict());
    outcome.failed = false;
    outcome.kept = global.reached;
    outcome.estimate = global.largest / tolerance;
    outcome.calls = report.counters.n_do_step_calls;
    outcome.reason = global.reason;
    outcome.error = error(case, &rows) / tolerance;
    outcome
}

/// Returns the largest error of all outputs and rows.
fn error(case: &Case, rows: &Memory) -> f64 {
    if rows.time().is_empty() {
        return f64::INFINITY;
    }
    let mut times = Vec::new();
    for pair in rows.time().windows(2).filter(|pair| pair[1] > pair[0]) {
        let parts = BETWEEN.min((POINTS / rows.time().len().max(1)).max(1));
        times.extend((0..parts).map(|part| pair[0] + (pair[1] - pair[0]) * part as f64 / parts as f64));
    }
    times.extend(rows.time().last());
    let states = case.equations.solve(&times);
    let values = |output: usize| times.iter().zip(&states).map(move |(t, x)| (case.outputs[output].1)(*t, x));
    let largest: Vec<f64> =
        (0..case.outputs.len()).map(|output| values(output).fold(0.0, |largest: f64, value| largest.max(value.abs()))).collect();
    let of_all = largest.iter().copied().fold(0.0, f64::max);
    let mut worst = 0.0_f64;
    for (output, (name, _)) in case.outputs.iter().enumerate().filter(|(output, _)| largest[*output] > SCALES.1 * of_all) {
        let exact: Vec<f64> = values(output).collect();
        let all: Vec<f64> = rows.time().to_vec();
        for (row, (time, found)) in all.iter().zip(rows.real(name).unwrap()).enumerate() {
            let place = times.partition_point(|known| known < time).min(exact.len() - 1);
            let scale = exact[place].abs().max(SCALES.0 * largest[output]);
            // The time of an event is a result, too: an error in time changes the values by slope times that error.
            let is_event = row > 0 && all[row - 1] == *time || all.get(row + 1) == Some(time);
            let (before, after) = (place.saturating_sub(1), (place + 1).min(exact.len() - 1));
            let slope = (exact[after] - exact[before]).abs() / (times[after] - times[before]);
            let late = if is_event { slope * time } else { 0.0 };
            let error = (found - exact[place]).abs() / (scale + late);
            worst = if error.is_nan() { f64::INFINITY } else { worst.max(error) };
        }
    }
    worst
}

/// The outcomes of a family with a tolerance.
#[derive(Debug, Clone)]
pub struct Score {
    /// Name of the family.
    pub family: &'static str,
    /// The tolerance.
    pub tolerance: f64,
    /// Outcomes in the order of the seeds.
    pub outcomes: Vec<Outcome>,
}

/// Runs systems of a family on two threads. The outcomes depend neither on the number of threads nor on how the models are run.
#[must_use]
pub fn measure(family: &Family, tolerance: f64, seeds: std::ops::Range<u64>, way: &Through) -> Score {
    let next = AtomicU64::new(seeds.start);
    let work = || {
        let mut done = Vec::new();
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= seeds.end {
                return done;
            }
            done.push(judge(seed, &(family.case)(seed).through(way), tolerance));
        }
    };
    let mut outcomes: Vec<Outcome> = std::thread::scope(|scope| {
        let threads = [scope.spawn(work), scope.spawn(work)];
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    outcomes.sort_by_key(|outcome| outcome.seed);
    Score { family: family.name, tolerance, outcomes }
}

impl Score {
    /// Returns the number of results that are reported as within the tolerance, but are off by more than `tolerances` times it.
    #[must_use]
    pub fn false_beyond(&self, tolerances: f64) -> usize {
        self.outcomes.iter().filter(|outcome| outcome.kept && outcome.error > tolerances).count()
    }

    /// Returns the number of results that are reported as within the tolerance.
    #[must_use]
    pub fn kept(&self) -> usize {
        self.outcomes.iter().filter(|outcome| outcome.kept).count()
    }

    fn median(&self, of: impl Fn(&Outcome) -> f64) -> f64 {
        let mut all: Vec<f64> = self.outcomes.iter().filter(|outcome| !outcome.failed).map(of).collect();
        all.sort_by(f64::total_cmp);
        all.get(all.len() / 2).copied().unwrap_or(f64::NAN)
    }
}

/// Returns the upper end of the 95 % interval of a rate (E. B. Wilson 1927, doi 10.1080/01621459.1927.10502953).
fn upper_rate(count: usize, of: usize) -> f64 {
    if of == 0 {
        return 1.0;
    }
    let (n, z) = (of as f64, 1.96_f64);
    let p = count as f64 / n;
    (p + z * z / (2.0 * n) + z * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt()) / (1.0 + z * z / n)
}

/// Lists regressions of scores against an earlier table: more false results, fewer kept tolerances, more calls.
#[must_use]
pub fn compare(scores: &[Score], before: &str) -> Vec<String> {
    let mut differences = Vec::new();
    for score in scores {
        let start = format!("| {} | {:e} |", score.family, score.tolerance);
        let Some(line) = before.lines().find_map(|line| line.strip_prefix(&start)) else { continue };
        let cells: Vec<f64> = line.split(['|', ',', '%']).map(|cell| cell.trim().parse().unwrap_or(f64::NAN)).collect();
        let [systems, kept, .., wrong] = cells[..5] else { continue };
        let calls = cells[cells.len() - 2];
        let all = score.outcomes.len() as f64;
        let (share, share_before) = (score.kept() as f64 / all, kept / systems);
        if score.false_beyond(1.0) as f64 / all > wrong / systems + LESS {
            differences.push(format!("{start} more is false"));
        }
        if share < share_before - LESS {
            differences.push(format!("{start} {:.0} % are kept, before {:.0} %", 100.0 * share, 100.0 * share_before));
        }
        let now = score.median(|outcome| outcome.calls as f64);
        if now > MORE * calls {
            differences.push(format!("{start} {now:.0} calls, before {calls:.0}"));
        }
    }
    differences
}

/// Placeholder for no count.
const NONE: &str = "–";

/// Formats a table of scores.
#[must_use]
pub fn table(scores: &[Score]) -> String {
    let mut text = String::from(
        "| family | tolerance | systems | kept | refused | failed | false > 1, > 2, > 10 | false at most | worst error | median estimate/error | median calls |\n\
         |---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n",
    );
    for score in scores {
        let (all, kept) = (score.outcomes.len(), score.kept());
        let failed = score.outcomes.iter().filter(|outcome| outcome.failed).count();
        let wrong = [1.0, 2.0, 10.0].map(|tolerances| score.false_beyond(tolerances));
        let worst = score.outcomes.iter().filter(|outcome| outcome.kept).map(|outcome| outcome.error).fold(0.0, f64::max);
        let number = |number: f64| if number.is_finite() { format!("{number:.0}") } else { NONE.to_owned() };
        let of_kept = |text: String| if kept > 0 { text } else { NONE.to_owned() };
        let _ = writeln!(
            text,
            "| {} | {:e} | {all} | {kept} | {} | {failed} | {}, {}, {} | {} | {} | {} | {} |",
            score.family,
            score.tolerance,
            all - kept - failed,
            wrong[0],
            wrong[1],
            wrong[2],
            of_kept(format!("{:.1} %", 100.0 * upper_rate(wrong[0], kept))),
            of_kept(format!("{worst:.2}")),
            number(score.median(|outcome| outcome.estimate / outcome.error)),
            number(score.median(|outcome| outcome.calls as f64)),
        );
    }
    // Short pulses leave no trace.
    let counted = || scores.iter().filter(|score| score.family != "pulse");
    let kept: usize = counted().map(Score::kept).sum();
    let wrong = [1.0, 2.0, 10.0].map(|tolerances| counted().map(|score| score.false_beyond(tolerances)).sum::<usize>());
    let _ = writeln!(
        text,
        "\nWithout the family `pulse`, whose short pulses can leave no trace: {kept} results kept, of which {}, {} and {} are off by more than 1, 2 and 10 tolerances. With 95 % confidence, at most {:.2} % are false.",
        wrong[0],
        wrong[1],
        wrong[2],
        100.0 * upper_rate(wrong[0], kept)
    );
    text
}
