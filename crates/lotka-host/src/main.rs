//! The program in which an FMU runs apart from its master.

fn main() {}
