//! Random systems of each family.

use std::thread;

use tests::{
    bits,
    campaign::{FAMILIES, Score, Through, measure, table},
    host_program, packed_for_tests, selected,
    verified::Verified,
};

use super::{SEED, case};

/// Systems of each family.
fn systems() -> u64 {
    selected(2, 6)
}

/// Families whose systems take many calls, as a rule in vain: one of each, at the larger tolerance.
const HEAVY: [&str; 7] = ["square", "state-switch", "state-switch-exact", "fires", "fires-exact", "limits", "converter"];

#[test]
fn what_is_called_kept_is_kept() {
    let scores: Vec<Score> = FAMILIES
        .iter()
        .flat_map(|family| {
            let is_heavy = HEAVY.contains(&family.name);
            let (tolerances, systems) = if is_heavy { (&[1e-3][..], 1) } else { (&[1e-3, 1e-6][..], systems()) };
            tolerances.iter().map(move |tolerance| measure(family, *tolerance, SEED..SEED + systems, &Through::Joined))
        })
        .collect();
    let printed = table(&scores);
    println!("{printed}");
    assert!(scores.iter().all(|score| score.false_beyond(1.0) == 0), "{printed}");
    assert!(scores.iter().flat_map(|score| &score.outcomes).all(|outcome| !outcome.failed), "{printed}");
    // A refusal is no success.
    let smooth =
        ["linear", "stale", "euler", "noise", "offset", "scales", "sine", "late", "ripple", "chirp", "species", "van-der-pol"];
    let others = [
        "jump",
        "kink",
        "pulse",
        "relay-open",
        "relay-pair",
        "relay-loop",
        "relay-open-event",
        "relay-pair-event",
        "relay-loop-event",
        "hysteresis",
        "sampled",
        "sampled-hidden",
        "triangle",
        "clock",
        "clock-exact",
    ];
    // Of all systems one may be refused, of the selection none.
    let refused = selected(0, 1);
    for family in smooth.into_iter().chain(others) {
        let of_family = scores.iter().filter(|score| score.family == family);
        assert!(of_family.map(|score| score.kept() as u64).all(|kept| kept + refused >= systems()), "{family}\n{printed}");
    }
}

/// Real FMUs, and processes of their own, change nothing: rows, estimates, calls, and what is found by trials.
#[test]
fn models_joined_fmus_and_processes_have_the_same_results() {
    let families = [
        "linear",
        "stale",
        "euler",
        "relay-loop",
        "thermostat",
        "hysteresis",
        "sampled-hidden",
        "jump",
        "sine",
        "lorenz",
        "species",
        "van-der-pol",
        "clock-exact",
    ];
    // The smaller tolerance repeats what happens at the larger one on finer meshes: for every change with one family of each
    // kind.
    let kinds = ["euler", "hysteresis", "sampled-hidden", "sine", "clock-exact"];
    let fine: &[&str] = selected(&kinds, &families);
    let folder = packed_for_tests();
    let ways = [Through::Joined, Through::Fmus(folder.clone()), Through::Processes(folder, Some(host_program()))];
    for (family, tolerance) in families.iter().map(|family| (family, 1e-3)).chain(fine.iter().map(|family| (family, 1e-6))) {
        let run = |way: &Through| Verified::run(&case(family, SEED).through(way).system.tolerance(tolerance));
        let runs: Vec<Verified> = thread::scope(|scope| {
            let threads: Vec<_> = ways.iter().map(|way| scope.spawn(|| run(way))).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        let joined = &runs[0];
        for (way, other) in ways.iter().zip(&runs).skip(1) {
            let calls = |run: &Verified| run.report.counters.n_do_step_calls;
            assert_eq!(calls(joined), calls(other), "{family} {tolerance:e} {way:?}");
            assert_eq!(joined.global, other.global, "{family} {tolerance:e} {way:?}");
            assert_eq!(bits(&joined.rows), bits(&other.rows), "{family} {tolerance:e} {way:?}");
        }
    }
}
