//! Entries that an archive lists more than once under the same name. The zip crate keeps one entry of each name.

use std::collections::{BTreeSet, HashMap};
use std::fs::File;

use crate::platform::read_exact_at;

/// Length of the fixed part of an entry of the central directory (APPNOTE 4.3.12).
const HEADER: usize = 46;

/// First bytes of an entry of the central directory.
const SIGNATURE: &[u8] = b"PK\x01\x02";

/// Stands for a size of 4 GiB or more.
const LARGE: u32 = u32::MAX;

/// Returns the names that the central directory at `start` lists more than once; `None` if entries of one name may differ in
/// their contents, according to size and checksum, or if there are more than `most` entries.
pub(super) fn names(file: &File, start: u64, most: usize) -> Option<BTreeSet<String>> {
    let (mut known, mut repeated, mut at, mut count) = (HashMap::new(), BTreeSet::new(), start, 0);
    let mut header = [0; HEADER];
    while read_exact_at(file, &mut header, at).is_ok() && header.starts_with(SIGNATURE) {
        count += 1;
        if count > most {
            return None;
        }
        let length = |place: usize| u16::from_le_bytes([header[place], header[place + 1]]);
        let number = |place: usize| u32::from_le_bytes([0, 1, 2, 3].map(|byte| header[place + byte]));
        let mut name = vec![0; usize::from(length(28))];
        read_exact_at(file, &mut name, at + HEADER as u64).ok()?;
        at += HEADER as u64 + [28, 30, 32].map(|place| u64::from(length(place))).iter().sum::<u64>();
        let [checksum, size] = [number(16), number(24)];
        match known.insert(name.clone(), (checksum, size)) {
            None => {}
            Some(earlier) if earlier == (checksum, size) && size != LARGE => {
                _ = repeated.insert(String::from_utf8_lossy(&name).into())
            }
            Some(_) => return None,
        }
    }
    Some(repeated)
}
