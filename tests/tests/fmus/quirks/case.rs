//! One quirk: FMUs, the system they are part of, and what a correct master makes of it.

use tests::quirks::Quirk;

/// A way to run a system.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// Fixed steps.
    Step,
    /// Local error control, 1e-6.
    LocalTolerance,
    /// A bound of the global error, 1e-4.
    Tolerance,
    /// Fixed steps, loops iterated.
    Iterated,
    /// Fixed steps, every FMU in a process of its own.
    Isolated,
    /// Fixed steps, gone on with from a checkpoint in the middle.
    Resumed,
}

impl Way {
    pub const ALL: [Self; 6] = [Self::Step, Self::LocalTolerance, Self::Tolerance, Self::Iterated, Self::Isolated, Self::Resumed];

    /// Heading of its column.
    pub fn title(self) -> &'static str {
        match self {
            Self::Step => "`step`",
            Self::LocalTolerance => "`local-tolerance`",
            Self::Tolerance => "`tolerance`",
            Self::Iterated => "iterated",
            Self::Isolated => "isolated",
            Self::Resumed => "resumed",
        }
    }
}

/// What must come of a run.
#[derive(Debug, Clone)]
pub struct Verdict {
    /// Exit code.
    pub code: i32,
    /// What is said beside that.
    pub says: Vec<&'static str>,
    /// What must not be said.
    pub says_not: Vec<&'static str>,
    /// Largest relative error of the expected values; without one they are not compared.
    pub error: Option<f64>,
}

impl Verdict {
    /// A run that succeeds, with values that are as near.
    pub fn within(error: f64) -> Self {
        Self { code: 0, says: Vec::new(), says_not: Vec::new(), error: Some(error) }
    }

    /// A run that ends with another exit code.
    pub fn code(code: i32) -> Self {
        Self { code, says: Vec::new(), says_not: Vec::new(), error: None }
    }

    pub fn says(mut self, text: &'static str) -> Self {
        self.says.push(text);
        self
    }

    pub fn says_not(mut self, text: &'static str) -> Self {
        self.says_not.push(text);
        self
    }
}

/// Two lags that drive each other.
pub const PAIR: &str = "\
[instances]
a = { fmu = 'a.fmu', start = { x0 = 3 } }
b = { fmu = 'b.fmu', start = { x0 = 1 } }

[connections]
'a.u' = 'b.y'
'b.u' = 'a.y'
";

/// One line of the table.
pub struct Case {
    /// What the FMUs do.
    pub name: &'static str,
    pub fmus: Vec<Quirk>,
    /// The system without `[experiment]` and `[algorithm]`; FMUs are beside it.
    pub system: String,
    /// More lines of `[experiment]` and `[algorithm]`.
    pub experiment: &'static str,
    pub algorithm: &'static str,
    /// Stop time and communication step of fixed steps \[s\].
    pub stop: f64,
    pub step: f64,
    /// Values at the stop time in a correct master.
    pub expected: Vec<(&'static str, f64)>,
    verdicts: Vec<(Way, Option<Verdict>)>,
    otherwise: Verdict,
}

impl Case {
    /// FMUs in a system for 1 s with steps of 0.1 s; every way to run must end well, with values within 1e-9.
    pub fn new(name: &'static str, fmus: impl IntoIterator<Item = Quirk>, system: &str) -> Self {
        Self {
            name,
            fmus: fmus.into_iter().collect(),
            system: system.to_owned(),
            experiment: "",
            algorithm: "",
            stop: 1.0,
            step: 0.1,
            expected: Vec::new(),
            verdicts: Vec::new(),
            otherwise: Verdict::within(1e-9),
        }
    }

    /// Another stop time and communication step \[s\].
    pub fn times(mut self, stop: f64, step: f64) -> Self {
        (self.stop, self.step) = (stop, step);
        self
    }

    /// More lines of `[experiment]`.
    pub fn experiment(mut self, lines: &'static str) -> Self {
        self.experiment = lines;
        self
    }

    /// More lines of `[algorithm]`.
    pub fn algorithm(mut self, lines: &'static str) -> Self {
        self.algorithm = lines;
        self
    }

    /// A value at the stop time.
    pub fn expect(mut self, column: &'static str, value: f64) -> Self {
        self.expected.push((column, value));
        self
    }

    /// What must come of it in all ways that are not named.
    pub fn otherwise(mut self, verdict: Verdict) -> Self {
        self.otherwise = verdict;
        self
    }

    /// What must come of one way.
    pub fn on(mut self, way: Way, verdict: Verdict) -> Self {
        self.verdicts.push((way, Some(verdict)));
        self
    }

    /// Leaves a way out: say in a comment why it is none for these FMUs.
    pub fn not(mut self, way: Way) -> Self {
        self.verdicts.push((way, None));
        self
    }

    pub fn verdict(&self, way: Way) -> Option<&Verdict> {
        let given = self.verdicts.iter().find(|(other, _)| *other == way);
        given.map_or(Some(&self.otherwise), |(_, verdict)| verdict.as_ref())
    }

    /// The system file of a way.
    pub fn system_file(&self, way: Way) -> String {
        let step = format!("step = {:?}", self.step);
        let rows = format!("output-interval = {:?}", self.step);
        let (stepping, iterations) = match way {
            Way::LocalTolerance => ("local-tolerance = 1e-6".to_owned(), ""),
            Way::Tolerance => (format!("tolerance = 1e-4\n{rows}"), ""),
            Way::Iterated => (step, "iterations = 50"),
            Way::Step | Way::Isolated | Way::Resumed => (step, ""),
        };
        let (experiment, algorithm) = (self.experiment, self.algorithm);
        format!(
            "[experiment]\nstop = {:?}\n{stepping}\n{experiment}\n[algorithm]\n{iterations}\n{algorithm}\n{}",
            self.stop, self.system
        )
    }
}
