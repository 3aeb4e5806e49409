//! Parses a formula into a program. Errors name the position.
//!
//! ```text
//! sum     = product { ("+" | "-") product }
//! product = signed { ("*" | "/") signed }
//! signed  = ("+" | "-") signed | power
//! power   = value [ "^" signed ]
//! value   = number | name | function "(" sum ")" | "(" sum ")"
//! ```

use super::{
    formula::NAMES,
    functions::FUNCTIONS,
    program::{Instruction, Program, Room},
};

/// Constants by name.
const CONSTANTS: &[(&str, f64)] = &[("pi", std::f64::consts::PI), ("e", std::f64::consts::E)];

/// Number of characters of a long formula shown before and after the position.
const SHOWN: usize = 40;

/// Maximum nesting depth of brackets, signs and powers.
const DEEPEST: usize = 50;

/// Why a formula cannot be parsed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error(
    "the formula `{formula}` cannot be read at position {position}: {problem}; a formula has the names {}, {}, and the functions {}",
    NAMES.join(", "),
    CONSTANTS.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", "),
    FUNCTIONS.iter().map(|function| function.name).collect::<Vec<_>>().join(", ")
)]
pub(super) struct FormulaError {
    formula: String,
    /// Position in characters, starting at 1.
    position: usize,
    problem: Problem,
}

#[derive(Debug, Clone, PartialEq, thiserror::Error)]
enum Problem {
    #[error("a value is missing where {0}")]
    NoValue(Found),
    #[error("an operator is missing before `{0}`")]
    NoOperator(char),
    #[error("there is no name `{0}`")]
    UnknownName(String),
    #[error("`{0}` needs its argument in brackets")]
    NoArgument(String),
    #[error("the bracket is not closed")]
    NotClosed,
    #[error("the bracket closes none")]
    ClosesNone,
    #[error("`{0}` is no number")]
    NoNumber(String),
    #[error("too many brackets, signs and powers are nested")]
    TooDeep,
}

/// What was found at the position.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
enum Found {
    #[error("`{0}` stands")]
    Character(char),
    #[error("the formula ends")]
    End,
}

/// Returns the program that computes the formula.
pub(super) fn read(formula: &str) -> Result<Program, FormulaError> {
    let mut reader = Reader { characters: formula.chars().collect(), at: 0, depth: 0, program: Program::default() };
    let whole = reader.sum().and_then(|()| match reader.peek() {
        None => Ok(()),
        Some(')') => Err(reader.here(Problem::ClosesNone)),
        Some(c) => Err(reader.here(Problem::NoOperator(c))),
    });
    match whole {
        Ok(()) => Ok(reader.program),
        Err((at, problem)) => Err(FormulaError { formula: around(formula, at), position: at + 1, problem }),
    }
}

/// Returns the text around a position, with dots where text is omitted.
fn around(formula: &str, at: usize) -> String {
    let (first, count) = (at.saturating_sub(SHOWN), formula.chars().count());
    let shown: String = formula.chars().skip(first).take(2 * SHOWN).collect();
    let dots = |left_out| if left_out { "…" } else { "" };
    format!("{}{shown}{}", dots(first > 0), dots(count > first + 2 * SHOWN))
}

/// Position of the error, and the reason.
type Broken = (usize, Problem);

struct Reader {
    characters: Vec<char>,
    at: usize,
    depth: usize,
    program: Program,
}

impl Reader {
    /// Returns the next character that is not white space.
    fn peek(&mut self) -> Option<char> {
        while self.characters.get(self.at).is_some_and(|c| c.is_whitespace()) {
            self.at += 1;
        }
        self.characters.get(self.at).copied()
    }

    fn here(&self, problem: Problem) -> Broken {
        (self.at, problem)
    }

    /// Takes the next character if it is one of these.
    fn take(&mut self, among: &[char]) -> Option<char> {
        let next = self.peek().filter(|c| among.contains(c))?;
        self.at += 1;
        Some(next)
    }

    /// Takes characters as long as `belongs` holds.
    fn word(&mut self, belongs: impl Fn(char) -> bool) -> String {
        let word: String = self.characters[self.at..].iter().copied().take_while(|&c| belongs(c)).collect();
        self.at += word.chars().count();
        word
    }

    /// Adds an instruction. If the stack is too small, the error is at the last token.
    fn push(&mut self, instruction: Instruction) -> Result<(), Broken> {
        self.program.push(instruction).map_err(|Room| (self.at - 1, Problem::TooDeep))
    }

    fn nested(&mut self, read: fn(&mut Self) -> Result<(), Broken>) -> Result<(), Broken> {
        if self.depth == DEEPEST {
            return Err((self.at - 1, Problem::TooDeep));
        }
        self.depth += 1;
        read(self)?;
        self.depth -= 1;
        Ok(())
    }

    fn sum(&mut self) -> Result<(), Broken> {
        self.product()?;
        while let Some(operator) = self.take(&['+', '-']) {
            self.product()?;
            self.push(if operator == '+' { Instruction::Add } else { Instruction::Subtract })?;
        }
        Ok(())
    }

    fn product(&mut self) -> Result<(), Broken> {
        self.signed()?;
        while let Some(operator) = self.take(&['*', '/']) {
            self.signed()?;
            self.push(if operator == '*' { Instruction::Multiply } else { Instruction::Divide })?;
        }
        Ok(())
    }

    fn signed(&mut self) -> Result<(), Broken> {
        let Some(sign) = self.take(&['+', '-']) else { return self.power() };
        self.nested(Self::signed)?;
        if sign == '-' { self.push(Instruction::Negate) } else { Ok(()) }
    }

