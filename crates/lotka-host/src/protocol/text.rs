//! Bytes in words.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Writes bytes to words; the rest of the last word is zero. There must be enough space.
pub(super) fn write_bytes(words: &[AtomicU64], bytes: &[u8]) {
    for (word, chunk) in words.iter().zip(bytes.chunks(8)) {
        let mut whole = [0; 8];
        whole[..chunk.len()].copy_from_slice(chunk);
        word.store(u64::from_le_bytes(whole), Relaxed);
    }
}

/// Appends this many bytes from words, or as many as are available.
pub(super) fn read_bytes(words: &[AtomicU64], length: usize, bytes: &mut Vec<u8>) {
    let end = bytes.len() + length.min(8 * words.len());
    let count = length.div_ceil(8).min(words.len());
    words[..count].iter().for_each(|word| bytes.extend(word.load(Relaxed).to_le_bytes()));
    bytes.truncate(end);
}
