//! Conservation of energy over a power bond: what the coupling makes up is what the bond reports.

use std::{fs, path::Path};

use lotka::{
    Error,
    FeedthroughOutputs::{self, Derivative, ReRead, Stale},
    InputDelivery, Memory, Report, StepSizes, System,
};
use models::Mass;
use tests::{joined, systems};

use super::run;

/// By how much the energy in all masses and springs grows during the run \[J\].
fn growth(results: &Memory) -> f64 {
    let outputs = ["left.x", "left.v", "right.x", "right.v", "right.f"].map(|name| results.real(name).unwrap());
    let at = |row: usize| systems::energy_of_power_bond(outputs.map(|values| values[row]));
    at(results.time().len() - 1) - at(0)
}

fn residual(report: &Report) -> f64 {
    report.power_bonds[0].residual_energy
}

/// Held inputs with degree 0, otherwise inputs that are told with derivatives.
fn told(sweep: &str, degree: u32) -> System {
    let system = systems::power_bond().sweep(sweep).input_degree(degree).output_derivatives(false);
    if degree == 0 { system } else { system.input_delivery(InputDelivery::Derivatives) }
}

/// Linear inputs that are told as their means.
fn means(sweep: &str) -> System {
    systems::power_bond().sweep(sweep).input_degree(1).output_derivatives(false).input_delivery(InputDelivery::Mean)
}

/// The two masses as they are elsewhere, without dampers: positions are exchanged beside the bond, and the force has feedthrough.
fn with_feedthrough(degree: u32, policy: FeedthroughOutputs) -> System {
    let system = systems::two_mass().sweep("jacobi").input_degree(degree).feedthrough_outputs(policy).stop(20.0);
    let system = system.power_bond("joint", "right.f", "left.v");
    ["left.d", "right.d", "right.d_other"].into_iter().fold(system, |system, damper| system.start_value(damper, 0.0))
}

/// Energy of [`with_feedthrough`] at the end minus that at the start \[J\].
fn growth_with_feedthrough(results: &Memory) -> f64 {
    let states = ["left.x", "left.v", "right.x", "right.v"].map(|name| results.real(name).unwrap());
    let at = |row: usize| {
        let [x1, v1, x2, v2] = states.map(|values| values[row]);
        systems::energy_of_power_bond([x1, v1, x2, v2, 10.0 * (x2 - x1)])
    };
    at(results.time().len() - 1) - at(0)
}

#[test]
fn the_residual_is_the_energy_that_the_coupling_makes_up() {
    let iterated = told("gauss-seidel", 0).iterations(100, Some(1e-12));
    let rows = [
        (told("jacobi", 0), 1.5325, 0.001),
        (told("gauss-seidel", 0), -2.327e-3, 0.03),
        (iterated, -1.0746, 0.001),
        (told("jacobi", 1), 1.332e-3, 0.02),
        (told("gauss-seidel", 1), 7.21e-4, 0.04),
        (told("jacobi", 2), -8.325e-4, 0.001),
        (told("gauss-seidel", 2), -3.703e-4, 0.001),
    ];
    for (number, (system, expected, deviation)) in rows.into_iter().enumerate() {
        let (report, results) = run(&system.step(0.005));
        let growth = growth(&results);
        assert!((growth / expected - 1.0).abs() < 0.01, "row {number}: the energy grows by {growth:e}");
        let ratio = residual(&report) / growth;
        assert!((ratio - 1.0).abs() < deviation, "row {number}: residual {:e} of {growth:e}", residual(&report));
    }
}

#[test]
fn with_feedthrough_it_is_so_for_fresh_outputs_and_others_are_reported() {
    for policy in [ReRead, Derivative] {
        let (report, results) = run(&with_feedthrough(0, policy).step(0.005));
        let ratio = residual(&report) / growth_with_feedthrough(&results);
        assert!((ratio - 1.0).abs() < 0.02, "{policy:?}: {ratio}");
        assert_eq!(report.warnings, []);
    }
    let (report, _) = run(&with_feedthrough(0, Stale).step(0.005));
    assert!(report.warnings.iter().any(|warning| warning.text.contains("`right`") && warning.text.contains("power bond")));
}

/// Slope of the sum of absolute residuals over three halvings of the step.
fn order(system: &System, largest: f64) -> f64 {
    let absolute = |h: f64| run(&system.clone().step(h)).0.power_bonds[0].absolute_residual_energy;
    (absolute(largest) / absolute(largest / 8.0)).log2() / 3.0
}

