//! The system's C compiler.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use fmi2::{Function, description::Interface};

use super::{CompileError, headers, sources::is_cpp};

/// Macros for every source: no prefix (in the form that the headers of FMI 2.0.2 and of the reference FMUs expect), and the
/// interface.
const DEFINES: [&str; 4] = ["-DFMI2_OVERRIDE_FUNCTION_PREFIX", "-DDISABLE_PREFIX", "-DFMI_VERSION=2", "-DFMI_COSIMULATION"];

/// Number of lines of the compiler's output in a message.
const MOST_LINES: usize = 100;

/// Builds the library in a folder that has the FMU unpacked in `fmu`.
pub(super) fn build(path: &Path, folder: &Path, interface: &Interface, sources: &[PathBuf]) -> Result<Vec<u8>, CompileError> {
    let (own, library) = (folder.join("headers"), folder.join("library.so"));
    headers::write(&own).map_err(CompileError::Work)?;
    let words =
        |name: &str| -> Vec<String> { env::var(name).unwrap_or_default().split_whitespace().map(str::to_owned).collect() };
    let mut compiler = words("CC");
    if compiler.is_empty() {
        compiler.push("cc".to_owned());
    }
    let name = compiler.remove(0);
    let mut command = Command::new(&name);
    command.current_dir(folder.join("fmu/sources")).args(compiler);
    command.args(["-O2", "-fPIC", "-shared", "-Wl,-z,defs", "-I."]).arg("-idirafter").arg(&own);
    command.args(DEFINES).args(without_prefix(&interface.model_identifier)).args(words("CFLAGS"));
    command.arg("-o").arg(&library).args(sources.iter().map(|source| Path::new(".").join(source)));
    command.args(words("LDFLAGS")).arg("-lm").args(sources.iter().any(|source| is_cpp(source)).then_some("-lstdc++"));
    let output =
        command.output().map_err(|reason| CompileError::NoCompiler { path: path.to_owned(), compiler: name.clone(), reason })?;
    if !output.status.success() {
        let output = [output.stdout, output.stderr].concat();
        let output = String::from_utf8_lossy(&output).into_owned();
        return Err(CompileError::Compiler { path: path.to_owned(), compiler: name, output });
    }
    fs::read(&library).map_err(CompileError::Work)
}

/// Sources may add a prefix to the names of their functions, for programs that link several FMUs. The prefix is removed from the
/// library.
fn without_prefix(identifier: &str) -> Vec<String> {
    let is_identifier = identifier.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let define = |function: &Function| format!("-D{identifier}_{0}={0}", function.symbol());
    if is_identifier { Function::ALL.iter().map(define).collect() } else { Vec::new() }
}

/// The output of a compiler, as a part of a message.
pub(super) fn indented(output: &str) -> String {
    let lines: Vec<_> = output.lines().map(|line| format!("  {line}")).collect();
    let rest = lines.len().saturating_sub(MOST_LINES);
    let more = if rest > 0 { format!("\n  and {rest} more lines") } else { String::new() };
    lines[..lines.len() - rest].join("\n") + &more
}
