//! The promise of a tolerance, on families of random systems with known solutions; `cargo xtask study promise` runs more of them.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use tests::campaign::{FAMILIES, Score, measure, table};

/// Systems of each family.
const SYSTEMS: u64 = 6;

/// The first seed: those before were used while thresholds were chosen.
const SEED: u64 = 10_000;

#[test]
fn what_is_called_kept_is_kept() {
    let scores: Vec<Score> = FAMILIES
        .iter()
        .flat_map(|family| [1e-3, 1e-6].map(|tolerance| measure(family, tolerance, SEED..SEED + SYSTEMS)))
        .collect();
    let printed = table(&scores);
    println!("{printed}");
    assert!(scores.iter().all(|score| score.false_beyond(1.0) == 0), "{printed}");
    assert!(scores.iter().flat_map(|score| &score.outcomes).all(|outcome| !outcome.failed), "{printed}");
    // A refusal is no success.
    for family in ["linear", "stale", "noise", "offset", "scales", "jump", "kink", "sine", "pulse", "late"] {
        let of_family = scores.iter().filter(|score| score.family == family);
        assert!(of_family.map(|score| score.kept() as u64).all(|kept| kept + 1 >= SYSTEMS), "{family}\n{printed}");
    }
}