#[test]
fn residual_energies_go_to_zero_with_the_order_of_the_inputs() {
    for (sweep, degree) in [("jacobi", 0), ("gauss-seidel", 0), ("jacobi", 1), ("gauss-seidel", 1), ("jacobi", 2), ("jacobi", 3)]
    {
        let observed = order(&told(sweep, degree), 0.01);
        assert!((observed - f64::from(degree + 1)).abs() < 0.2, "{sweep}, degree {degree}: {observed}");
    }
    for system in [means("jacobi"), means("gauss-seidel"), with_feedthrough(1, ReRead), with_feedthrough(1, Derivative)] {
        let observed = order(&system, 0.01);
        assert!((observed - 2.0).abs() < 0.2, "means: {observed}");
    }
}

/// Rolled back attempts, half steps and rows that are far apart do not count twice or get lost.
#[test]
fn only_accepted_steps_count() {
    let mut controlled = told("jacobi", 0).estimator("step-doubling").local_tolerance(1e-3);
    controlled.description_mut().experiment.first_step = Some(0.5.into());
    let (report, results) = run(&controlled);
    assert!(report.counters.n_error_test_failures > 0, "{:?}", report.counters);
    assert!((residual(&report) / growth(&results) - 1.0).abs() < 0.01, "{}", residual(&report) / growth(&results));
    let symmetric = systems::power_bond().sweep("symmetric").step(0.01);
    let [every, staggered] = [symmetric.clone(), symmetric.output_interval(0.5)].map(|system| run(&system).0);
    assert!(staggered.counters.n_do_step_calls < every.counters.n_do_step_calls);
    assert!((residual(&every) - residual(&staggered)).abs() < 1e-4, "{} {}", residual(&every), residual(&staggered));
}

#[test]
fn a_run_that_is_repeated_counts_its_own_energy() {
    for system in [told("jacobi", 0).step(0.05), told("gauss-seidel", 1).estimator("energy").local_tolerance(1e-3)] {
        let mut simulation = system.build().unwrap();
        let [first, second] = [(); 2].map(|()| simulation.run(&mut []).unwrap());
        assert_eq!(first.power_bonds, second.power_bonds);
        assert_eq!(first.counters, second.counters);
        assert!(residual(&first) != 0.0);
    }
}

#[test]
fn factors_turn_the_bond_and_leave_its_energy() {
    let (plain, results) = run(&told("jacobi", 0).step(0.005));
    let mut system = told("jacobi", 0).step(0.005);
    for connection in &mut system.description_mut().connections {
        connection.sources[0].factor = -1.0;
    }
    let (turned, turned_results) = run(&system);
    assert!((growth(&turned_results) / growth(&results) - 1.0).abs() < 1e-9);
    assert!((residual(&turned) / residual(&plain) - 1.0).abs() < 1e-9);
}

/// Two masses pull at `left`, over a bond each; together they explain what the energy does.
#[test]
fn each_summand_of_a_force_has_a_bond_of_its_own() {
    let system = System::new()
        .instance_of("left", &joined::<Mass>())
        .instance_of("right", &joined::<systems::PulledMass>())
        .instance_of("third", &joined::<systems::PulledMass>())
        .start_value("left.d", 0.0)
        .start_value("third.x", -0.2)
        .connect_sum("left.f", &[("right.f", 1.0), ("third.f", 1.0)])
        .connect("right.v_other", "left.v")
        .connect("third.v_other", "left.v")
        .power_bond("right", "right.f", "left.v")
        .power_bond("third", "third.f", "left.v")
        .sweep("jacobi")
        .stop(10.0);
    let (report, results) = run(&system.step(0.005));
    let at = |row: usize| {
        let output = |name: &str| results.real(name).unwrap()[row];
        let part = |name: &str| {
            systems::energy_of_power_bond([
                0.0,
                0.0,
                output(&format!("{name}.x")),
                output(&format!("{name}.v")),
                output(&format!("{name}.f")),
            ])
        };
        systems::energy_of_power_bond([output("left.x"), output("left.v"), 0.0, 0.0, 0.0]) + part("right") + part("third")
    };
    let growth = at(results.time().len() - 1) - at(0);
    let sum: f64 = report.power_bonds.iter().map(|bond| bond.residual_energy).sum();
    assert!(report.power_bonds.iter().all(|bond| bond.residual_energy.abs() > 0.1 * growth.abs()), "{:?}", report.power_bonds);
    assert!((sum / growth - 1.0).abs() < 0.001, "{sum} of {growth}");
}

