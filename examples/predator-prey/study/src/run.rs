//! The complete study.

use gallery::Figure;

use crate::{Error, Experiment, Fmus, Outcome, Published, Reference, figures, table};

/// Results of all experiments.
#[derive(Debug, Clone)]
pub struct Study {
    /// Outcomes in the order of [`Experiment::ALL`].
    pub outcomes: Vec<Outcome>,
    /// The exact solution.
    pub reference: Reference,
    /// The published errors.
    pub published: Published,
}

impl Study {
    /// Runs all experiments.
    ///
    /// # Errors
    /// An experiment cannot be set up, or it fails.
    pub fn run(fmus: &Fmus) -> Result<Self, Error> {
        let reference = Reference::read()?;
        let outcomes = Experiment::ALL.iter().map(|&experiment| Outcome::of(experiment, fmus, &reference));
        Ok(Self { outcomes: outcomes.collect::<Result<_, _>>()?, reference, published: Published::read()? })
    }

    /// Returns the outcome of an experiment.
    pub fn outcome(&self, experiment: Experiment) -> &Outcome {
        &self.outcomes[experiment as usize]
    }

    /// Returns the largest relative errors under MasterSim's error control; see [`crate::SERIES`].
    pub fn largest_errors(&self) -> [f64; 4] {
        let largest = |experiment, species: usize| {
            let errors = self.outcome(experiment).errors.iter();
            errors.map(|row| row[species]).fold(0.0, f64::max)
        };
        let (plain, iterated) = (Experiment::MasterSim, Experiment::MasterSimIterated);
        [largest(plain, 0), largest(plain, 1), largest(iterated, 0), largest(iterated, 1)]
    }

    /// Returns figures 1 to 8 of the test case, and the overview of a run with Lotka's own error control.
    ///
    /// # Errors
    /// A figure cannot be drawn.
    pub fn figures(&self) -> Result<Vec<Figure>, Error> {
        let numbered = (1..).zip(figures::NUMBERED).map(|(number, draw)| (format!("figure-{number}.svg"), draw));
        let mut all = numbered.map(|(name, draw)| Ok(Figure { name, svg: draw(self)? })).collect::<Result<Vec<_>, Error>>()?;
        let own = self.outcome(Experiment::Controlled);
        all.push(Figure { name: "predator-prey.svg".to_owned(), svg: figures::overview(&own.trajectory, &own.steps)? });
        Ok(all)
    }

    /// Returns the numbers as Markdown.
    pub fn table(&self) -> String {
        table::markdown(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn experiments_stand_where_they_are_looked_for() {
        for (index, experiment) in Experiment::ALL.into_iter().enumerate() {
            assert_eq!(experiment as usize, index);
        }
    }
}
