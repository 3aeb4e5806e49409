//! `cargo xtask test`: runs every test of the project, after building and installing everything that the tests need.

use std::{
    ffi::{OsStr, OsString},
    num::NonZero,
    path::{Path, PathBuf},
    thread,
};

use test_setup::{
    PythonPackage, SELECTION,
    interop::{self, Zig},
};

use crate::{
    TaskResult,
    build::Build,
    cargo, in_workspace, package_fmus, python, succeed_beside,
    tools::{self, Tool},
};

/// Tools that every test run needs.
const PREPARATION: [Tool; 5] = [tools::C_COMPILER, tools::PYTHON, tools::PIP, tools::VENV, tools::LIBPYTHON];
/// Tools that only some tests need.
const SOME_TESTS: [Tool; 7] =
    [tools::NM, tools::READELF, tools::STRIP, tools::GROFF, tools::SCRIPT, tools::PGREP, tools::CHROMIUM];

/// Ends a program of tests that takes half an hour. Which of its tests hangs is among the last lines: each that takes longer than
/// a minute has one.
const LIMIT: &str = "target.'cfg(all())'.runner = ['timeout', '--foreground', '--verbose', '1800']";

/// Tests wait for the processes of commands and hosts much of the time.
const THREADS_PER_PROCESSOR: NonZero<usize> = NonZero::new(2).unwrap();

/// Arguments of the task.
#[derive(clap::Args)]
pub struct Arguments {
    /// Run what takes minutes in full, not a selection of it.
    #[arg(long)]
    full: bool,
    /// Run only the tests of the Python package.
    #[arg(long, conflicts_with_all = ["full", "rest"])]
    python: bool,
    /// Arguments for `cargo test --workspace`, such as the name of a test.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    rest: Vec<String>,
}

/// Runs the tests.
///
/// First checks that the required programs are installed: all of them for a full run, otherwise those that every test needs. Then
/// packs the FMUs and builds programs and tests, while it installs third-party tools under the target folder. The tests of the
/// Python package and the examples of the documentation run beside the others, if no arguments select some.
pub fn run(arguments: &Arguments) -> TaskResult {
    if arguments.python {
        return python::prepare_and_test();
    }
    let of_tests: &[Tool] = if arguments.rest.is_empty() { &SOME_TESTS } else { &[] };
    tools::require("test", &[&PREPARATION, of_tests].concat())?;
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let rest = || arguments.rest.iter().map(String::as_str);
    let (fmus, package) = thread::scope(|scope| -> TaskResult<(PathBuf, PythonPackage)> {
        // Installing is limited by the network and building by the processors, so they run in parallel.
        let installing = scope.spawn(|| install(&root));
        let fmus = package_fmus::folder(None)?;
        package_fmus::folder_of_tests()?;
        cargo(&["build", "--workspace", "--bins"], &[])?;
        let build: Vec<_> = ["test", "--workspace", "--no-run"].into_iter().chain(rest()).collect();
        cargo(&build, &[])?;
        let package = installing.join().map_err(|_| "installing the tools of others failed")??;
        Ok((fmus, package))
    })?;
    let selection = OsStr::new(if arguments.full { "full" } else { "" });
    let cache = fmus.with_file_name("cache");
    let threads = OsString::from(THREADS_PER_PROCESSOR.saturating_mul(thread::available_parallelism()?).to_string());
    let variables = [
        ("LOTKA_FMUS", fmus.as_os_str()),
        ("XDG_CACHE_HOME", cache.as_os_str()),
        (SELECTION, selection),
        ("RUST_TEST_THREADS", &threads),
    ];
    if !arguments.rest.is_empty() {
        let selected: Vec<_> = ["test", "--workspace"].into_iter().chain(rest()).collect();
        return cargo(&selected, &variables);
    }
    python::install(&package, &Build::here("dev")?, &fmus)?;
    thread::scope(|scope| -> TaskResult {
        // All wait for processes much of the time.
        let of_python = scope.spawn(|| python::test(&package, &fmus).map_err(|error| error.to_string()));
        // Without the limit: rustdoc gives each example a process of its own only if it starts the program itself.
        let mut examples = in_workspace(&["test", "--workspace", "--doc"]);
        let of_texts = scope.spawn(move || succeed_beside(examples.envs(variables)).map_err(|error| error.to_string()));
        cargo(&["test", "--config", LIMIT, "--workspace", "--tests"], &variables)?;
        of_texts.join().map_err(|_| "the examples of the documentation ended early")??;
        Ok(of_python.join().map_err(|_| "the tests of the Python package ended early")??)
    })
}

/// Installs third-party tools in the target folder.
fn install(root: &Path) -> Result<PythonPackage, String> {
    println!(
        "Installing FMPy, ecos, libcosim, fmutool, pythonfmu, pythonfmu3 and taplo under target/interop, if they are not there …"
    );
    interop::prepare(root)?;
    println!("Installing zig under target/zig, if it is not there …");
    Zig::prepare(root)?;
    println!("Installing what builds and tests the Python package under target/python, if it is not there …");
    PythonPackage::prepare(root)
}