#[test]
fn the_two_mass_oscillator_makes_up_what_its_readme_says() {
    let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/two-mass-oscillator/README.md");
    let readme = fs::read_to_string(readme).unwrap();
    for step in [0.02, 0.01] {
        let (report, _) = run(&systems::two_mass().power_bond("joint", "right.f", "left.v").step(step).output_interval(0.1));
        let bond = &report.power_bonds[0];
        let row = format!("| {step} | {:.3} | {:.3e} |", bond.exchanged_energy, bond.absolute_residual_energy);
        assert!(readme.contains(&row), "README.md does not have {row}");
    }
}

/// The residual energy of the run is at most the tolerance times what could have passed at the largest power.
#[test]
fn the_estimator_energy_bounds_the_residual_energy_of_the_run() {
    let mut last = f64::INFINITY;
    for tolerance in [1e-2, 1e-3, 1e-4] {
        let system = told("gauss-seidel", 1).estimator("energy").local_tolerance(tolerance);
        let mut steps = StepSizes::new();
        let report = system.build().unwrap().run(&mut [&mut steps]).unwrap();
        let absolute = report.power_bonds[0].absolute_residual_energy;
        // The largest power is about 10 W; 10 s.
        assert!(absolute < tolerance * (10.0 + 1.0) * 10.0 && absolute < 0.4 * last, "{tolerance}: {absolute} after {last}");
        assert!(absolute > 1e-3 * tolerance * 100.0, "{tolerance}: {absolute}");
        let statistics = report.counters;
        assert_eq!(statistics.n_do_step_calls, 2 * statistics.n_step_attempts, "no step is made twice");
        assert_eq!(statistics.n_rollbacks, statistics.n_error_test_failures);
        for rejected in &steps.rejected {
            assert_eq!((rejected.estimator(), rejected.variable.as_deref()), (Some("energy"), Some("right.f")));
        }
        last = absolute;
    }
}

/// With inputs of degree k the estimate of a step goes with the power k + 1 of its size.
#[test]
fn the_estimate_of_energy_has_the_order_of_the_inputs() {
    let estimate = |degree: u32, h: f64| {
        let mut system = told("jacobi", degree).estimator("energy").local_tolerance(1e6).stop(1.0);
        let experiment = &mut system.description_mut().experiment;
        for size in [&mut experiment.first_step, &mut experiment.min_step, &mut experiment.max_step] {
            *size = Some(h.into());
        }
        let mut steps = StepSizes::new();
        system.build().unwrap().run(&mut [&mut steps]).unwrap();
        let last = steps.estimates.len() - 1;
        steps.estimates[last].difference
    };
    for degree in [0, 1, 2] {
        let observed = (estimate(degree, 1.0 / 64.0) / estimate(degree, 1.0 / 512.0)).log2() / 3.0;
        assert!((observed - f64::from(degree + 1)).abs() < 0.2, "degree {degree}: {observed}");
    }
}

#[test]
fn what_is_no_power_bond_is_reported_all_at_once() {
    let system = systems::two_mass().step(0.1);
    let system = system
        .power_bond("joint", "right.f", "left.v")
        .power_bond("joint", "right.f", "left.x")
        .power_bond("one side", "right.f", "right.v")
        .power_bond("no variable", "right.ff", "left.w")
        .power_bond("no output", "left.f", "left.m")
        .power_bond("not read", "right.x", "left.v");
    let Some(Error::System(problems)) = system.build().err() else { panic!("accepted") };
    let text = problems.to_string();
    for part in [
        "two power bonds named `joint`",
        "the product of `right.f` and `left.x` is not a power: `N` times `m`",
        "are both outputs of `right`",
        "no variable `ff`",
        "no variable `w`",
        "`left.f` is not a Real output",
        "`left.m` is not a Real output",
        "`left` does not read `right.x`: a power bond needs connections in both directions",
    ] {
        assert!(text.contains(part), "no `{part}` in\n{text}");
    }
    let text = systems::two_mass().estimator("energy").local_tolerance(1e-4).build().err().unwrap().to_string();
    assert!(text.contains("needs power bonds, found none"), "{text}");
}

#[test]
fn with_a_tolerance_nothing_is_reported_and_a_warning_says_so() {
    let (report, _) = run(&systems::power_bond().tolerance(1e-3).output_interval(0.1).stop(1.0));
    assert_eq!(report.power_bonds, []);
    assert!(report.warnings.iter().any(|warning| warning.text.contains("ignores power bonds")), "{:?}", report.warnings);
}
