//! One page with every example: description, picture, cost of each system, expected numbers and results.

mod block;

use lotka::Counters;

use crate::{Check, Error, Example, Outcome, Ran, picture};
use block::{Block, Card};

/// A page about all examples.
#[derive(Debug, Default)]
pub struct Page {
    /// Examples in page order.
    pub examples: Vec<Shown>,
}

/// An example that was run.
#[derive(Debug)]
pub struct Shown {
    /// The example.
    pub example: Example,
    /// Its systems, in the order of [`Example::systems`].
    pub outcomes: Vec<Outcome>,
    /// Its picture as SVG, if the run succeeded.
    pub picture: Option<String>,
}

impl Shown {
    /// Draws the picture of an example from its outcomes.
    ///
    /// # Errors
    /// The picture cannot be drawn.
    pub fn new(example: Example, outcomes: Vec<Outcome>) -> Result<Self, Error> {
        let shown = outcomes.iter().find(|outcome| outcome.system == example.expected.picture.system);
        let rows = shown.and_then(|outcome| outcome.run.as_ref().ok()).map(|ran| &ran.rows);
        let picture = rows.map(|rows| picture(&example, rows)).transpose()?;
        Ok(Self { example, outcomes, picture })
    }

    /// Returns the file name of the picture on the page.
    pub fn picture_file(&self) -> String {
        format!("{}.svg", self.example.name)
    }
}

impl Page {
    /// Returns a line for each result that differs from what was expected.
    pub fn missed(&self) -> Vec<String> {
        let all = self.examples.iter().flat_map(|shown| shown.outcomes.iter().map(|outcome| (&shown.example.name, outcome)));
        all.flat_map(|(name, outcome)| outcome.missed().into_iter().map(move |line| format!("{name}/{}: {line}", outcome.system)))
            .collect()
    }

    /// Returns the page as Markdown; pictures are separate files.
    pub fn markdown(&self) -> String {
        block::markdown(&self.blocks())
    }

    /// Returns the page as self-contained HTML: a card for each example, and its numbers below.
    pub fn html(&self) -> String {
        let cards: Vec<_> = self.examples.iter().map(Shown::card).collect();
        block::html("Lotka: examples", &self.intro(), &cards)
    }

    fn blocks(&self) -> Vec<Block> {
        let mut blocks = self.intro();
        self.examples.iter().for_each(|shown| shown.blocks(&mut blocks));
        blocks
    }

    fn intro(&self) -> Vec<Block> {
        let systems = self.examples.iter().map(|shown| shown.outcomes.len()).sum::<usize>();
        let checks = self.examples.iter().flat_map(|shown| &shown.outcomes).map(|outcome| outcome.checks.len()).sum::<usize>();
        vec![
            Block::Heading(1, "Examples".to_owned()),
            Block::Text(format!(
                "{} examples, {systems} systems, {checks} expected numbers, {} not as expected. Made by `cargo xtask demo --all`.",
                self.examples.len(),
                self.missed().len()
            )),
        ]
    }
}

impl Shown {
    fn card(&self) -> Card {
        let checks = || self.outcomes.iter().flat_map(|outcome| &outcome.checks);
        let (met, all) = (checks().filter(|check| check.is_met()).count(), checks().count());
        let mut details = Vec::new();
        self.outcomes.iter().for_each(|outcome| outcome.blocks(&self.example.name, &mut details));
        Card {
            id: self.example.name.clone(),
            title: self.example.title.clone(),
            claim: self.example.sentence.clone(),
            verdict: format!("{met} of {all} numbers as expected."),
            is_as_expected: self.outcomes.iter().all(Outcome::is_as_expected),
            command: format!("lotka run examples/{}/system.toml", self.example.name),
            picture: self.picture.clone(),
            details,
        }
    }

