//! A folder with FMUs and a system file, and the command to be tested.

use std::{
    fs,
    io::{BufRead, BufReader, Lines, Read},
    os::unix::process::CommandExt,
    path::{Path, PathBuf},
    process::{Child, ChildStderr, Command, ExitStatus, Output, Stdio},
};

use serde_json::Value;
use tempfile::TempDir;
pub use tests::lotka;
use tests::{
    hostile::{Gate, Hostile, Waiting},
    patience::{PATIENCE, wait_until},
};

/// `a` and `b` feed each other.
pub const LOOP: &str = "[instances]\na = 'a.fmu'\nb = 'b.fmu'\n[connections]\n'b.u' = 'a.y'\n'a.u' = 'b.y'\n";

/// A folder of its own, and a cache of its own, both removed in the end.
pub struct Case {
    dir: TempDir,
    cache: TempDir,
}

/// What a command left behind.
#[derive(Debug)]
pub struct Ended {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Case {
    /// Builds the FMUs and writes `system.toml`.
    pub fn new(system: &str, fmus: impl IntoIterator<Item = Hostile>) -> Self {
        let case = Self { dir: TempDir::new().unwrap(), cache: TempDir::new().unwrap() };
        for fmu in fmus {
            fmu.build(case.dir.path());
        }
        case.write("system.toml", system);
        case
    }

    /// `a` and `b` in a loop for one second with fixed steps of 0.1 s; `a` is given, `b` is sound.
    pub fn of(a: Hostile) -> Self {
        Self::new(&format!("[experiment]\nstop = 1\nstep = 0.1\n{LOOP}"), [a, Hostile::new("b")])
    }

    /// As [`Case::of`] under error control; `settings` go to `[experiment]`.
    pub fn controlled(settings: &str, a: Hostile) -> Self {
        Self::new(&format!("[experiment]\nstop = 1\nlocal-tolerance = 1e-4\n{settings}\n{LOOP}"), [a, Hostile::new("b")])
    }

    /// Prey and predator, packed, for 100 s; `settings` go to `[experiment]`.
    pub fn predator_prey(settings: &str) -> Self {
        let [prey, predator] = ["prey", "predator"].map(tests::packed);
        let text = format!(
            "[experiment]\nstop = 100\n{settings}\n[instances]\nprey = '{}'\npredator = '{}'\n\
             [connections]\n'prey.y' = 'predator.y'\n'predator.x' = 'prey.x'\n",
            prey.display(),
            predator.display()
        );
        Self::new(&text, [])
    }

    /// Two masses between walls, packed, for 10 s; the force of `right` follows its inputs without delay.
    pub fn two_mass(settings: &str) -> Self {
        let [left, right] = ["mass", "sprung_mass_force"].map(tests::packed);
        let text = format!(
            "[experiment]\nstop = 10\n{settings}\n[instances]\nleft = '{}'\nright = '{}'\n\
             [connections]\n'left.f' = 'right.f'\n'right.x_other' = 'left.x'\n'right.v_other' = 'left.v'\n",
            left.display(),
            right.display()
        );
        Self::new(&text, [])
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    pub fn dir(&self) -> &Path {
        self.dir.path()
    }

    pub fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).unwrap();
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// The folder in which the command keeps contents and records of FMUs.
    pub fn cache(&self) -> PathBuf {
        self.cache.path().join("lotka/fmus")
    }

    /// Runs `lotka` in the folder.
    pub fn lotka(&self, arguments: &[&str]) -> Ended {
        let mut command = assert_cmd::Command::new(lotka());
        command.env("XDG_CACHE_HOME", self.cache.path());
        command.current_dir(self.dir.path()).args(arguments).timeout(PATIENCE).output().unwrap().into()
    }

    /// `lotka run system.toml --output-file out.csv`.
    pub fn run(&self, flags: &[&str]) -> Ended {
        self.lotka(&[&["run", "system.toml", "--output-file", "out.csv"], flags].concat())
    }

    /// The rows in `out.csv`, as fields.
    pub fn rows(&self) -> Vec<Vec<String>> {
        self.read("out.csv").lines().skip(1).map(|line| line.split(',').map(str::to_owned).collect()).collect()
    }

    /// Asserts that `out.csv` holds the rows of all steps of 0.1 s up to this time.
    pub fn assert_rows_until(&self, tenths: usize) {
        let times: Vec<f64> = self.rows().iter().map(|row| row[0].parse().unwrap()).collect();
        let expected: Vec<f64> = (0..=tenths).map(|n| n as f64 * 0.1).collect();
        assert_eq!(times, expected);
    }
}

impl From<Output> for Ended {
    fn from(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).unwrap();
        let code = output.status.code().unwrap_or_else(|| panic!("killed: {:?}", output.status));
        Self { code, stdout: text(output.stdout), stderr: text(output.stderr) }
    }
}

impl Ended {
    /// Asserts the exit code and that stderr contains every one of these texts.
    #[track_caller]
    pub fn assert(&self, code: i32, texts: &[&str]) -> &Self {
        assert_eq!(self.code, code, "{self:?}");
        for text in texts {
            assert!(self.stderr.contains(text), "no `{text}` in\n{}", self.stderr);
        }
        self
    }

