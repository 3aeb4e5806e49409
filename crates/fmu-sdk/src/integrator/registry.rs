//! The integrators by name.

use super::{
    adams_bashforth_2::ADAMS_BASHFORTH_2, adams_bashforth_3::ADAMS_BASHFORTH_3, adams_bashforth_4::ADAMS_BASHFORTH_4,
    euler::EULER, heun::HEUN, method::Method, midpoint::MIDPOINT, milne::Milne, modified_euler::MODIFIED_EULER, rk4::RK4,
    rkf45::Rkf45,
};
#[cfg(feature = "stiff")]
use super::{esdirk34::ESDIRK34, tr_bdf2::TR_BDF2};

/// All of them, in the order in which messages list them.
pub(super) const INTEGRATORS: &[(&str, &dyn Method)] = &[
    ("euler", &EULER),
    ("modified-euler", &MODIFIED_EULER),
    ("midpoint", &MIDPOINT),
    ("heun", &HEUN),
    ("rk4", &RK4),
    ("adams-bashforth-2", &ADAMS_BASHFORTH_2),
    ("adams-bashforth-3", &ADAMS_BASHFORTH_3),
    ("adams-bashforth-4", &ADAMS_BASHFORTH_4),
    ("milne", &Milne),
    ("rkf45", &Rkf45),
    #[cfg(feature = "stiff")]
    ("tr-bdf2", &TR_BDF2),
    #[cfg(feature = "stiff")]
    ("esdirk34", &ESDIRK34),
];

/// Those that an FMU has only if it is built with the feature `stiff`.
const STIFF: [&str; 2] = ["tr-bdf2", "esdirk34"];

/// The integrator of this name.
///
/// # Errors
/// The sentence that says why there is none.
pub(super) fn find(name: &str) -> Result<&'static dyn Method, String> {
    INTEGRATORS.iter().find(|(known, _)| *known == name).map(|(_, method)| *method).ok_or_else(|| unknown(name))
}

#[cold]
fn unknown(name: &str) -> String {
    if STIFF.contains(&name) {
        return format!(
            "integrator `{name}` is not in this FMU: its library was built without the feature `stiff` of the crate fmu-sdk"
        );
    }
    let names: Vec<_> = INTEGRATORS.iter().map(|(known, _)| *known).collect();
    let nearest = names.iter().map(|known| (strsim::damerau_levenshtein(name, known), known)).min();
    let hint = match nearest {
        Some((distance, nearest)) if distance <= 1 + nearest.len() / 3 => format!("; did you mean `{nearest}`?"),
        _ => String::from("."),
    };
    format!("there is no integrator `{name}`{hint} There are {}", names.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(name: &str) -> String {
        find(name).err().unwrap_or_default()
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
    fn stiff_integrators_are_there_or_named_as_missing() {
        for name in STIFF {
            let built_with = cfg!(feature = "stiff");
            assert_eq!(find(name).is_ok(), built_with);
            assert_eq!(told(name).contains("feature `stiff`"), !built_with);
        }
    }
}
