//! The rules for descriptions, as listed in `docs/checks.md`.

use super::Severity::{self, Error, Note, Warning};

/// A rule; [`Problem::rule`](super::Problem::rule) holds its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rule {
    /// Name of the rule, stable across versions.
    pub name: &'static str,
    /// Worst severity of breaking the rule.
    pub worst: Severity,
    /// What the rule demands, in half a line.
    pub demands: &'static str,
}

const fn rule(name: &'static str, worst: Severity, demands: &'static str) -> Rule {
    Rule { name, worst, demands }
}

/// All rules of `modelDescription.xml`, in the order of the standard: text, XML, root, interfaces, definitions, variables, structure.
pub const RULES: &[Rule] = &[
    rule("too-large", Error, "the file has at most 256 MiB"),
    rule("encoding", Error, "the declared encoding is UTF-8 (Lotka also reads UTF-16 and ISO-8859-1) and matches the file"),
    rule("invalid-bytes", Error, "the bytes are valid in that encoding"),
    rule("invalid-character", Error, "there are no control characters"),
    rule("not-well-formed", Error, "the XML is well-formed"),
    rule("doctype", Error, "there is no DOCTYPE"),
    rule("entity", Error, "there are no entities except the five predefined ones of XML"),
    rule("too-deep", Error, "elements are nested at most 64 deep"),
    rule("too-many-namespaces", Error, "at most 64 prefixes are declared at a time"),
    rule("namespace", Warning, "elements have no namespace"),
    rule("root", Error, "the root element is fmiModelDescription"),
    rule("unknown-element", Warning, "all elements are defined by the standard"),
    rule("unknown-attribute", Warning, "all attributes are defined by the standard"),
    rule("missing-element", Error, "ModelVariables and ModelStructure are present"),
    rule("duplicate-element", Error, "no part of the root occurs twice"),
    rule("repeated-element", Warning, "no list inside a part occurs twice"),
    rule("element-order", Warning, "elements are in the order of the standard"),
    rule("empty-list", Warning, "empty lists are omitted"),
    rule("text", Warning, "there is no text between elements"),
    rule("missing-attribute", Error, "required attributes are present"),
    rule(
        "malformed-value",
        Error,
        "values have the form of their type: finite decimal numbers, true or false, the names of the standard",
    ),
    rule("value", Error, "values can be written to XML (descriptions made in memory)"),
    rule("more", Error, "at most 10000 problems are listed"),
    rule("fmi-version", Error, "fmiVersion is \"2.0\""),
    rule("missing-guid", Error, "guid is present and not empty"),
    rule("missing-model-name", Warning, "modelName is present and not empty"),
    rule("generation-date", Warning, "generationDateAndTime has the form YYYY-MM-DDThh:mm:ssZ"),
    rule("no-interface", Error, "CoSimulation or ModelExchange is present"),
    rule("model-identifier", Warning, "modelIdentifier is a C identifier"),
    rule("serialize-without-state", Warning, "canSerializeFMUstate requires canGetAndSetFMUstate"),
    rule("duplicate-source-file", Warning, "no source file is listed twice"),
    rule("model-exchange-attribute", Warning, "attributes of model exchange occur only where they apply"),
    rule("needs-execution-tool", Note, "the FMU runs without the tool that exported it"),
    rule("once-per-process", Note, "more than one instance can live in a process"),
    rule("duplicate-unit", Warning, "unit names are unique, and so are the display units of each unit"),
    rule("unit-factor", Warning, "no factor of a unit is 0"),
    rule("duplicate-type", Warning, "type names are unique"),
    rule("type-kind", Warning, "a type is exactly one of Real, Integer, Boolean, String and Enumeration"),
    rule("enumeration-items", Warning, "an enumeration has items with unique names and values"),
    rule("duplicate-log-category", Warning, "log category names are unique"),
    rule("no-log-categories", Note, "log categories are listed"),
    rule("no-default-experiment", Note, "there is a default experiment"),
    rule("default-experiment", Warning, "start < stop, 0 < stepSize < stop - start, tolerance > 0"),
    rule("duplicate-tool", Warning, "annotations in one place belong to different tools"),
    rule("annotation", Error, "an annotation is well-formed XML (descriptions made in memory)"),
    rule("annotation-content", Note, "an annotation has at most one element, and no text beside it"),
    rule("no-variables", Warning, "there is at least one variable"),
    rule("missing-name", Error, "variables have names"),
    rule("duplicate-name", Error, "variable names are unique"),
    rule("name-character", Warning, "names have no tab and no line break"),
    rule("name-of-type", Warning, "no variable has the name of a type"),
    rule("structured-name", Warning, "names are structured if variableNamingConvention requires it"),
    rule("variable-kind", Error, "a variable is exactly one of Real, Integer, Boolean, String and Enumeration"),
    rule(
        "variability",
        Warning,
        "the combination of causality and variability is valid; only Real variables are continuous (the default)",
    ),
    rule("initial", Warning, "causality and variability allow the value of initial"),
    rule("independent", Warning, "there is at most one independent variable, and it is Real"),
    rule("missing-start", Warning, "inputs, parameters, constants and variables with initial exact or approx have a start value"),
    rule("forbidden-start", Warning, "calculated and independent variables have no start value"),
    rule("declared-type", Warning, "a declared type is defined and matches the type of the variable; enumerations have one"),
    rule("enumeration-start", Warning, "an enumeration starts with one of its items"),
    rule("unit", Warning, "units are defined, including the empty one"),
    rule("display-unit", Warning, "a display unit has a unit that defines it"),
    rule("range", Warning, "min <= start <= max"),
    rule("range-of-type", Warning, "min and max of a variable lie between those of its type"),
    rule("nominal", Warning, "nominal values are positive"),
    rule("derivative", Warning, "a derivative refers to another, continuous Real variable"),
    rule(
        "alias",
        Warning,
        "of variables that share a value reference, at most one can be set and one has a start value; units are equal, and so \
         are constants",
    ),
    rule("index", Warning, "indices are those of variables, counted from 1"),
    rule("outputs", Warning, "Outputs lists exactly the outputs, each once"),
    rule("derivatives", Warning, "Derivatives lists derivatives; in co-simulation only with directional derivatives"),
    rule(
        "initial-unknowns",
        Warning,
        "InitialUnknowns lists exactly what is unknown in initialization mode, each once, in ascending order",
    ),
    rule("dependencies", Warning, "dependencies are indices of variables in ascending order"),
    rule(
        "dependencies-kind",
        Warning,
        "dependenciesKind has one kind for each dependency; dependent or constant in InitialUnknowns",
    ),
];
