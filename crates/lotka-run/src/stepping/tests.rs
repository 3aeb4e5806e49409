//! Communication points by number: known walks, and properties of all sizes, places and numbers of steps.

use lotka_plan::time::{Resolution, ulp};
use lotka_step::error_control::{Bounds, Gains, Integral, StepFactors};
use proptest::prelude::*;

use super::*;
use crate::run_loop::Clock;

fn walk(mut steps: FixedSteps, start: f64) -> Vec<(f64, Proposal)> {
    let (mut t, mut walked) = (start, Vec::new());
    loop {
        let proposal = steps.propose(t);
        walked.push((t, proposal));
        t += proposal.h;
        assert_eq!(steps.judge(&proposal, None), Judgment::Accepted);
        if proposal.last {
            walked.push((t, proposal));
            return walked;
        }
    }
}

#[test]
fn fixed_steps_hit_the_grid_and_end_exactly_at_the_stop_time() {
    for (h, stop, count) in [(0.1, 100.0, 1000), (0.3, 1.0, 4), (0.25, 1.0, 4), (1e-3, 7.0, 7000), (5.0, 1.0, 1)] {
        let walked = walk(FixedSteps::new((0.0, stop), h, None, false), 0.0);
        assert_eq!(walked.len(), count + 1);
        for (n, (t, _)) in walked.iter().enumerate().take(count) {
            assert!((t - n as f64 * h).abs() <= 2.0 * f64::EPSILON * t.abs(), "h = {h}: {t} is not {n} h");
        }
        assert_eq!(walked[count].1.end, stop);
        assert!((walked[count].0 - stop).abs() <= f64::EPSILON * stop);
    }
}

#[test]
fn fmus_of_one_step_size_get_the_same_step_every_time() {
    let walked = walk(FixedSteps::new((0.0, 1.0), 0.1, None, true), 0.0);
    assert!(walked.iter().all(|(_, proposal)| proposal.h == 0.1));
    let walked = walk(FixedSteps::new((0.0, 1.05), 0.1, None, true), 0.0);
    assert!(walked[..10].iter().all(|(_, proposal)| proposal.h == 0.1));
    assert!((walked[10].1.h - 0.05).abs() < 1e-12);
}

#[test]
fn rows_come_every_output_interval_and_at_the_end() {
    let walked = walk(FixedSteps::new((0.0, 1.05), 0.1, Some(0.5), false), 0.0);
    let rows: Vec<_> = walked[..11].iter().filter(|(_, proposal)| proposal.row).map(|(_, proposal)| proposal.end).collect();
    assert_eq!(rows, [0.5, 1.0, 1.05]);
}

/// The walk of an FMU of one step size, by its own clock.
fn walk_of_one_size(mut steps: FixedSteps, start: f64, most: u32) -> (f64, Clock) {
    let (mut clock, mut farthest) = (Clock::new(start), 0.0_f64);
    for _ in 0..most {
        let proposal = steps.propose(clock.t);
        assert_eq!(proposal.h, steps.points.distance());
        clock.advance(&proposal);
        farthest = farthest.max((clock.t - clock.time).abs());
        steps.judge(&proposal, None);
        if proposal.last {
            break;
        }
    }
    (farthest, clock)
}

#[test]
fn ten_million_steps_of_one_size_neither_drift_nor_end_with_another_size() {
    let (farthest, clock) = walk_of_one_size(FixedSteps::new((0.0, 1e6), 0.1, None, true), 0.0, 20_000_000);
    assert_eq!(clock.time, 1e6);
    assert!(farthest <= 1.001e-10 + 5.0 * ulp(1e6), "{farthest:e}");
}

/// An experiment with this many steps of a size far above, at or just above the resolution of time.
fn experiments() -> impl Strategy<Value = ((f64, f64), f64, f64)> {
    let start = prop_oneof![Just(0.0), -1e9..1e9, -1.0..1.0, (0..1_000_000_i32).prop_map(|tenths| f64::from(tenths) / 10.0)];
    let size =
        prop_oneof![Just(0.1), Just(1.0 / 3.0), Just(1e-3), Just(7.0), (-7.0..2.0).prop_map(|digits: f64| 10f64.powf(digits))];
    let steps = prop_oneof![1..=10_u32, 1..=10_000_000_u32];
    let experiment = (start, size, steps).prop_map(|(start, size, steps)| {
        let (n, size) = (f64::from(steps), size.min((1e9 + start.abs()) / f64::from(steps)));
        ((start, start + n * size), size, n)
    });
    let is_resolved = |(span, h, _): &((f64, f64), f64, f64)| *h >= Resolution::of(*span).shortest_step();
    experiment.prop_filter("too short for the resolution of time", is_resolved)
}

