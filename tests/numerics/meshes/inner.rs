//! FMUs that advance in steps of their own, in random loops.

use fmu_sdk::{Declaration, Input, Model, Refusal, Step};
use lotka::System;
use serde::{Deserialize, Serialize};
use tests::{joined, verified::Verified};

/// x' = k u - d x, exact between the points of a grid.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Inner {
    u: Input,
    x: f64,
    k: f64,
    d: f64,
    /// Size of the steps inside \[s\]; without any if 0.
    grid: f64,
    offset: f64,
    /// It goes to the first point at or after the target instead of the last one at or before it.
    past: bool,
    /// There is no grid before that \[s\].
    from: f64,
    /// Points passed.
    done: f64,
}

impl Default for Inner {
    fn default() -> Self {
        Self { u: Input::new(0.0), x: 1.0, k: 1.0, d: 0.2, grid: 0.0, offset: 0.0, past: false, from: 0.0, done: 0.0 }
    }
}

impl Model for Inner {
    const NAME: &'static str = "inner";
    const DESCRIPTION: &'static str = "A lag that advances in steps of its own";

    fn declare(v: &mut Declaration<Self>) {
        v.input("u", |m| &mut m.u);
        v.output("x", |m| &mut m.x).exact().depends_on([]);
        v.parameter("k", |m| &mut m.k);
        v.parameter("d", |m| &mut m.d);
        v.parameter("grid", |m| &mut m.grid);
        v.parameter("offset", |m| &mut m.offset);
        v.parameter("past", |m| &mut m.past);
        v.parameter("from", |m| &mut m.from);
    }

    fn do_step(&mut self, step: &Step) -> Result<(), Refusal> {
        // The mean: inputs are held where nothing else is asked for.
        let u = self.u.integral(step.h) / step.h;
        let end = step.t + step.h;
        if self.grid <= 0.0 || end <= self.from {
            self.flow(u, step.h);
            return Ok(());
        }
        if step.t < self.from {
            self.flow(u, self.from - step.t);
        }
        let cells = (end - self.from - self.offset) / self.grid;
        // The first point is at the offset, if there is one.
        let first = if self.offset > 0.0 { 1.0 } else { 0.0 };
        let passed = if self.past { (cells - 1e-6).ceil() } else { (cells + 1e-6).floor() + first };
        while self.done < passed {
            self.flow(u, self.grid);
            self.done += 1.0;
        }
        Ok(())
    }
}

impl Inner {
    fn flow(&mut self, u: f64, h: f64) {
        let decay = (-self.d * h).exp();
        self.x = self.x * decay + self.k * u * (1.0 - decay) / self.d;
    }
}

/// Two of them in a loop: k, d and start value of each, and what they do inside.
#[derive(Debug, Clone, Copy)]
pub struct Pair {
    k: [f64; 2],
    d: [f64; 2],
    x: [f64; 2],
    inside: [Inside; 2],
    row: f64,
    stop: f64,
}

#[derive(Debug, Clone, Copy, Default)]
struct Inside {
    grid: f64,
    offset: f64,
    past: bool,
    from: f64,
}

impl Pair {
    fn system(&self, tolerance: f64, sweep: Option<&str>) -> System {
        let mut system = System::new();
        for (index, name) in ["a", "b"].into_iter().enumerate() {
            let Inside { grid, offset, past, from } = self.inside[index];
            system = system.instance_of(name, &joined::<Inner>());
            for (variable, value) in [
                ("k", self.k[index]),
                ("d", self.d[index]),
                ("x", self.x[index]),
                ("grid", grid),
                ("offset", offset),
                ("from", from),
            ] {
                system = system.start_value(&format!("{name}.{variable}"), value);
            }
            system = system.start_value(&format!("{name}.past"), past);
        }
        if let Some(sweep) = sweep {
            system = system.sweep(sweep);
        }
        let system = system.connect("a.u", "b.x").connect("b.u", "a.x");
        system.stop(self.stop).output_interval(self.row).tolerance(tolerance)
    }

    /// The classical Runge-Kutta method with steps of a two hundredth of a row.
    fn exact(&self) -> Vec<[f64; 2]> {
        let rate = |x: [f64; 2]| [self.k[0] * x[1] - self.d[0] * x[0], self.k[1] * x[0] - self.d[1] * x[1]];
        let along = |x: [f64; 2], r: [f64; 2], h: f64| [x[0] + h * r[0], x[1] + h * r[1]];
        let (mut x, mut rows) = (self.x, vec![self.x]);
        let h = self.row / 200.0;
        for _ in 0..(self.stop / self.row).round() as usize {
            for _ in 0..200 {
                let r1 = rate(x);
                let r2 = rate(along(x, r1, 0.5 * h));
                let r3 = rate(along(x, r2, 0.5 * h));
                let r4 = rate(along(x, r3, h));
                x = [0, 1].map(|i| x[i] + h / 6.0 * (r1[i] + 2.0 * r2[i] + 2.0 * r3[i] + r4[i]));
            }
            rows.push(x);
        }
        rows
    }

