//! `fuzz`: the target `results`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzz::run("results", bytes));
