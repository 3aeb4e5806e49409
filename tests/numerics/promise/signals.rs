//! Signals of FMUs without inputs and of sources: jumps, kinks and waves; and FMUs whose steps have an error of order 1.

use lotka::{Memory, RunFailure, SourceSignal, System};
use tests::{bits, campaign::judge, joined};

use super::{SEED, case};

/// Jumps and kinks of an FMU without inputs are located before the first run: steps end there, and the result costs about what it
/// does where the time is declared.
#[test]
fn jumps_and_kinks_of_fmus_without_inputs_are_located() {
    for (family, seed) in ["jump", "kink"].into_iter().flat_map(|family| (SEED..SEED + 3).map(move |seed| (family, seed))) {
        for tolerance in [1e-3, 1e-6, 1e-9] {
            let mut case = case(family, seed);
            let located = judge(seed, &case, tolerance);
            assert!(located.kept && located.error <= 0.5, "{family} {seed}: {located:?}");
            if tolerance < 1e-7 {
                // Declared times are not exact enough for that.
                assert!(located.calls < 10_000, "{family} {seed}: {located:?}");
                continue;
            }
            case.system = case.system.event_at("signal", [case.equations.knots[0]]);
            let declared = judge(seed, &case, tolerance);
            assert!(declared.kept && declared.error <= 0.1, "{family} {seed}: {declared:?}");
            assert!(2 * located.calls < 3 * declared.calls, "{family} {seed}: {declared:?} {located:?}");
        }
    }
}

/// A simulation that found corners looks for them anew in each run, with the same results.
#[test]
fn runs_with_located_corners_can_be_repeated() {
    for family in ["jump", "kink", "thermostat"] {
        let mut simulation = case(family, SEED).system.tolerance(1e-6).build().unwrap();
        let [first, second] = [(); 2].map(|()| {
            let mut rows = Memory::new();
            let result = simulation.run(&mut [&mut rows]);
            let report = result.or_else(RunFailure::accept_missed_tolerance).unwrap();
            (bits(&rows), report.counters, report.global_error)
        });
        assert_eq!(first, second, "{family}");
    }
}

/// A kink just behind a point at which the signal is looked at seems to be before it, too.
#[test]
fn a_kink_beside_a_point_of_the_scan_is_located() {
    let outcome = judge(0, &case("triangle", 800_017), 1e-6);
    assert!(outcome.kept && outcome.error <= 0.1, "{outcome:?}");
}

/// Waves are resolved by equal steps, so that errors have an order at once, and however many there are between two rows.
#[test]
fn waves_are_resolved_before_the_first_run() {
    for seed in SEED..SEED + 4 {
        for tolerance in [1e-3, 1e-6] {
            let sine = judge(seed, &case("sine", seed), tolerance);
            assert!(sine.kept && sine.error <= 1.0 && sine.calls <= 20_000, "{sine:?}");
            let ripple = judge(seed, &case("ripple", seed), tolerance);
            assert!(ripple.kept && ripple.error <= 1.0, "{ripple:?}");
        }
    }
}

/// A smooth pulse that is shorter than all steps: each base resolves it, also one that replaces another because rows need shorter
/// steps. With bases that do not, these systems were refused, the last one with an error of 5300 tolerances.
#[test]
fn a_short_pulse_is_resolved_by_every_base() {
    for (seed, tolerance) in [(12_000_152, 1e-3), (12_000_240, 1e-6), (12_000_246, 1e-6), (12_000_284, 1e-6)] {
        let outcome = judge(seed, &case("blip-dense", seed), tolerance);
        assert!(outcome.kept && outcome.error <= 0.1 && outcome.calls < 100_000, "{outcome:?}");
    }
}

/// A sine of 42 Hz from `[sources]` moves a free mass, with the rows that there are by default: one each second, where the sine
/// is the same each time.
#[test]
fn a_fast_sine_of_a_source_is_known_and_need_not_be_seen() {
    let (frequency, phase) = (42.0, 0.4);
    let w = std::f64::consts::TAU * frequency;
    let sine = SourceSignal::Sine { amplitude: 1.0, frequency, phase, offset: 0.0, time: None };
    let system = System::new().instance_of("mass", &joined::<models::Mass>()).source("sine", sine).connect("mass.f", "sine.y");
    let system = ["k", "d", "x"].into_iter().fold(system, |system, name| system.start_value(&format!("mass.{name}"), 0.0));
    let mut rows = Memory::new();
    let report = system.stop(100.0).tolerance(1e-6).build().unwrap().run(&mut [&mut rows]).unwrap();
    let error = report.global_error.unwrap();
    let exact = |t: f64| f64::cos(phase) * t / w - ((w * t + phase).sin() - f64::sin(phase)) / (w * w);
    let last = rows.time().len() - 1;
    assert_eq!((rows.time()[last], rows.time().len()), (100.0, 101));
    for (t, x) in rows.time().iter().zip(rows.real("mass.x").unwrap()) {
        assert!(
            error.reached && (x - exact(*t)).abs() <= 1e-6 * exact(*t).max(1e-3 * exact(100.0)),
            "{t}: {x} {} {error:?}",
            exact(*t)
        );
    }
}

/// One step of Euler's rule per step: trials show it before the first run, and what they promise is extrapolated.
#[test]
fn errors_of_order_1_inside_are_known_by_trial() {
    for seed in SEED..SEED + 4 {
        let outcome = judge(seed, &case("euler", seed), 1e-6);
        assert!(outcome.kept && outcome.error <= 1.0 && outcome.calls <= 250_000, "{outcome:?}");
    }
}
