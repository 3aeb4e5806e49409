//! The reader of `modelDescription.xml`. Start reading at [`ModelDescription::read`].
//!
//! Bytes become text ([`decode`]), text becomes elements ([`cursor`], [`element`]), elements become the description
//! (the other modules, which follow the order of the standard). Problems are collected with byte offsets
//! ([`problems`]); the rules themselves are in `check`, which tells what a finding is about, and [`places`] knows where that is.

mod annotations;
mod cursor;
mod decode;
mod definitions;
mod element;
mod interface;
mod places;
mod problems;
mod repair;
mod root;
mod structure;
mod variables;

pub(super) use cursor::is_content;
pub(super) use element::Source;

use self::cursor::Cursor;
use self::places::Places;
use self::problems::Collector;
use self::root::Document;
use super::{ModelDescription, Problem, Problems, Reading, Severity, Strictness};

impl ModelDescription {
    /// Reads a `modelDescription.xml`: UTF-8, UTF-16 or ISO-8859-1, without DTD and entities, at most 256 MiB and
    /// 64 elements deep.
    ///
    /// Leniently, broken rules that do not matter to a run are warnings; values that make no sense (a default experiment
    /// that ends before it starts, a dependency on a variable that does not exist, a malformed `min`) are left out, with a
    /// warning. A malformed value that matters, like a start value, is always an error.
    ///
    /// # Errors
    /// All problems with line and column, warnings among them, when one of them makes the description unusable or,
    /// strictly, when there are any. A text that is not well-formed is read up to that point.
    ///
    /// ```
    /// use fmi2::{ModelDescription, Strictness};
    ///
    /// let xml = r#"<fmiModelDescription fmiVersion="2.0" modelName="Clock" guid="{1}">
    ///   <CoSimulation modelIdentifier="Clock"/>
    ///   <ModelVariables>
    ///     <ScalarVariable name="rate" valueReference="0" causality="parameter" variability="fixed">
    ///       <Real start="1.0"/>
    ///     </ScalarVariable>
    ///   </ModelVariables>
    ///   <ModelStructure/>
    /// </fmiModelDescription>"#;
    /// let reading = ModelDescription::read(xml.as_bytes(), Strictness::Strict)?;
    /// assert_eq!(reading.description.variables[0].name, "rate");
    ///
    /// let problems = ModelDescription::read(xml.replace("1.0\"", "1,0\"").as_bytes(), Strictness::Lenient).unwrap_err();
    /// assert!(problems.to_string().starts_with("5:13: start=\"1,0\" of <Real>: expected a finite decimal number"));
    /// # Ok::<(), fmi2::Problems>(())
    /// ```
    pub fn read(xml: &[u8], strictness: Strictness) -> Result<Reading, Problems> {
        let (text, description, problems) = read_bytes(xml);
        match (description, problems.without_notes().finish(&text, strictness)) {
            (Some((mut description, _)), (warnings, false)) => {
                repair::repair(&mut description);
                Ok(Reading { description, warnings })
            }
            (_, (problems, _)) => Err(Problems(problems)),
        }
    }

    /// Everything that can be said about a `modelDescription.xml`, in the order of the file: what a lenient [`ModelDescription::read`]
    /// would report, and notes on what breaks no rule.
    ///
    /// ```
    /// use fmi2::{ModelDescription, Severity};
    ///
    /// let found = ModelDescription::examine(b"<fmiModelDescription fmiVersion='1.0'/>");
    /// assert_eq!((found[0].severity, found[0].rule, found[0].line), (Severity::Error, "fmi-version", 1));
    /// ```
    #[must_use]
    pub fn examine(xml: &[u8]) -> Vec<Problem> {
        let (text, description, mut problems) = read_bytes(xml);
        if let Some((description, places)) = description {
            for finding in description.advice() {
                problems.add(places.offset(finding.place), Problem::from(finding));
            }
        }
        problems.finish(&text, Strictness::Lenient).0
    }
}

/// The text, the description with its places, unless the text is none at all, and everything that is wrong with it.
fn read_bytes(xml: &[u8]) -> (String, Option<(ModelDescription, Places)>, Collector) {
    let mut problems = Collector::default();
    let text = decode::decode(xml, &mut problems);
    if problems.failed() {
        return (text, None, problems);
    }
    let (description, problems) = read_text(&text, problems);
    (text, description, problems)
}

/// The description, unless the text is none at all, and everything that is wrong with it.
fn read_text(text: &str, problems: Collector) -> (Option<(ModelDescription, Places)>, Collector) {
    let mut cursor = Cursor::new(text, problems);
    let mut document = Document::default();
    let parsed = document.read(&mut cursor);
    let mut problems = cursor.problems;
    if parsed.is_err() {
        return (None, problems);
    }
    let errors = problems.errors();
    for finding in document.description.findings() {
        // What is wrong with half a variable is the fault of the error.
        if finding.severity == Severity::Warning && document.places.has_one_of(finding.place, &errors) {
            continue;
        }
        problems.add(document.places.offset(finding.place), Problem::from(finding));
    }
    (Some((document.description, document.places)), problems)
}
