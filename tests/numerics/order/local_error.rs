//! The estimate of step doubling against true local errors.

use lotka::{Memory, StepSizes, System, observed_order};
use tests::{joined, predator_prey};

/// A sweep, alone or iterated; with constant inputs all are of order 1.
const METHODS: [(&str, bool); 4] = [("jacobi", false), ("gauss-seidel", false), ("jacobi", true), ("gauss-seidel", true)];
const ORDER: f64 = 1.0;

/// Predator–prey with this method until `stop`.
fn system((sweep, iterates): (&str, bool), stop: f64) -> System {
    let system = predator_prey().sweep(sweep).input_degree(0).stop(stop);
    if iterates { system.iterations(200, Some(1e-13)) } else { system }
}

/// The last row.
fn end(results: &Memory, names: [&str; 2]) -> [f64; 2] {
    names.map(|name| *results.real(name).unwrap().last().unwrap())
}

/// Prey and predators at a time, from the FMU that integrates both equations together.
fn exact(time: f64) -> [f64; 2] {
    let coupled = System::new().instance_of("both", &joined::<models::PredatorPrey>()).stop(time).step(time);
    let mut results = Memory::new();
    coupled.build().unwrap().run(&mut [&mut results]).unwrap();
    end(&results, ["both.x", "both.y"])
}

/// One step of `h` under step doubling: the estimate, and the true error of the half steps in the same norm.
fn estimate_and_error(method: (&str, bool), h: f64) -> [f64; 2] {
    const TOLERANCE: f64 = 1.0;
    let mut system = system(method, h).local_tolerance(TOLERANCE);
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
        let order = observed_order(ORDER + 1.0, 0.0625, |h| estimate_and_error(method, h)[0]).unwrap();
        assert!((order - ORDER - 1.0).abs() < 0.2, "{method:?}: the estimate is of order {order}");
    }
}
