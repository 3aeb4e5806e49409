//! Builds the library and packs the FMU.

fn main() -> std::process::ExitCode {
    fmu_package::main::<{{crate_name}}::{{project-name | upper_camel_case}}>()
}
