//! Clocks, clocked variables and previous values (FMI 3.0.2, sections 2.2.8 and 2.4.7).

use std::collections::HashMap;

use fmi_xml::Place;

use super::super::{
    Causality, ClockAttributes, ClockVariable, IntervalVariability as Iv, TypeKind, Variability, Variable, VariableKind,
};
use super::Check;

/// A broken rule of clocks: the condition, what follows the name in the message, and the remedy.
type Case<'t> = (bool, &'t str, &'t str);

impl<'a> Check<'a> {
    /// Checks a variable that is a clock.
    pub(super) fn clock(&mut self, place: Place, variable: &Variable, clock: &'a ClockVariable) {
        let causality = variable.causality();
        let has_initial = variable.declared_initial.is_some();
        let is_array = !variable.dimensions.is_empty();
        let is_misused = variable.intermediate_update.is_some() || variable.previous.is_some();
        let is_signal = matches!(causality, Causality::Input | Causality::Output | Causality::Local);
        let own = &clock.clock;
        let all = self.with_type(clock);
        let is_time_based = all.interval_variability.is_some_and(|variability| variability != Iv::Triggered);
        let needs_priority = self.description.scheduled_execution.is_some() && causality == Causality::Input;
        self.report(
            place,
            &variable.name,
            &[
                (!is_signal, "is neither input, output nor local", "correct its causality"),
                (variable.variability() != Variability::Discrete, "is not discrete", "set its variability to discrete"),
                (has_initial, "has initial, which clocks do not have", "remove it"),
                (is_array, "is an array, but clocks are scalars", "remove its dimensions"),
                (is_misused, "has intermediateUpdate or previous, which clocks do not have", "remove them"),
                (own.interval_variability.is_none(), "has no intervalVariability", "add it"),
                (
                    is_time_based && causality != Causality::Input,
                    "is time-based, but not an input",
                    "make it an input, or triggered",
                ),
                (
                    all.priority.is_some() && causality == Causality::Output,
                    "has a priority, but is an output",
                    "remove the priority",
                ),
                (all.priority.is_none() && needs_priority, "has no priority, which scheduled execution needs", "add it"),
                (
                    all.interval_variability == Some(Iv::Constant) && all.interval_decimal.is_none(),
                    "has a constant interval, but no intervalDecimal",
                    "add it",
                ),
            ],
        );
        self.clock_attributes(place, &variable.name, &all);
    }

    /// Checks a type of clocks.
    pub(super) fn clock_type(&mut self, place: Place, name: &str, clock: &ClockAttributes) {
        self.report(place, name, &[(clock.interval_variability.is_none(), "has no intervalVariability", "add it")]);
        self.clock_attributes(place, name, clock);
    }

    /// Returns the attributes of a clock, completed by those of its type.
    fn with_type(&self, clock: &ClockVariable) -> ClockAttributes {
        let own = clock.clock.clone();
        let declared = clock.declared_type.as_deref().and_then(|name| self.types.get(name)).map(|definition| &definition.kind);
        let Some(TypeKind::Clock { clock: of_type }) = declared else { return own };
        ClockAttributes {
            can_be_deactivated: own.can_be_deactivated.or(of_type.can_be_deactivated),
            priority: own.priority.or(of_type.priority),
            interval_variability: own.interval_variability.or(of_type.interval_variability),
            interval_decimal: own.interval_decimal.or(of_type.interval_decimal),
            shift_decimal: own.shift_decimal.or(of_type.shift_decimal),
            supports_fraction: own.supports_fraction.or(of_type.supports_fraction),
            resolution: own.resolution.or(of_type.resolution),
            interval_counter: own.interval_counter.or(of_type.interval_counter),
            shift_counter: own.shift_counter.or(of_type.shift_counter),
        }
    }

