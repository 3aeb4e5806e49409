//! The complete study.

use gallery::Figure;
use lotka::{Memory, System};

use crate::{Band, Case, Error, Line, Method, figures, figures::MASTER_SIM, ladder::Subject, table};

/// Number of calls at which refinement stops, for figures and table.
pub const LIMIT: u64 = 120_000;

/// Tolerance of the plotted solution, of its scales and of the error band.
const TOLERANCE: f64 = 1e-6;

/// Results of all methods on one system.
#[derive(Debug, Clone)]
pub struct Results {
    /// The system.
    pub case: Case,
    /// Its verified solution.
    pub solution: Memory,
    /// The suitable methods, in the order of [`Method::ALL`].
    pub lines: Vec<Line>,
}

/// All results of the study.
#[derive(Debug, Clone)]
pub struct Study {
    /// Results in the order of [`Case::ALL`].
    pub results: Vec<Results>,
    /// Errors of prey and predators over time.
    pub band: Band,
}

impl Study {
    /// Runs all methods on all systems. `system` returns a system without steps, tolerances and methods. Each method is refined
    /// until a run exceeds the limit of calls.
    ///
    /// # Errors
    /// A system cannot be set up, or the run that the others are compared with fails.
    pub fn run(mut system: impl FnMut(Case) -> Result<System, Error>, limit: u64) -> Result<Self, Error> {
        let results = Case::ALL.iter().map(|&case| Results::of(case, system(case)?, limit)).collect::<Result<_, _>>()?;
        let case = Case::PredatorPrey;
        let band = Band::of(&system(case)?, &case.exact(), case.interval(), TOLERANCE)?;
        Ok(Self { results, band })
    }

    /// Returns one figure per system, the comparison with MasterSim, and the error band.
    ///
    /// # Errors
    /// A figure cannot be drawn.
    pub fn figures(&self) -> Result<Vec<Figure>, Error> {
        let mut all = vec![Figure { name: "band.svg".to_owned(), svg: figures::band(&self.band)? }];
        for results in &self.results {
            if results.case == MASTER_SIM.case {
                all.push(Figure { name: "work-precision.svg".to_owned(), svg: figures::comparison(results)? });
            }
            all.push(Figure { name: format!("{}.svg", results.case.slug()), svg: figures::work(results)? });
        }
        Ok(all)
    }

    /// Returns the numbers as Markdown.
    pub fn table(&self) -> String {
        table::markdown(self)
    }
}

impl Results {
    fn of(case: Case, system: System, limit: u64) -> Result<Self, Error> {
        let mut solution = Memory::new();
        system.clone().tolerance(TOLERANCE).output_interval(case.interval()).build()?.run(&mut [&mut solution])?;
        let exact = case.exact();
        let scales = exact.scales(&solution)?;
        let subject = Subject { case, system, exact, scales };
        let methods = Method::ALL.into_iter().filter(|method| method.suits(case));
        let lines = methods.map(|method| subject.climb(method, limit)).collect::<Result<_, _>>()?;
        Ok(Self { case, solution, lines })
    }

    /// Returns the measurements of a method, if it suits the system.
    pub fn line(&self, method: Method) -> Option<&Line> {
        self.lines.iter().find(|line| line.method == method)
    }
}
