//! What an FMU does with its process and to others.

use super::super::answer::{Answer, ProbeVerdict};
use super::super::test_harness::TestHarness;
use super::super::traces::Traces;
use super::host::inherited;
use super::refused::Refused;
use super::trial::{Trial, unknown};
use crate::platform::Facts;

pub(super) fn life_cycle(trial: &Trial) -> Answer {
    match &trial.main.seen.trouble {
        Some(trouble) => Answer::fail(trouble.text.clone()),
        None => Answer::pass(trial.extent()),
    }
}

/// The answer about denied calls; `None` if none of them was.
fn denied(trial: &Trial, which: impl Fn(&Refused) -> Vec<&str>) -> Option<Answer> {
    let mut names: Vec<_> = trial.all_seen().flat_map(|seen| which(&seen.refused)).collect();
    names.sort_unstable();
    names.dedup();
    (!names.is_empty()).then(|| Answer::fail(format!("the sandbox denied {}", names.join(", "))))
}

pub(super) fn network(trial: &Trial) -> Answer {
    let traces = trial.main.seen.traces.as_ref();
    let opened = traces.and_then(|traces| {
        traces.during.now.new_files(&traces.during.before).into_iter().find(|file| file.starts_with("socket:"))
    });
    denied(trial, Refused::network)
        .or_else(|| opened.map(|_| Answer::fail("a socket is open after the steps")))
        .unwrap_or_else(|| trial.not_seen())
}

pub(super) fn programs(trial: &Trial) -> Answer {
    let is_unnamed = trial.all_seen().any(|seen| seen.refused.is_unnamed);
    let seen = &trial.main.seen;
    let has_waited = matches!(&seen.facts, [Some(loaded), Some(stepped)] if stepped.has_waited && !loaded.has_waited);
    denied(trial, Refused::programs).unwrap_or_else(|| {
        if is_unnamed {
            Answer::fail("the sandbox denied a call while signals were blocked, as in functions that start programs")
        } else if !seen.started.is_empty() {
            Answer::fail(format!("{} runs after the steps", seen.started.join(", ")))
        } else if has_waited {
            Answer::fail("it waited for the end of a process that it had started")
        } else {
            trial.not_seen()
        }
    })
}

pub(super) fn other_calls(trial: &Trial) -> Answer {
    denied(trial, Refused::others).unwrap_or_else(|| trial.not_seen())
}

/// Denied calls that change files.
pub(super) fn denied_of_files(trial: &Trial) -> Option<Answer> {
    denied(trial, Refused::files)
}

/// The answer of a question about the process; what is as it should be was not seen to change.
fn traced(trial: &Trial, ask: impl Fn(&Traces, &TestHarness) -> Answer) -> Answer {
    match (&trial.main.seen.traces, &trial.main.harness) {
        (Some(traces), Some(harness)) => {
            let answer = ask(traces, harness);
            if answer.verdict == ProbeVerdict::Pass { trial.not_seen() } else { answer }
        }
        _ => unknown(trial),
    }
}

pub(super) fn working_directory(trial: &Trial) -> Answer {
    traced(trial, Traces::working_directory)
}

pub(super) fn environment(trial: &Trial) -> Answer {
    traced(trial, |traces, harness| match traces.was_put_back(harness, "environment variables") {
        true => Answer::fail("it changes environment variables; Lotka keeps them from other FMUs"),
        false => Answer::pass(""),
    })
}

pub(super) fn locale(trial: &Trial) -> Answer {
    traced(trial, Traces::locale)
}

pub(super) fn floating_point(trial: &Trial) -> Answer {
    traced(trial, Traces::floating_point)
}

pub(super) fn signals(trial: &Trial) -> Answer {
    let handlers = traced(trial, Traces::signal_handlers);
    let blocked = differing(trial, |facts| &facts.blocked);
    match blocked {
        Some([before, now]) if handlers.verdict != ProbeVerdict::Fail => {
            Answer::fail(format!("it blocks signals (the mask {before}, then {now})"))
        }
        _ => handlers,
    }
}

pub(super) fn threads(trial: &Trial) -> Answer {
    traced(trial, Traces::threads)
}

pub(super) fn streams(trial: &Trial) -> Answer {
    traced(trial, |traces, _| match traces.changed_stream() {
        Some(name) => Answer::fail(format!("it closes or redirects {name}")),
        None => Answer::pass(""),
    })
}

/// What the system shows of the process with the loaded library, and otherwise after the steps.
fn differing<'t>(trial: &'t Trial, what: impl Fn(&'t Facts) -> &'t String) -> Option<[&'t String; 2]> {
    let [loaded, stepped] = &trial.main.seen.facts;
    let values = [what(loaded.as_ref()?), what(stepped.as_ref()?)];
    (values[0] != values[1]).then_some(values)
}

pub(super) fn umask(trial: &Trial) -> Answer {
    let Some(now) = &trial.main.seen.facts[1] else { return unseen(trial) };
    // Constructors ran before the library was loaded.
    match inherited().filter(|before| before.umask != now.umask) {
        Some(before) => Answer::fail(format!("{} becomes {}", before.umask, now.umask)),
        None => trial.not_seen(),
    }
}

pub(super) fn limits(trial: &Trial) -> Answer {
    if trial.main.seen.facts.iter().any(Option::is_none) {
        return unseen(trial);
    }
    let Some([before, now]) = differing(trial, |facts| &facts.limits) else { return trial.not_seen() };
    let changed = before.lines().zip(now.lines()).find(|(before, now)| before != now);
    let text = changed.map_or("another number of limits", |(_, now)| now);
    Answer::fail(text.split_whitespace().collect::<Vec<_>>().join(" "))
}

fn unseen(trial: &Trial) -> Answer {
    if trial.main.seen.works { Answer::skipped("its process was not found") } else { unknown(trial) }
}