    fn power(&mut self) -> Result<(), Broken> {
        self.value()?;
        if self.take(&['^']).is_none() {
            return Ok(());
        }
        self.nested(Self::signed)?;
        self.push(Instruction::Power)
    }

    fn value(&mut self) -> Result<(), Broken> {
        match self.peek() {
            Some('(') => self.bracket(),
            Some(c) if c.is_ascii_digit() || c == '.' => self.number(),
            Some(c) if c.is_alphabetic() || c == '_' => self.name(),
            found => Err(self.here(Problem::NoValue(found.map_or(Found::End, Found::Character)))),
        }
    }

    fn bracket(&mut self) -> Result<(), Broken> {
        let opened = self.at;
        self.at += 1;
        self.nested(Self::sum)?;
        match self.peek() {
            Some(')') => self.at += 1,
            Some(c) => return Err(self.here(Problem::NoOperator(c))),
            None => return Err((opened, Problem::NotClosed)),
        }
        Ok(())
    }

    /// Parses digits and points, and an exponent if one follows.
    fn number(&mut self) -> Result<(), Broken> {
        let start = self.at;
        let mut text = self.word(|c| c.is_ascii_digit() || c == '.');
        if self.exponent_follows() {
            text.push('e');
            self.at += 1;
            text.extend(self.take(&['+', '-']));
            text += &self.word(|c| c.is_ascii_digit());
        }
        let value = text.parse::<f64>().ok().filter(|value| value.is_finite());
        let value = value.ok_or((start, Problem::NoNumber(text)))?;
        self.push(Instruction::Number(value))
    }

    fn exponent_follows(&self) -> bool {
        let ahead = |n: usize| self.characters.get(self.at + n).copied();
        let is_digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
        matches!(ahead(0), Some('e' | 'E')) && (is_digit(ahead(1)) || matches!(ahead(1), Some('+' | '-')) && is_digit(ahead(2)))
    }

    fn name(&mut self) -> Result<(), Broken> {
        let start = self.at;
        let name = self.word(|c| c.is_alphanumeric() || c == '_');
        if let Some(function) = FUNCTIONS.iter().find(|function| function.name == name) {
            if self.peek() != Some('(') {
                return Err((start, Problem::NoArgument(name)));
            }
            self.bracket()?;
            return self.push(Instruction::Apply(function));
        }
        if let Some((_, value)) = CONSTANTS.iter().find(|(known, _)| *known == name) {
            return self.push(Instruction::Number(*value));
        }
        let argument = NAMES.iter().position(|known| *known == name).ok_or((start, Problem::UnknownName(name)))?;
        self.push(Instruction::Argument(argument))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn assert_broken(formula: &str, position: usize, problem: &str) {
        let error = read(formula).unwrap_err();
        assert_eq!((error.position, error.problem.to_string().as_str()), (position, problem), "{formula}");
    }

    #[test]
    fn what_breaks_off_is_told_with_its_position() {
        assert_broken("", 1, "a value is missing where the formula ends");
        assert_broken("u1 +", 5, "a value is missing where the formula ends");
        assert_broken("u1 * / u2", 6, "a value is missing where `/` stands");
        assert_broken("2 u1", 3, "an operator is missing before `u`");
        assert_broken("(u1 + 2", 1, "the bracket is not closed");
        assert_broken("3*(u1 + (2 - t)", 3, "the bracket is not closed");
        assert_broken("u1 + 2)", 7, "the bracket closes none");
        assert_broken("(u1 2)", 5, "an operator is missing before `2`");
        assert_broken("ü + u5", 1, "there is no name `ü`");
        assert_broken("u1 + u5", 6, "there is no name `u5`");
        assert_broken("sin u1", 1, "`sin` needs its argument in brackets");
        assert_broken("1.2.3", 1, "`1.2.3` is no number");
        assert_broken("1e999", 1, "`1e999` is no number");
        assert_broken("u1 # 2", 4, "an operator is missing before `#`");
        assert_broken("2e", 2, "an operator is missing before `e`");
    }

    #[test]
    fn what_is_nested_without_end_is_refused() {
        assert_broken(&"(".repeat(100_000), DEEPEST + 1, "too many brackets, signs and powers are nested");
        assert_broken(&"1-(".repeat(100_000), 3 * (DEEPEST + 1), "too many brackets, signs and powers are nested");
        assert!(read(&format!("{}u1{}", "1+2*(".repeat(DEEPEST), ")".repeat(DEEPEST))).is_err(), "too much has to wait");
        assert!(read(&format!("{}u1{}", "(".repeat(DEEPEST), ")".repeat(DEEPEST))).is_ok());
        assert!(read(&vec!["u1"; 5000].join("+")).is_ok());
    }

    #[test]
    fn long_formulas_are_shown_around_the_position() {
        let text = read(&format!("{}u9{}", "u1+".repeat(50), "+u2".repeat(50))).unwrap_err().to_string();
        assert!(text.contains("+u9+") && text.contains("position 151") && text.contains("`…") && text.contains("…`"), "{text}");
        assert!(text.len() < 400, "{text}");
    }

    #[test]
    fn the_message_names_all_that_may_be_used() {
        let text = read("u1 + x").unwrap_err().to_string();
        for name in ["`u1 + x`", "position 6", "`x`", "t, u1, u2, u3, u4", "pi, e", "sqrt"] {
            assert!(text.contains(name), "no {name} in {text}");
        }
    }
}
