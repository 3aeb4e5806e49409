//! Runs with `tolerance`: recorded values are as accurate as was asked for, the printed estimate is honest, and calls are few.

use std::ops::ControlFlow;

use fmu::Fmu;
use fmu_sdk::Model;
use lotka::{Code, Coded, End, Memory, Notification, Observer, RunError, RunFailure, System};
use tests::{
    bits, couple, joined, predator_prey,
    systems::{self, Exact, exact},
    verified::Verified,
};

fn run(system: &System) -> Verified {
    Verified::run(system)
}

/// Below which value errors of a variable are judged absolutely.
#[derive(Clone, Copy)]
enum Scale {
    /// Nothing is said: a thousandth of its largest value.
    Default,
    /// The same for all variables, in their units; 0 judges relatively only.
    Given(f64),
}

impl Scale {
    fn of(self, values: impl Iterator<Item = f64>) -> f64 {
        match self {
            Self::Default => 1e-3 * values.fold(0.0, |scale: f64, value| scale.max(value.abs())),
            Self::Given(scale) => scale,
        }
    }

    /// The system with this scale and a tolerance.
    fn apply(self, system: System, tolerance: f64) -> System {
        match self {
            Self::Default => system.tolerance(tolerance),
            Self::Given(scale) => system.tolerance(tolerance).absolute_tolerance(scale * tolerance),
        }
    }
}

/// How accurate results are.
trait Accuracy {
    fn calls(&self) -> u64;
    /// Largest error of all rows and variables, relative to `max(|exact|, s)`.
    fn error(&self, exact: &Exact, scale: Scale) -> f64;
    /// The least that rounding may be in the estimate: for runs that nothing amplifies.
    fn floor(&self) -> f64;
    /// The tolerance is kept, and the estimate is neither too small nor far too large.
    fn accept(&self, exact: &Exact, scale: Scale);
}

impl Accuracy for Verified {
    fn calls(&self) -> u64 {
        self.report.counters.n_do_step_calls
    }

    fn error(&self, exact: &Exact, scale: Scale) -> f64 {
        assert_eq!(self.rows.columns().len(), exact.outputs.len(), "every recorded variable counts");
        let known: Vec<_> = self.rows.time().iter().map(|time| (exact.at)(*time)).collect();
        let columns = exact.outputs.iter().enumerate().map(|(place, output)| {
            let exact = || known.iter().map(|row| row[place]);
            let (least, printed) = (scale.of(exact()), self.global.outputs[place].scale);
            // The largest value may lie between the rows.
            assert!(printed >= 0.9 * least && (least == 0.0) == (printed == 0.0), "{:?}", self.global.outputs[place]);
            let scale = printed;
            let pairs = self.rows.real(output).unwrap().iter().zip(exact()).filter(|(got, exact)| *got != exact);
            pairs.map(|(got, exact)| (got - exact).abs() / exact.abs().max(scale)).fold(0.0, f64::max)
        });
        columns.fold(0.0, f64::max)
    }

    fn floor(&self) -> f64 {
        let longest = *self.global.steps.last().unwrap() as f64;
        4.0 * f64::EPSILON * longest.sqrt()
    }

    fn accept(&self, exact: &Exact, scale: Scale) {
        let (error, estimate, floor) = (self.error(exact, scale), self.global.largest, self.floor());
        let found = format!("error {error:.2e}, estimate {estimate:.2e}, {} calls: {:?}", self.calls(), self.global);
        assert!(self.global.reached && self.report.end == End::StopTime, "{found}");
        assert!(error <= self.global.tolerance && estimate <= self.global.tolerance, "{found}");
        assert!(estimate >= 0.5 * error || error <= floor, "the estimate is too small: {found}");
        assert!(estimate <= (1000.0 * error).max(floor), "the estimate is too large: {found}");
    }
}

