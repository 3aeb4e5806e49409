//! The systems match their known solutions, and the weak FMUs have the weaknesses they claim.

use fmu::{Fmu, InstantiateOptions};
use fmu_sdk::Model;
use lotka::{Memory, System};
use lotka_instance::{Experiment, Instance, RealRef, StepOutcome};
use models::{Predator, Prey};

use coupled::{
    joined, predator_prey,
    systems::{
        fault::{EulerPrey, Lacking, NOISE, NoisyPrey, TolerantPrey, stripped},
        *,
    },
};
use lotka_instance::conformance::{self, ModelUnderTest};

/// Returns the largest error of the known states, relative to the largest value of each state, with Gauss–Seidel steps of `h`.
fn error<const N: usize>(system: System, known: &Known<N>, h: f64) -> f64 {
    let mut results = Memory::new();
    system.sweep("gauss-seidel").step(h).build().unwrap().run(&mut [&mut results]).unwrap();
    let states = known.states.iter().map(|(time, exact)| {
        let row = results.time().iter().position(|t| (t - time).abs() < 1e-9).unwrap();
        let scale = exact.iter().fold(0.0, |scale: f64, x| scale.max(x.abs()));
        let got = known.variables.map(|variable| results.real(variable).unwrap()[row]);
        got.iter().zip(exact).map(|(got, exact)| (got - exact).abs() / scale).fold(0.0, f64::max)
    });
    states.fold(0.0, f64::max)
}

/// Asserts that the simplest method converges to the known states.
fn converges<const N: usize>(system: impl Fn() -> System, known: &Known<N>, h: f64) {
    let [coarse, fine] = [h, 0.5 * h].map(|h| error(system(), known, h));
    assert!(fine < 0.02, "{:?}: {fine}", known.variables);
    assert!((1.8..2.2).contains(&(coarse / fine)), "{:?}: {coarse} {fine}", known.variables);
}

#[test]
fn masses_converge_to_the_known_states() {
    converges(two_mass, &known::TWO_MASS, 2e-4);
    converges(quarter_car_force, &known::QUARTER_CAR, 1e-4);
    converges(quarter_car_displacement, &known::QUARTER_CAR, 1e-4);
}

#[test]
fn the_stiff_pair_converges_to_the_known_states() {
    converges(stiff_pair, &known::STIFF_PAIR, 1e-4);
}

#[test]
fn the_split_oscillator_converges_to_the_known_states() {
    converges(van_der_pol, &known::VAN_DER_POL, 2e-4);
}

#[test]
fn species_and_components_converge_to_the_reference() {
    let table = Table::three_species();
    let states: &'static [(f64, [f64; 3])] = [20.0, 100.0].map(|time| (time, table.at(time))).to_vec().leak();
    converges(three_species, &Known { variables: known::THREE_SPECIES, states }, 1e-2);
    converges(three_species_components, &Known { variables: known::THREE_SPECIES_COMPONENTS, states }, 4e-3);
}

#[test]
fn prey_and_predators_without_derivatives_are_the_same_prey_and_predators() {
    let table = Table::predator_prey();
    let states: &'static [(f64, [f64; 2])] = vec![(20.0, table.at(20.0)), (100.0, table.at(100.0))].leak();
    let known = Known { variables: ["prey.x", "predator.y"], states };
    let bits = |system| error(system, &known, 0.01).to_bits();
    let whole = bits(predator_prey());
    assert_eq!([bits(black_box()), bits(forward_only())], [whole; 2]);
    converges(black_box, &known, 0.01);
}

fn check<M: Model>() {
    check_fmu(&joined::<M>());
}

fn check_fmu(fmu: &Fmu) {
    let mut make = |name: &str| -> Box<dyn Instance> { instance(fmu, name) };
    conformance::run(&mut make, &ModelUnderTest::new(&fmu.description().interface()));
}

fn instance(fmu: &Fmu, name: &str) -> Box<dyn Instance> {
    fmu.instantiate(name, &InstantiateOptions::default()).unwrap()
}

#[test]
fn all_models_pass_the_conformance_suite() {
    check::<models::Mass>();
    check::<models::SprungMass>();
    check::<models::SprungMassForce>();
    check::<models::VanDerPolPosition>();
    check::<models::VanDerPolVelocity>();
    check::<models::Species>();
    check::<models::ThreeSpecies>();
    check::<models::Population>();
    check::<models::Reproduction>();
    check::<models::Starvation>();
    check::<models::Predation>();
    check::<EulerPrey>();
    check::<TolerantPrey>();
    check_fmu(&stripped::<Prey>(Lacking::Derivatives));
    check_fmu(&stripped::<Predator>(Lacking::DerivativesAndStates));
}

#[test]
fn what_is_stripped_is_gone_without_a_warning() {
    for lacking in [Lacking::Derivatives, Lacking::DerivativesAndStates] {
        let fmu = stripped::<Prey>(lacking);
        let capabilities = fmu.capabilities();
        assert!(!capabilities.interpolate_inputs && !capabilities.directional_derivative);
        assert_eq!(capabilities.max_output_derivative_order, 0);
        assert_eq!(capabilities.save_state, lacking == Lacking::Derivatives);
        assert!(fmu.warnings().is_empty() && fmu.description().as_fmi2().unwrap().check().is_empty());
    }
}

/// Returns the reference to the Real variable `name`.
fn reference(fmu: &Fmu, name: &str) -> RealRef {
    let variable =
        lotka_instance::InstanceFactory::description(fmu).variables.iter().find(|variable| variable.name == name).unwrap();
    RealRef(variable.value_reference)
}