    /// Checks the attributes of a clock or of a type of clocks.
    fn clock_attributes(&mut self, place: Place, name: &str, clock: &ClockAttributes) {
        let periodic = clock.interval_variability.is_none_or(|of| matches!(of, Iv::Constant | Iv::Fixed | Iv::Tunable));
        let has_fraction = clock.supports_fraction == Some(true);
        let needs_resolution = has_fraction && clock.interval_counter.is_some() && clock.resolution.is_none();
        self.report(
            place,
            name,
            &[
                (
                    clock.interval_decimal.is_some() && !periodic,
                    "has intervalDecimal, but is not periodic",
                    "remove intervalDecimal",
                ),
                (
                    clock.interval_decimal.is_some_and(|interval| interval <= 0.0),
                    "has an intervalDecimal that is not positive",
                    "correct it",
                ),
                (
                    clock.shift_decimal.is_some() && clock.interval_decimal.is_none(),
                    "has shiftDecimal without intervalDecimal",
                    "add intervalDecimal",
                ),
                (clock.shift_decimal.is_some_and(|shift| shift < 0.0), "has a negative shiftDecimal", "correct it"),
                (clock.resolution.is_some() && !periodic, "has a resolution, but is not periodic", "remove the resolution"),
                (clock.resolution == Some(0), "has the resolution 0", "set it to the number of ticks per second"),
                (needs_resolution, "has intervalCounter without resolution", "add the resolution"),
                (clock.interval_counter == Some(0), "has the intervalCounter 0", "correct it"),
                (
                    clock.interval_counter.is_some() && !(has_fraction && periodic),
                    "has intervalCounter, but is not a periodic clock with supportsFraction",
                    "set supportsFraction, or remove intervalCounter",
                ),
                (
                    clock.shift_counter.is_some() && clock.interval_counter.is_none(),
                    "has shiftCounter without intervalCounter",
                    "add intervalCounter",
                ),
            ],
        );
    }

    fn report(&mut self, place: Place, name: &str, cases: &[Case<'_>]) {
        for (_, what, remedy) in cases.iter().filter(|(is_broken, ..)| *is_broken) {
            self.findings.warn(place, "clock", format!("the clock \"{name}\" {what}"), remedy);
        }
    }

    /// Checks the attribute `clocks`.
    pub(super) fn clocked(&mut self, place: Place, variable: &Variable) {
        let Some(clocks) = &variable.clocks else { return };
        let name = &variable.name;
        if clocks.is_empty() {
            let message = format!("\"{name}\" has an empty list of clocks");
            self.findings.warn(place, "clocked-variable", message, "list its clocks, or remove the attribute");
        }
        if !matches!(variable.variability(), Variability::Discrete | Variability::Tunable) {
            let message = format!("\"{name}\" has clocks, but is {}", variable.variability().name());
            self.findings.warn(place, "clocked-variable", message, "make it discrete or tunable");
        }
        for reference in clocks {
            let clock = self.variables.get(reference);
            let is_local = |clock: &Variable| clock.causality() == Causality::Local && variable.causality() != Causality::Local;
            let (problem, remedy) = match clock {
                None => (
                    format!("{reference}, which is no variable"),
                    "list value references of clocks; until then, importers ignore it",
                ),
                Some(other) if !matches!(other.kind, VariableKind::Clock(_)) => {
                    (format!("\"{}\", which is no clock", other.name), "list value references of clocks")
                }
                Some(clock) if clock.value_reference == variable.value_reference => ("itself".to_owned(), "remove it"),
                Some(clock) if is_local(clock) => {
                    (format!("the local clock \"{}\"", clock.name), "only local variables belong to local clocks")
                }
                Some(_) => continue,
            };
            self.findings.warn(place, "clocked-variable", format!("the clocks of \"{name}\" include {problem}"), remedy);
        }
    }

    /// Checks the attributes `previous` of all variables.
    pub(super) fn previous(&mut self, variables: &'a [Variable]) {
        let mut users: HashMap<u32, &str> = HashMap::new();
        for (index, variable) in variables.iter().enumerate() {
            let Some(reference) = variable.previous.filter(|_| !matches!(variable.kind, VariableKind::Clock(_))) else {
                continue;
            };
            let mut warn = |what: String, remedy: &str| {
                let message = format!("\"{}\" {what}", variable.name);
                self.findings.warn(Place::Variable(index), "previous", message, remedy);
            };
            if variable.clocks.is_none() || variable.variability() != Variability::Discrete {
                warn("has previous, but is not a clocked, discrete variable".to_owned(), "add its clocks, or remove previous");
            }
            if let Some(other) = users.insert(reference, &variable.name) {
                warn(format!("has the same previous value as \"{other}\""), "give each of them a variable of its own");
            }
            match self.variables.get(&reference) {
                None => warn(
                    format!("has the previous value {reference}, which is no variable"),
                    "refer to the variable with the previous value; until then, importers ignore it",
                ),
                Some(_) if reference == variable.value_reference => {
                    warn("is its own previous value".to_owned(), "refer to another variable");
                }
                Some(other) => {
                    let fits = other.kind.type_name() == variable.kind.type_name()
                        && other.variability() == Variability::Discrete
                        && other.causality() != Causality::Input;
                    if !fits {
                        let (kind, name) = (variable.kind.type_name(), &other.name);
                        let what =
                            format!("has the previous value \"{name}\", which is not a discrete {kind} variable of the FMU");
                        warn(what, "refer to a discrete variable of the same type that is no input");
                    }
                }
            }
        }
    }
}