/// Runs with this tolerance, which must be kept within `calls`.
fn keeps(system: System, exact: &Exact, tolerance: f64, scale: Scale, calls: u64) {
    let verified = run(&scale.apply(system, tolerance));
    verified.accept(exact, scale);
    assert!(verified.calls() <= calls, "{} calls: {:?}", verified.calls(), verified.global);
}

#[test]
fn predators_and_prey_need_few_calls() {
    for system in [predator_prey, systems::black_box] {
        keeps(system().output_interval(1.0), &exact::PREDATOR_PREY, 1e-6, Scale::Default, 3300);
        keeps(system().output_interval(1.0), &exact::PREDATOR_PREY, 1e-9, Scale::Default, 6000);
    }
}

/// Runs with up to k steps per row: calls, largest error and estimate as they were found with other programs. The first run is
/// made once more, to see what the FMUs' own error is.
#[test]
fn extrapolation_gives_the_known_errors_and_estimates() {
    for (tolerance, runs, calls, error, estimate) in
        [(1e-3, 3, 2375, 7.9e-7, 2e-4), (1e-6, 4, 3300, 2.0e-9, 7.9e-7), (1e-9, 6, 5700, 3.7e-13, 1e-10)]
    {
        let verified = run(&predator_prey().output_interval(1.0).tolerance(tolerance));
        let (global, found) = (&verified.global, verified.error(&exact::PREDATOR_PREY, Scale::Default));
        let text = format!("{tolerance:e}: error {found:.2e}, {} calls: {global:?}", verified.calls());
        assert_eq!(global.steps, (1..=runs).map(|run| 100 * run).collect::<Vec<_>>(), "{text}");
        assert!(verified.calls() <= calls, "{text}");
        assert!((found / error - 1.0).abs() < 0.1 || error < 1e-12 && found < 1e-12, "{text}");
        assert!((global.largest / estimate - 1.0).abs() < 0.3 || error < 1e-12 && global.largest < 1e-9, "{text}");
    }
}

#[test]
fn every_tolerance_is_kept_and_tight_ones_cost_little() {
    let runs = (3..=10).map(|exponent| {
        let verified = run(&predator_prey().output_interval(1.0).tolerance(10_f64.powi(-exponent)));
        verified.accept(&exact::PREDATOR_PREY, Scale::Default);
        verified.calls()
    });
    let calls: Vec<_> = runs.collect();
    assert!(calls.last().unwrap() <= &(8 * calls[0]), "{calls:?}");
}

#[test]
fn three_species_are_exact_relative_to_the_smallest_population() {
    keeps(systems::three_species().output_interval(1.0), &exact::THREE_SPECIES, 1e-6, Scale::Given(0.0), 10_700);
}

#[test]
fn three_species_from_components_are_exact_relative_to_the_smallest_population() {
    let system = systems::three_species_components().output_interval(1.0);
    keeps(system, &exact::THREE_SPECIES_COMPONENTS, 1e-6, Scale::Given(0.0), 95_000);
}

#[test]
fn outputs_with_feedthrough_are_extrapolated() {
    keeps(systems::two_mass().output_interval(0.11), &exact::TWO_MASS, 1e-7, Scale::Given(1.0), 8000);
}

#[test]
fn the_quarter_car_coupled_by_displacements_is_exact() {
    let system = systems::quarter_car_displacement().output_interval(0.1);
    keeps(system, &exact::QUARTER_CAR_DISPLACEMENT, 1e-6, Scale::Default, 10_000);
}

#[test]
fn the_quarter_car_coupled_by_force_is_exact() {
    keeps(systems::quarter_car_force().output_interval(0.1), &exact::QUARTER_CAR_FORCE, 1e-6, Scale::Default, 50_000);
}

#[test]
fn the_split_oscillator_is_exact() {
    keeps(systems::van_der_pol().output_interval(0.5), &exact::VAN_DER_POL, 1e-6, Scale::Default, 9500);
}

