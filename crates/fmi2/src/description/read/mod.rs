//! The reader of `modelDescription.xml`. Start reading at [`ModelDescription::read`].
//!
//! The crate `fmi-xml` turns bytes into elements; the modules here turn elements into the description, in the order of the
//! standard.

mod annotations;
mod definitions;
mod interface;
mod repair;
mod root;
mod structure;
mod variables;

use fmi_xml::{Cursor, Description, Element, Findings, Format, Parsed, Places};

use super::check::Check;
use super::{ModelDescription, Problem, Problems, Strictness};

/// The result of a successful read.
pub type Reading = fmi_xml::Reading<ModelDescription>;

impl Description for ModelDescription {
    const FORMAT: Format = Format { name: "FMI 2.0", is_utf8_only: false };
    const PARTS: &[&[&str]] = &root::ORDER;

    fn refuse_other_versions(&self, offset: usize, cursor: &mut Cursor<'_>) -> Parsed<()> {
        root::refuse_other_versions(&self.fmi_version, offset, cursor)
    }

    fn read_part<'x>(&mut self, part: &mut Element<'x>, cursor: &mut Cursor<'x>, places: &mut Places) -> Parsed<()> {
        root::read_part(self, part, cursor, places)
    }

    fn findings(&self) -> Findings {
        Check::rules(self)
    }

    fn advice(&self) -> Findings {
        Check::advice(self)
    }

    fn repair(&mut self) {
        repair::repair(self);
    }
}

impl ModelDescription {
    /// Reads a `modelDescription.xml` in UTF-8, UTF-16 or ISO-8859-1, without DTD and entities, at most 256 MiB and 64 elements
    /// deep.
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
        Self::read_file(xml, strictness)
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
        Self::examine_file(xml)
    }
}
