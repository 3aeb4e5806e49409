//! Loops with a mode that is over within any step, so that all meshes agree without it.

use campaign_models::Plant;
use lotka::{SourceSignal, System};
use tests::{
    campaign::{FAMILIES, Through, judge, measure, table},
    joined,
    verified::Verified,
};

use super::case;

/// An actuator `y' = rate (r + k z - y)` and a plant `z' = y - z`, each exact for held inputs.
fn servo(rate: f64, k: f64, y0: f64, r: (f64, f64, f64)) -> System {
    let (time, from, to) = r;
    let model = joined::<Plant<false>>();
    System::new()
        .instance_of("actuator", &model)
        .instance_of("plant", &model)
        .source("r", SourceSignal::Step { time, from: from.into(), to: to.into() })
        .start_value("actuator.a0", -rate)
        .start_value("actuator.b0", rate)
        .start_value("actuator.x0", y0)
        .start_value("plant.a0", -1.0)
        .start_value("plant.b0", 1.0)
        .connect_sum("actuator.u", &[("r.y", 1.0), ("plant.y", k)])
        .connect("plant.u", "actuator.y")
        .stop(5.0)
        .output_interval(0.1)
        .tolerance(1e-6)
}

/// The state of the plant, from the eigenvalues of the loop.
fn solution(rate: f64, k: f64, (y, z): (f64, f64), r: f64, t: f64) -> (f64, f64) {
    // x' = A x + b with A = [[-rate, rate k], [1, -1]].
    let (half, determinant) = (0.5 * (rate + 1.0), rate * (1.0 - k));
    let fast = -half - (half * half - determinant).sqrt();
    let slow = determinant / fast;
    let rest = (r / (1.0 - k), r / (1.0 - k));
    let (y, z) = (y - rest.0, z - rest.1);
    // Eigenvectors (value + 1, 1).
    let of_fast = (y - (slow + 1.0) * z) / (fast - slow);
    let of_slow = z - of_fast;
    let (decayed, left) = ((fast * t).exp() * of_fast, (slow * t).exp() * of_slow);
    (rest.0 + (fast + 1.0) * decayed + (slow + 1.0) * left, rest.1 + decayed + left)
}

/// The fast mode begins out of balance; a source makes it so; nothing but its own state does.
#[test]
fn what_a_fast_mode_leaves_in_slow_ones_is_not_lost() {
    let [never, late] = [f64::INFINITY, 2.53];
    for (rate, k, y0, from, time, to) in [
        (1e4, 0.0, 0.0, 1.0, never, 1.0),
        (1e5, 1e-4, 0.0, 0.0, late, 1.0),
        (3000.0, 0.0, 1.0, 0.0, never, 0.0),
        (2e5, -0.02, 0.3, 0.3, late, -1.0),
    ] {
        let system = servo(rate, k, y0, (time.min(4.9), from, if time.is_finite() { to } else { from }));
        let Verified { global, rows, .. } = Verified::run(&system);
        // A layer that is also fed back is refused, with a place.
        assert!(global.reached || k != 0.0 && global.reason.contains("actuator.y"), "{rate} {k}: {global:?}");
        if !global.reached {
            continue;
        }
        let z = rows.real("plant.y").unwrap();
        let largest = z.iter().fold(0.0_f64, |largest, z| largest.max(z.abs()));
        let at_jump = if time.is_finite() { solution(rate, k, (y0, 0.0), from, time) } else { (y0, 0.0) };
        for (t, z) in rows.time().iter().zip(z) {
            let exact =
                if *t > time { solution(rate, k, at_jump, to, t - time) } else { solution(rate, k, (y0, 0.0), from, *t) }.1;
            let error = (z - exact).abs() / exact.abs().max(1e-3 * largest);
            assert!(error <= 1e-6, "{rate} {k} at t = {t}: {z}, exact {exact}, error {error:e}, {global:?}");
        }
    }
}

/// Without feedback and with it, in FMUs at all places of the ring. What is refused says so.
#[test]
fn no_fast_mode_in_a_loop_is_lost() {
    let families = ["fast-start", "fast-jump", "fast-slaved", "fast-pulse", "fast-pulse-jump"];
    for (family, least) in families.into_iter().zip([8, 8, 8, 4, 4]) {
        for tolerance in [1e-3, 1e-6] {
            let score =
                measure(FAMILIES.iter().find(|known| known.name == family).unwrap(), tolerance, 21_000..21_012, &Through::Joined);
            assert_eq!(score.false_beyond(1.0), 0, "{}", table(&[score]));
            assert!(score.kept() >= least, "{}", table(&[score]));
        }
    }
}

/// The velocity of a servo that follows a plant: once the start is over, it is 0 at all points of all meshes, but not in steps that are short enough.
/// These systems were called kept before steps grew where nothing restarts.
#[test]
fn a_mode_that_follows_its_inputs_is_seen() {
    for seed in [1016, 1038, 1054, 1070] {
        let outcome = judge(seed, &case("fast-pulse", seed), 1e-3);
        assert!(!outcome.kept || outcome.error <= 1.0, "{outcome:?}");
        assert!(outcome.kept || outcome.reason.contains("follows its inputs within"), "{outcome:?}");
    }
}