    fn blocks(&self, blocks: &mut Vec<Block>) {
        blocks.push(Block::Heading(2, self.example.title.clone()));
        blocks.push(Block::Text(self.example.sentence.clone()));
        if let Some(svg) = &self.picture {
            let (file, title) = (self.picture_file(), self.example.title.clone());
            blocks.push(Block::Picture { file, title, svg: svg.clone() });
        }
        self.outcomes.iter().for_each(|outcome| outcome.blocks(&self.example.name, blocks));
    }
}

impl Outcome {
    /// Returns the results that differ from what was expected.
    fn missed(&self) -> Vec<String> {
        let run = match &self.run {
            Err(error) => vec![error.to_string()],
            Ok(ran) if !self.is_as_expected() && self.checks.iter().all(Check::is_met) => vec![ran.end()],
            Ok(_) => Vec::new(),
        };
        run.into_iter().chain(self.checks.iter().filter(|check| !check.is_met()).map(Check::told)).collect()
    }

    fn blocks(&self, example: &str, blocks: &mut Vec<Block>) {
        blocks.push(Block::Heading(3, format!("`{example}/{}`", self.system)));
        blocks.push(Block::Text(self.shows.clone()));
        match &self.run {
            Ok(ran) => blocks.extend([ran.cost(), ran.algorithm.clone()].map(Block::Text)),
            Err(error) => blocks.push(Block::Text(format!("**Failed:** {error}"))),
        }
        let header = ["variable", "t in s", "expected", "got", "difference", "tolerance", "", "origin"].map(str::to_owned);
        let rows = self.checks.iter().map(Check::row).collect();
        blocks.push(Block::Table { header: header.to_vec(), rows });
    }
}

impl Ran {
    /// Returns the cost of the run and how it ended.
    fn cost(&self) -> String {
        let Counters { n_steps, n_step_attempts, n_rollbacks, n_events, n_do_step_calls, .. } = self.report.counters;
        let rejected = n_step_attempts - n_steps;
        let mut cost = format!("{n_do_step_calls} doStep calls, {n_steps} steps, {rejected} rejected");
        for (count, what) in [(n_rollbacks, "rollbacks"), (n_events, "events")] {
            if count > 0 {
                cost += &format!(", {count} {what}");
            }
        }
        if let Some(error) = &self.report.global_error {
            cost += &format!("; tolerance {:e}, estimated largest error {:.1e}", error.tolerance, error.largest);
        }
        format!("{cost}; {}.", self.end())
    }

    fn end(&self) -> String {
        format!("ended at t = {} s ({})", self.report.time, self.report.end.name())
    }
}

impl Check {
    fn told(&self) -> String {
        let at = self.time.map_or_else(String::new, |time| format!(" at t = {time} s"));
        let got = self.got.map_or_else(|| "there is no such number".to_owned(), |got| format!("got {}", number(got)));
        format!("{}{at}: expected is {} within {:e}, but {got}", self.quantity, number(self.expected), self.tolerance)
    }

    fn row(&self) -> Vec<String> {
        let dash = || "–".to_owned();
        let tolerance = if self.tolerance > 0.0 { format!("{:.1e}", self.tolerance) } else { "exact".to_owned() };
        vec![
            if self.time.is_some() { format!("`{}`", self.quantity) } else { self.quantity.clone() },
            self.time.map_or_else(dash, number),
            number(self.expected),
            self.got.map_or_else(dash, number),
            self.difference().map_or_else(dash, |difference| format!("{difference:.1e}")),
            tolerance,
            if self.is_met() { "ok" } else { "**missed**" }.to_owned(),
            self.origin.clone(),
        ]
    }
}

/// Formats a number with all its digits, and with an exponent if there would be many zeros.
fn number(value: f64) -> String {
    if value == 0.0 || (1e-4..1e15).contains(&value.abs()) { value.to_string() } else { format!("{value:e}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_all_digits_and_few_zeros() {
        let numbers = [0.0, -2.5, 1e-4, -2.498001805406602e-16, 1e20].map(number);
        assert_eq!(numbers, ["0", "-2.5", "0.0001", "-2.498001805406602e-16", "1e20"]);
    }
}
