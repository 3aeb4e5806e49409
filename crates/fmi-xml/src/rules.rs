//! The rules for descriptions, as listed in `docs/checks.md`: one table, whose first column is the version that has the rule.

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

/// Which versions have a rule.
#[derive(Clone, Copy)]
enum Versions {
    All,
    Fmi2,
    Fmi3,
}

macro_rules! rules {
    (@versions all) => { Versions::All };
    (@versions fmi2) => { Versions::Fmi2 };
    (@versions fmi3) => { Versions::Fmi3 };
    ($($versions:ident $name:literal $worst:ident $demands:literal;)*) => {
        &[$((rules!(@versions $versions), Rule::new($name, $worst, $demands))),*]
    };
}

/// All rules of `modelDescription.xml`, in the order of the standards: text, XML, root, interfaces, definitions, variables,
/// structure.
const RULES: &[(Versions, Rule)] = rules! {
    all  "too-large" Error "the file has at most 256 MiB";
    fmi2 "encoding" Error "the declared encoding is UTF-8 (Lotka also reads UTF-16 and ISO-8859-1) and matches the file";
    fmi3 "encoding" Error "the file is UTF-8 and declares no other encoding";
    all  "invalid-bytes" Error "the bytes are valid in that encoding";
    all  "invalid-character" Error "there are no control characters";
    all  "not-well-formed" Error "the XML is well-formed";
    all  "doctype" Error "there is no DOCTYPE";
    all  "entity" Error "there are no entities except the five predefined ones of XML";
    all  "too-deep" Error "elements are nested at most 64 deep";
    all  "too-many-namespaces" Error "at most 64 prefixes are declared at a time";
    all  "namespace" Warning "elements have no namespace";
    all  "root" Error "the root element is fmiModelDescription";
    all  "unknown-element" Warning "all elements are defined by the standard";
    fmi2 "unknown-attribute" Warning "all attributes are defined by the standard";
    fmi3 "unknown-attribute" Warning
        "all attributes are defined by the standard; a note for interfaces, which other standards may extend";
    all  "missing-element" Error "ModelVariables and ModelStructure are present";
    all  "duplicate-element" Error "no part of the root occurs twice";
    all  "repeated-element" Warning "no list inside a part occurs twice";
    all  "element-order" Warning "elements are in the order of the standard";
    all  "empty-list" Warning "empty lists are omitted";
    all  "text" Warning "there is no text between elements";
    all  "missing-attribute" Error "required attributes are present";
    all  "malformed-value" Error
        "values have the form of their type: finite decimal numbers, true or false, the names of the standard";
    all  "value" Error "values can be written to XML (descriptions made in memory)";
    all  "more" Error "at most 10000 problems are listed";
    fmi2 "fmi-version" Error "fmiVersion is \"2.0\"";
    fmi3 "fmi-version" Error "fmiVersion is \"3.0\" or \"3.0.x\"; a note if it is a development version";
    fmi2 "missing-guid" Error "guid is present and not empty";
    fmi3 "missing-token" Warning "instantiationToken is present and not empty";
    all  "missing-model-name" Warning "modelName is present and not empty";
    fmi2 "generation-date" Warning "generationDateAndTime has the form YYYY-MM-DDThh:mm:ssZ";
    fmi3 "generation-date" Warning
        "generationDateAndTime has the form YYYY-MM-DDThh:mm:ss, with fractions and a time zone if needed";
    fmi2 "no-interface" Error "CoSimulation or ModelExchange is present";
    fmi3 "no-interface" Error "CoSimulation, ModelExchange or ScheduledExecution is present";
    all  "model-identifier" Warning "modelIdentifier is a C identifier";
    fmi2 "serialize-without-state" Warning "canSerializeFMUstate requires canGetAndSetFMUstate";
    fmi3 "serialize-without-state" Warning "canSerializeFMUState requires canGetAndSetFMUState";
    fmi2 "duplicate-source-file" Warning "no source file is listed twice";
    fmi2 "model-exchange-attribute" Warning "attributes of model exchange occur only where they apply";
    fmi3 "early-return" Warning "canReturnEarlyAfterIntermediateUpdate requires providesIntermediateUpdate";
    fmi3 "internal-step" Warning "fixedInternalStepSize is positive";
    fmi3 "event-mode" Warning "co-simulation with clocks has hasEventMode";
    all  "needs-execution-tool" Note "the FMU runs without the tool that exported it";
    all  "once-per-process" Note "more than one instance can live in a process";
    all  "duplicate-unit" Warning "unit names are unique, and so are the display units of each unit";
    all  "unit-factor" Warning "no factor of a unit is 0";
    fmi3 "inverse-unit" Warning "an inverse display unit has no offset";
    all  "duplicate-type" Warning "type names are unique";
    fmi2 "type-kind" Warning "a type is exactly one of Real, Integer, Boolean, String and Enumeration";
    all  "enumeration-items" Warning "an enumeration has items with unique names and values";
    all  "duplicate-log-category" Warning "log category names are unique";
    all  "no-log-categories" Note "log categories are listed";
    all  "no-default-experiment" Note "there is a default experiment";
    all  "default-experiment" Warning "start < stop, 0 < stepSize < stop - start, tolerance > 0";
    fmi2 "duplicate-tool" Warning "annotations in one place belong to different tools";
    fmi3 "duplicate-annotation" Note "annotations in one place have different types";
    all  "annotation" Error "an annotation is well-formed XML (descriptions made in memory)";
    fmi2 "annotation-content" Note "an annotation has at most one element, and no text beside it";
    all  "no-variables" Warning "there is at least one variable";
    all  "missing-name" Error "variables have names";
    fmi2 "duplicate-name" Error "variable names are unique";
    fmi3 "duplicate-name" Error "names of variables and aliases are unique";
    all  "name-character" Warning "names have no tab and no line break";
    all  "name-of-type" Warning "no variable has the name of a type";
    all  "structured-name" Warning "names are structured if variableNamingConvention requires it";
    fmi2 "variable-kind" Error "a variable is exactly one of Real, Integer, Boolean, String and Enumeration";
    fmi3 "value-reference" Error "value references are unique";
    fmi2 "variability" Warning
        "the combination of causality and variability is valid; only Real variables are continuous (the default)";
    fmi3 "variability" Warning
        "the combination of causality and variability is valid; only floating-point numbers are continuous";
    all  "initial" Warning "causality and variability allow the value of initial";
    fmi2 "independent" Warning "there is at most one independent variable, and it is Real";
    fmi3 "independent" Warning "exactly one variable is independent, and it is a floating-point number";
    fmi2 "missing-start" Warning "inputs, parameters, constants and variables with initial exact or approx have a start value";
    fmi3 "missing-start" Warning
        "inputs, parameters, constants and variables with initial exact or approx have a start value, except clocks";
    all  "forbidden-start" Warning "calculated and independent variables have no start value";
    fmi3 "start-count" Error "a scalar has one start value, an array one or as many as it has elements";
    fmi3 "dimension" Error "a dimension has a fixed size above 0, or that of a structural parameter or constant of type UInt64";
    fmi3 "structural-parameter" Warning "structural parameters are scalars";
    all  "declared-type" Warning "a declared type is defined and matches the type of the variable; enumerations have one";
    all  "enumeration-start" Warning "an enumeration starts with one of its items";
    all  "unit" Warning "units are defined, including the empty one";
    all  "display-unit" Warning "a display unit has a unit that defines it";
    all  "range" Warning "min <= start <= max";
    all  "range-of-type" Warning "min and max of a variable lie between those of its type";
    all  "nominal" Warning "nominal values are positive";
    fmi3 "max-size" Warning "start values of Binary variables have at most maxSize bytes";
    fmi2 "derivative" Warning "a derivative refers to another, continuous Real variable";
    fmi3 "derivative" Warning "a derivative refers to another, continuous floating-point number of the same shape";
    fmi2 "alias" Warning
        "of variables that share a value reference, at most one can be set and one has a start value; units are equal, and so \
         are constants";
    fmi2 "index" Warning "indices are those of variables, counted from 1";
    fmi3 "previous" Warning
        "previous belongs to clocked, discrete variables and refers to another discrete variable of the same type, each only \
         once";
    fmi3 "clocked-variable" Warning "clocks lists clocks, and belongs to discrete and tunable variables";
    fmi3 "clock" Warning "the attributes of a clock suit its causality and its intervalVariability";
    fmi3 "intermediate-update" Warning
        "intermediateUpdate belongs to continuous variables of FMUs with providesIntermediateUpdate";
    fmi3 "misplaced-attribute" Warning "reinit belongs to continuous states, canHandleMultipleSetPerTimeInstant to inputs";
    fmi3 "reference" Warning "value references in ModelStructure are those of variables";
    fmi2 "outputs" Warning "Outputs lists exactly the outputs, each once";
    fmi3 "outputs" Warning "Output elements list exactly the outputs, each once";
    fmi2 "derivatives" Warning "Derivatives lists derivatives; in co-simulation only with directional derivatives";
    fmi3 "derivatives" Warning "ContinuousStateDerivative elements list derivatives, each once";
    fmi3 "clocked-states" Warning "ClockedState elements list exactly the variables with previous, each once";
    fmi2 "initial-unknowns" Warning
        "InitialUnknowns lists exactly what is unknown in initialization mode, each once, in ascending order";
    fmi3 "initial-unknowns" Warning
        "InitialUnknown elements list exactly what is unknown in initialization mode, each once; clocked variables may be listed";
    fmi3 "event-indicators" Warning "EventIndicator elements list continuous floating-point numbers";
    fmi2 "dependencies" Warning "dependencies are indices of variables in ascending order";
    fmi3 "dependencies" Warning "dependencies are value references of variables, each once";
    fmi2 "dependencies-kind" Warning
        "dependenciesKind has one kind for each dependency; dependent or constant in InitialUnknowns";
    fmi3 "dependencies-kind" Warning
        "dependenciesKind has one kind for each dependency: dependent, or of floating-point numbers constant, and outside of \
         InitialUnknown fixed, tunable or discrete";
};

/// The rules of FMI 2.0.
pub const FMI2: &[Rule] = &of::<{ count(false) }>(false);

/// The rules of FMI 3.0.
pub const FMI3: &[Rule] = &of::<{ count(true) }>(true);

const fn has(versions: Versions, is_fmi3: bool) -> bool {
    match versions {
        Versions::All => true,
        Versions::Fmi2 => !is_fmi3,
        Versions::Fmi3 => is_fmi3,
    }
}

const fn count(is_fmi3: bool) -> usize {
    let (mut index, mut count) = (0, 0);
    while index < RULES.len() {
        count += has(RULES[index].0, is_fmi3) as usize;
        index += 1;
    }
    count
}

const fn of<const N: usize>(is_fmi3: bool) -> [Rule; N] {
    let (mut index, mut count, mut rules) = (0, 0, [RULES[0].1; N]);
    while index < RULES.len() {
        if has(RULES[index].0, is_fmi3) {
            rules[count] = RULES[index].1;
            count += 1;
        }
        index += 1;
    }
    rules
}
