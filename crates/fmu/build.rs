//! Compiles the C function that FMUs log through.

fn main() {
    println!("cargo::rerun-if-changed=src/log/logger.c");
    cc::Build::new().file("src/log/logger.c").std("c99").warnings(true).compile("lotka_fmu_logger");
}
