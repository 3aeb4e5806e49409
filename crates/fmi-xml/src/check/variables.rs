//! Combinations of causality, variability, `initial` and start value; declared types; lists of unknowns.

use lotka_instance::description::{Causality, Initial, Variability};

use crate::finding::Findings;
use crate::place::Place;

/// What a variable declares about its beginning.
#[derive(Debug, Clone, Copy)]
pub struct Combination<'a> {
    /// Name of the variable.
    pub name: &'a str,
    /// Name of its causality.
    pub causality: &'a str,
    /// Its variability.
    pub variability: Variability,
    /// `initial`, if it is present.
    pub declared_initial: Option<Initial>,
    /// The valid values of `initial`: empty if it must be absent, `None` if causality and variability do not fit together.
    pub legal: Option<&'static [Initial]>,
}

/// Returns the valid values of `initial` in FMI 2.0: empty if `initial` must be absent, `None` if causality and variability do
/// not fit together.
#[must_use]
pub fn legal_initials(causality: Causality, variability: Variability) -> Option<&'static [Initial]> {
    use {Causality as Ca, Initial as In, Variability as Va};
    match (causality, variability) {
        (Ca::Parameter, Va::Fixed | Va::Tunable) | (Ca::Output | Ca::Local, Va::Constant) => Some(&[In::Exact]),
        (Ca::CalculatedParameter | Ca::Local, Va::Fixed | Va::Tunable) => Some(&[In::Calculated, In::Approx]),
        (Ca::Output | Ca::Local, Va::Discrete | Va::Continuous) => Some(&[In::Calculated, In::Exact, In::Approx]),
        (Ca::Input, Va::Discrete | Va::Continuous) | (Ca::Independent, Va::Continuous) => Some(&[]),
        _ => None,
    }
}

impl Findings {
    /// Checks that causality, variability and `initial` fit together.
    pub fn combination(&mut self, place: Place, variable: &Combination<'_>) {
        let Combination { name, causality, variability, declared_initial, legal } = *variable;
        let Some(legal) = legal else {
            let message = format!("\"{name}\" has causality {causality} and variability {}", variability.name());
            return self.warn(place, "variability", message, "use a combination that the standard allows");
        };
        if let Some(initial) = declared_initial.filter(|initial| !legal.contains(initial)) {
            let message = format!("\"{name}\" has initial {} as {} {causality}", initial.name(), variability.name());
            let names: Vec<_> = legal.iter().map(|initial| initial.name()).collect();
            let remedy = if names.is_empty() { "remove initial".to_owned() } else { format!("use {}", names.join(" or ")) };
            self.warn(place, "initial", message, &remedy);
        }
    }

    /// Reports a variable of another type that is continuous. `of` names the types that may be.
    pub fn continuous(&mut self, place: Place, (name, kind): (&str, &str), of: &str) {
        let message = format!("the {kind} variable \"{name}\" is continuous");
        let remedy = format!("set its variability; only {of} variables can be continuous (the default)");
        self.warn(place, "variability", message, &remedy);
    }

    /// Checks that a variable has a start value if, and only if, it needs one.
    pub fn start(&mut self, place: Place, name: &str, is_independent: bool, (is_required, is_present): (bool, bool)) {
        match (is_required, is_present) {
            (true, false) => {
                self.warn(place, "missing-start", format!("\"{name}\" has no start value"), "add the one the library has");
            }
            (false, true) => {
                let why = if is_independent { "is independent" } else { "is calculated" };
                let message = format!("\"{name}\" has a start value, but {why}");
                self.warn(place, "forbidden-start", message, "remove the start value, or set initial to exact or approx");
            }
            _ => {}
        }
    }

    /// Reports a variable that has the name of a type.
    pub fn name_of_type(&mut self, place: Place, name: &str) {
        let message = format!("the variable \"{name}\" has the name of a type");
        self.warn(place, "name-of-type", message, "rename one of them");
    }

    /// Checks `declaredType` of a variable of this kind. `found` is the kind of the type with that name. Returns whether they
    /// match.
    pub fn declared_type(&mut self, place: Place, name: &str, kind: &str, declared: &str, found: Option<&str>) -> bool {
        match found {
            Some(found) if found == kind => return true,
            Some(other) => {
                let message = format!("the {kind} variable \"{name}\" has the declaredType \"{declared}\", which is {other}");
                self.warn(place, "declared-type", message, "refer to a type of the same kind");
            }
            None => {
                let message = format!("the declaredType \"{declared}\" of \"{name}\" is not defined");
                self.warn(place, "declared-type", message, "add it to <TypeDefinitions>");
            }
        }
        false
    }

    /// Reports an enumeration variable without a type.
    pub fn missing_enumeration_type(&mut self, place: Place, name: &str, element: &str) {
        let message = format!("the enumeration variable \"{name}\" has no declaredType");
        self.warn(place, "declared-type", message, &format!("add the <{element}> with its items"));
    }

    /// Reports a start value that is not an item of its enumeration.
    pub fn enumeration_start(&mut self, place: Place, name: &str, start: i64, declared: &str) {
        let message = format!("the start value {start} of \"{name}\" is not an item of \"{declared}\"");
        self.warn(place, "enumeration-start", message, "start with the value of an item");
    }
}
