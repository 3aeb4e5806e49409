//! The reader of `modelDescription.xml`. Start reading at [`ModelDescription::read`].
//!
//! Bytes become text ([`decode`]), text becomes elements ([`cursor`], [`element`]), and elements become the description
//! (the other modules, which follow the order of the standard). Problems are collected with byte offsets ([`problems`]).
//! The rules themselves are in `check`, which names the part of the description; [`places`] maps that part to an offset.

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
    /// Reads a `modelDescription.xml` in UTF-8, UTF-16 or ISO-8859-1, without DTD and entities, at most 256 MiB and 64 elements deep.
    ///
    /// A lenient read reports broken rules that do not affect a run as warnings, and leaves out invalid values. Examples are a
    /// default experiment that ends before it starts, a dependency on a variable that does not exist, and a malformed `min`.
    /// A malformed value that affects a run, such as a start value, is always an error.
    ///
    /// # Errors
    /// Returns all problems with line and column, warnings included, if one of them makes the description unusable. A strict
    /// read returns them if there are any. If the text is not well-formed, it is read up to that point.
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

    /// Returns all findings about a `modelDescription.xml` in file order: the problems that a lenient [`ModelDescription::read`]
    /// reports, plus notes, which break no rule.
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

/// Reads bytes. Returns the text, the description with its places (`None` if the text is unusable), and the problems.
fn read_bytes(xml: &[u8]) -> (String, Option<(ModelDescription, Places)>, Collector) {
    let mut problems = Collector::default();
    let text = decode::decode(xml, &mut problems);
    if problems.failed() {
        return (text, None, problems);
    }
    let (description, problems) = read_text(&text, problems);
    (text, description, problems)
}

/// Reads a text. Returns the description with its places (`None` if the text is unusable), and the problems.
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
        // A warning about a variable that was only partly read is a consequence of the error.
        if finding.severity == Severity::Warning && document.places.has_one_of(finding.place, &errors) {
            continue;
        }
        problems.add(document.places.offset(finding.place), Problem::from(finding));
    }
    (Some((document.description, document.places)), problems)
}
