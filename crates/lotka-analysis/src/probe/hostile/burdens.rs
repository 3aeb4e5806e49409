//! What an FMU burdens its master with: lines and memory.

use std::time::Instant;

use lotka_instance::{Cause, Instance};

use super::super::answer::Answer;
use super::super::probe_run::ProbeRun;
use super::super::test_harness::TestHarness;
use super::super::trouble::Trouble;
use super::host::Host;
use super::trial::{Trial, unknown};

/// More log lines per step are a flood.
const MOST_LINES: usize = 100;

/// Number of runs after which memory is compared, and how long they may take together \[s\].
const RUNS: [u32; 2] = [12, 240];
const TIME: f64 = 2.0;

/// Memory that grows by less in a third of the runs may be that of the allocator \[KiB\].
const GROWTH: u64 = 128;

pub(super) fn prints(trial: &Trial) -> Answer {
    let Some(traces) = &trial.main.seen.traces else { return unknown(trial) };
    match traces.printed().next() {
        Some(line) => Answer::fail(format!("{} lines, the first one: {line}", traces.printed().count())),
        None => trial.not_seen(),
    }
}

pub(super) fn log_flood(trial: &Trial) -> Answer {
    let Some(traces) = &trial.main.seen.traces else { return unknown(trial) };
    let (lines, steps) = (traces.lines.len(), trial.main.seen.rows.len());
    let text = format!("{lines} lines {}", trial.extent());
    if lines > MOST_LINES * steps { Answer::fail(text) } else { Answer::pass(text) }
}

/// Whether memory grows while an instance is reset and runs, again and again.
pub(super) fn memory(harness: &TestHarness) -> Result<Answer, Trouble> {
    let Some(host) = Host::prepare(harness) else { return Ok(Answer::skipped("its process was not found")) };
    let mut run = ProbeRun::start(harness)?;
    let begin = Instant::now();
    match run.instance.reset() {
        Err(error) if error.cause == Cause::Unsupported => return Ok(Answer::not_supported("it has no reset")),
        other => other?,
    }
    again(&mut run, harness)?;
    let [least, most] = RUNS;
    let runs = (TIME / begin.elapsed().as_secs_f64()).clamp(f64::from(least), f64::from(most)) as u32;
    let mut sizes = Vec::new();
    for part in 0..3 {
        for _ in 0..runs / 3 {
            run.instance.reset()?;
            again(&mut run, harness)?;
        }
        let Some(facts) = host.facts() else { return Ok(Answer::skipped(format!("part {part} of its process was not seen"))) };
        sizes.push(facts.resident);
    }
    let grown: Vec<_> = sizes.windows(2).map(|pair| pair[1].saturating_sub(pair[0])).collect();
    // What is lost at each reset is lost in every third; the allocator grows once.
    let least_grown = grown.into_iter().min().unwrap_or(0);
    let text = format!("{} KiB per reset, {runs} times", least_grown / u64::from(runs / 3));
    Ok(if least_grown > GROWTH { Answer::fail(text) } else { Answer::pass(text) })
}

fn again(run: &mut ProbeRun<'_>, harness: &TestHarness) -> Result<(), Trouble> {
    run.initialize(&harness.experiment)?;
    run.steps(2)?;
    run.outputs()?;
    Ok(())
}
