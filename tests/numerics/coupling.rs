//! The analysis of the coupling through FMUs: known critical steps, and what it says where there is nothing to know.

use lotka::{
    Memory, System,
    analysis::{Advice, ComparedSweep, Coupling, CriticalStep, Outputs, Scheme, Undetermined},
};
use models::{Mass, SprungMass};
use tests::{
    joined, predator_prey,
    systems::{forward_only, noisy, quarter_car_displacement, quarter_car_force, stiff_pair, two_mass},
};

const STALE: Scheme = Scheme { sweep: ComparedSweep::Jacobi, outputs: Some(Outputs::Stale) };
const FRESH: Scheme = Scheme { sweep: ComparedSweep::Jacobi, outputs: Some(Outputs::Fresh) };
const JACOBI: Scheme = Scheme { sweep: ComparedSweep::Jacobi, outputs: None };
const GAUSS_SEIDEL: Scheme = Scheme { sweep: ComparedSweep::GaussSeidel, outputs: None };

fn analyze(system: System, step: f64) -> Coupling {
    system.step(step).build().unwrap().analyze_coupling(None).unwrap()
}

fn schemes(coupling: &Coupling) -> Vec<Scheme> {
    coupling.critical_steps.iter().map(|(scheme, _)| *scheme).collect()
}

/// Critical steps are found within 5 %.
#[track_caller]
fn assert_critical_steps(coupling: &Coupling, expected: &[(Scheme, f64)]) {
    assert_eq!(schemes(coupling), expected.iter().map(|(scheme, _)| *scheme).collect::<Vec<_>>());
    for ((scheme, found), (_, expected)) in coupling.critical_steps.iter().zip(expected) {
        let CriticalStep::Critical { h } = found else { panic!("{scheme}: {found} instead of {expected} s") };
        assert!((h / expected - 1.0).abs() < 0.05, "{scheme}: {found} instead of {expected} s");
    }
}

#[test]
fn critical_steps_of_two_masses() {
    let expected = [(STALE, 0.04353), (FRESH, 0.2254), (GAUSS_SEIDEL, 0.07766)];
    assert_critical_steps(&analyze(two_mass(), 0.1), &expected);
}

#[test]
fn critical_steps_of_a_quarter_car() {
    let expected = [(STALE, 0.03973), (FRESH, 0.1647), (GAUSS_SEIDEL, 0.1144)];
    assert_critical_steps(&analyze(quarter_car_force(), 0.01), &expected);
}

#[test]
fn critical_steps_of_a_stiff_coupling() {
    let expected = [(STALE, 0.8706), (FRESH, 0.01279), (GAUSS_SEIDEL, 1.670)];
    assert_critical_steps(&analyze(stiff_pair(), 0.05), &expected);
}

#[test]
fn without_feedthrough_outputs_are_always_fresh() {
    let coupling = analyze(quarter_car_displacement(), 1.0);
    let stable = CriticalStep::StableUpTo { h: 4.0 };
    assert_eq!(coupling.critical_steps, [(JACOBI, stable), (GAUSS_SEIDEL, stable)]);
}

#[test]
fn sensitivities_are_derivatives_of_a_step() {
    let coupling = analyze(two_mass(), 0.1);
    let names: Vec<_> = coupling.sensitivities.iter().map(|found| (found.output.as_str(), found.input.as_str())).collect();
    let expected = [("left.x", "left.f"), ("left.v", "left.f"), ("right.f", "right.x_other"), ("right.f", "right.v_other")];
    assert_eq!(names, expected);
    // x'' + 0.2 x' + 10 x = f from rest for 0.1 s; the other side has feedthrough k = 10, d = 0.5.
    let (decay, frequency) = (0.1_f64, (10.0_f64 - 0.01).sqrt());
    let (envelope, phase) = ((-decay * 0.1).exp(), frequency * 0.1);
    let position = (1.0 - envelope * (phase.cos() + decay / frequency * phase.sin())) / 10.0;
    let velocity = envelope * phase.sin() / frequency;
    for (found, expected) in coupling.sensitivities.iter().zip([position, velocity]) {
        assert!((found.derivative / expected - 1.0).abs() < 1e-9, "{found:?} instead of {expected}");
    }
    assert!((coupling.sensitivities[2].derivative + 9.068).abs() < 0.001, "{:?}", coupling.sensitivities[2]);
    let [a, b] = [&coupling.sensitivities[2], &coupling.sensitivities[3]].map(|found| found.derivative);
    let contraction = coupling.contraction.unwrap();
    assert!((contraction.gauss_seidel / (a * position + b * velocity).abs() - 1.0).abs() < 1e-6, "{contraction:?}");
    assert!((contraction.jacobi.powi(2) / contraction.gauss_seidel - 1.0).abs() < 1e-6, "{contraction:?}");
}

