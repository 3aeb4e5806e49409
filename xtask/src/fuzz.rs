//! `cargo xtask fuzz`: runs libFuzzer on the targets of `tests/fuzz`, each starting from its seeds.
//!
//! Interesting inputs remain under target/fuzz for the next run. The task ends with the name of a failing input.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::{TaskResult, tools};

/// Arguments of the task.
#[derive(clap::Args)]
pub struct Arguments {
    /// Targets to fuzz [default: all].
    targets: Vec<String>,
    /// Fuzz each target for this time.
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    seconds: u32,
}

/// Time limit per input \[s\]; longer inputs count as failed.
const LIMIT: u32 = 20;

/// Runs the targets one after the other and stops at the first failure.
pub fn run(arguments: &Arguments) -> TaskResult {
    tools::require("fuzz", &[tools::NIGHTLY, tools::CARGO_FUZZ])?;
    let toolchain = tools::nightly("fuzz")?;
    let known = targets()?;
    if let Some(unknown) = arguments.targets.iter().find(|target| !known.contains(target)) {
        return Err(format!("expected one of {}; found `{unknown}`", known.join(", ")).into());
    }
    let chosen = |name: &&String| arguments.targets.is_empty() || arguments.targets.contains(name);
    known.iter().filter(chosen).try_for_each(|target| fuzz(target, arguments.seconds, &toolchain))
}

/// Returns the names of all targets, taken from their files.
fn targets() -> TaskResult<Vec<String>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fuzz/libfuzzer/fuzz_targets");
    let paths = fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path())).collect::<Result<Vec<_>, _>>()?;
    let mut names: Vec<_> = paths.iter().filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned())).collect();
    names.sort_unstable();
    Ok(names)
}

fn fuzz(target: &str, seconds: u32, toolchain: &str) -> TaskResult {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let (corpus, found) = (root.join("target/fuzz/corpus").join(target), root.join("target/fuzz/found").join(target));
    for folder in [&corpus, &found] {
        fs::create_dir_all(folder)?;
    }
    println!("{target}: {seconds} s");
    let status = Command::new("rustup")
        .args(["run", toolchain, "cargo", "fuzz", "run", "--fuzz-dir", "tests/fuzz/libfuzzer", target])
        .args([&corpus, &root.join("tests/fuzz/seeds").join(target)])
        .arg("--")
        .args([format!("-max_total_time={seconds}"), format!("-timeout={LIMIT}"), "-rss_limit_mb=2048".to_owned()])
        .arg(format!("-artifact_prefix={}/", found.display()))
        .current_dir(&root)
        .status()?;
    if status.success() {
        return Ok(());
    }
    let advice = "once the fault is mended, the input belongs to tests/fuzz/seeds";
    Err(format!("{target} failed; the input is in {}; {advice}", found.display()).into())
}