#[test]
fn noise_of_rollbacks_is_no_matter_where_nothing_is_rolled_back() {
    let verified = run(&systems::noisy().output_interval(1.0).tolerance(1e-6));
    verified.accept(&exact::PREDATOR_PREY, Scale::Default);
    assert_eq!(verified.report.counters.n_rollbacks, 0);
}

/// Noisy prey and predators, iterated.
fn noisy_iterated(tolerance: f64) -> System {
    let system = systems::noisy().output_interval(1.0).tolerance(tolerance);
    system.sweep("gauss-seidel").input_degree(1).iterations(50, None)
}

#[test]
fn noise_of_rollbacks_is_in_the_estimate_where_loops_are_iterated() {
    run(&noisy_iterated(1e-4)).accept(&exact::PREDATOR_PREY, Scale::Default);
}

/// The run ends without the tolerance: it says so and why, and keeps all rows, with an honest estimate.
fn gives_up(verified: &Verified) {
    assert_eq!(verified.report.end, End::ToleranceNotReached);
    assert!(!verified.global.reached && verified.global.largest > verified.global.tolerance);
    assert!(!verified.global.reason.is_empty());
    assert_eq!(verified.rows.time().len(), 101);
    let error = verified.error(&exact::PREDATOR_PREY, Scale::Default);
    assert!(verified.global.largest >= 0.5 * error, "error {error:.2e}: {:?}", verified.global);
}

/// Nobody who writes `?` takes a result that is not within its tolerance for one that is: with too few calls, and where runs show
/// less than the tolerance.
#[test]
fn a_tolerance_that_is_not_reached_is_an_error_with_all_rows() {
    let few_calls = predator_prey().output_interval(1.0).tolerance(1e-12).max_calls(3000);
    let rounding = systems::tolerance_inside().output_interval(1.0).tolerance(1e-12);
    for system in [few_calls, rounding] {
        let mut rows = Memory::new();
        let failure = system.build().unwrap().run(&mut [&mut rows]).unwrap_err();
        let RunError::ToleranceNotReached(global) = &failure.error else { panic!("{failure}") };
        assert_eq!(failure.report.global_error.as_ref(), Some(&**global));
        assert!(failure.to_string().starts_with("tolerance 1e-12 not reached; the error of `"), "{failure}");
        gives_up(&Verified { report: failure.report.clone(), global: (**global).clone(), rows });
        let error = lotka::Error::from(failure);
        assert_eq!(error.code(), Code::ToleranceNotReached);
    }
    let failure = noisy_iterated(1e-12).build().unwrap().run(&mut []).unwrap_err();
    assert!(failure.accept_missed_tolerance().is_err(), "another failure cannot be accepted");
}

/// An observer that stops early.
struct Enough(usize);

impl Observer for Enough {
    fn observe(&mut self, notification: &Notification<'_>) {
        self.0 += usize::from(matches!(notification, Notification::Row(_)));
    }

