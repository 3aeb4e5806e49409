//! How results show bytes.

/// Returns the text by which results show the value of a Binary variable: the first 128 bits of its BLAKE3 hash.
///
/// ```
/// assert_eq!(lotka::hash_of(b"abc"), "blake3:6437b3ac38465133ffb63b75273a8db5");
/// ```
#[must_use]
pub fn hash_of(bytes: &[u8]) -> String {
    let hash = blake3::hash(bytes);
    let digits: String = hash.as_bytes()[..16].iter().map(|byte| format!("{byte:02x}")).collect();
    format!("blake3:{digits}")
}
