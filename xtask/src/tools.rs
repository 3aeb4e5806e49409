//! External programs that tasks need and Cargo does not install.
//!
//! A task calls [`require`] first. It reports all missing programs at once, with the commands that install them.

use std::{
    env,
    ffi::OsString,
    path::Path,
    process::{Command, Stdio},
};

use test_setup::interop;

use crate::TaskResult;

/// A tool that a task needs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tool {
    name: &'static str,
    check: Check,
    source: Source,
}

/// How to detect whether a tool is installed.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Check {
    /// One of these programs is in a folder of `PATH`.
    Program(&'static [&'static str]),
    /// Python succeeds with these arguments in the project folder.
    Python(&'static [&'static str]),
    /// rustup has a nightly toolchain.
    Nightly,
}

/// How to install a tool.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Source {
    /// Packages of Debian and Ubuntu.
    Packages(&'static str),
    /// A command.
    Command(&'static str),
}

const fn packaged(name: &'static str, programs: &'static [&'static str], packages: &'static str) -> Tool {
    Tool { name, check: Check::Program(programs), source: Source::Packages(packages) }
}

const fn python(name: &'static str, arguments: &'static [&'static str], packages: &'static str) -> Tool {
    Tool { name, check: Check::Python(arguments), source: Source::Packages(packages) }
}

const fn installed(name: &'static str, programs: &'static [&'static str], command: &'static str) -> Tool {
    Tool { name, check: Check::Program(programs), source: Source::Command(command) }
}

pub const C_COMPILER: Tool = packaged("a C compiler (cc)", &["cc"], "gcc libc6-dev");
pub const PYTHON: Tool = python("Python 3", &["--version"], "python3");
pub const PIP: Tool = python("pip", &["-m", "pip", "--version"], "python3-pip");
pub const VENV: Tool = python("venv of Python", &["-c", "import ensurepip, venv"], "python3-venv");
pub const LIBPYTHON: Tool = python("the shared library of Python", &["tests/interop/libpython.py"], "libpython3-dev");
pub const NM: Tool = packaged("nm", &["nm"], "binutils");
pub const READELF: Tool = packaged("readelf", &["readelf"], "binutils");
pub const STRIP: Tool = packaged("strip", &["strip"], "binutils");
pub const GROFF: Tool = packaged("groff", &["groff"], "groff-base");
pub const SCRIPT: Tool = packaged("script", &["script"], "bsdutils");
pub const PGREP: Tool = packaged("pgrep", &["pgrep"], "procps");
pub const CHROMIUM: Tool = packaged("Chromium", &["chromium", "chromium-browser", "google-chrome"], "chromium");
pub const VALGRIND: Tool = packaged("valgrind", &["valgrind"], "valgrind");
pub const MDBOOK: Tool = installed("mdbook", &["mdbook"], "cargo install mdbook --no-default-features");
pub const CARGO_DENY: Tool = installed("cargo-deny", &["cargo-deny"], "cargo install cargo-deny --locked");
pub const CARGO_FUZZ: Tool = installed("cargo-fuzz", &["cargo-fuzz"], "cargo install cargo-fuzz");
pub const SEMVER_CHECKS: Tool =
    installed("cargo-semver-checks", &["cargo-semver-checks"], "cargo install cargo-semver-checks --locked");
pub const NIGHTLY: Tool = Tool {
    name: "a nightly toolchain of Rust",
    check: Check::Nightly,
    source: Source::Command("rustup toolchain install nightly"),
};

/// Checks that all tools of a task are installed.
///
/// # Errors
/// Some tools are missing; the error lists them and how to install them.
pub fn require(task: &str, tools: &[Tool]) -> TaskResult {
    let machine = Machine::this();
    let missing: Vec<_> = tools.iter().copied().filter(|tool| !machine.has(*tool)).collect();
    if missing.is_empty() { Ok(()) } else { Err(report(task, &missing).into()) }
}

/// Returns the first nightly toolchain that rustup lists.
///
/// # Errors
/// No nightly toolchain is installed.
pub fn nightly(task: &str) -> TaskResult<String> {
    Machine::this().nightly().ok_or_else(|| report(task, &[NIGHTLY]).into())
}

/// Returns a message about the missing tools, with one command for all packages.
fn report(task: &str, missing: &[Tool]) -> String {
    let names: Vec<_> = missing.iter().map(|tool| tool.name).collect();
    let mut text = format!("`cargo xtask {task}` needs programs that are not installed: {}", names.join(", "));
    let mut packages: Vec<&str> = Vec::new();
    for tool in missing {
        match tool.source {
            Source::Packages(needed) => packages.extend(needed.split(' ')),
            Source::Command(command) => text += &format!("\nhelp: run `{command}`"),
        }
    }
    packages.sort_unstable();
    packages.dedup();
    if !packages.is_empty() {
        text += &format!("\nhelp: run `apt install {}` (Debian, Ubuntu)", packages.join(" "));
    }
    text
}

/// Where to look for programs.
struct Machine {
    path: OsString,
    python: OsString,
}

impl Machine {
    fn this() -> Self {
        Self { path: env::var_os("PATH").unwrap_or_default(), python: interop::python() }
    }

    fn has(&self, tool: Tool) -> bool {
        match tool.check {
            Check::Program(names) => {
                env::split_paths(&self.path).any(|folder| names.iter().any(|name| folder.join(name).is_file()))
            }
            Check::Python(arguments) => self.succeeds(Command::new(&self.python).args(arguments)),
            Check::Nightly => self.nightly().is_some(),
        }
    }

    fn succeeds(&self, command: &mut Command) -> bool {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let quiet = command.current_dir(root).env("PATH", &self.path).stdout(Stdio::null()).stderr(Stdio::null());
        quiet.status().is_ok_and(|status| status.success())
    }

    fn nightly(&self) -> Option<String> {
        let output = Command::new("rustup").args(["toolchain", "list"]).env("PATH", &self.path).output().ok()?;
        let list = String::from_utf8_lossy(&output.stdout);
        let mut names = list.lines().filter_map(|line| line.split_whitespace().next());
        names.find(|name| name.starts_with("nightly")).map(str::to_owned)
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, os::unix::fs::PermissionsExt};

    use super::*;

    /// Creates a machine with these programs only: shell scripts with these bodies.
    fn machine(folder: &Path, programs: &[(&str, &str)]) -> Machine {
        for (name, body) in programs {
            let path = folder.join(name);
            fs::write(&path, format!("#!/bin/sh\n{body}\n")).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        }
        Machine { path: folder.into(), python: "python3".into() }
    }

    #[test]
    fn everything_that_is_missing_is_reported_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let machine = machine(folder.path(), &[]);
        let tools = [C_COMPILER, PYTHON, PIP, NM, READELF, CHROMIUM, MDBOOK, NIGHTLY];
        assert!(tools.iter().all(|tool| !machine.has(*tool)));
        assert_eq!(
            report("test", &tools),
            "`cargo xtask test` needs programs that are not installed: a C compiler (cc), Python 3, pip, nm, readelf, Chromium, mdbook, a \
             nightly toolchain of Rust\nhelp: run `cargo install mdbook --no-default-features`\nhelp: run `rustup toolchain install \
             nightly`\nhelp: run `apt install binutils chromium gcc libc6-dev python3 python3-pip` (Debian, Ubuntu)"
        );
    }

    #[test]
    fn what_is_installed_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let without_pip = "[ \"$2\" != pip ]";
        let nightly = "echo stable-x86_64; echo 'nightly-x86_64 (default)'";
        let programs = [("cc", ""), ("google-chrome", ""), ("python3", without_pip), ("rustup", nightly)];
        let machine = machine(folder.path(), &programs);
        let has = [C_COMPILER, CHROMIUM, PYTHON, LIBPYTHON, PIP, NM, NIGHTLY].map(|tool| machine.has(tool));
        assert_eq!(has, [true, true, true, true, false, false, true]);
        assert_eq!(machine.nightly().as_deref(), Some("nightly-x86_64"));
    }
}
