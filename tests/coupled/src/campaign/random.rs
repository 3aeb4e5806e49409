//! Reproducible random numbers: the same seed yields the same numbers.

/// SplitMix64 (G. L. Steele, D. Lea, C. H. Flood 2014, doi 10.1145/2660193.2660195).
pub struct Random(u64);

impl Random {
    /// Creates the sequence of a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        let mut random = Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d_4c95_7f2d);
        random.next();
        random
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Returns a uniform number between two numbers.
    pub fn within(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.next() >> 11) as f64 / 2.0_f64.powi(53)
    }

    /// Returns a number with a uniform logarithm.
    pub fn log(&mut self, (low, high): (f64, f64)) -> f64 {
        self.within(low.ln(), high.ln()).exp()
    }

    /// Returns a whole number below a limit.
    pub fn below(&mut self, limit: u64) -> usize {
        (self.next() % limit) as usize
    }
}
