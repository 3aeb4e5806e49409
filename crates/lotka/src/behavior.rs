//! Behavior records: what test runs have measured of FMUs, kept in the cache beside their contents.

use std::{io, path::Path};

use lotka_instance::BehaviorRecord;

/// Keeps what a test run has measured of an FMU, in a folder such as [`crate::user_cache`], for FMUs with the same contents.
///
/// # Errors
/// The FMU cannot be read; or the folder cannot be made or written, is not the user's own, or can be read or changed by others.
pub fn keep_behavior_record(folder: &Path, fmu: &Path, record: &BehaviorRecord) -> io::Result<()> {
    fmu::keep_record(folder, fmu, &postcard::to_stdvec(record).map_err(io::Error::other)?)
}

/// Returns what a test run has measured of an FMU, if the folder has a record of this version and platform.
#[must_use]
pub fn behavior_record(folder: &Path, fmu: &Path) -> Option<BehaviorRecord> {
    let record: BehaviorRecord = postcard::from_bytes(&fmu::find_record(folder, fmu)?).ok()?;
    record.is_current().then_some(record)
}
