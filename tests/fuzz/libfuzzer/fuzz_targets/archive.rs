//! `fuzz`: the target `archive`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzz::run("archive", bytes));
