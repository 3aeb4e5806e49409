//! `fuzz`: the target `description`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzz::run("description", bytes));
