//! `cargo xtask dist`: makes what users install, in the folder `dist`: an archive with the command, the wheel of the Python
//! package, and their checksums.

mod archive;
mod check;

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use fmu_package::GlibcVersion;
use sha2::{Digest, Sha256};
use test_setup::PythonPackage;

use crate::{
    TaskResult,
    build::{Build, DIST, PROGRAMS, TARGET, root},
    files::Files,
    package_fmus,
    packed_examples::packed,
    third_party, tools, wheel,
};

/// Arguments of the task.
#[derive(clap::Args)]
pub struct Arguments {
    /// Write the files here, in place of those of earlier builds [default: dist].
    #[arg(long, value_name = "DIR")]
    output_folder: Option<PathBuf>,
    /// Build for systems with this GNU C library or a newer one, such as 2.17.
    ///
    /// The task installs zig in target/zig for that (about 400 MB). Without it, the files are for systems as new as this one.
    #[arg(long, value_name = "VERSION")]
    glibc: Option<GlibcVersion>,
    /// Build with this profile of Cargo.
    ///
    /// Others than the default are for tests: they are built faster, and their programs contain the paths of crates on this
    /// machine.
    #[arg(long, value_name = "NAME", default_value = DIST)]
    profile: String,
}

/// Version of all crates.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The crates that are linked into what the archive contains.
const LINKED: [&str; 3] = ["lotka-cli", "lotka-host", "models"];

/// The page that the archive begins with.
const README: &str = include_str!("README.md");

/// Builds and checks everything, then writes the files and prints their paths and sizes.
pub fn run(arguments: &Arguments) -> TaskResult {
    tools::require("dist", &[tools::C_COMPILER, tools::PYTHON, tools::VENV, tools::STRIP])?;
    let epoch = archive::epoch()?;
    let build = if arguments.profile == DIST { Build::distributed()? } else { Build::here(&arguments.profile)? };
    let build = build.for_glibc("dist", arguments.glibc)?;
    println!("Installing maturin and what tests the package under target/python, if it is not there …");
    let package = PythonPackage::prepare(&root())?;
    let fmus = package_fmus::folder_of(&build)?;
    let programs = build.programs()?;
    let scratch = tempfile::tempdir_in(&build.target)?;
    let contents = contents(&programs, &fmus, scratch.path())?;
    check::check(&contents, &build)?;
    let wheel = wheel::make(&package, &build, &programs, &fmus, scratch.path())?;
    let wheel_name = wheel.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let wheel = fs::read(&wheel)?;
    check::check(&check::unzipped(&wheel)?, &build)?;
    let name = format!("lotka-{VERSION}-{TARGET}");
    let archive = archive::tar_gz(&name, &contents, epoch)?;
    let output = match &arguments.output_folder {
        Some(folder) => folder.clone(),
        None => package_fmus::workspace()?.root.join("dist"),
    };
    write(&output, &[(format!("{name}.tar.gz"), archive), (wheel_name, wheel)])
}

/// Returns the files of the archive. Scripts and pages come from the command itself.
fn contents(programs: &[Vec<u8>; 2], fmus: &Path, scratch: &Path) -> TaskResult<Files> {
    let mut files = Files::default();
    PROGRAMS.iter().zip(programs).for_each(|(name, bytes)| files.add_program(format!("bin/{name}"), bytes.clone()));
    files.replace(scratch)?;
    let command = scratch.join("bin").join(PROGRAMS[0]);
    for (shell, path) in [
        ("bash", "bash-completion/completions/lotka"),
        ("zsh", "zsh/site-functions/_lotka"),
        ("fish", "fish/vendor_completions.d/lotka.fish"),
    ] {
        files.add(format!("share/{path}"), output(Command::new(&command).args(["completions", shell]))?);
    }
    let pages = scratch.join("pages");
    output(Command::new(&command).args(["man", "--output-dir"]).arg(&pages))?;
    for page in fs::read_dir(&pages)?.flatten() {
        files.add_from(format!("share/man/man1/{}", page.file_name().display()), &page.path())?;
    }
    files.add_all("examples", packed(None, fmus)?);
    for name in ["CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT"] {
        files.add_from(name, &root().join(name))?;
    }
    files.add("README.md", README);
    files.add(third_party::FILE, third_party::text(&LINKED)?);
    Ok(files)
}

/// Runs a command and returns what it prints.
fn output(command: &mut Command) -> TaskResult<Vec<u8>> {
    let output = command.output().map_err(|error| format!("{command:?}: {error}"))?;
    if output.status.success() { Ok(output.stdout) } else { Err(String::from_utf8_lossy(&output.stderr).into()) }
}

/// Writes the files and their checksums into a folder, without those of earlier versions.
fn write(folder: &Path, files: &[(String, Vec<u8>)]) -> TaskResult {
    let failed = |error| format!("{}: {error}", folder.display());
    fs::create_dir_all(folder).map_err(failed)?;
    for path in fs::read_dir(folder).map_err(failed)?.flatten().map(|entry| entry.path()) {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.starts_with("lotka-") && (name.ends_with(".tar.gz") || name.ends_with(".whl")) {
            fs::remove_file(&path).map_err(failed)?;
        }
    }
    let mut sums = String::new();
    for (name, bytes) in files {
        let path = folder.join(name);
        fs::write(&path, bytes).map_err(|error| format!("{}: {error}", path.display()))?;
        let hash: String = Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        sums += &format!("{hash}  {name}\n");
        println!("{}: {:.1} MB", path.display(), bytes.len() as f64 / 1e6);
    }
    crate::write(&folder.join("SHA256SUMS"), &sums)
}
