//! The program in which an FMU runs apart from its master. Masters start it; it has no options.

fn main() -> std::process::ExitCode {
    lotka_host::serve()
}