proptest! {
    #[test]
    fn fixed_steps_are_numbers_of_steps((span, h, n) in experiments(), share in 0.0..1.0_f64) {
        let resolution = Resolution::of(span);
        let mut steps = FixedSteps::new(span, h, None, false);
        let mut clock = Clock::new(span.0);
        steps.done = (share * n).floor().min(n - 1.0);
        clock.t = steps.points.at(steps.done);
        for _ in 0..20 {
            let proposal = steps.propose(clock.t);
            prop_assert_eq!(proposal.last, steps.done + 1.0 == n, "{} of {}", steps.done, n);
            prop_assert_eq!(proposal.end, if proposal.last { span.1 } else { span.0 + (steps.done + 1.0) * h });
            let off = (proposal.h - h).abs();
            prop_assert!(off <= resolution.unevenness(h) * h + 2.0 * resolution.unit(), "{} is not {}", proposal.h, h);
            clock.advance(&proposal);
            prop_assert!((clock.t - proposal.end).abs() <= resolution.unit() , "{} is not {}", clock.t, proposal.end);
            steps.judge(&proposal, None);
            if proposal.last {
                break;
            }
        }
    }

    #[test]
    fn steps_of_one_size_are_the_same_in_every_place((span, h, n) in experiments(), share in 0.0..1.0_f64) {
        let mut steps = FixedSteps::new(span, h, None, true);
        steps.done = (share * n).floor().min(n - 1.0);
        let begin = steps.points.at(steps.done);
        let (farthest, clock) = walk_of_one_size(steps, begin, 1000);
        prop_assert!(farthest <= 1.001e-9 * h + 5.0 * Resolution::of(span).unit(), "{farthest:e} of {h:e}");
        prop_assert!(clock.time <= span.1);
    }

    #[test]
    fn controlled_steps_end_at_rows_and_are_never_shorter_than_the_resolution(
        (span, h, _) in experiments(),
        shares in prop::collection::vec(0.001..3.0_f64, 1..50),
    ) {
        let shortest = Resolution::of(span).shortest_step();
        let rows = Points::new(span, h);
        let landings = Landings { rows, are_all_rows: false, slack: 0.0, shortest };
        let factors = StepFactors { safety: 0.9, smallest: 0.2, largest: 5.0, gains: Gains::default() };
        let bounds = Bounds { factors, minimum: shortest, maximum: f64::INFINITY, unit: None, refusal_factor: 0.25 };
        let (mut t, mut row) = (span.0, 1.0);
        let mut steps = Controlled::new(None, StepSize::new(Box::new(Integral), bounds, 0, h), landings, true);
        for share in shares {
            steps.step_size = StepSize::new(Box::new(Integral), bounds, 0, (share * h).max(shortest));
            let proposal = steps.propose(t);
            prop_assert!(proposal.h >= shortest - ulp(t) && t + proposal.h <= span.1, "{:e} of {:e}", proposal.h, h);
            prop_assert!(proposal.end <= rows.at(row));
            prop_assert_eq!(proposal.row, proposal.end == rows.at(row));
            row += f64::from(u8::from(proposal.row));
            t += proposal.h;
            steps.judge(&proposal, None);
            if proposal.last {
                prop_assert_eq!(proposal.end, span.1);
                break;
            }
        }
    }

    #[test]
    fn spaced_rows_are_numbers_too((span, h, n) in experiments(), share in 0.0..1.0_f64) {
        let (points, mut spacing) = (Points::new(span, h), Spacing::new(span.0, h));
        let number = (share * n).floor().clamp(1.0, n);
        let is_sharp = h > 2e3 * ulp(span.1).max(ulp(span.0));
        spacing.made(points.at(number - 1.0));
        prop_assert!(!is_sharp || spacing.is_due(points.at(number)));
        spacing.made(points.at(number));
        prop_assert!(!is_sharp || !spacing.is_due(points.at(number) + 0.5 * h));
    }
}
