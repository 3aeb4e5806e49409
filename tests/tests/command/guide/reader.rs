//! A reader who tries everything that a page says.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use lotka::{Error, System};
use tests::{Scratch, interop::Interop, lotka, root};

use crate::guide::{expected::is_as_told, page::Block};

/// Stands before what a line of a block prints, and before its exit code.
const SEPARATOR: &str = "=== reader of the guide ===";

/// Where a page says that a clone of the project is.
const CLONE: &str = "/path/to/lotka";

pub struct Reader {
    scratch: Scratch,
    folder: PathBuf,
}

impl Reader {
    /// A reader of a page with these blocks. Who makes a `system.toml` does not have one before.
    pub fn of(blocks: &[Block]) -> Self {
        let scratch = Scratch::new().unwrap();
        let folder = scratch.path().to_owned();
        if blocks.iter().any(|block| block.language == "sh" && block.text.contains("lotka new ")) {
            fs::remove_file(folder.join("system.toml")).unwrap();
        }
        for path in ["target/release", "home/.local/share/bash-completion/completions"] {
            fs::create_dir_all(folder.join(path)).unwrap();
        }
        std::os::unix::fs::symlink(lotka(), folder.join("target/release/lotka")).unwrap();
        if blocks.iter().any(|block| block.text.contains("plant.ssp")) {
            make_package(&folder.join("plant.ssp"));
        }
        Self { scratch, folder }
    }

