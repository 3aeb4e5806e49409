//! The table: what each line costs without a master, what it costs with it, and what was committed.

use std::{fmt::Write, fs, path::PathBuf};

/// How much worse a figure may be than the committed one.
const SLACK: f64 = 1.1;

/// One comparison.
pub struct Line {
    pub name: String,
    /// Cost without a master, and with it, in `unit`.
    pub limit: f64,
    pub ours: f64,
    pub unit: &'static str,
    /// The ratio that is aimed at.
    pub aim: f64,
    /// The same in instructions, if they were counted.
    pub instructions: Option<[f64; 2]>,
}

impl Line {
    pub fn ratio(&self) -> f64 {
        self.ours / self.limit
    }

    fn ratio_of_instructions(&self) -> Option<f64> {
        self.instructions.map(|[limit, ours]| ours / limit)
    }

    /// Takes the better ratio of two measurements.
    pub fn improve(&mut self, again: &Self) {
        if again.ratio() < self.ratio() {
            (self.limit, self.ours) = (again.limit, again.ours);
        }
    }
}

/// Prints the title of a part of the table.
pub fn title(text: &str) {
    println!("\n{text:<50} {:>9} {:>9} {:>7} {:>6} {:>9}  instructions", "limit", "ours", "ratio", "aim", "committed");
}

/// The ratios of a committed line: of times, and of instructions.
struct Ratios {
    name: String,
    time: f64,
    instructions: Option<f64>,
}

/// The committed table.
pub struct Committed(Vec<Ratios>);

fn path() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("benches/ratios.tsv")
}

impl Committed {
    /// Reads the table; a missing file has no lines.
    pub fn read() -> Self {
        let text = fs::read_to_string(path()).unwrap_or_default();
        let line = |line: &str| {
            let mut cells = line.split('\t');
            let (name, time) = (cells.next()?.to_owned(), cells.next()?.parse().ok()?);
            Some(Ratios { name, time, instructions: cells.next().and_then(|cell| cell.parse().ok()) })
        };
        Self(text.lines().filter_map(line).collect())
    }

    /// Replaces the ratios of these lines, and writes the file.
    pub fn write(mut self, lines: &[Line]) {
        for line in lines {
            let ratios = Ratios { name: line.name.clone(), time: line.ratio(), instructions: line.ratio_of_instructions() };
            match self.0.iter_mut().find(|known| known.name == line.name) {
                Some(known) => *known = ratios,
                None => self.0.push(ratios),
            }
        }
        let mut text = "line\ttime\tinstructions\n".to_owned();
        for Ratios { name, time, instructions } in self.0 {
            let instructions = instructions.map_or_else(String::new, |ratio| format!("{ratio:.3}"));
            writeln!(text, "{name}\t{time:.2}\t{instructions}").expect("texts can be written to");
        }
        fs::write(path(), text).unwrap_or_else(|error| panic!("{}: {error}", path().display()));
    }

    fn of(&self, line: &Line) -> Option<&Ratios> {
        self.0.iter().find(|known| known.name == line.name)
    }

    /// Whether a line is worse than the committed one. Where instructions are counted, they decide: times differ from machine to
    /// machine.
    pub fn is_exceeded(&self, line: &Line) -> bool {
        self.of(line).is_some_and(|known| match (known.instructions, line.ratio_of_instructions()) {
            (Some(known), Some(counted)) => counted > SLACK * known,
            _ => line.ratio() > SLACK * known.time,
        })
    }

    pub fn print(&self, line: &Line) {
        let committed = self.of(line).map_or_else(String::new, |known| format!("{:.2}", known.time));
        let verdict = if line.ratio() <= line.aim { "met" } else { "missed" };
        let name = format!("{} [{}]", line.name, line.unit);
        let (limit, ours, ratio, aim) = (line.limit, line.ours, line.ratio(), line.aim);
        let counted =
            line.instructions.map_or_else(String::new, |[limit, ours]| format!("{ours:.0} / {limit:.0} = {:.2}", ours / limit));
        println!("{name:<50} {limit:>9.3} {ours:>9.3} {ratio:>7.2} {aim:>6.2} {committed:>9}  {counted} {verdict}");
    }
}
