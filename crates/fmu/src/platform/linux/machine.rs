//! Which machine this is.

use std::fs;

/// Identifies this machine since it was started; empty if the system does not tell.
pub(crate) fn machine() -> String {
    let read = |name: &str| fs::read_to_string(format!("/proc/sys/kernel/{name}"));
    let (Ok(boot), Ok(host)) = (read("random/boot_id"), read("hostname")) else { return String::new() };
    blake3::hash(format!("{boot}{host}").as_bytes()).to_hex()[..16].to_owned()
}