    /// Largest error relative to `max(|exact|, a thousandth of the largest value)`.
    fn error(&self, verified: &Verified) -> f64 {
        let exact = self.exact();
        assert_eq!(exact.len(), verified.rows.time().len());
        let of = |index: usize, name: &str| {
            let largest = exact.iter().fold(0.0_f64, |largest, x| largest.max(x[index].abs()));
            let pairs = verified.rows.real(name).unwrap().iter().zip(&exact);
            pairs.map(|(got, x)| (got - x[index]).abs() / x[index].abs().max(1e-3 * largest)).fold(0.0, f64::max)
        };
        of(0, "a.x").max(of(1, "b.x"))
    }
}

/// Equally distributed numbers in [0, 1), the same in every run of the tests.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.next()
    }

    fn one_of<T: Copy>(&mut self, list: &[T]) -> T {
        list[(self.next() * list.len() as f64) as usize]
    }

    fn inside(&mut self, row: f64) -> Inside {
        let grid = match self.one_of(&[0, 1, 1, 2, 3]) {
            0 => return Inside::default(),
            1 => row / self.one_of(&[1.0, 2.0, 3.0, 4.0, 6.0, 8.0, 10.0, 12.0, 20.0, 24.0, 60.0, 100.0]),
            2 => row * self.one_of(&[2.0, 3.0, 5.0]),
            _ => row * self.between(0.01, 1.5),
        };
        let from = if self.next() < 0.3 { row * (self.between(5.0, 30.0)).round() } else { 0.0 };
        Inside { grid, offset: self.one_of(&[0.0, 0.0, 0.4]) * grid, past: self.next() < 0.3, from }
    }

    /// Oscillators and others that do not grow.
    fn pair(&mut self) -> Pair {
        let row = self.one_of(&[0.05, 0.1, 0.3, 1.0]);
        let sign = self.one_of(&[-1.0, -1.0, 1.0]);
        let k = [self.between(0.1, 1.0), sign * self.between(0.1, 1.0)];
        let d = [self.between(0.05, 0.5), self.between(0.05, 0.5) + if sign > 0.0 { 1.0 } else { 0.0 }];
        let d = if sign > 0.0 { [d[0] + 1.0, d[1]] } else { d };
        let x = [self.between(0.5, 2.0), self.between(-1.0, 1.0)];
        Pair { k, d, x, inside: [self.inside(row), self.inside(row)], row, stop: 40.0 * row }
    }
}

/// What became of many runs.
#[derive(Debug, Default)]
struct Tally {
    kept: u32,
    refused: u32,
    wrong: Vec<String>,
}

fn campaign(seed: u64, count: u32, tolerances: &[f64]) -> Tally {
    let (mut random, mut tally) = (Random(seed), Tally::default());
    for _ in 0..count {
        let pair = random.pair();
        let sweep = random.one_of(&[None, None, Some("gauss-seidel"), Some("jacobi")]);
        for &tolerance in tolerances {
            let verified = Verified::run(&pair.system(tolerance, sweep));
            if !verified.global.reached {
                tally.refused += 1;
                continue;
            }
            tally.kept += 1;
            let error = pair.error(&verified);
            if error > tolerance {
                let warnings: Vec<_> = verified.report.warnings.iter().map(|warning| warning.text.as_str()).collect();
                let (steps, order) = (&verified.global.steps, (verified.global.expected_order, verified.global.observed_order));
                tally.wrong.push(format!("{tolerance:e}: {error:e} with {sweep:?} {steps:?} {order:?}: {pair:?} {warnings:?}"));
            }
        }
    }
    tally
}

#[test]
fn what_is_kept_is_right_whatever_steps_the_fmus_make_inside() {
    let seed = std::env::var("LOTKA_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1);
    let count = std::env::var("LOTKA_COUNT").ok().and_then(|count| count.parse().ok()).unwrap_or(60);
    let tally = campaign(seed, count, &[1e-2, 1e-4, 1e-6]);
    let Tally { kept, refused, wrong } = &tally;
    eprintln!("{kept} kept, {refused} refused, {} wrong", wrong.len());
    assert!(wrong.is_empty(), "{kept} kept, {refused} refused, {} wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert!(*kept > *refused / 10, "{kept} kept, {refused} refused");
}
