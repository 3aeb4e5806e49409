//! The registry of methods.

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

/// All methods, in the order in which messages list them.
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

/// No method has this name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown integrator `{name}`; {hint}", hint = hint(*nearest))]
pub struct UnknownMethod {
    /// The name that was asked for.
    pub name: String,
    /// The valid name nearest to it, if one is near.
    pub nearest: Option<&'static str>,
}

#[cold]
pub(crate) fn unknown(name: &str) -> UnknownMethod {
    let distances = METHODS.iter().map(|known| (strsim::damerau_levenshtein(name, known.name), known.name));
    let nearest = distances.min().filter(|(distance, nearest)| *distance <= 1 + nearest.len() / 3);
    UnknownMethod { name: name.to_owned(), nearest: nearest.map(|(_, nearest)| nearest) }
}

/// The nearest name, or all names if none is near.
fn hint(nearest: Option<&str>) -> String {
    let names = || METHODS.iter().map(|method| format!("`{}`", method.name)).collect::<Vec<_>>().join(", ");
    nearest.map_or_else(|| format!("available: {}", names()), |nearest| format!("did you mean `{nearest}`?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(name: &str) -> String {
        Method::named(name).unwrap_err().to_string()
    }

    #[test]
    fn the_message_for_an_unknown_name_suggests_the_nearest_or_lists_all() {
        assert_eq!(message("rfk45"), "unknown integrator `rfk45`; did you mean `rkf45`?");
        assert_eq!(message("adams-bashford-3"), "unknown integrator `adams-bashford-3`; did you mean `adams-bashforth-3`?");
        assert_eq!(
            message("implicit"),
            "unknown integrator `implicit`; available: `euler`, `modified-euler`, `midpoint`, `heun`, `rk4`, `adams-bashforth-2`, \
             `adams-bashforth-3`, `adams-bashforth-4`, `milne`, `rkf45`, `tr-bdf2`, `esdirk34`, `dopri5`, `radau5`, `auto`"
        );
        assert!(message("").starts_with("unknown integrator ``; available: `euler`, "));
    }

    #[test]
    fn every_name_finds_its_method() {
        for method in Method::all() {
            assert_eq!(Method::named(method.name()).unwrap().name(), method.name());
        }
    }
}
