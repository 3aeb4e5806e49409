//! `fuzz`: the target `table`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzz::run("table", bytes));
