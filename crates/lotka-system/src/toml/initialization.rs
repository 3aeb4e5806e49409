//! `[initialization]`

use toml::{Spanned, de::DeValue};

use super::{
    Section,
    form::Form,
    keys::{Key, Keys},
    section::kind,
};
use crate::{Located, SolvedStart};
use lotka_message::{Code, Findings};

const FORM: &str = "write { unknown = \"instance.variable\", residual = \"instance.variable\" }";

pub(super) const TABLE: Keys = &[&KEYS];

static KEYS: [Key; 2] = [
    Key::new(
        "solve",
        Form::List(&Form::Table(PAIR), 0),
        "Unknown start values, each with a value that determines it together with the others.",
    ),
    Key::new(
        "loop-tolerance",
        Form::Number,
        "Largest residual of an algebraic loop at the start, relative to the size of its terms; between 0 and 1.",
    )
    .or_else("1e-9, or 20 times the measured noise"),
];

const PAIR: Keys = &[&PAIR_KEYS];

static PAIR_KEYS: [Key; 3] = [
    Key::new("unknown", Form::Text, "`instance.variable` of a Real start value; its given value is the first guess.").required(),
    Key::new("residual", Form::Text, "`instance.variable` of a Real output, or of a connected Real input.").required(),
    Key::new("target", Form::Number, "Value of the residual after initialization.").or("0"),
];

/// The pairs of `solve`, in file order, and the tolerance of loops.
pub(super) fn read(section: Section<'_>, findings: &mut Findings) -> (Vec<SolvedStart>, Option<Located<f64>>) {
    let pairs = match section.get("solve") {
        None => Vec::new(),
        Some(value) => match value.get_ref() {
            DeValue::Array(list) => list.iter().filter_map(|entry| pair(entry, findings)).collect(),
            other => {
                let message = format!("expected a list for `solve`, found {}", kind(other));
                findings.error(Code::WrongType, &Some(value.span()), message, format!("{FORM} in it"));
                Vec::new()
            }
        },
    };
    let loop_tolerance = section.number("loop-tolerance", findings);
    section.finish(findings);
    (pairs, loop_tolerance)
}

fn pair(entry: &Spanned<DeValue<'_>>, findings: &mut Findings) -> Option<SolvedStart> {
    let DeValue::Table(table) = entry.get_ref() else {
        let message = format!("expected an unknown and a residual in `solve`, found {}", kind(entry.get_ref()));
        findings.error(Code::WrongType, &Some(entry.span()), message, FORM.to_owned());
        return None;
    };
    let section = Section::new("solve", PAIR, table, entry.span());
    let (unknown, residual) = (section.text("unknown", findings), section.text("residual", findings));
    let target = section.number("target", findings).map_or(0.0, |target| target.value);
    section.finish(findings);
    for key in ["unknown", "residual"].into_iter().filter(|key| !table.contains_key(*key)) {
        let message = format!("an entry of `solve` has no `{key}`; each entry needs an unknown and a residual");
        findings.error(Code::MissingKey, &Some(entry.span()), message, FORM.to_owned());
    }
    Some(SolvedStart { unknown: unknown?, residual: residual?, target })
}