    /// Does what a block asks for; `output` is what it is said to print.
    pub fn take(&mut self, block: &Block, output: Option<&str>) -> Result<(), String> {
        if block.is("no_run") {
            return Ok(());
        }
        match (&*block.language, block.file()) {
            ("sh", _) => self.run_lines(&block.text, output),
            ("toml", _) if block.is("fragment") => check_fragment(&self.folder, &block.text),
            ("toml", file) if file.is_none_or(|file| !file.ends_with("Cargo.toml")) => self.check_system(file, &block.text),
            ("python", _) if block.is("package") => Ok(()),
            ("python", None) => self.run_python(&block.text, output),
            (_, Some(file)) => {
                self.save(file, &block.text);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn save(&self, file: &str, text: &str) {
        let path = self.folder.join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text.replace(CLONE, root().to_str().unwrap())).unwrap();
        if file.ends_with("Cargo.toml") {
            // So that what is needed is there already, in the versions of the project.
            fs::copy(root().join("Cargo.lock"), path.with_file_name("Cargo.lock")).unwrap();
        }
    }

    /// Resolves a system against its FMUs.
    fn check_system(&self, file: Option<&str>, text: &str) -> Result<(), String> {
        let file = file.unwrap_or("system-of-the-page.toml");
        self.save(file, text);
        let path = self.folder.join(file);
        if text.contains("[sweep]") {
            // It is checked when it runs, with the files that it needs.
            return Ok(());
        }
        System::from_file(&path).and_then(|system| system.analyze()).map(drop).map_err(|error| error.to_string())
    }

    fn run_python(&self, text: &str, output: Option<&str>) -> Result<(), String> {
        let script = self.folder.join("block_of_the_page.py");
        fs::write(&script, text).unwrap();
        let interop = Interop::find(&root())?;
        let run = interop.python().arg(script).current_dir(&self.folder).stdin(Stdio::null()).output().unwrap();
        let printed = String::from_utf8_lossy(&run.stdout).into_owned() + &String::from_utf8_lossy(&run.stderr);
        if !run.status.success() {
            return Err(printed);
        }
        compare(output, &printed)
    }

    /// Runs the lines one after the other, in one shell; the next block goes on in the folder where this one ends.
    fn run_lines(&mut self, text: &str, output: Option<&str>) -> Result<(), String> {
        let joined = text.replace("\\\n", " ");
        let lines: Vec<&str> = joined.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')).collect();
        let mut script = String::from("exec 2>&1\n");
        for line in &lines {
            script += &format!("echo '{SEPARATOR}'\n{line}\ncode=$?; echo; echo \"{SEPARATOR}$code\"\n");
        }
        script += &format!("pwd > {}/folder\n", self.scratch.path().display());
        let run = self.shell().arg(script).output().unwrap();
        let printed = String::from_utf8_lossy(&run.stdout).into_owned();
        let mut parts = printed.split(SEPARATOR).skip(1);
        let mut last = "";
        for line in &lines {
            last = parts.next().unwrap_or_default();
            let code = parts.next().map(str::trim).unwrap_or_default();
            if code != exit_code(line) {
                return Err(format!("`{line}` has the exit code {code}, not {}:\n{last}", exit_code(line)));
            }
        }
        let folder = fs::read_to_string(self.scratch.path().join("folder")).map_err(|error| error.to_string())?;
        self.folder = PathBuf::from(folder.trim());
        compare(output, last)
    }

    /// A shell with the programs of the project in reach, and nobody's home.
    fn shell(&self) -> Command {
        let cargo = Path::new(env!("CARGO")).parent().unwrap();
        let programs = [lotka().parent().unwrap(), cargo].map(Path::to_owned);
        let path = env::var_os("PATH").unwrap_or_default();
        let path = env::join_paths(programs.into_iter().chain(env::split_paths(&path))).unwrap();
        let cargo_home = env::var_os("CARGO_HOME").map_or_else(|| env::home_dir().unwrap().join(".cargo"), PathBuf::from);
        let mut shell = Command::new("sh");
        shell.current_dir(&self.folder).stdin(Stdio::null()).arg("-c");
        shell.env("PATH", path).env("HOME", self.scratch.path().join("home")).env("CARGO_HOME", cargo_home);
        // All crates of authors are built in the same folder, so that what they have in common is built once.
        shell.env("CARGO_TARGET_DIR", Path::new(env!("CARGO_TARGET_TMPDIR")).join("authors")).env("CARGO_NET_OFFLINE", "true");
        shell
    }
}

/// The exit code that a line is to have: 0, unless its comment has another one.
fn exit_code(line: &str) -> &str {
    let told = line.split_once(" # ").and_then(|(_, comment)| comment.split_once("exit code "));
    told.map_or("0", |(_, code)| code.split(|c: char| !c.is_ascii_digit()).next().unwrap_or_default())
}

fn compare(told: Option<&str>, printed: &str) -> Result<(), String> {
    match told {
        Some(told) if !is_as_told(told, printed) => Err(format!("the output is not what the page says:\n{}", printed.trim())),
        _ => Ok(()),
    }
}

/// Sections, keys and kinds of values of a part of a system file. An instance that is none ends reading before anything is
/// resolved.
fn check_fragment(folder: &Path, text: &str) -> Result<(), String> {
    const NO_INSTANCE: &str = "[instances]\nno-instance = 1\n";
    let text = if text.contains("[instances]\n") {
        text.replacen("[instances]\n", NO_INSTANCE, 1)
    } else {
        format!("{text}\n{NO_INSTANCE}")
    };
    let path = folder.join("fragment.toml");
    fs::write(&path, text).unwrap();
    match System::from_file(&path) {
        Err(Error::System(problems)) if problems.list.len() == 1 && problems.list[0].message.contains("no-instance") => Ok(()),
        Err(error) => Err(error.to_string()),
        Ok(_) => Err("an instance that is none was accepted".to_owned()),
    }
}

/// A package of predator and prey with two descriptions.
fn make_package(path: &Path) {
    let system = path.with_file_name("examples").join("predator-prey/system.toml");
    let folder = path.with_extension("");
    System::from_file(system).and_then(|system| system.save(path)).unwrap();
    let mut archive = zip::ZipArchive::new(fs::File::open(path).unwrap()).unwrap();
    archive.extract(&folder).unwrap();
    let mut archive = zip::ZipWriter::new_append(fs::File::options().read(true).write(true).open(path).unwrap()).unwrap();
    archive.start_file("Winter.ssd", zip::write::SimpleFileOptions::default()).unwrap();
    std::io::Write::write_all(&mut archive, &fs::read(folder.join("SystemStructure.ssd")).unwrap()).unwrap();
    archive.finish().unwrap();
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn comments_tell_exit_codes() {
    assert_eq!(["a", "a # b", "a   # exit code 14", "a # differs: exit code 14."].map(exit_code), ["0", "0", "14", "14"]);
}

/// What no page should say is noticed.
#[test]
fn a_reader_notices_what_is_wrong() {
    let block = |info: &str, text: &str| {
        let page = crate::guide::page::Page { name: String::new(), text: format!("```{info}\n{text}\n```\n") };
        page.blocks().remove(0)
    };
    let mut reader = Reader::of(&[]);
    for (info, text) in [
        ("sh", "lotka run nothing.toml"),
        ("sh", "lotka run system.toml # exit code 15"),
        ("toml", "[experiment]\nstop = 1.0\nstep = 0.1\n[instances]\na = \"prey.fmu\"\n[connections]\n\"a.z\" = \"a.x\""),
        ("toml,fragment", "[experiment]\nstopp = 1.0"),
        ("toml,fragment", "[instances]\na = { fmu = \"a.fmu\", stert = 1 }"),
        ("toml,fragment", "[algorithm]\niterations = \"many\""),
        ("python", "import nothing_of_that_name"),
    ] {
        assert!(reader.take(&block(info, text), None).is_err(), "{info}: {text}");
    }
    assert_eq!(reader.take(&block("sh", "mkdir a\ncd a"), None), Ok(()));
    assert_eq!(reader.take(&block("sh", "pwd"), Some("…/a\n")), Ok(()));
    assert!(reader.take(&block("sh", "echo b"), Some("c\n")).is_err());
}
