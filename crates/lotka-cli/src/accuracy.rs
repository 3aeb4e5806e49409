//! Renders the accuracy of a run with `tolerance` for people.

use std::{collections::BTreeMap, fmt::Write};

use lotka::{Code, FoundSwitch, FoundTimes, GlobalError};

use crate::table::{self, clean};

/// Maximum number of discontinuities that are named.
const MOST_PLACES: usize = 3;

/// Hint for lines to paste: they begin with a section header, which a file can have only once.
const ONE_SECTION: &str = " (its lines below an existing `[events]`)";

/// Formats a few lines, each with its line end. `has_scales` adds the value of each variable below which its error is judged
/// absolutely.
pub(crate) fn of(error: &GlobalError, has_scales: bool) -> String {
    let mut text = if error.reached { format!("{}:\n", clean(&error.verdict())) } else { format!("{}\n", clean(&miss(error))) };
    let rows: Vec<_> = error
        .outputs
        .iter()
        .map(|output| {
            let estimates = [("absolute", output.absolute), ("relative", output.relative)];
            let estimates = estimates.map(|(name, estimate)| match estimate.is_nan() {
                true => "–".to_owned(),
                false => format!("{name} {estimate:.1e}"),
            });
            let scale = has_scales.then(|| format!("absolute below {:.1e}", output.scale));
            [vec![output.name.clone()], estimates.to_vec(), scale.into_iter().collect()].concat()
        })
        .collect();
    text += &table::columns("  ", &rows);
    if error.reached {
        let _ = writeln!(text, "{}", checked(error));
    }
    text += &discontinuities(error);
    if let [steps] = error.steps[..] {
        let _ = writeln!(text, "not extrapolated: rows of the run with {steps} steps");
        return text;
    }
    if !error.converges_as_expected {
        let _ = writeln!(text, "{}", surprise(error));
    }
    let runs: Vec<_> = error.steps.iter().map(ToString::to_string).collect();
    let _ = writeln!(text, "extrapolated from runs with {} steps", runs.join(", "));
    text
}

/// Says why the tolerance was not reached, as a message.
pub(crate) fn miss(error: &GlobalError) -> String {
    Code::ToleranceNotReached.mark(&error.verdict())
}

/// Describes the runs that the results were compared with.
fn checked(error: &GlobalError) -> String {
    match error.n_checks {
        0 => "no run on another mesh was possible for comparison".to_owned(),
        checks => {
            let (runs, agree) = if checks == 1 { ("run", "agrees") } else { ("runs", "agree") };
            format!(
                "{checks} {runs} on other meshes {agree}; features shorter than {} s may be missed",
                in_two_digits(error.resolution)
            )
        }
    }
}

fn in_two_digits(number: f64) -> String {
    let rounded = format!("{number:.1e}");
    match rounded.parse::<f64>() {
        Ok(rounded) if (1e-3..1e4).contains(&rounded) => rounded.to_string(),
        _ => rounded,
    }
}

/// Lists jumps and kinks of signals, and how to make them cheaper.
fn discontinuities(error: &GlobalError) -> String {
    let mut text = String::new();
    if !error.discontinuities.is_empty() {
        let named = error.discontinuities.iter().take(MOST_PLACES).map(|place| {
            let verb = if place.jumps { "jumps" } else { "has a kink" };
            format!("`{}` {verb} at t = {:.6} s", clean(&place.variable), place.time)
        });
        let others = error.discontinuities.len().saturating_sub(MOST_PLACES);
        let others = if others == 0 { String::new() } else { format!(", and {others} other places") };
        let _ = writeln!(text, "mesh refined: {}{others}", named.collect::<Vec<_>>().join(", "));
    }
    text += &events(&error.switches, &error.times);
    if !error.suggested_events.is_empty() {
        let _ =
            writeln!(text, "add this with exact numbers{ONE_SECTION} to end steps there, which is cheaper and more accurate:");
        let _ = writeln!(text, "  [events]");
        text.extend(error.suggested_events.iter().map(|line| format!("  {}\n", clean(line))));
    }
    text
}