    /// stdout as JSON.
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {}", self.stdout))
    }
}

/// A command in the background, with the lines that it writes to stderr.
pub struct Running {
    child: Child,
    lines: Lines<BufReader<ChildStderr>>,
    said: String,
}

impl Running {
    /// `lotka run system.toml --output-file out.csv --json`.
    pub fn start(case: &Case, flags: &[&str]) -> Self {
        Self::lotka(case, &[&["run", "system.toml", "--output-file", "out.csv", "--json"], flags].concat())
    }

    /// `lotka` in the folder.
    pub fn lotka(case: &Case, arguments: &[&str]) -> Self {
        Self::ignoring(case, "", arguments)
    }

    /// `lotka` in the folder, started with these signals ignored, and others in their default state.
    pub fn ignoring(case: &Case, signals: &str, arguments: &[&str]) -> Self {
        let ignored = (!signals.is_empty()).then(|| format!("--ignore-signal={signals}"));
        let mut child = Command::new("env")
            .arg("--default-signal=INT,TERM,HUP")
            .args(ignored)
            .arg(lotka())
            .current_dir(case.dir())
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stderr.take().unwrap()).lines();
        Self { child, lines, said: String::new() }
    }

    /// Waits for a line on stderr.
    pub fn wait_for(&mut self, text: &str) {
        assert!(self.says(text), "the run ended without `{text}`:\n{}", self.said);
    }

    /// Waits for a line on stderr, or the end; whether the line came.
    pub fn says(&mut self, text: &str) -> bool {
        for line in self.lines.by_ref().map(Result::unwrap) {
            self.said += &format!("{line}\n");
            if line.contains(text) {
                return true;
            }
        }
        false
    }

    /// All that it wrote to stderr, as far as it was waited for.
    pub fn said(&self) -> &str {
        &self.said
    }

    /// Waits until an FMU comes to its gate.
    #[track_caller]
    pub fn arrival(&mut self, gate: &Gate) -> Waiting {
        gate.arrival(|| self.is_over())
    }

    /// Waits for the process in which the FMUs run.
    pub fn wait_for_child(&self) {
        wait_until("the command starts a process", || !self.children().is_empty());
    }

    /// Numbers of the processes that the command started.
    fn children(&self) -> String {
        fs::read_to_string(self.children_file()).unwrap()
    }

    fn children_file(&self) -> String {
        let id = self.child.id();
        format!("/proc/{id}/task/{id}/children")
    }

    /// Whether the command has ended.
    pub fn is_over(&mut self) -> bool {
        self.child.try_wait().unwrap().is_some()
    }

    /// Numbers of the command, of the process in which the FMUs run, and of their hosts, as far as they have not ended.
    pub fn processes(&self) -> Vec<String> {
        let child = fs::read_to_string(self.children_file()).unwrap_or_default();
        let hosts = Command::new("pgrep").args(["-P", child.trim()]).stderr(Stdio::null()).output().unwrap().stdout;
        let hosts = String::from_utf8(hosts).unwrap();
        let below = child.split_whitespace().chain(hosts.lines()).map(str::to_owned);
        [self.child.id().to_string()].into_iter().chain(below).collect()
    }

    /// A number (`Threads`) in the state of the process in which the FMUs run.
    pub fn state(&self, name: &str) -> u64 {
        let state = fs::read_to_string(format!("/proc/{}/status", self.children().trim())).unwrap();
        let line = state.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':')).unwrap();
        line.split_whitespace().next().unwrap().parse().unwrap()
    }

    /// Sends a signal (`INT`) to the command.
    pub fn signal(&self, name: &str) {
        kill(name, &self.child.id().to_string());
    }

    /// Sends a signal to all of its processes, as a terminal does.
    pub fn signal_all(&self, name: &str) {
        kill(name, &format!("-{}", self.child.id()));
    }

    /// Sends a signal to the process in which the FMUs run.
    pub fn signal_child(&self, name: &str) {
        kill(name, self.children().trim());
    }

    /// Waits until nobody writes to stderr any more, which is when all of its processes are gone. The exit code and stdout.
    pub fn end(mut self) -> (Option<i32>, String) {
        let (status, stdout) = self.rest();
        (status.code(), stdout)
    }

    /// As [`Running::end`], with all that it said.
    pub fn ended(mut self) -> Ended {
        let (status, stdout) = self.rest();
        Ended::from(Output { status, stdout: stdout.into_bytes(), stderr: std::mem::take(&mut self.said).into_bytes() })
    }

    fn rest(&mut self) -> (ExitStatus, String) {
        while self.says("") {}
        let mut stdout = String::new();
        self.child.stdout.take().unwrap().read_to_string(&mut stdout).unwrap();
        (self.child.wait().unwrap(), stdout)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It is gone already, unless the test failed.
        let _ = self.child.kill();
    }
}

pub fn kill(signal: &str, whom: &str) {
    let status = Command::new("sh").arg("-c").arg(format!("kill -{signal} {whom}")).status().unwrap();
    assert!(status.success(), "kill -{signal} {whom}");
}
