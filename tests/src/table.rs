//! Tables of test results for readers: each page contains one between two marks.
#![allow(clippy::unwrap_used, reason = "a test that fails says where")]

use std::{fs, path::Path};

const BEGIN: &str = "<!-- table: begin -->\n";
const END: &str = "<!-- table: end -->\n";

/// Asserts that a page contains this table, or writes it there if `LOTKA_UPDATE` is set. `test` is the test target, with the
/// module that checks the page.
#[track_caller]
pub fn check(page: &Path, table: &str, test: &str) {
    let text = fs::read_to_string(page).unwrap();
    let (head, rest) = text.split_once(BEGIN).unwrap();
    let (listed, tail) = rest.split_once(END).unwrap();
    if std::env::var_os("LOTKA_UPDATE").is_some() {
        fs::write(page, format!("{head}{BEGIN}{table}{END}{tail}")).unwrap();
    } else {
        assert!(listed == table, "run `LOTKA_UPDATE=1 cargo test --workspace --test {test}`");
    }
}
