//! `tests::fuzz`: the target `system`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| tests::fuzz::run("system", bytes));
