//! Verbosity and color, on terminals and pipes.

use std::{
    io::Read,
    process::{Child, ChildStdout, Command, Stdio},
};

use super::support::{Case, lotka};
use tests::hostile::{Gate, Hostile};

/// Two instances without coupling, for a run without an end.
fn endless() -> Case {
    let system = "[experiment]\nstop = 1e9\nstep = 0.1\noutput-interval = 1e7\n[instances]\na = 'a.fmu'\n";
    Case::new(system, [Hostile::new("a")])
}

/// The command on a terminal.
struct Terminal {
    script: Child,
    stdout: ChildStdout,
    bytes: Vec<u8>,
    text: String,
}

impl Terminal {
    fn start(case: &Case, flags: &str, variables: &[(&str, &str)]) -> Self {
        Self::of(120, case, flags, variables)
    }

    /// A terminal of this width.
    fn of(width: usize, case: &Case, flags: &str, variables: &[(&str, &str)]) -> Self {
        // The end of the terminal ends the run, even if the tests were started where its signals are ignored (`nohup`).
        let command = format!("stty cols {width} rows 24; exec env --default-signal=HUP,INT,QUIT {} {flags}", lotka().display());
        let mut script = Command::new("script")
            .args(["--quiet", "--return", "--command", &command, "/dev/null"])
            .current_dir(case.dir())
            .env("TERM", "xterm")
            .env_remove("NO_COLOR")
            .envs(variables.iter().copied())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let stdout = script.stdout.take().unwrap();
        Self { script, stdout, bytes: Vec::new(), text: String::new() }
    }

    /// Waits until a text is on the terminal.
    fn wait_for(&mut self, text: &str) {
        while !self.text.contains(text) {
            assert!(self.read(), "no `{text}` in\n{}", self.text);
        }
    }

    fn is_over(&mut self) -> bool {
        self.script.try_wait().unwrap().is_some()
    }

    /// Reads what comes next; `false` at the end.
    fn read(&mut self) -> bool {
        let mut bytes = [0; 4096];
        let count = self.stdout.read(&mut bytes).unwrap_or(0);
        // A character may come in two parts.
        self.bytes.extend(&bytes[..count]);
        self.text = String::from_utf8_lossy(&self.bytes).into_owned();
        count > 0
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // A run that is not over is none of the test's business any more.
        let _ = self.script.kill();
        let _ = self.script.wait();
    }
}

/// All that the command writes to a terminal.
fn on_terminal(case: &Case, flags: &str, variables: &[(&str, &str)]) -> String {
    on_terminal_of(120, case, flags, variables)
}

/// All that the command writes to a terminal of this width.
pub(super) fn on_terminal_of(width: usize, case: &Case, flags: &str, variables: &[(&str, &str)]) -> String {
    let mut terminal = Terminal::of(width, case, flags, variables);
    while terminal.read() {}
    terminal.text.clone()
}

#[test]
fn a_terminal_shows_how_far_a_run_is_and_a_pipe_does_not() {
    let case = endless();
    let mut terminal = Terminal::start(&case, "run system.toml --output-file out.csv", &[]);
    terminal.wait_for(" left");
    for part in [" 0 %  t = ", " of 1000000000 s  h = 1.0e-1 s  ", " s/s  about "] {
        assert!(terminal.text.contains(part), "no `{part}` in\n{}", terminal.text);
    }
    let piped = case.lotka(&["run", "system.toml", "--output-file", "out.csv", "--stop-time", "1e5", "--output-interval", "1e5"]);
    assert!(!piped.assert(0, &["stop time"]).stderr.contains('%'), "{piped:?}");
}

