//! The rules for descriptions that all versions share. The crate of a version lists them among its own.

use crate::problem::Severity::{self, Error, Note, Warning};

/// A rule; [`Problem::rule`](crate::Problem::rule) holds its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rule {
    /// Name of the rule, stable across versions.
    pub name: &'static str,
    /// Worst severity of breaking the rule.
    pub worst: Severity,
    /// What the rule demands, in half a line.
    pub demands: &'static str,
}

impl Rule {
    /// Creates a rule.
    #[must_use]
    pub const fn new(name: &'static str, worst: Severity, demands: &'static str) -> Self {
        Self { name, worst, demands }
    }
}

macro_rules! rules {
    ($($constant:ident = $name:literal $worst:ident $demands:literal;)*) => {$(
        #[doc = concat!("`", $name, "`: ", $demands, ".")]
        pub const $constant: Rule = Rule::new($name, $worst, $demands);
    )*};
}

rules! {
    TOO_LARGE = "too-large" Error "the file has at most 256 MiB";
    INVALID_BYTES = "invalid-bytes" Error "the bytes are valid in that encoding";
    INVALID_CHARACTER = "invalid-character" Error "there are no control characters";
    NOT_WELL_FORMED = "not-well-formed" Error "the XML is well-formed";
    DOCTYPE = "doctype" Error "there is no DOCTYPE";
    ENTITY = "entity" Error "there are no entities except the five predefined ones of XML";
    TOO_DEEP = "too-deep" Error "elements are nested at most 64 deep";
    TOO_MANY_NAMESPACES = "too-many-namespaces" Error "at most 64 prefixes are declared at a time";
    NAMESPACE = "namespace" Warning "elements have no namespace";
    ROOT = "root" Error "the root element is fmiModelDescription";
    UNKNOWN_ELEMENT = "unknown-element" Warning "all elements are defined by the standard";
    UNKNOWN_ATTRIBUTE = "unknown-attribute" Warning "all attributes are defined by the standard";
    MISSING_ELEMENT = "missing-element" Error "ModelVariables and ModelStructure are present";
    DUPLICATE_ELEMENT = "duplicate-element" Error "no part of the root occurs twice";
    REPEATED_ELEMENT = "repeated-element" Warning "no list inside a part occurs twice";
    ELEMENT_ORDER = "element-order" Warning "elements are in the order of the standard";
    EMPTY_LIST = "empty-list" Warning "empty lists are omitted";
    TEXT = "text" Warning "there is no text between elements";
    MISSING_ATTRIBUTE = "missing-attribute" Error "required attributes are present";
    MALFORMED_VALUE = "malformed-value" Error
        "values have the form of their type: finite decimal numbers, true or false, the names of the standard";
    VALUE = "value" Error "values can be written to XML (descriptions made in memory)";
    MORE = "more" Error "at most 10000 problems are listed";
    MISSING_MODEL_NAME = "missing-model-name" Warning "modelName is present and not empty";
    GENERATION_DATE = "generation-date" Warning "generationDateAndTime has the form YYYY-MM-DDThh:mm:ssZ";
    MODEL_IDENTIFIER = "model-identifier" Warning "modelIdentifier is a C identifier";
    NEEDS_EXECUTION_TOOL = "needs-execution-tool" Note "the FMU runs without the tool that exported it";
    ONCE_PER_PROCESS = "once-per-process" Note "more than one instance can live in a process";
    DUPLICATE_UNIT = "duplicate-unit" Warning "unit names are unique, and so are the display units of each unit";
    UNIT_FACTOR = "unit-factor" Warning "no factor of a unit is 0";
    DUPLICATE_TYPE = "duplicate-type" Warning "type names are unique";
    ENUMERATION_ITEMS = "enumeration-items" Warning "an enumeration has items with unique names and values";
    DUPLICATE_LOG_CATEGORY = "duplicate-log-category" Warning "log category names are unique";
    NO_LOG_CATEGORIES = "no-log-categories" Note "log categories are listed";
    NO_DEFAULT_EXPERIMENT = "no-default-experiment" Note "there is a default experiment";
    DEFAULT_EXPERIMENT = "default-experiment" Warning "start < stop, 0 < stepSize < stop - start, tolerance > 0";
    ANNOTATION = "annotation" Error "an annotation is well-formed XML (descriptions made in memory)";
    NO_VARIABLES = "no-variables" Warning "there is at least one variable";
    MISSING_NAME = "missing-name" Error "variables have names";
    DUPLICATE_NAME = "duplicate-name" Error "variable names are unique";
    NAME_CHARACTER = "name-character" Warning "names have no tab and no line break";
    NAME_OF_TYPE = "name-of-type" Warning "no variable has the name of a type";
    STRUCTURED_NAME = "structured-name" Warning "names are structured if variableNamingConvention requires it";
    INITIAL = "initial" Warning "causality and variability allow the value of initial";
    FORBIDDEN_START = "forbidden-start" Warning "calculated and independent variables have no start value";
    DECLARED_TYPE = "declared-type" Warning
        "a declared type is defined and matches the type of the variable; enumerations have one";
    ENUMERATION_START = "enumeration-start" Warning "an enumeration starts with one of its items";
    UNIT = "unit" Warning "units are defined, including the empty one";
    DISPLAY_UNIT = "display-unit" Warning "a display unit has a unit that defines it";
    RANGE = "range" Warning "min <= start <= max";
    RANGE_OF_TYPE = "range-of-type" Warning "min and max of a variable lie between those of its type";
    NOMINAL = "nominal" Warning "nominal values are positive";
}
