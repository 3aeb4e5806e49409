//! Numbers between 0 and 1 for each run and each parameter.

use lotka_system::Sample;

/// Most runs of a Sobol' sequence: the source of its points has no more.
pub(super) const MOST_SOBOL: usize = 1 << 16;

/// Most parameters of a Sobol' sequence.
pub(super) const MOST_DIMENSIONS: usize = sobol_burley::NUM_DIMENSIONS as usize;

/// A number in [0, 1), uniform and independent for each seed, run and parameter: the first 53 bits of a BLAKE3 hash of them.
pub(super) fn random(seed: u64, run: usize, parameter: usize) -> f64 {
    let mut hasher = blake3::Hasher::new_derive_key("lotka sweep 2026-11-26 uniform numbers");
    for number in [seed, run as u64, parameter as u64] {
        hasher.update(&number.to_le_bytes());
    }
    let mut bytes = [0; 8];
    hasher.finalize_xof().fill(&mut bytes);
    (u64::from_le_bytes(bytes) >> 11) as f64 * f64::EPSILON / 2.0
}

/// A point of a Sobol' sequence with the scrambling of Owen (1995, doi 10.1007/978-1-4612-2552-2_19), made from hashes as by
/// Burley (2020, JCGT 9(4)).
pub(super) fn sobol(seed: u64, run: usize, parameter: usize) -> f64 {
    // Each half of the seed makes other sequences.
    let seed = (seed ^ (seed >> 32)) as u32;
    f64::from(sobol_burley::sample(run as u32, parameter as u32, seed))
}

/// The intervals of a Latin hypercube: which one of `runs` each run has, for one parameter.
pub(super) fn intervals(sample: &Sample, parameter: usize) -> Vec<u32> {
    let mut intervals: Vec<u32> = (0..sample.runs as u32).collect();
    // Shuffle of Fisher and Yates, with numbers of their own.
    for last in (1..intervals.len()).rev() {
        let other = (random(!sample.seed, last, parameter) * (last + 1) as f64) as usize;
        intervals.swap(last, other.min(last));
    }
    intervals
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many of the numbers lie in each of as many equal intervals.
    fn counts(numbers: &[f64], intervals: usize) -> Vec<usize> {
        let mut counts = vec![0; intervals];
        for number in numbers {
            counts[(number * intervals as f64) as usize] += 1;
        }
        counts
    }

    #[test]
    fn random_numbers_are_uniform_and_independent() {
        let numbers: Vec<f64> = (0..10_000).map(|run| random(1, run, 0)).collect();
        let mean = numbers.iter().sum::<f64>() / 1e4;
        // Standard deviations of the mean and of the counts are 0.0029 and 30.
        assert!((mean - 0.5).abs() < 0.0116, "{mean}");
        assert!(counts(&numbers, 10).iter().all(|count| (880..=1120).contains(count)));
        let products = (0..10_000).map(|run| (random(1, run, 0) - 0.5) * (random(1, run, 1) - 0.5)).sum::<f64>() / 1e4;
        assert!(products.abs() < 4.0 / 12.0 / 100.0, "{products}");
        let other = (0..10_000).map(|run| (random(1, run, 0) - 0.5) * (random(2, run, 0) - 0.5)).sum::<f64>() / 1e4;
        assert!(other.abs() < 4.0 / 12.0 / 100.0, "{other}");
        // Studies must not change with a version of this program; the package blake3 of Python gives the same numbers.
        assert_eq!([random(0, 0, 0), random(7, 3, 1)], [0.33184674812384085, 0.12467188685685526]);
    }

    #[test]
    fn a_latin_hypercube_has_one_run_in_each_interval() {
        let sample = Sample { runs: 100, seed: 3 };
        let (mut first, second) = (intervals(&sample, 0), intervals(&sample, 1));
        assert_ne!(first, second);
        assert_ne!(first, intervals(&Sample { seed: 4, ..sample.clone() }, 0));
        first.sort_unstable();
        assert_eq!(first, (0..100).collect::<Vec<u32>>());
    }

    /// Every block of 2^k points has one in each interval of length 2^-k, and the first two dimensions are a (0, 2)-net: one in
    /// each rectangle of this area whose sides are powers of two.
    #[test]
    fn sobol_points_are_equally_distributed() {
        for (seed, parameter) in [(0, 0), (0, 1), (5, 7), (u64::MAX, 100)] {
            let numbers: Vec<f64> = (0..64).map(|run| sobol(seed, run, parameter)).collect();
            for block in numbers.chunks(16) {
                assert_eq!(counts(block, 16), [1; 16], "seed {seed}, parameter {parameter}");
            }
        }
        let points: Vec<_> = (0..64).map(|run| (sobol(9, run, 0), sobol(9, run, 1))).collect();
        for columns in [1, 2, 4, 8, 16, 32, 64] {
            let rows = 64 / columns;
            let place = |(x, y): &(f64, f64)| (x * columns as f64) as usize * rows + (y * rows as f64) as usize;
            let mut places: Vec<_> = points.iter().map(place).collect();
            places.sort_unstable();
            assert_eq!(places, (0..64).collect::<Vec<_>>(), "{columns} columns");
        }
        assert_ne!(sobol(0, 1, 0), sobol(1, 1, 0));
    }
}
