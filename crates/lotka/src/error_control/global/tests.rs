//! The rule every estimate has to keep, on runs whose error is known.

use super::order::{Orders, Shortfall};
use super::tableau::Largest;
use super::tableau::extrapolate;
use super::*;

const TOLERANCE: f64 = 1e-6;

/// Values of a smooth result with two outputs of different size, in 21 rows.
fn exact(row: usize) -> [f64; 2] {
    let t = row as f64 / 4.0;
    [10.0 + 8.0 * t.sin(), 1e-3 * (2.0 + t.cos())]
}

/// A run whose relative error is `error(h, t)`.
fn synthetic(n: u32, error: &dyn Fn(f64, f64) -> f64) -> Run {
    let h = 1.0 / f64::from(n);
    let row = |row: usize| exact(row).map(|y| y * (1.0 + error(h, row as f64 / 4.0)));
    Run {
        subdivisions: n,
        steps: 20 * u64::from(n),
        values: (0..21).flat_map(row).collect(),
        bends: Vec::new(),
        events: Vec::new(),
    }
}

fn settings(ladder: Ladder, noise: f64, tolerance: f64) -> Settings {
    let promise = Promise { tolerance, absolute: None, nominals: vec![None; 2], is_free: Vec::new() };
    Settings { promise, ladder, noise, largest_refinement: LARGEST_REFINEMENT, admitted: None, is_entangled: Vec::new() }
}

/// Runs until there is no more to run.
fn drive(settings: Settings, run: &dyn Fn(u32) -> Option<Run>) -> (Extrapolator, Next, Vec<u32>) {
    let mut extrapolator = Extrapolator::new(settings);
    let (mut next, mut made) = (extrapolator.first(), Vec::new());
    while let Next::Run(n) = next {
        made.push(n);
        next = match run(n) {
            Some(run) => extrapolator.add(run).unwrap(),
            None => extrapolator.fail(n),
        };
    }
    (extrapolator, next, made)
}

/// Largest error relative to the values.
fn true_error(result: &Extrapolation, exact: impl Fn(usize) -> [f64; 2]) -> f64 {
    let error = |(row, values): (usize, &[f64])| {
        let exact = exact(row);
        (0..2).map(|k| ((values[k] - exact[k]) / exact[k]).abs()).fold(0.0, f64::max)
    };
    result.values.chunks(2).enumerate().map(error).fold(0.0, f64::max)
}

/// `G >= E/2` unless E is rounding, `G <= max(1000 E, floor)`; the result is (E, G).
fn assert_honest(result: &Extrapolation, what: &str) -> (f64, f64) {
    let (e, g) = (true_error(result, exact), result.largest);
    assert!(g >= e / 2.0 || e <= result.floor, "{what}: error {e:.2e}, estimate {g:.2e}, {:?}", result.orders);
    (e, g)
}

fn assert_kept(settings: Settings, error: &dyn Fn(f64, f64) -> f64, what: &str) -> (Extrapolation, Vec<u32>) {
    let tolerance = settings.promise.tolerance;
    let (extrapolator, next, made) = drive(settings, &|n| Some(synthetic(n, error)));
    let result = extrapolator.best().unwrap().clone();
    assert_eq!(next, Next::Reached, "{what}: {made:?} {:e} {:?}", result.largest, result.orders);
    let (e, g) = assert_honest(&result, what);
    assert!(e <= tolerance && g <= tolerance, "{what}: {e:e} {g:e}");
    assert!(g <= result.floor.max(1000.0 * e), "{what}: {e:e} {g:e}");
    (result, made)
}

#[test]
fn expansions_of_each_ladder_are_extrapolated_and_kept() {
    let even = |h: f64, t: f64| {
        0.02 * h * h * t.cos() + 0.03 * h.powi(4) + 0.02 * h.powi(6) * t.sin() + 0.01 * h.powi(8) / (1.0 + h * h)
    };
    let (result, made) = assert_kept(settings(Ladder::Even, 0.0, TOLERANCE), &even, "even");
    assert!(made.len() <= 7, "{made:?}");
    assert_eq!((result.orders.used, result.orders.shortfall), (Ladder::Even, None));
    let smooth =
        |h: f64, t: f64| 0.02 * h * h * t.cos() + 0.03 * h.powi(3) + 0.02 * h.powi(4) * t.sin() + 0.01 * h.powi(5) / (1.0 + h);
    assert_kept(settings(Ladder::FromTwo, 0.0, TOLERANCE), &smooth, "from two");
    let first = |h: f64, t: f64| 0.02 * h * t.cos() + smooth(h, t);
    let (result, _) = assert_kept(settings(Ladder::FromOne, 0.0, TOLERANCE), &first, "from one");
    assert!((result.orders.observed.unwrap() - 1.0).abs() < 0.3);
}

