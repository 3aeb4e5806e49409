//! How accurate the methods are: order of convergence, two-sided order of the error estimator, errors at known step sizes.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use lotka::{Memory, Report, StepSizes, System};
use study::{Reference, Trajectory, largest};
use tests::{joined, predator_prey};

/// One way to make a step, and its order.
#[derive(Debug, Clone, Copy)]
struct Method {
    sweep: &'static str,
    /// Most iterations and their tolerance.
    iterations: Option<(u32, f64)>,
    order: f64,
}

/// As far as doubles go; errors down to 1e-10 are not disturbed.
const TO_THE_END: Option<(u32, f64)> = Some((200, 1e-13));

/// A new sweep or input signal gets a row.
const METHODS: [Method; 4] = [
    Method { sweep: "jacobi", iterations: None, order: 1.0 },
    Method { sweep: "gauss-seidel", iterations: None, order: 1.0 },
    Method { sweep: "jacobi", iterations: TO_THE_END, order: 1.0 },
    Method { sweep: "gauss-seidel", iterations: TO_THE_END, order: 1.0 },
];

impl Method {
    /// Predator–prey with this method until `stop`.
    fn system(self, stop: f64) -> System {
        let system = predator_prey().sweep(self.sweep).stop(stop);
        match self.iterations {
            Some((limit, tolerance)) => system.iterations(limit, Some(tolerance)),
            None => system,
        }
    }
}

fn run(system: &System) -> (Report, Memory) {
    let mut results = Memory::new();
    let report = system.build().unwrap().run(&mut [&mut results]).unwrap();
    (report, results)
}

/// The last row.
fn end(results: &Memory, names: [&str; 2]) -> [f64; 2] {
    names.map(|name| *results.real(name).unwrap().last().unwrap())
}

/// Prey and predators at a time, from the FMU that integrates both equations together.
fn exact(time: f64) -> [f64; 2] {
    let coupled = System::new().instance_of("both", &joined::<models::PredatorPrey>()).stop(time).step(time);
    end(&run(&coupled).1, ["both.x", "both.y"])
}

/// Slope of the line through the points by least squares.
fn slope(points: &[(f64, f64)]) -> f64 {
    let count = points.len() as f64;
    let (x, y) = points.iter().fold((0.0, 0.0), |sum, point| (sum.0 + point.0 / count, sum.1 + point.1 / count));
    let products = points.iter().map(|point| (point.0 - x) * (point.1 - y)).sum::<f64>();
    products / points.iter().map(|point| (point.0 - x).powi(2)).sum::<f64>()
}

/// Fits the order to errors of at least five step sizes, each half the one before, all inside [1e-10, 1e-3].
fn observed_order(halvings: std::ops::Range<i32>, error: impl Fn(f64) -> f64) -> f64 {
    assert!(halvings.len() > 4, "at least four halvings");
    let point = |n: i32| {
        let h = 2.0_f64.powi(-n);
        let error = error(h);
        assert!((1e-10..=1e-3).contains(&error), "h = {h}: error {error:e}");
        (h.log2(), error.log2())
    };
    slope(&halvings.map(point).collect::<Vec<_>>())
}

#[test]
fn errors_shrink_with_the_order_of_the_method() {
    let exact = exact(2.0);
    for method in METHODS {
        let error = |h: f64| {
            let end = end(&run(&method.system(2.0).step(h)).1, ["prey.x", "predator.y"]);
            (0..2).map(|species| (end[species] / exact[species] - 1.0).abs()).fold(0.0, f64::max)
        };
        let order = observed_order(7..12, error);
        assert!((order - method.order).abs() < 0.2, "{method:?}: {order}");
    }
}

/// One step of `h` under step doubling: the estimate, and the true error of the half steps in the same norm.
fn estimate_and_error(method: Method, h: f64) -> [f64; 2] {
    const TOLERANCE: f64 = 1.0;
    let mut system = method.system(h).local_tolerance(TOLERANCE);
    let experiment = &mut system.description_mut().experiment;
    for size in [&mut experiment.first_step, &mut experiment.min_step, &mut experiment.max_step] {
        *size = Some(h.into());
    }
    let (mut results, mut steps) = (Memory::new(), StepSizes::new());
    system.build().unwrap().run(&mut [&mut results, &mut steps]).unwrap();
    assert_eq!(steps.step, [h]);
    let got = end(&results, ["prey.x", "predator.y"]);
    let weighted = |(got, exact): (f64, f64)| ((got - exact) / (TOLERANCE * got.abs() + TOLERANCE)).powi(2);
    let error = (got.into_iter().zip(exact(h)).map(weighted).sum::<f64>() / 2.0).sqrt();
    [steps.estimates[0].difference, error]
}

/// Two-sided: an estimate that is too large wastes steps, one that is too small lies.
#[test]
fn the_estimate_of_step_doubling_tends_to_the_true_local_error() {
    for method in METHODS {
        let deviation = |h: f64| {
            let [estimate, error] = estimate_and_error(method, h);
            (estimate / error - 1.0).abs()
        };
        let [coarse, fine] = [4, 8].map(|n| deviation(2.0_f64.powi(-n)));
        assert!(fine < 0.01, "{method:?}: estimate / error is 1 ± {fine}");
        assert!(fine < coarse / 8.0, "{method:?}: the deviation is {coarse} and with a sixteenth of the step {fine}");
        let order = observed_order(6..11, |h| estimate_and_error(method, h)[0]);
        assert!((order - method.order - 1.0).abs() < 0.2, "{method:?}: the estimate is of order {order}");
    }
}

/// Largest relative deviation of either species in any row until t = 100 s, with two digits, and doStep calls.
fn error_and_calls(method: Method, h: f64) -> (String, u64) {
    let (report, results) = run(&method.system(100.0).step(h));
    let trajectory = Trajectory::from_results(&results, ["prey.x", "predator.y"]).unwrap();
    let error = largest(&Reference::read().unwrap().relative_deviations(&trajectory));
    (format!("{error:.1e}"), report.statistics.n_do_step_calls)
}

/// The errors were computed apart from this project. Calls of iterated steps depend on the norm: with the sum of both relative
/// changes in place of their WRMS norm there would be 1826, 6582 and 57706.
#[test]
fn known_errors_at_known_step_sizes() {
    let known = [
        ("jacobi", None, [("3.8e0", 400), ("6.0e-1", 2000), ("7.5e-2", 20_000)]),
        ("gauss-seidel", None, [("1.7e-1", 400), ("3.7e-2", 2000), ("3.8e-3", 20_000)]),
        ("gauss-seidel", Some((50, 1e-7)), [("4.0e0", 1790), ("8.8e-1", 6450), ("7.8e-2", 56_738)]),
    ];
    for (sweep, iterations, expected) in known {
        let method = Method { sweep, iterations, order: 1.0 };
        for (h, (error, calls)) in [0.5, 0.1, 0.01].into_iter().zip(expected) {
            assert_eq!(error_and_calls(method, h), (error.to_owned(), calls), "{method:?}, h = {h}");
        }
    }
}
