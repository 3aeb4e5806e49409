//! The container and the workflows of `docs/ci.md`: their shell commands run here, in their order, in a repository as the page
//! describes it.

use std::{
    fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use serde_json::Value;
use tempfile::TempDir;
use tests::{interop::Interop, root};

use super::{alone, made, succeed, unpacked};

/// A block of the page, by the file in which it is saved.
fn block(file: &str) -> String {
    let page = fs::read_to_string(root().join("docs/ci.md")).unwrap();
    let begin = format!(",file:{file}\n");
    let (_, rest) = page.split_once(&begin).unwrap_or_else(|| panic!("docs/ci.md has no {file}"));
    rest.split("\n```").next().unwrap().to_owned()
}

/// Reads YAML as others do.
fn yaml(text: &str) -> Value {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("a.yml");
    fs::write(&file, text).unwrap();
    let script = "import json, sys, yaml; print(json.dumps(yaml.load(open(sys.argv[1]), yaml.BaseLoader)))";
    let interop = Interop::find(&root()).unwrap_or_else(|error| panic!("{error}"));
    serde_json::from_str(&succeed(&interop.python().args(["-c", script]).arg(file).output().unwrap())).unwrap()
}

/// A repository with a system, its FMUs, the archive, and reference rows.
struct Repository {
    folder: TempDir,
}

impl Repository {
    fn new() -> Self {
        let repository = Self { folder: TempDir::new().unwrap() };
        let top = unpacked(&repository.path("elsewhere"));
        fs::create_dir(repository.path("tools")).unwrap();
        let archive = made(".tar.gz");
        symlink(&archive, repository.path("tools").join(archive.file_name().unwrap())).unwrap();
        fs::rename(top.join("examples/fmus"), repository.path("fmus")).unwrap();
        let system = fs::read_to_string(top.join("examples/predator-prey/system.toml")).unwrap();
        fs::write(repository.path("system.toml"), system.replace("../fmus/", "fmus/")).unwrap();
        fs::create_dir(repository.path("reference")).unwrap();
        let mut command = Command::new(top.join("bin/lotka"));
        command.args(["run", "system.toml", "--output-file", "reference/rows.csv"]).current_dir(repository.path(""));
        succeed(&command.output().unwrap());
        fs::remove_dir_all(repository.path("elsewhere")).unwrap();
        repository
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Changes the last value of the reference by more than the comparison accepts.
    fn change_reference(&self) {
        let path = self.path("reference/rows.csv");
        let rows = fs::read_to_string(&path).unwrap();
        let (others, last) = rows.trim_end().rsplit_once(',').unwrap();
        fs::write(path, format!("{others},{}\n", last.parse::<f64>().unwrap() * 1.01)).unwrap();
    }

    fn bash(&self, script: &str, path: &str, variables: &[(&str, &Path)]) -> Output {
        let mut bash = Command::new("bash");
        bash.args(["--norc", "-e", "-c", script]).current_dir(self.path("")).env_clear().env("PATH", path);
        bash.env("HOME", self.path("home")).envs(variables.iter().copied()).output().unwrap()
    }

    /// Whether the files that a workflow keeps are there, whatever the comparison found.
    fn has_all(&self, files: &[&str]) {
        for file in files {
            let bytes = fs::read(self.path(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
            assert!(!bytes.is_empty(), "{file}");
            fs::remove_file(self.path(file)).unwrap();
        }
    }
}

const SYSTEM_PATH: &str = "/usr/local/bin:/usr/bin:/bin";

#[test]
fn the_workflow_for_github_passes_and_fails_with_the_code_of_the_comparison() {
    let workflow = yaml(&block(".github/workflows/systems.yml"));
    let steps = workflow["jobs"]["systems"]["steps"].as_array().unwrap();
    let kept = steps.last().unwrap();
    assert_eq!((kept["uses"].as_str(), kept["if"].as_str()), (Some("actions/upload-artifact@v4"), Some("always()")));
    let kept: Vec<_> = kept["with"]["path"].as_str().unwrap().lines().collect();
    let repository = Repository::new();
    let run = || {
        let (temporary, added) = (repository.path("runner"), repository.path("github-path"));
        let _ = fs::remove_dir_all(&temporary);
        fs::create_dir(&temporary).unwrap();
        fs::write(&added, "").unwrap();
        let mut codes = Vec::new();
        for step in steps.iter().filter_map(|step| step["run"].as_str()) {
            let folders = fs::read_to_string(&added).unwrap();
            let path = folders.lines().rev().chain([SYSTEM_PATH]).collect::<Vec<_>>().join(":");
            let done = repository.bash(step, &path, &[("RUNNER_TEMP", &temporary), ("GITHUB_PATH", &added)]);
            codes.push(done.status.code().unwrap());
            if codes.last() != Some(&0) {
                break;
            }
        }
        codes
    };
    assert_eq!(run(), [0, 0, 0, 0]);
    repository.has_all(&kept);
    repository.change_reference();
    assert_eq!(run(), [0, 0, 0, 14]);
    repository.has_all(&kept);
}

#[test]
fn the_pipeline_for_gitlab_passes_and_fails_with_the_code_of_the_comparison() {
    let job = &yaml(&block(".gitlab-ci.yml"))["systems"];
    let words =
        |value: &Value| value.as_array().unwrap().iter().map(|word| word.as_str().unwrap().to_owned()).collect::<Vec<_>>();
    let kept = words(&job["artifacts"]["paths"]);
    let kept: Vec<_> = kept.iter().map(String::as_str).collect();
    assert_eq!(job["artifacts"]["when"], "always");
    let script = words(&job["script"]).join("\n");
    let repository = Repository::new();
    for code in [0, 14] {
        let done = repository.bash(&script, SYSTEM_PATH, &[]);
        assert_eq!(done.status.code(), Some(code), "{}", String::from_utf8_lossy(&done.stderr));
        repository.has_all(&kept);
        repository.change_reference();
    }
}

/// No container is made here: its instructions are carried out below a folder that stands for its root.
#[test]
fn the_container_has_the_command() {
    let text = block("Dockerfile");
    let repository = Repository::new();
    let container = repository.path("container");
    let below = |path: &str| container.join(path.trim_start_matches('/'));
    for folder in ["opt", "usr/local/bin"] {
        fs::create_dir_all(below(folder)).unwrap();
    }
    let mut seen = Vec::new();
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (instruction, arguments) = line.split_once(' ').unwrap();
        seen.push(instruction);
        let script = match instruction {
            "ADD" => {
                let (archive, folder) = arguments.split_once(' ').unwrap();
                format!("tar -xzf {archive} -C '{}'", below(folder).display())
            }
            "RUN" => arguments.replace(" /", &format!(" {}/", container.display())),
            _ => continue,
        };
        succeed(&repository.bash(&script, SYSTEM_PATH, &[]));
    }
    assert_eq!(seen, ["FROM", "ADD", "RUN", "WORKDIR", "ENTRYPOINT"]);
    assert!(text.ends_with("ENTRYPOINT [\"lotka\"]"), "{text}");
    let mut lotka = alone(below("usr/local/bin/lotka"), &repository.path("home"));
    lotka.args(["run", "system.toml", "--isolate", "--output-file", "rows.csv"]).current_dir(repository.path(""));
    succeed(&lotka.output().unwrap());
    repository.has_all(&["rows.csv"]);
}
