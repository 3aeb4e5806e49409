//! The `lotka` command.

fn main() {}
