//! Errors of integrators inside FMUs.

use campaign_models::Plant;
use tests::{
    campaign::{FAMILIES, Through, measure, table},
    joined,
    verified::Verified,
};

use super::{SEED, case, error_of};

/// They integrate with tolerances of 1e-10 to 1e-3, whatever is requested: what is kept is right, and what is refused names the
/// FMUs.
#[test]
fn errors_of_integrators_that_ignore_the_request_are_measured() {
    let family = FAMILIES.iter().find(|known| known.name == "unasked").unwrap();
    for (tolerance, least) in [(1e-3, 14), (1e-6, 12), (1e-9, 8)] {
        let score = measure(family, tolerance, SEED..SEED + 24, &Through::Joined);
        assert!(score.false_beyond(1.0) <= 1 && score.false_beyond(5.0) == 0, "{}", table(&[score]));
        assert!(score.kept() >= least, "{}", table(&[score]));
        let refused = score.outcomes.iter().filter(|outcome| !outcome.kept && outcome.reason.contains("inside the FMUs"));
        assert!(
            refused.clone().count() > 0 && refused.clone().all(|outcome| outcome.reason.contains("(`p0`, `p1`")),
            "{}",
            table(&[score])
        );
    }
}

/// They follow the requested tolerance, but with up to 30 times as large an error: Lotka requests less where that is the reason.
#[test]
fn fmus_that_follow_the_request_loosely_are_asked_for_more() {
    let family = FAMILIES.iter().find(|known| known.name == "loose").unwrap();
    for tolerance in [1e-3, 1e-6, 1e-9] {
        let score = measure(family, tolerance, SEED..SEED + 12, &Through::Joined);
        assert_eq!(score.false_beyond(1.0), 0, "{}", table(&[score]));
        assert!(score.kept() >= 8, "{}", table(&[score]));
    }
    // What the user sets stays.
    let mut given = case("loose", SEED);
    given.system = given.system.fmu_tolerance(1e-5);
    let (global, _) = error_of(&given, 1e-6);
    assert!(!global.reached && global.reason.contains("inside the FMUs"), "{global:?}");
}

/// One loop with a single integrator whose error is known: a decay with relative tolerance 1e-4 beside an exact FMU.
#[test]
fn the_instance_that_integrates_is_named() {
    let model = joined::<Plant<false>>();
    let system = lotka::System::new().instance_of("exact", &model).instance_of("rough", &model);
    let system =
        [("exact.a0", -1.0), ("exact.b0", 1.0), ("exact.x0", 1.0), ("rough.a0", -2.0), ("rough.b0", 1.0), ("rough.rtol", 1e-4)]
            .into_iter()
            .fold(system, |system, (name, value)| system.start_value(name, value));
    let system = system.connect("exact.u", "rough.y").connect("rough.u", "exact.y").stop(5.0).output_interval(0.5);
    let global = Verified::run(&system.tolerance(1e-9)).global;
    assert!(global.inexact == ["rough"] && !global.follows_tolerance, "{global:?}");
    assert!(global.internal_error.is_some_and(|own| own > 1e-12), "{global:?}");
    assert!(global.verdict().contains("error inside the FMUs at least "), "{}", global.verdict());
}

/// FMUs that step exactly cost what they did, and their error stays unknown.
#[test]
fn exact_fmus_are_not_measured() {
    for seed in SEED..SEED + 3 {
        let (global, _) = error_of(&case("linear", seed), 1e-6);
        assert!(global.reached && global.internal_error.is_none() && global.inexact.is_empty(), "{global:?}");
    }
}
