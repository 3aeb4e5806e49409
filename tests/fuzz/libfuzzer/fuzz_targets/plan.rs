//! `fuzz`: the target `plan`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzz::run("plan", bytes));
