//! `fuzz`: the target `study`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzz::run("study", bytes));