/// All runs up to `count` in one table.
fn table(ladder: Ladder, count: u32, error: &dyn Fn(f64, f64) -> f64) -> Extrapolation {
    let runs: Vec<Run> = (1..=count).map(|n| synthetic(n, error)).collect();
    let weights = settings(ladder, 0.0, TOLERANCE).promise.weights(&runs[count as usize - 1].values);
    extrapolate(&runs.iter().collect::<Vec<_>>(), ladder, &weights, 0.0, None)
}

/// Equally distributed numbers in [-1, 1), the same in every run of the tests.
fn random(state: &mut u64) -> f64 {
    *state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    (*state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
}

/// `G / E` of tables of 2 to 6 runs for many random errors; those with errors of rounding size are left out.
fn ratios(ladder: Ladder, error: &dyn Fn(&[f64], f64, f64) -> f64) -> Vec<f64> {
    let (mut state, mut ratios) = (1, Vec::new());
    for _ in 0..100 {
        let numbers: Vec<f64> = (0..20).map(|_| random(&mut state)).collect();
        for count in 2..=6 {
            let result = table(ladder, count, &|h, t| error(&numbers, h, t));
            let (e, g) = (true_error(&result, exact), result.largest);
            if e > result.floor {
                ratios.push(g / e);
            }
        }
    }
    ratios.sort_by(f64::total_cmp);
    ratios
}

/// An expansion in the powers of a ladder with random coefficients, some of which dominate only when the steps are small.
fn expansion(ladder: Ladder, numbers: &[f64], h: f64, t: f64) -> f64 {
    let small = h * (0.5 + 0.49 * numbers[16]);
    let term = |j: usize| (numbers[j] + numbers[j + 8] * (t + j as f64).sin()) * small.powf(ladder.power(j + 1));
    0.1 * (0..8).map(term).sum::<f64>()
}

#[test]
fn estimates_are_honest_whatever_the_coefficients() {
    for ladder in [Ladder::Even, Ladder::FromTwo, Ladder::FromOne] {
        let ratios = ratios(ladder, &|numbers, h, t| expansion(ladder, numbers, h, t));
        assert!(ratios[0] >= 0.5, "{ladder:?}: {}", ratios[0]);
        assert!(ratios[ratios.len() * 9 / 10] <= 1000.0, "{ladder:?}: {}", ratios[ratios.len() * 9 / 10]);
    }
}

#[test]
fn estimates_are_honest_for_any_single_power() {
    for ladder in [Ladder::Even, Ladder::FromTwo, Ladder::FromOne] {
        let ratios = ratios(ladder, &|numbers, h, t| 0.1 * (1.0 + 0.5 * t.cos()) * h.powf(3.5 + 3.0 * numbers[0]));
        assert!(ratios[0] >= 0.5, "{ladder:?}: {}", ratios[0]);
    }
}

#[test]
fn estimates_are_honest_with_noise_nobody_told_of() {
    for ladder in [Ladder::Even, Ladder::FromTwo, Ladder::FromOne] {
        let ratios = ratios(ladder, &|numbers, h, t| {
            expansion(ladder, numbers, h, t) + noise(h, t) * 10_f64.powf(-6.0 + 4.0 * numbers[17])
        });
        assert!(ratios[0] >= 0.5, "{ladder:?}: {}", ratios[0]);
    }
}

/// Noise in [-1, 1), another one in each run and row.
fn noise(h: f64, t: f64) -> f64 {
    let mut state = ((1.0 / h).round() as u64) << 32 | (t * 4.0) as u64;
    (0..3).fold(0.0, |_, _| random(&mut state))
}

#[test]
fn a_first_order_nobody_promised_is_found_or_at_least_seldom_missed() {
    for ladder in [Ladder::Even, Ladder::FromTwo] {
        let polluted = |numbers: &[f64], h: f64, t: f64| {
            let size = 10_f64.powf(-3.5 + 3.0 * numbers[18]);
            expansion(ladder, numbers, h, t) + size * h * (1.0 + 0.5 * t.cos())
        };
        let ratios = ratios(ladder, &polluted);
        let missed = ratios.iter().filter(|&&ratio| ratio < 0.5).count();
        assert!(ratios[0] >= 0.05 && missed * 20 <= ratios.len(), "{ladder:?}: {missed} of {}, {}", ratios.len(), ratios[0]);
    }
    let result = table(Ladder::Even, 4, &|h, t| 0.01 * h * (1.0 + 0.5 * t.cos()));
    let Orders { used, shortfall, .. } = result.orders;
    assert!(matches!(shortfall, Some(Shortfall { column: 1, observed, .. }) if (observed - 1.0).abs() < 1e-3));
    assert_eq!(used, Ladder::FromOne);
}

#[test]
fn noise_asks_for_powers_of_two_and_sets_a_floor() {
    let even = |h: f64, t: f64| 0.02 * h * h * t.cos() + 0.03 * h.powi(4);
    let noisy = |h: f64, t: f64| even(h, t) + 1e-9 * noise(h, t);
    let (result, made) = assert_kept(settings(Ladder::Even, 5e-8, TOLERANCE), &noisy, "noisy");
    assert!(made.iter().all(|n| n.is_power_of_two()), "{made:?}");
    assert!(result.largest > 5e-8);
    let (extrapolator, next, _) = drive(settings(Ladder::Even, 1e-5, TOLERANCE), &|n| Some(synthetic(n, &noisy)));
    assert!(matches!(next, Next::GiveUp(GiveUp::RoundingFloor { .. })), "{next:?}");
    assert!(extrapolator.best().is_some());
}

#[test]
fn what_does_not_converge_stops_with_its_best_result() {
    let chaotic = |h: f64, t: f64| 0.05 * noise(h, t);
    let (extrapolator, next, made) = drive(settings(Ladder::Even, 0.0, TOLERANCE), &|n| Some(synthetic(n, &chaotic)));
    assert_eq!(next, Next::GiveUp(GiveUp::Stagnation), "{made:?}");
    let best = extrapolator.best().unwrap();
    assert_ne!(best.orders.shortfall, None);
    assert_honest(best, "chaotic");
    let wild = |h: f64, t: f64| 10.0 * noise(h, t);
    let (extrapolator, next, made) = drive(settings(Ladder::Even, 0.0, TOLERANCE), &|n| Some(synthetic(n, &wild)));
    assert_eq!(next, Next::GiveUp(GiveUp::LargestRefinement { subdivisions: 512 }), "{made:?}");
    assert_eq!(extrapolator.best().unwrap().largest, f64::INFINITY);
}

#[test]
fn without_an_order_nothing_is_extrapolated() {
    let (result, _) = assert_kept(settings(Ladder::None, 0.0, 0.02), &|h, t| 0.02 * h * (2.0 + t.cos()), "none");
    assert_eq!((result.orders.used, result.orders.column), (Ladder::None, 1));
    let (_, next, _) = drive(settings(Ladder::None, 0.0, 1e-12), &|n| Some(synthetic(n, &|h, _| 0.02 * h)));
    assert!(matches!(next, Next::GiveUp(GiveUp::LargestRefinement { subdivisions: 400..=512 })), "{next:?}");
}

#[test]
fn coarse_runs_that_fail_or_diverge_are_dropped() {
    let error = |h: f64, t: f64| if h > 0.3 { 3.0 * noise(h, t) } else { 0.2 * h * h * t.cos() + 0.3 * h.powi(4) };
    let (extrapolator, next, made) = drive(settings(Ladder::Even, 0.0, 1e-8), &|n| (n > 1).then(|| synthetic(n, &error)));
    assert_eq!((next, &made[..4]), (Next::Reached, &[1, 2, 4, 8][..]), "{made:?}");
    let (best, coarsest, _) = extrapolator.finish().unwrap();
    assert_eq!((best.subdivisions[0], coarsest.subdivisions), (4, 4));
    assert!(assert_honest(&best, "dropped").0 <= 1e-8);
    let not_finite = |h: f64, t: f64| if h > 0.9 { f64::NAN } else { 0.02 * h * h * t.cos() };
    let (_, next, made) = drive(settings(Ladder::Even, 0.0, TOLERANCE), &|n| Some(synthetic(n, &not_finite)));
    assert_eq!((next, made[1]), (Next::Reached, 2));
    let (extrapolator, next, made) = drive(settings(Ladder::Even, 0.0, TOLERANCE), &|_| None);
    assert_eq!((next, made), (Next::GiveUp(GiveUp::OnlyFailures { runs: 6 }), vec![1, 2, 4, 8, 16, 32]));
    assert!(extrapolator.finish().is_none());
}

#[test]
fn no_result_rests_on_runs_that_were_dropped() {
    // Two coarse runs agree on values that a finer one refutes.
    let error = |h: f64, t: f64| if h > 0.4 { 3.0 + 1e-5 * h * h * t.cos() } else { 0.0 };
    let mut extrapolator = Extrapolator::new(settings(Ladder::Even, 0.0, TOLERANCE));
    extrapolator.add(synthetic(1, &error)).unwrap();
    extrapolator.add(synthetic(2, &error)).unwrap();
    let coarse = extrapolator.best().unwrap();
    assert!(coarse.subdivisions == [1, 2] && coarse.largest < 1e-3, "they seem to be good: {:e}", coarse.largest);
    assert!(matches!(extrapolator.add(synthetic(3, &error)), Ok(Next::Run(_))));
    let best = extrapolator.best().unwrap();
    assert_eq!((&best.subdivisions[..], best.largest), (&[3][..], f64::INFINITY));
    let (best, coarsest, _) = extrapolator.finish().unwrap();
    assert_eq!((best.subdivisions[0], coarsest.subdivisions), (3, 3));
}

#[test]
fn two_runs_show_no_order_and_so_their_difference_counts_twice() {
    for (ladder, power) in [(Ladder::Even, 2), (Ladder::FromTwo, 2), (Ladder::FromOne, 1)] {
        let error = |h: f64, t: f64| 1e-3 * h.powi(power) * (2.0 + t.cos());
        let result = table(ladder, 2, &error);
        // Extrapolated, they are exact; the coarse one is off by its whole error.
        let largest = (0..21).map(|row| error(1.0, row as f64 / 4.0)).fold(0.0, f64::max);
        assert!(true_error(&result, exact) < 1e-14, "{ladder:?}");
        assert!((result.largest / (2.0 * largest) - 1.0).abs() < 1e-9, "{ladder:?}: {:e} for {largest:e}", result.largest);
        // Three show one: their difference counts once.
        let three = table(ladder, 3, &error);
        assert!(three.largest < 1e-9, "{ladder:?}: {:e}", three.largest);
    }
}

#[test]
fn outputs_that_stay_zero_or_constant_are_exact() {
    let promise = Promise { tolerance: TOLERANCE, absolute: Some(0.0), nominals: vec![None; 3], is_free: Vec::new() };
    let mut extrapolator = Extrapolator::new(Settings { promise, ..settings(Ladder::Even, 0.0, TOLERANCE) });
    let run = |n: u32| Run {
        subdivisions: n,
        steps: 1,
        values: vec![0.0, 3.0, 0.0, 0.0, 3.0, 1.0 + 1.0 / f64::from(n * n)],
        bends: Vec::new(),
        events: Vec::new(),
    };
    assert_eq!(extrapolator.add(run(8)), Ok(Next::Run(16)));
    extrapolator.add(run(16)).unwrap();
    let best = extrapolator.best().unwrap();
    assert_eq!(best.outputs[0], Largest::default());
    assert_eq!((best.values[1], best.values[4]), (3.0, 3.0));
    assert!(best.outputs[1].relative < 1e-14 && best.outputs[2].relative > 1e-3);
}

#[test]
fn a_purely_relative_promise_is_refused_where_a_sign_changes() {
    let promise = Promise { tolerance: TOLERANCE, absolute: Some(0.0), nominals: vec![None; 2], is_free: Vec::new() };
    let mut extrapolator = Extrapolator::new(Settings { promise, ..settings(Ladder::Even, 0.0, TOLERANCE) });
    let run =
        |n: u32| Run { subdivisions: n, steps: 1, values: vec![1.0, 1.0, 1.0, -1.0], bends: Vec::new(), events: Vec::new() };
    assert_eq!(extrapolator.add(run(1)), Ok(Next::Run(2)));
    assert_eq!(extrapolator.add(run(2)), Err(SignChange { column: 1 }));
}

#[test]
fn own_error_joins_the_estimate_or_stays_unknown() {
    let even = |h: f64, t: f64| 0.02 * h * h * t.cos() + 0.03 * h.powi(4);
    let (extrapolator, _, _) = drive(settings(Ladder::Even, 0.0, TOLERANCE), &|n| Some(synthetic(n, &even)));
    let (mut best, coarsest, weights) = extrapolator.finish().unwrap();
    let before = best.largest;
    assert_eq!(join_own_error(&mut best, &coarsest, &coarsest.clone(), &weights), OwnError::Unknown);
    assert_eq!(best.largest, before);
    let repeated = synthetic(coarsest.subdivisions, &|h, t| even(h, t) + 9e-6);
    let OwnError::Known { largest } = join_own_error(&mut best, &coarsest, &repeated, &weights) else { panic!("not known") };
    assert!((largest - 1e-5).abs() < 1e-7, "{largest}");
    assert!(best.largest > largest && best.largest < before + largest * 1.01);
}

/// Predator and prey, each solved exactly for a constant input, in the symmetric staggered sweep: `n` steps per second, rows every
/// second.
fn predator_prey(n: u32) -> Run {
    let (mut x, mut y, h) = (10.0_f64, 10.0_f64, 1.0 / f64::from(n));
    let mut values = vec![x, y];
    for step in 0..100 * n {
        if step % n == 0 {
            x *= ((0.1 - 0.02 * y) * h / 2.0).exp();
        }
        y *= ((0.02 * x - 0.4) * h).exp();
        let row = (step + 1) % n == 0;
        x *= ((0.1 - 0.02 * y) * if row { h / 2.0 } else { h }).exp();
        if row {
            values.extend([x, y]);
        }
    }
    Run { subdivisions: n, steps: u64::from(100 * n), values, bends: Vec::new(), events: Vec::new() }
}

/// Every tenth row of `tests/reference/lotka_volterra.csv`.
fn reference() -> Vec<[f64; 2]> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/reference/lotka_volterra.csv");
    let text = std::fs::read_to_string(path).unwrap();
    let row = |line: &str| {
        let mut numbers = line.split(',').skip(1).map(|number| number.parse().unwrap());
        [numbers.next().unwrap(), numbers.next().unwrap()]
    };
    text.lines().skip(1).step_by(10).map(row).collect()
}

#[test]
fn predator_prey_keeps_what_it_promises() {
    let rows = reference();
    for (tolerance, runs, error, estimate) in [
        (1e-3, 3, (7e-7, 8.5e-7), (1e-4, 3e-4)),
        (1e-6, 4, (1.8e-9, 2.2e-9), (7e-7, 8.5e-7)),
        (1e-9, 6, (1e-13, 1e-12), (0.0, 1e-9)),
    ] {
        let mut settings = settings(Ladder::Even, 0.0, tolerance);
        settings.promise.absolute = Some(0.0);
        let (extrapolator, next, made) = drive(settings, &|n| Some(predator_prey(n)));
        let best = extrapolator.best().unwrap();
        let (e, g) = (true_error(best, |row| rows[row]), best.largest);
        assert_eq!((next, made.len()), (Next::Reached, runs), "{tolerance:e}: {made:?}");
        assert!(error.0 <= e && e <= error.1, "{tolerance:e}: error {e:e}");
        assert!(estimate.0 <= g && g <= estimate.1, "{tolerance:e}: estimate {g:e}");
        assert!(g >= e / 2.0 && best.orders.shortfall.is_none());
    }
}
