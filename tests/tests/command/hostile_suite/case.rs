//! One fault: an FMU `a.fmu`, the system it is part of, and what a user must see.

use std::{fs, path::Path};

use tests::hostile::{BadArchive, Hostile};

/// How the command is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// `lotka run`, FMUs in the process of the run.
    InProcess,
    /// `lotka run`, the faulty FMU in a process of its own.
    Isolated,
    /// `lotka check a.fmu`.
    Check,
}

impl Mode {
    pub const ALL: [Self; 3] = [Self::InProcess, Self::Isolated, Self::Check];

    /// Names the folder that the command works in.
    pub fn folder(self) -> &'static str {
        match self {
            Self::InProcess => "in-process",
            Self::Isolated => "isolated",
            Self::Check => "check",
        }
    }
}

/// What must be seen.
#[derive(Debug, Clone)]
pub struct Verdict {
    pub code: i32,
    /// What stderr must say.
    pub texts: Vec<&'static str>,
}

impl Verdict {
    fn new(code: i32, texts: &[&'static str]) -> Self {
        Self { code, texts: texts.to_vec() }
    }
}

/// The rows that a run must leave behind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rows {
    /// Whole rows, or none.
    Readable,
    /// As many.
    Count(usize),
    /// Those that the sound FMU has.
    Sound,
}

/// `a` and `b` feed each other for a second with steps of 0.1 s; `@` stands where settings of `a` go.
pub const PAIR: &str = "[experiment]\nstop = 1\nstep = 0.1\n[instances]\na = { fmu = '../fmus/a.fmu'@ }\n\
    b = { fmu = '../fmus/b.fmu', start = { x0 = 3 } }\n\
    [connections]\n'b.u' = 'a.y'\n'a.u' = 'b.y'\n";
/// As [`PAIR`], with start values of every type.
pub const STARTS: &str = "[experiment]\nstop = 1\nstep = 0.1\n[instances]\nb = { fmu = '../fmus/b.fmu', start = { x0 = 3 } }\n\
    a = { fmu = '../fmus/a.fmu', start = { x0 = 2, level = 1, enable = true, label = 'x' }@ }\n\
    [connections]\n'b.u' = 'a.y'\n'a.u' = 'b.y'\n";
/// As [`PAIR`] under error control, with rollback in every step.
pub const CONTROLLED: &str = "[experiment]\nstop = 1\nlocal-tolerance = 1e-4\n[instances]\na = { fmu = '../fmus/a.fmu'@ }\n\
    b = { fmu = '../fmus/b.fmu', start = { x0 = 3 } }\n[connections]\n'b.u' = 'a.y'\n'a.u' = 'b.y'\n";
/// Two instances of `a`, the first one with settings, under error control.
pub const TWINS: &str = "[experiment]\nstop = 1\nlocal-tolerance = 1e-4\n[instances]\na = { fmu = '../fmus/a.fmu'@ }\n\
    b = { fmu = '../fmus/a.fmu', start = { x0 = 3 } }\n[connections]\n'b.u' = 'a.y'\n'a.u' = 'b.y'\n";
/// As [`PAIR`], with steps that end at an event.
pub const EVENTS: &str = "[experiment]\nstop = 1\nstep = 0.1\n[instances]\na = { fmu = '../fmus/a.fmu'@ }\n\
    b = { fmu = '../fmus/b.fmu', start = { x0 = 3 } }\n[connections]\n'b.u' = 'a.y'\n'a.u' = 'b.y'\n[events]\n'a.y' = { level = 1.5 }\n";
/// As [`EVENTS`], with a tolerance.
pub const VERIFIED_EVENTS: &str = "[experiment]\nstop = 1\ntolerance = 1e-4\n[instances]\na = { fmu = '../fmus/a.fmu'@ }\n\
    b = { fmu = '../fmus/b.fmu', start = { x0 = 3 } }\n[connections]\n'b.u' = 'a.y'\n'a.u' = 'b.y'\n[events]\n'a.y' = { level = 1.5 }\n";
/// `a` alone.
pub const SINGLE: &str = "[experiment]\nstop = 1\nstep = 0.1\n[instances]\na = { fmu = '../fmus/a.fmu'@ }\n";

/// Writes the FMU into a folder.
type Build = Box<dyn FnOnce(&Path)>;

/// One line of the table.
pub struct Case {
    pub name: String,
    pub build: Build,
    pub system: &'static str,
    /// Flags for `lotka run`.
    pub flags: &'static [&'static str],
    /// The run is sound, and is resumed from its last checkpoint: that is what is judged.
    pub is_resumed: bool,
    /// Without a time limit nothing ends a call that does not return.
    pub in_process: Option<Verdict>,
    pub isolated: Option<Verdict>,
    pub check: Option<Verdict>,
    /// Time limit of the isolated instance, as a key of the system file.
    pub limit: &'static str,
    pub rows: Rows,
    /// Whose fault it was cannot be told.
    pub nameless: bool,
    /// The FMU itself leaves a process behind.
    pub leaves_process: bool,
}

