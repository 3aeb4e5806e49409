use super::{Group, a, with_derivatives, with_feedthrough};
use crate::hostile_suite::case::{CONTROLLED, Case};
use tests::hostile::Hostile;

pub const GROUP: Group = Group { title: "Functions that are missing or of another FMI", faults };

fn without(fmu: Hostile, symbols: &[&str]) -> Hostile {
    symbols.iter().fold(fmu, |fmu, symbol| fmu.omit(symbol))
}

const STATES: [&str; 3] = ["fmi2GetFMUstate", "fmi2SetFMUstate", "fmi2FreeFMUstate"];

fn faults() -> Vec<Case> {
    let life = ["fmi2Instantiate", "fmi2FreeInstance", "fmi2SetupExperiment", "fmi2EnterInitializationMode", "fmi2Terminate"];
    let reading = ["fmi2GetReal", "fmi2GetInteger", "fmi2GetBoolean", "fmi2GetString"];
    let writing = ["fmi2SetReal", "fmi2SetInteger", "fmi2SetBoolean", "fmi2SetString"];
    let asking = ["fmi2GetStatus", "fmi2GetRealStatus", "fmi2GetIntegerStatus", "fmi2GetBooleanStatus", "fmi2GetStringStatus"];
    let bytes = ["fmi2SerializedFMUstateSize", "fmi2SerializeFMUstate", "fmi2DeSerializeFMUstate"];
    let slopes = ["fmi2SetRealInputDerivatives", "fmi2GetRealOutputDerivatives"];
    vec![
        Case::new("no fmi2DoStep", without(a(), &["fmi2DoStep"]))
            .ends(11, &["lacks fmi2DoStep"])
            .checked(11, &["does not export fmi2DoStep"]),
        Case::new("no functions of the life cycle", without(a(), &life))
            .ends(11, &["lacks", "fmi2Instantiate", "fmi2Terminate"])
            .checked(11, &["does not export fmi2Instantiate"]),
        Case::new("no version functions", without(a(), &["fmi2GetVersion", "fmi2GetTypesPlatform"]))
            .ends(11, &["lacks", "fmi2GetVersion"])
            .checked(11, &["does not export", "fmi2GetVersion"]),
        Case::new("no reading functions", without(a(), &reading))
            .ends(12, &["fmi2Get", "not supported"])
            .checked(0, &["fmi2GetReal"]),
        Case::new("no writing functions", without(a(), &writing))
            .ends(12, &["fmi2Set", "not supported"])
            .checked(0, &["fmi2SetReal"]),
        Case::new("no state functions, fixed steps", without(a(), &STATES))
            .runs(&["canGetAndSetFMUstate is declared"])
            .checked(0, &["fmi2GetFMUstate"]),
        Case::new("no state functions, error control", without(a(), &STATES))
            .system(CONTROLLED)
            .ends(10, &["canGetAndSetFMUstate"]),
        Case::new("no serializing functions", without(a(), &bytes)).runs(&["canSerializeFMUstate is declared"]),
        Case::new("no derivative functions", with_derivatives(without(a(), &slopes))).runs(&["canInterpolateInputs is declared"]),
        Case::new("no fmi2GetDirectionalDerivative", with_feedthrough(without(a(), &["fmi2GetDirectionalDerivative"])))
            .ends(0, &["providesDirectionalDerivative is declared"])
            .rows(11),
        Case::new("no status functions, no need", without(a(), &asking)).runs(&["lacks fmi2GetStatus"]),
        Case::new("no status functions, discarded step", without(a().reply("fmi2DoStep", 2), &asking))
            .ends(13, &["discarded the communication step"]),
        Case::new("no status functions, pending step", without(a().reply("fmi2DoStep", 5), &asking))
            .ends(13, &["fmi2GetStatus", "not supported"]),
        Case::new("no fmi2CancelStep", without(a(), &["fmi2CancelStep"])).runs(&["lacks fmi2CancelStep"]),
        Case::new("no fmi2Reset and no fmi2SetDebugLogging", without(a(), &["fmi2Reset", "fmi2SetDebugLogging"]))
            .runs(&["lacks"]),
        Case::new("version 1.0", a().define("VERSION=\"1.0\"")).refused(&["fmi2GetVersion returned `1.0`"]),
        Case::new("version 3.0", a().define("VERSION=\"3.0\"")).refused(&["fmi2GetVersion returned `3.0`"]),
        Case::new("NULL as version", a().define("VERSION=NULL")).refused(&["fmi2GetVersion returned NULL"]),
        Case::new("version that is not UTF-8", a().define("VERSION=\"\\xff\"")).refused(&["fmi2GetVersion returned"]),
        Case::new("another platform", a().define("PLATFORM=\"standard32\""))
            .refused(&["fmi2GetTypesPlatform returned `standard32`"]),
    ]
}
