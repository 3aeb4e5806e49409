//! The memory shared with the process of an FMU, which may write anything there.

use lotka_host::untrusted::{Turn, read_turns};

/// Bytes of a turn before its payload and its log lines: a count, four words, two lengths.
const HEAD: usize = 4 + 4 * 8 + 2 + 2;

pub(super) fn run(bytes: &[u8]) {
    let (mut turns, mut rest) = (Vec::new(), bytes);
    while let Some((turn, after)) = turn(rest) {
        turns.push(turn);
        rest = after;
    }
    let understood = read_turns(&turns).unwrap_or_else(|error| panic!("no shared memory: {error}"));
    assert!(understood[0] <= turns.len());
}

/// The first turn, and the bytes after it.
fn turn(bytes: &[u8]) -> Option<(Turn<'_>, &[u8])> {
    let (head, rest) = bytes.split_at_checked(HEAD)?;
    let word = |at: usize| head[at..at + 8].iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
    let length = |at: usize| usize::from(head[at]) | usize::from(head[at + 1]) << 8;
    let (payload, rest) = rest.split_at(length(HEAD - 4).min(rest.len()));
    let (lines, rest) = rest.split_at(length(HEAD - 2).min(rest.len()));
    let count = head[..4].iter().rev().fold(0, |count, byte| count << 8 | u32::from(*byte));
    Some((Turn { count, post: [word(4), word(12)], log: [word(20), word(28)], payload, lines }, rest))
}
