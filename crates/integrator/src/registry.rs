//! The methods by name.

use crate::{
    Method,
    auto::Auto,
    controlled::{Dopri5, Rkf45},
    fixed::{
        ADAMS_BASHFORTH_2, ADAMS_BASHFORTH_3, ADAMS_BASHFORTH_4, EULER, FixedStep, HEUN, MIDPOINT, MODIFIED_EULER, Milne, RK4,
    },
    implicit::{ESDIRK34, Radau5, Sdirk, TR_BDF2},
    method::Kind,
};

/// All of them, in the order in which messages list them.
pub(crate) const METHODS: &[Method] = &[
    fixed("euler", &EULER),
    fixed("modified-euler", &MODIFIED_EULER),
    fixed("midpoint", &MIDPOINT),
    fixed("heun", &HEUN),
    fixed("rk4", &RK4),
    fixed("adams-bashforth-2", &ADAMS_BASHFORTH_2),
    fixed("adams-bashforth-3", &ADAMS_BASHFORTH_3),
    fixed("adams-bashforth-4", &ADAMS_BASHFORTH_4),
    fixed("milne", &Milne),
    Method { name: "rkf45", kind: Kind::Controlled(|n| Box::new(Rkf45::new(n))) },
    Method { name: "tr-bdf2", kind: Kind::Dense(|n| Box::new(Sdirk::new(&TR_BDF2, n))) },
    Method { name: "esdirk34", kind: Kind::Dense(|n| Box::new(Sdirk::new(&ESDIRK34, n))) },
    Method { name: "dopri5", kind: Kind::Dense(|n| Box::new(Dopri5::new(n))) },
    Method { name: "radau5", kind: Kind::Dense(|n| Box::new(Radau5::new(n))) },
    Method { name: "auto", kind: Kind::Dense(|n| Box::new(Auto::new(n))) },
];

const fn fixed(name: &'static str, method: &'static dyn FixedStep) -> Method {
    Method { name, kind: Kind::Fixed(method) }
}

/// There is no method of this name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no integrator `{name}`{hint} There are {known}", hint = hint(*nearest), known = names())]
pub struct UnknownMethod {
    /// The name.
    pub name: String,
    /// The name that it is most like, if it is like one.
    pub nearest: Option<&'static str>,
}

#[cold]
pub(crate) fn unknown(name: &str) -> UnknownMethod {
    let distances = METHODS.iter().map(|known| (strsim::damerau_levenshtein(name, known.name), known.name));
    let nearest = distances.min().filter(|(distance, nearest)| *distance <= 1 + nearest.len() / 3);
    UnknownMethod { name: name.to_owned(), nearest: nearest.map(|(_, nearest)| nearest) }
}

fn hint(nearest: Option<&str>) -> String {
    nearest.map_or_else(|| String::from("."), |nearest| format!("; did you mean `{nearest}`?"))
}

fn names() -> String {
    METHODS.iter().map(|method| method.name).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(name: &str) -> String {
        Method::named(name).unwrap_err().to_string()
    }

    #[test]
    fn an_unknown_name_is_answered_with_the_nearest_and_all() {
        assert!(
            told("rfk45").starts_with("there is no integrator `rfk45`; did you mean `rkf45`? There are euler, modified-euler,")
        );
        assert!(told("adams-bashford-3").contains("did you mean `adams-bashforth-3`?"));
        assert!(told("").starts_with("there is no integrator ``. There are euler"));
        assert!(told("implicit").starts_with("there is no integrator `implicit`. There are"));
    }

    #[test]
    fn every_name_finds_its_method() {
        for method in Method::all() {
            assert_eq!(Method::named(method.name()).unwrap().name(), method.name());
        }
    }
}
