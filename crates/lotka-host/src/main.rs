//! The program in which an FMU runs, separate from its master. Masters start it; it has no options.

fn main() -> std::process::ExitCode {
    lotka_host::serve()
}
