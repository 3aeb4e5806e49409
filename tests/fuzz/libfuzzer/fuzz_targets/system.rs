//! `fuzz`: the target `system`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzz::run("system", bytes));
