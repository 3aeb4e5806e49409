//! Inputs that are almost right: seeds with small damages, the same ones every time.

/// Inputs do not get longer than this \[bytes\].
const LONGEST: usize = 1 << 16;

/// Numbers at the edge of what is expected, as text.
const NUMBERS: [&str; 16] = [
    "0",
    "-1",
    "1",
    "255",
    "65536",
    "2147483648",
    "4294967295",
    "9223372036854775808",
    "1e308",
    "1e309",
    "-1e-320",
    "NaN",
    "inf",
    "-inf",
    "0.1",
    "00000000000000000000000000000001",
];

/// Numbers at the edge of what is expected, in two or four bytes.
const WORDS: [u32; 8] = [0, 1, 0x7f, 0xff, 0x7fff, 0xffff, 0x7fff_ffff, 0xffff_ffff];

/// Damages inputs by a sequence of numbers that looks random and is always the same.
#[derive(Debug, Clone)]
pub struct Mutator {
    state: u64,
}

impl Mutator {
    /// A sequence of its own for each `seed`.
    pub fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// A number below `bound`, or 0: SplitMix64 (G. Steele, D. Lea, C. Flood, 2014, doi 10.1145/2660193.2660195).
    pub fn below(&mut self, bound: usize) -> usize {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        (mixed % bound.max(1) as u64) as usize
    }

    /// `input` with one to four damages; pieces of `other` are spliced in.
    pub fn mutate(&mut self, input: &[u8], other: &[u8]) -> Vec<u8> {
        let mut bytes = input.to_vec();
        for _ in 0..=self.below(4) {
            self.damage(&mut bytes, other);
        }
        bytes.truncate(LONGEST);
        bytes
    }

    fn damage(&mut self, bytes: &mut Vec<u8>, other: &[u8]) {
        let at = self.below(bytes.len());
        match self.below(9) {
            0 => bytes.iter_mut().skip(at).take(1).for_each(|byte| *byte ^= 1 << self.below(8)),
            1 => bytes.iter_mut().skip(at).take(1).for_each(|byte| *byte = self.below(256) as u8),
            2 => bytes.truncate(at),
            3 => drop(bytes.drain(at..(at + 1 + self.below(16)).min(bytes.len()))),
            4 => {
                let piece = self.piece(bytes);
                bytes.splice(at..at, piece);
            }
            5 => {
                let piece = self.piece(other);
                bytes.splice(at..at, piece);
            }
            6 => {
                let end = (at + self.below(64)).min(bytes.len());
                let piece = self.piece(other);
                bytes.splice(at..end, piece);
            }
            7 => self.set_number(bytes, at),
            _ => self.set_word(bytes, at),
        }
    }

    /// A copy of a part.
    fn piece(&mut self, bytes: &[u8]) -> Vec<u8> {
        let at = self.below(bytes.len());
        let end = (at + 1 + self.below(64)).min(bytes.len());
        bytes.get(at..end).unwrap_or_default().to_vec()
    }

    /// Replaces the next number that is written in digits.
    fn set_number(&mut self, bytes: &mut Vec<u8>, from: usize) {
        let digit = |byte: &u8| byte.is_ascii_digit();
        let Some(start) = bytes.iter().skip(from).position(digit).map(|offset| from + offset) else { return };
        let length = bytes[start..].iter().take_while(|byte| digit(byte)).count();
        let number = NUMBERS[self.below(NUMBERS.len())];
        bytes.splice(start..start + length, number.bytes());
    }

    /// Replaces a number of two or four bytes.
    fn set_word(&mut self, bytes: &mut [u8], at: usize) {
        let width = [2, 4][self.below(2)];
        let word = WORDS[self.below(WORDS.len())].to_le_bytes();
        bytes.iter_mut().skip(at).zip(&word[..width]).for_each(|(byte, new)| *byte = *new);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_makes_the_same_inputs_and_most_differ() {
        let inputs = |seed| {
            let mut mutator = Mutator::new(seed);
            (0..200).map(|_| mutator.mutate(b"time,a.x\n0.0,12\n1.0,13\n", b"other")).collect::<Vec<_>>()
        };
        assert_eq!(inputs(1), inputs(1));
        let mut distinct = inputs(1);
        distinct.sort();
        distinct.dedup();
        assert!(distinct.len() > 150, "{}", distinct.len());
        assert_ne!(inputs(1), inputs(2));
        assert_eq!(Mutator::new(3).mutate(b"", b"").len(), 0);
    }
}