/// Lists the levels at which FMUs switch and the times at which they act, and how to save the search for them.
fn events(switches: &[FoundSwitch], times: &[FoundTimes]) -> String {
    let mut text = String::new();
    for FoundSwitch { instance, variable, level, .. } in switches {
        let [instance, variable] = [instance, variable].map(|name| clean(name));
        let _ =
            writeln!(text, "trial steps show that `{instance}` switches when `{variable}` crosses {level:?}: steps ended there");
    }
    for FoundTimes { instance, every, .. } in times {
        let instance = clean(instance);
        let _ = writeln!(text, "trial steps show that `{instance}` acts every {every:?} s: steps ended there");
    }
    if !(switches.is_empty() && times.is_empty()) {
        let _ = writeln!(text, "add this to the system file{ONE_SECTION} to save the search:");
        let _ = writeln!(text, "  [events]");
        let mut levels: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        for FoundSwitch { variable, level, .. } in switches {
            levels.entry(variable).or_default().push(format!("{{ level = {level:?} }}"));
        }
        for (variable, levels) in levels {
            let entry = if let [level] = &levels[..] { level.clone() } else { format!("[{}]", levels.join(", ")) };
            let _ = writeln!(text, "  \"{}\" = {entry}", clean(variable));
        }
        for FoundTimes { instance, every, offset, .. } in times {
            let _ = writeln!(text, "  \"{}\" = {{ every = {every:?}, offset = {offset:?} }}", clean(instance));
        }
    }
    text
}

/// Margin by which an observed order may fall below the expected one.
const ORDER_MARGIN: f64 = 0.2;

fn surprise(error: &GlobalError) -> String {
    let (expected, observed) = (error.expected_order, error.observed_order);
    let shows = match observed {
        Some(observed) if observed < expected - ORDER_MARGIN => format!("observed order {observed:.1}, expected {expected:.0}"),
        Some(_) => format!("observed order {expected:.0} without its terms of higher order"),
        None => format!("expected order {expected:.0}, observed none"),
    };
    format!("the runs do not converge as expected ({shows}), so Lotka extrapolates less and the estimates are wider")
}

#[cfg(test)]
mod tests {
    use super::*;
    use lotka::OutputError;

    fn error(reached: bool, internal_error: Option<f64>) -> GlobalError {
        let mut error = GlobalError::default();
        (error.tolerance, error.largest, error.internal_error) = (1e-6, 2.5e-8, internal_error);
        error.reason = if reached { String::new() } else { "the FMUs are noisy".into() };
        error.outputs = vec![output("prey.x", 2e-8), output("predator.y", 1e-7)];
        (error.steps, error.expected_order, error.observed_order) = (vec![1, 2, 3], 2.0, Some(1.31));
        (error.reached, error.converges_as_expected) = (reached, reached);
        (error.n_checks, error.resolution) = (2, 0.25);
        error.follows_tolerance = true;
        error
    }

    fn output(name: &str, absolute: f64) -> OutputError {
        let mut output = OutputError::default();
        (output.name, output.absolute, output.relative, output.scale) = (name.into(), absolute, absolute / 4.0, 1.0);
        output
    }

    #[test]
    fn a_kept_tolerance_comes_with_an_estimate_per_variable() {
        assert_eq!(
            of(&error(true, Some(1e-9)), true),
            "tolerance 1e-6 kept; estimated largest error 2.5e-8, including 1.0e-9 inside the FMUs:\n  prey.x      absolute 2.0e-8  relative 5.0e-9  absolute below 1.0e0\n  predator.y  absolute 1.0e-7  \
             relative 2.5e-8  absolute below 1.0e0\n2 runs on other meshes agree; features shorter than 0.25 s may be \
             missed\nextrapolated from runs with 1, 2, 3 steps\n"
        );
    }

    #[test]
    fn errors_of_fmus_that_ignore_the_request_are_a_lower_bound() {
        let mut error = error(true, Some(1e-9));
        error.follows_tolerance = false;
        let text = of(&error, true);
        assert!(
            text.starts_with(
                "tolerance 1e-6 kept by the coupling; estimated largest error 2.5e-8, error inside the FMUs at least 1.0e-9:\n"
            ),
            "{text}"
        );
    }

    #[test]
    fn an_order_as_expected_is_not_told_as_a_surprise() {
        let of_order = |observed| {
            let mut error = error(false, None);
            (error.expected_order, error.observed_order) = (2.0, observed);
            of(&error, false)
        };
        assert!(of_order(Some(1.79)).contains("(observed order 1.8, expected 2)"));
        for observed in [1.81, 2.0, 2.6] {
            let text = of_order(Some(observed));
            assert!(text.contains("(observed order 2 without its terms of higher order)"), "{text}");
        }
        assert!(of_order(None).contains("(expected order 2, observed none)"));
    }

    #[test]
    fn a_missed_tolerance_names_the_worst_variable_and_the_reason() {
        let text = of(&error(false, None), false);
        for part in [
            "tolerance 1e-6 not reached; the error of `predator.y` is estimated at 2.5e-8, error inside the FMUs unknown: the \
             FMUs are noisy [tolerance-not-reached]\n",
            "observed order 1.3, expected 2",
        ] {
            assert!(text.contains(part), "{text}");
        }
    }
}
