//! The table, by kinds of faults.

pub mod archives;
pub mod crashes;
pub mod descriptions;
pub mod ends;
pub mod families;
pub mod fmi3;
pub mod hangs;
pub mod instantiation;
pub mod libraries;
pub mod logging;
pub mod states;
pub mod statuses;
pub mod strictness;
pub mod structure;
pub mod surroundings;
pub mod symbols;
pub mod values;
pub mod variables;

use tests::hostile::Hostile;

use super::case::Case;

/// Faults of one kind.
pub struct Group {
    pub title: &'static str,
    pub faults: fn() -> Vec<Case>,
}

/// All groups, in the order of the README.
pub fn groups() -> [Group; 28] {
    [
        instantiation::GROUP,
        crashes::GROUP,
        ends::GROUP,
        hangs::GROUP,
        statuses::GROUP,
        values::GROUP,
        logging::GROUP,
        surroundings::GROUP,
        strictness::GROUP,
        symbols::GROUP,
        libraries::GROUP,
        archives::GROUP,
        descriptions::GROUP,
        variables::GROUP,
        structure::GROUP,
        states::GROUP,
        fmi3::GROUP,
        families::initialization::GROUP,
        families::arrays::GROUP,
        families::structural_parameters::GROUP,
        families::types::GROUP,
        families::lifetimes::GROUP,
        families::saved_states::GROUP,
        families::early_returns::GROUP,
        families::event_times::GROUP,
        families::callbacks::GROUP,
        families::clocks::GROUP,
        families::terminations::GROUP,
    ]
}

/// The FMU `a`, so far without fault.
fn a() -> Hostile {
    Hostile::new("a")
}

/// The FMU `a` with something in its description replaced, which must be there.
fn described(old: &'static str, new: &'static str) -> Hostile {
    edited(a(), old, new)
}

fn edited(fmu: Hostile, old: &'static str, new: &'static str) -> Hostile {
    fmu.edit_xml(move |xml| {
        assert!(xml.contains(old), "the description has no {old}");
        *xml = xml.replacen(old, new, 1);
    })
}

/// Interpolates its inputs and gives output derivatives.
fn with_derivatives(fmu: Hostile) -> Hostile {
    const FLAG: &str = "canRunAsynchronuously=\"false\"";
    edited(fmu, FLAG, "canRunAsynchronuously=\"false\" canInterpolateInputs=\"true\" maxOutputDerivativeOrder=\"1\"")
}

/// In an algebraic loop with `b`, with directional derivatives.
fn with_feedthrough(fmu: Hostile) -> Hostile {
    fmu.feedthrough(0.5).capability("providesDirectionalDerivative", true)
}