    fn flow(&self) -> ControlFlow<()> {
        if self.0 < 5 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
}

#[test]
fn an_observer_that_stops_hides_no_refusal() {
    let system = predator_prey().output_interval(1.0);
    for (system, end) in
        [(system.clone().tolerance(1e-6), End::Stopped), (system.tolerance(1e-12).max_calls(3000), End::ToleranceNotReached)]
    {
        let result = system.build().unwrap().run(&mut [&mut Enough(0)]);
        assert_eq!(result.is_err(), end == End::ToleranceNotReached);
        let report = result.or_else(RunFailure::accept_missed_tolerance).unwrap();
        assert_eq!((report.end, report.time), (end, 4.0));
    }
}

#[test]
fn a_tolerance_below_the_noise_is_refused_with_the_one_that_can_be_kept() {
    for tolerance in [1e-6, 1e-12] {
        let failure = noisy_iterated(tolerance).build().unwrap().run(&mut []).unwrap_err();
        let RunError::BelowNoise { variable, noise, smallest, .. } = &failure.error else { panic!("{failure}") };
        assert_eq!(variable, "prey.x");
        assert!((1e-9..1e-7).contains(noise) && smallest > noise && *smallest < 1e-6, "{failure}");
    }
}

#[test]
fn an_error_inside_that_nothing_shows_is_not_bounded() {
    let verified = run(&systems::euler_inside().output_interval(1.0).tolerance(1e-3));
    // Its steps have a size of their own, which a division of steps hardly changes.
    assert!(!verified.global.follows_tolerance && verified.global.reached, "{:?}", verified.global);
    assert!(verified.global.verdict().contains("error inside the FMUs at least"), "{}", verified.global.verdict());
    let error = verified.error(&exact::PREDATOR_PREY, Scale::Default);
    assert!((3.3e-4..3.8e-4).contains(&error), "the coupling alone is exact: {error:.2e}");
}

#[test]
fn an_error_inside_that_follows_the_tolerance_is_in_the_estimate() {
    for tolerance in [1e-5, 1e-9] {
        let verified = run(&systems::tolerance_inside().output_interval(1.0).tolerance(tolerance));
        verified.accept(&exact::PREDATOR_PREY, Scale::Default);
        let own = verified.global.internal_error.unwrap();
        assert!(own > 0.1 * verified.global.largest && own <= verified.global.largest, "{:?}", verified.global);
    }
}

/// Runs of a system that is not smooth at tighter and tighter tolerances: each is kept, or the run says that it is not, and why.
fn is_honest(system: &System, exact: &Exact, kept: &[f64], missed: &[f64]) {
    for (&tolerance, reached) in
        kept.iter().map(|tolerance| (tolerance, true)).chain(missed.iter().map(|tolerance| (tolerance, false)))
    {
        let verified = run(&system.clone().tolerance(tolerance));
        let (error, global) = (verified.error(exact, Scale::Default), &verified.global);
        let found = format!("error {error:.2e}, {} calls: {global:?}", verified.calls());
        assert_eq!((global.reached, verified.report.end == End::StopTime), (reached, reached), "{found}");
        assert!(0.5 * error <= global.largest && (!reached || error <= tolerance), "{found}");
        if !reached {
            assert!(global.reason.contains(" near t = "), "{found}");
        }
    }
}

/// Trials find the levels of the thermostat, if the method is left to Lotka; otherwise its jumps are too late in every run.
#[test]
fn jumps_are_located_or_leave_an_honest_estimate() {
    let (system, tolerances) = (systems::switched_heating().output_interval(1.0), [1e-1, 1e-2, 1e-6, 1e-9]);
    is_honest(&system, &exact::SWITCHED_HEATING, &tolerances, &[]);
    is_honest(&system.sweep("symmetric"), &exact::SWITCHED_HEATING, &[], &tolerances);
}

#[test]
fn kinks_leave_an_honest_estimate() {
    let system = systems::clamped_spring().output_interval(0.1);
    is_honest(&system, &exact::CLAMPED_SPRING, &[1e-1, 1e-2, 1e-3, 1e-5, 1e-9], &[]);
}

/// Largest error of the temperature of a room that is heated with 1 K/s since `time`, relative.
fn error_of_heated(verified: &Verified, time: f64) -> f64 {
    let decay = |duration: f64| (-duration / 10.0).exp();
    let exact = |t: f64| 20.0 * decay(t) + if t > time { 10.0 * (1.0 - decay(t - time)) } else { 0.0 };
    let rows = verified.rows.time().iter().zip(verified.rows.real("room.temperature").unwrap());
    rows.map(|(t, got)| (got / exact(*t) - 1.0).abs()).fold(0.0, f64::max)
}

/// In the first and the last third of a row the first runs agree to the last digit on values that are wrong.
#[test]
fn one_jump_is_seen_wherever_it_is() {
    for (variable, time) in ["level", "count", "is_on"]
        .into_iter()
        .flat_map(|variable| [4.02, 4.2, 4.3, 4.5, 4.7, 4.9, 4.99, 5.0].map(|time| (variable, time)))
    {
        for tolerance in [1e-2, 1e-4, 1e-9] {
            let verified = run(&systems::switched_once(time, variable).output_interval(1.0).tolerance(tolerance));
            let (error, global) = (error_of_heated(&verified, time), &verified.global);
            let found = format!("{variable} at {time} s: error {error:.2e}, {} calls: {global:?}", verified.calls());
            assert!(if global.reached { error <= tolerance } else { tolerance < 1e-8 && error <= global.largest }, "{found}");
        }
    }
}

#[test]
fn a_wave_that_looks_constant_is_seen() {
    // dT/dt = 1 + cos(w t) - T / 10.
    let w = std::f64::consts::TAU * 60.0;
    let exact = 10.0 + 10.0 * (-1.0_f64).exp() + (0.1 - 0.1 * (-1.0_f64).exp()) / (w * w + 0.01);
    for (row, is_kept) in [(1.0, false), (0.5, false), (0.2, false), (0.1, false), (2e-3, true)] {
        let resolved = run(&systems::fast_wave().output_interval(row).tolerance(1e-5));
        let error = (resolved.rows.real("room.temperature").unwrap().last().unwrap() / exact - 1.0).abs();
        assert!(if resolved.global.reached { error <= 1e-5 } else { !is_kept }, "{row}: {error:e} {:?}", resolved.global);
    }
}

#[test]
fn an_output_that_is_no_number_is_left_out_of_the_promise() {
    let verified = run(&systems::undefined_beside().output_interval(1.0).tolerance(1e-6));
    assert!(verified.global.reached, "{:?}", verified.global);
    let warning = "`clock.root` has values that are not finite, so Lotka does not bound or estimate its error";
    assert!(verified.report.warnings.iter().any(|found| found.text == warning), "{:?}", verified.report.warnings);
    for output in &verified.global.outputs {
        assert_eq!(output.relative.is_nan(), output.name == "clock.root", "{output:?}");
    }
    assert!(verified.rows.real("clock.root").unwrap().iter().all(|root| root.is_nan()));
    let prey = systems::Table::predator_prey().exactly_at(100.0)[0];
    assert!((verified.rows.real("prey.x").unwrap().last().unwrap() / prey - 1.0).abs() < 1e-6);
}

#[test]
fn repeated_runs_are_equal_to_the_last_bit() {
    let system = predator_prey().output_interval(1.0).tolerance(1e-9);
    let mut simulation = system.build().unwrap();
    let mut again = || {
        let mut rows = Memory::new();
        let report = simulation.run(&mut [&mut rows]).unwrap();
        Verified { global: report.global_error.clone().unwrap(), report, rows }
    };
    let (first, second, third) = (again(), again(), run(&system));
    for other in [&second, &third] {
        assert_eq!(bits(&first.rows), bits(&other.rows));
        assert_eq!(first.global, other.global);
        assert_eq!(first.report.counters, other.report.counters);
    }
}

/// An FMU of which a process can have one instance only, so that no two runs are made at the same time.
fn only_one<M: Model>() -> Fmu {
    let mut description = fmu_sdk::description::<M>();
    if let Some(declared) = &mut description.co_simulation {
        declared.interface.can_be_instantiated_only_once_per_process = Some(true);
    }
    Fmu::from_functions(description, fmu_sdk::functions::<M>())
}

#[test]
fn runs_at_the_same_time_give_what_runs_one_after_the_other_give() {
    let verify = |system: System| run(&system.stop(100.0).output_interval(1.0).tolerance(1e-9));
    let parallel = verify(couple(&joined::<models::Prey>(), &joined::<models::Predator>()));
    let sequential = verify(couple(&only_one::<models::Prey>(), &only_one::<models::Predator>()));
    assert_eq!(bits(&parallel.rows), bits(&sequential.rows));
    assert_eq!(parallel.global, sequential.global);
}
