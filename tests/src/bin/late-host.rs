//! A program that calls `serve_if_host` after it has opened a file.

use std::{fs::File, process::ExitCode};

fn main() -> ExitCode {
    let _file = File::open("/dev/null");
    lotka::serve_if_host().unwrap_or(ExitCode::SUCCESS)
}
