//! The hash used for GUIDs and for the checksum of serialized states.

use std::fmt;

/// FNV-1a with 128 bits (Fowler, Noll, Vo; RFC 9923). Not cryptographic: it detects accidental differences only.
pub(crate) struct Fnv1a128(u128);

impl Fnv1a128 {
    /// The hash of no bytes.
    pub fn new() -> Self {
        Self(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d)
    }

    /// Appends bytes.
    #[must_use]
    pub fn with(self, bytes: &[u8]) -> Self {
        const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
        Self(bytes.iter().fold(self.0, |hash, byte| (hash ^ u128::from(*byte)).wrapping_mul(PRIME)))
    }

    /// Returns the hash of all bytes.
    pub fn value(&self) -> u128 {
        self.0
    }
}

/// Appends the text without keeping it.
impl fmt::Write for Fnv1a128 {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        *self = Self(self.0).with(text.as_bytes());
        Ok(())
    }
}

/// Returns the hash of the bytes.
pub(crate) fn fnv1a_128(bytes: &[u8]) -> u128 {
    Fnv1a128::new().with(bytes).value()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_test_vectors() {
        assert_eq!(fnv1a_128(b""), 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d);
        assert_eq!(fnv1a_128(b"a"), 0xd228_cb69_6f1a_8caf_7891_2b70_4e4a_8964);
    }

    #[test]
    fn text_in_pieces_has_the_hash_of_the_whole() {
        use fmt::Write;
        let mut hash = Fnv1a128::new();
        write!(hash, "foo{:?}", [1.5]).unwrap();
        assert_eq!(hash.value(), fnv1a_128(b"foo[1.5]"));
    }
}