/// Returns an instance at t = 0, bound to its input and output.
fn started(fmu: &Fmu, input: &str, output: &str, tolerance: Option<f64>) -> Box<dyn Instance> {
    let mut instance = instance(fmu, "one");
    instance.setup_experiment(&Experiment { start: 0.0, stop: None, tolerance }).unwrap();
    instance.enter_initialization_mode().unwrap();
    instance.exit_initialization_mode().unwrap();
    instance.bind(&[reference(fmu, input)], &[reference(fmu, output)]).unwrap();
    instance
}

fn step(instance: &mut Box<dyn Instance>, input: f64, t: f64, h: f64) -> f64 {
    let mut output = [f64::NAN];
    assert_eq!(instance.step(&[input], t, h, true, &mut output).unwrap(), StepOutcome::Complete);
    output[0]
}

#[test]
fn feedthrough_has_directional_derivatives_and_is_read_anew() {
    let fmu = joined::<models::SprungMassForce>();
    let mut mass = started(&fmu, "x_other", "f", None);
    let [force, inputs] =
        [vec!["f"], vec!["x_other", "v_other"]].map(|names| names.iter().map(|n| reference(&fmu, n)).collect::<Vec<_>>());
    let mut derivative = [0.0];
    for (seed, expected) in [([1.0, 0.0], -10.0), ([0.0, 1.0], -0.5), ([0.1, 2.0], -2.0)] {
        mass.directional_derivative(&force, &inputs, &seed, &mut derivative).unwrap();
        assert_eq!(derivative, [expected]);
    }
    let held = step(&mut mass, 0.3, 0.0, 0.01);
    let mut fresh = [0.0];
    mass.set_real(&inputs, &[0.5, 0.2]).unwrap();
    mass.get_real(&force, &mut fresh).unwrap();
    assert!((fresh[0] - (held - 2.0 - 0.1)).abs() < 1e-14, "{held} {fresh:?}");
}

#[test]
fn restoring_changes_noisy_prey_a_little_and_saving_does_not() {
    let fmu = joined::<NoisyPrey>();
    let mut prey = started(&fmu, "y", "x", None);
    let x = step(&mut prey, 10.0, 0.0, 0.5);
    assert_eq!(x.to_bits(), step(&mut started(&joined::<Prey>(), "y", "x", None), 10.0, 0.0, 0.5).to_bits());
    let read = |prey: &mut Box<dyn Instance>| {
        let mut value = [0.0];
        prey.get_real(&[reference(&fmu, "x")], &mut value).unwrap();
        value[0]
    };
    let slot = prey.new_slot().unwrap();
    for _ in 0..3 {
        prey.save(slot).unwrap();
        assert_eq!(read(&mut prey), x);
    }
    let mut changes = Vec::new();
    for _ in 0..1000 {
        prey.restore(slot).unwrap();
        changes.push((read(&mut prey) / x - 1.0) / NOISE);
    }
    let rms = (changes.iter().map(|r| r * r).sum::<f64>() / 1000.0).sqrt();
    assert!(changes.iter().all(|r| r.abs() <= 1.0 + 1e-7), "each restore starts from what was saved");
    assert!((rms - 1.0 / 3.0_f64.sqrt()).abs() < 0.05, "{rms}");
    assert!(changes.iter().sum::<f64>().abs() / 1000.0 < 0.1);
}

/// Returns prey `M` and exact predators at every second until t = 100 s. Each second has a hundred symmetric sweeps: half a step
/// of prey, a step of predators, half a step of prey.
fn symmetric<M: Model>(tolerance: Option<f64>) -> Vec<[f64; 2]> {
    let mut prey = started(&joined::<M>(), "y", "x", tolerance);
    let mut predator = started(&joined::<Predator>(), "x", "y", tolerance);
    let (h, mut y, mut rows) = (0.01, 10.0, Vec::new());
    for n in 0..10_000 {
        let t = f64::from(n) * h;
        let x = step(&mut prey, y, t, 0.5 * h);
        y = step(&mut predator, x, t, h);
        let x = step(&mut prey, y, t + 0.5 * h, 0.5 * h);
        if (n + 1) % 100 == 0 {
            rows.push([x, y]);
        }
    }
    rows
}

/// Returns the largest relative difference.
fn difference(rows: &[[f64; 2]], exact: &[[f64; 2]]) -> f64 {
    assert_eq!((rows.len(), exact.len()), (100, 100));
    let pairs = rows.iter().flatten().zip(exact.iter().flatten());
    pairs.map(|(got, exact)| (got / exact - 1.0).abs()).fold(0.0, f64::max)
}

#[test]
fn euler_inside_is_off_by_the_known_error_whatever_the_tolerance() {
    let exact: Vec<_> = Table::predator_prey().values.into_iter().skip(10).step_by(10).collect();
    let coupling = difference(&symmetric::<Prey>(None), &exact);
    assert!((2.8e-6..3.6e-6).contains(&coupling), "{coupling}");
    for tolerance in [None, Some(1e-4), Some(1e-12)] {
        let error = difference(&symmetric::<EulerPrey>(tolerance), &exact);
        assert!((3.3e-4..3.8e-4).contains(&error), "{error}");
    }
}

#[test]
fn the_error_inside_follows_the_tolerance() {
    let exact = symmetric::<Prey>(None);
    for tolerance in [1e-8, 1e-9, 1e-10] {
        let error = difference(&symmetric::<TolerantPrey>(Some(tolerance)), &exact);
        assert!((5.0..20.0).contains(&(error / tolerance)), "{error} for {tolerance}");
    }
}