impl Case {
    /// A fault that ends the run, in a library.
    pub fn new(name: impl Into<String>, fmu: Hostile) -> Self {
        Self::built(name, move |folder| drop(fmu.build(folder)))
    }

    /// A fault in an archive.
    pub fn archive(name: impl Into<String>, bad: BadArchive) -> Self {
        Self::built(name, move |folder| fs::rename(bad.build(folder), folder.join("a.fmu")).unwrap())
    }

    /// A file that is made some other way.
    pub fn bytes(name: impl Into<String>, bytes: impl FnOnce() -> Vec<u8> + 'static) -> Self {
        Self::built(name, move |folder| fs::write(folder.join("a.fmu"), bytes()).unwrap())
    }

    fn built(name: impl Into<String>, build: impl FnOnce(&Path) + 'static) -> Self {
        Self {
            name: name.into(),
            build: Box::new(build),
            system: PAIR,
            flags: &[],
            is_resumed: false,
            in_process: None,
            isolated: None,
            check: None,
            limit: "",
            rows: Rows::Readable,
            nameless: false,
            leaves_process: false,
        }
    }

    pub fn system(self, system: &'static str) -> Self {
        Self { system, ..self }
    }

    /// A checkpoint after every step.
    pub fn checkpointed(self) -> Self {
        Self { flags: &["--checkpoint-every", "0"], ..self }
    }

    /// `lotka resume` from the last step is judged.
    pub fn resumed(self) -> Self {
        Self { is_resumed: true, ..self.checkpointed() }
    }

    /// The exit code of a run, isolated or not, and what stderr says.
    pub fn ends(self, code: i32, texts: &[&'static str]) -> Self {
        let verdict = Verdict::new(code, texts);
        Self { in_process: Some(verdict.clone()), isolated: Some(verdict), ..self }
    }

    /// The run is as good as with a sound FMU, with these warnings.
    pub fn runs(self, texts: &[&'static str]) -> Self {
        Self { rows: Rows::Sound, ..self.ends(0, texts) }
    }

    /// Other than [`Case::ends`] for the isolated run.
    pub fn isolated(self, code: i32, texts: &[&'static str]) -> Self {
        Self { isolated: Some(Verdict::new(code, texts)), ..self }
    }

    /// The FMU cannot be used, whether to run, isolated or not, or to check.
    pub fn refused(self, texts: &[&'static str]) -> Self {
        self.ends(11, texts).checked(11, texts)
    }

    /// What `lotka check a.fmu` says.
    pub fn checked(self, code: i32, texts: &[&'static str]) -> Self {
        Self { check: Some(Verdict::new(code, texts)), ..self }
    }

    /// All is done, and then the process does not end in peace.
    pub fn late(self, texts: &[&'static str]) -> Self {
        let in_process = [&["the results are complete"], texts].concat();
        self.ends(17, texts).in_process(17, &in_process).rows(11).nameless()
    }

    /// A call after initialization never returns: the isolated run alone ends, by its time limit.
    pub fn hangs(self, texts: &[&'static str]) -> Self {
        let isolated = Some(Verdict::new(17, texts));
        Self { isolated, limit: ", step-timeout = 5.0", ..self }
    }

    /// The same of a call up to the end of initialization.
    pub fn hangs_early(self, texts: &[&'static str]) -> Self {
        Self { limit: ", init-timeout = 5.0", ..self.hangs(texts) }
    }

    /// Other than [`Case::ends`] for the run in one process.
    pub fn in_process(self, code: i32, texts: &[&'static str]) -> Self {
        Self { in_process: Some(Verdict::new(code, texts)), ..self }
    }

    /// Number of rows, that of the start included.
    pub fn rows(self, count: usize) -> Self {
        Self { rows: Rows::Count(count), ..self }
    }

    pub fn nameless(self) -> Self {
        Self { nameless: true, ..self }
    }

    pub fn leaves_process(self) -> Self {
        Self { leaves_process: true, ..self }
    }

    pub fn verdict(&self, mode: Mode) -> Option<&Verdict> {
        match mode {
            Mode::InProcess => self.in_process.as_ref(),
            Mode::Isolated => self.isolated.as_ref(),
            Mode::Check => self.check.as_ref(),
        }
    }

    /// The system file for this mode.
    pub fn system_file(&self, mode: Mode) -> String {
        let settings = format!(", isolation = 'process'{}", self.limit);
        self.system.replace('@', if mode == Mode::Isolated { &settings } else { "" })
    }
}
