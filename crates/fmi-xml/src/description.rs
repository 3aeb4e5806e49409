//! Reading a description of any version, with all its problems.

use crate::collector::Collector;
use crate::cursor::{Cursor, Parsed};
use crate::decode::decode;
use crate::element::Element;
use crate::finding::Findings;
use crate::format::Format;
use crate::parts::Parts;
use crate::place::Places;
use crate::problem::{Problem, Problems, Reading, Severity, Strictness};
use crate::schema::Attributes;

/// The content of a `modelDescription.xml` of a version of FMI.
pub trait Description: Default + Attributes {
    /// The format of the file.
    const FORMAT: Format;
    /// The names of the children of the root element, in the order of the standard; names that may be in either order are one
    /// entry.
    const PARTS: &'static [&'static [&'static str]];

    /// Stops at a root element, at `offset`, of another version of FMI; its attributes have been read.
    ///
    /// # Errors
    /// The version is another one.
    fn refuse_other_versions(&self, offset: usize, cursor: &mut Cursor<'_>) -> Parsed<()>;

    /// Reads a child of the root element, whose attributes are not yet read.
    ///
    /// # Errors
    /// The rest of the text cannot be read.
    fn read_part<'x>(&mut self, part: &mut Element<'x>, cursor: &mut Cursor<'x>, places: &mut Places) -> Parsed<()>;

    /// Returns the broken rules.
    fn findings(&self) -> Findings;

    /// Returns the notes: findings that break no rule.
    fn advice(&self) -> Findings;

    /// Removes the values that a lenient read leaves out. The findings have already reported all of them.
    fn repair(&mut self);

    /// Reads a file.
    ///
    /// # Errors
    /// Returns all problems with line and column, warnings included, if one of them makes the description unusable. A strict read
    /// returns them if there are any.
    fn read_file(xml: &[u8], strictness: Strictness) -> Result<Reading<Self>, Problems> {
        let (text, description, problems) = read_bytes::<Self>(xml);
        match (description, problems.without_notes().finish(&text, strictness)) {
            (Some((mut description, _)), (warnings, false)) => {
                description.repair();
                Ok(Reading { description, warnings })
            }
            (_, (problems, _)) => Err(Problems(problems)),
        }
    }

    /// Returns all findings about a file in file order: the problems that a lenient read reports, plus notes.
    #[must_use]
    fn examine_file(xml: &[u8]) -> Vec<Problem> {
        let (text, description, mut problems) = read_bytes::<Self>(xml);
        if let Some((description, places)) = description {
            for finding in description.advice().0 {
                problems.add(places.offset(finding.place), finding.problem);
            }
        }
        problems.finish(&text, Strictness::Lenient).0
    }
}

/// Reads bytes. Returns the text, the description with its places (`None` if the text is unusable), and the problems.
fn read_bytes<D: Description>(xml: &[u8]) -> (String, Option<(D, Places)>, Collector) {
    let mut problems = Collector::new(D::FORMAT);
    let text = decode(xml, &mut problems);
    if problems.failed() {
        return (text, None, problems);
    }
    let (description, problems) = read_text(&text, problems);
    (text, description, problems)
}

/// Reads a text. Returns the description with its places (`None` if the text is unusable), and the problems.
fn read_text<D: Description>(text: &str, problems: Collector) -> (Option<(D, Places)>, Collector) {
    let mut cursor = Cursor::new(text, problems);
    let (mut description, mut places) = (D::default(), Places::default());
    let parsed = read_document(&mut description, &mut cursor, &mut places);
    let mut problems = cursor.problems;
    if parsed.is_err() {
        return (None, problems);
    }
    let errors = problems.errors();
    for finding in description.findings().0 {
        // A warning about a variable that was only partly read is a consequence of the error.
        if finding.problem.severity == Severity::Warning && places.has_one_of(finding.place, &errors) {
            continue;
        }
        problems.add(places.offset(finding.place), finding.problem);
    }
    (Some((description, places)), problems)
}

fn read_document<'x, D: Description>(description: &mut D, cursor: &mut Cursor<'x>, places: &mut Places) -> Parsed<()> {
    let Some(mut root) = cursor.child()? else { return Ok(()) };
    if root.name != "fmiModelDescription" {
        let message = format!("the root element is <{}>", root.name);
        return cursor.stop(root.offset, "root", message, "use <fmiModelDescription>");
    }
    places.root = root.offset;
    root.fill_part(description, &mut cursor.problems);
    description.refuse_other_versions(root.offset, cursor)?;
    root.finish(&mut cursor.problems);
    let mut parts = Parts::new(D::PARTS);
    while let Some(mut part) = cursor.child()? {
        if parts.is_expected(&part, cursor) {
            description.read_part(&mut part, cursor, places)?;
        } else {
            cursor.skip()?;
        }
    }
    parts.report_missing(root.offset, cursor);
    cursor.rest()
}