#[test]
fn each_run_of_a_tolerance_is_reported_with_what_is_left_of_it() {
    let gate = Gate::new();
    // One instance at a time: one run at a time.
    let fmu = Hostile::new("a").gated("fmi2DoStep", &gate).define("FAULT_AT=0.45");
    let fmu = fmu.capability("canBeInstantiatedOnlyOncePerProcess", true);
    let case = Case::new("[experiment]\nstop = 1\ntolerance = 1e-9\noutput-interval = 0.1\n[instances]\na = 'a.fmu'\n", [fmu]);
    let mut terminal = Terminal::start(&case, "run system.toml --output-file out.csv", &[]);
    let halfway = gate.arrival(|| terminal.is_over());
    terminal.wait_for("run with 10 steps: 50 %");
    assert!(!terminal.text.contains(" left"), "how fast the run is cannot be known:\n{}", terminal.text);
    drop(halfway);
    let _later = gate.arrival(|| terminal.is_over());
    terminal.wait_for("run with 10 steps: 60 %, ");
    terminal.wait_for(" left in this run");
}

#[test]
fn quiet_and_dumb_terminals_have_no_progress() {
    let case = Case::predator_prey("step = 4e-4\noutput-interval = 1.0");
    assert_eq!(on_terminal(&case, "run system.toml --output-file out.csv -q", &[]), "");
    assert!(!on_terminal(&case, "run system.toml --output-file out.csv", &[("TERM", "dumb")]).contains('%'));
}

#[test]
fn colors_are_for_terminals_and_for_those_who_ask() {
    const COLOR: &str = "\u{1b}[";
    let case = Case::new("[experiment]\nstopp = 1\n", []);
    let with = |flags: &str, variables: &[(&str, &str)]| on_terminal(&case, flags, variables);
    assert!(with("run system.toml", &[]).contains(COLOR));
    assert!(!with("run system.toml", &[("NO_COLOR", "1")]).contains(COLOR));
    assert!(!with("run system.toml --color never", &[]).contains(COLOR));
    assert!(with("--color=always run system.toml", &[("NO_COLOR", "1")]).contains(COLOR));
    for verb in ["run", "check", "inspect", "graph"] {
        assert!(!case.lotka(&[verb, "nowhere.toml"]).stderr.contains(COLOR), "{verb}");
        let colored = case.lotka(&[verb, "nowhere.toml", "--color", "always"]).stderr;
        assert!(colored.starts_with("\u{1b}[1m\u{1b}[31merror:\u{1b}[0m "), "{verb}: {colored}");
    }
    let forced = Command::new(lotka()).args(["run", "nowhere.toml"]).env("CLICOLOR_FORCE", "1").output().unwrap();
    assert!(String::from_utf8(forced.stderr).unwrap().contains(COLOR));
}

#[test]
fn every_subcommand_can_be_quiet() {
    let case = Case::of(Hostile::new("a"));
    case.write("rows.csv", "time,a\n0,1\n1,2");
    for command in [
        &["run", "system.toml", "--output-file", "out.csv"][..],
        &["check", "system.toml"],
        &["check", "a.fmu"],
        &["graph", "system.toml"],
        &["inspect", "system.toml"],
        &["inspect", "a.fmu"],
        &["compare", "rows.csv", "rows.csv"],
        &["new", "a.fmu", "--output", "new.toml", "--force"],
        &["convert", "system.toml", "packed.ssp", "--force"],
        &["completions", "bash"],
        &["man"],
    ] {
        let quiet = case.lotka(&[command, &["-q"]].concat());
        assert_eq!(quiet.assert(0, &[]).stderr, "", "{command:?}");
        let before = case.lotka(&[&["--quiet"], command].concat());
        assert_eq!((before.code, &before.stdout, before.stderr.as_str()), (0, &quiet.stdout, ""), "{command:?}");
        case.lotka(&[command, &["-vv"]].concat()).assert(0, &[]);
    }
    assert!(case.lotka(&["compare", "rows.csv", "rows.csv"]).stderr.contains("warning: rows.csv"));
    case.lotka(&["run", "nowhere.toml", "-q"]).assert(10, &["error: "]);
    case.lotka(&["run", "system.toml", "-q", "-v"]).assert(2, &["--quiet"]);
}
