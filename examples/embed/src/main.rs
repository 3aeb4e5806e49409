//! A program of its own that links the master.

fn main() {}