#[test]
fn a_moving_system_is_not_blamed_on_the_coupling() {
    // Far from its equilibrium the sensitivity of prey and predators changes within seconds; the coupling is harmless at such
    // steps.
    let coupling = analyze(predator_prey(), 0.1);
    assert_eq!(schemes(&coupling), [JACOBI, GAUSS_SEIDEL]);
    for (scheme, found) in &coupling.critical_steps {
        let CriticalStep::Critical { h } = found else { panic!("{scheme}: {found}") };
        assert!(*h > 0.5, "{scheme}: {found}");
    }
}

#[test]
fn inexact_rollback_leaves_critical_steps_open() {
    let coupling = analyze(noisy(), 0.1);
    assert_eq!(schemes(&coupling), [JACOBI, GAUSS_SEIDEL]);
    for (scheme, found) in &coupling.critical_steps {
        let CriticalStep::NotDetermined { reason: Undetermined::Noise { noise } } = found else { panic!("{scheme}: {found}") };
        assert!((1e-8..1e-5).contains(noise), "{scheme}: {noise}");
        assert!(found.to_string().starts_with("not determined: restored states have a relative error of"), "{found}");
    }
}

#[test]
fn fmus_without_rollback_are_named() {
    let error = forward_only().step(0.1).build().unwrap().analyze_coupling(None).unwrap_err().to_string();
    for part in ["instance `prey`", "instance `predator`", "rollback", "canGetAndSetFMUstate"] {
        assert!(error.contains(part), "no `{part}` in {error}");
    }
}

#[test]
fn stable_and_wrong_is_not_advised() {
    // Both masses hold the place of the other one: no step is unstable, but only short ones are right.
    let hanging = joined::<SprungMass>();
    let system = System::new().instance_of("a", &hanging).instance_of("b", &hanging).stop(10.0);
    let links = [("a", "b"), ("b", "a")].into_iter().flat_map(|ends| ["x", "v"].map(|name| (ends, name)));
    let system = links.fold(system, |system, ((to, from), name)| {
        system.connect(&format!("{to}.{name}_other"), &format!("{from}.{name}")).start_value(&format!("{to}.k_other"), 1e4)
    });
    let system = ["a", "b"].iter().fold(system, |system, name| system.start_value(&format!("{name}.d_other"), 1e4));
    let coupling = analyze(system, 0.01);
    let most_stable = coupling.advice.iter().find_map(|advice| match advice {
        Advice::MostStable { scheme, stable_up_to, accurate_up_to } => Some((*scheme, *stable_up_to, *accurate_up_to)),
        _ => None,
    });
    let (scheme, stable, accurate) = most_stable.unwrap();
    assert_eq!((scheme, stable), (GAUSS_SEIDEL, 10.0));
    // Inputs that are held over h are followed with the rate 1e4: h = ln 2 / 1e4 s for a contraction of a half.
    let accurate = accurate.unwrap();
    assert!((2e-5..2e-4).contains(&accurate), "{accurate}");
    let text = coupling.advice.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
    assert!(text.contains("steps up to 10 s, but wrong above ") && !text.contains("and steps up to 10 s"), "{text}");
}

#[test]
fn a_step_must_fit_into_the_experiment() {
    let mut simulation = two_mass().step(0.1).build().unwrap();
    for step in [0.0, -0.1, 10.5, f64::NAN, f64::INFINITY] {
        let error = simulation.analyze_coupling(Some(step)).unwrap_err().to_string();
        assert!(error.contains(&format!("with a step of {step} s; choose a step greater than 0")), "{error}");
    }
}

#[test]
fn without_loops_nothing_is_critical() {
    let mass = joined::<Mass>();
    let hanging = joined::<SprungMass>();
    let chain = System::new().instance_of("a", &mass).instance_of("b", &hanging).connect("b.x_other", "a.x").stop(1.0);
    let coupling = analyze(chain, 0.1);
    assert_eq!((coupling.critical_steps.as_slice(), coupling.advice.as_slice()), ([].as_slice(), [Advice::NoLoops].as_slice()));
    assert_eq!(coupling.contraction.map(|found| (found.jacobi, found.gauss_seidel)), Some((0.0, 0.0)));
}

#[test]
fn an_analysis_leaves_no_traces() {
    let system = two_mass().stop(2.0).step(0.05);
    let run = |simulation: &mut lotka::Simulation| {
        let mut results = Memory::new();
        let report = simulation.run(&mut [&mut results]).unwrap();
        (report.counters, results.real("right.x").unwrap().to_vec())
    };
    let expected = run(&mut system.build().unwrap());
    let mut simulation = system.build().unwrap();
    let coupling = simulation.analyze_coupling(Some(0.01)).unwrap();
    assert_eq!(run(&mut simulation), expected);
    assert_eq!(simulation.analyze_coupling(Some(0.01)).unwrap(), coupling);
}
