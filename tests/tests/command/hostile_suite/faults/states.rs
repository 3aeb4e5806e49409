use super::{Group, a};
use crate::hostile_suite::case::{CONTROLLED, Case, EVENTS, VERIFIED_EVENTS};

pub const GROUP: Group = Group { title: "Saved states", faults };

fn faults() -> Vec<Case> {
    vec![
        Case::new("Error from fmi2GetFMUstate", a().reply("fmi2GetFMUstate", 3))
            .system(CONTROLLED)
            .ends(12, &["fmi2GetFMUstate", "fmi2Error"]),
        Case::new("Error from fmi2SetFMUstate", a().reply("fmi2SetFMUstate", 3))
            .system(CONTROLLED)
            .ends(12, &["fmi2SetFMUstate", "fmi2Error"]),
        Case::new("Discard from fmi2SetFMUstate", a().reply("fmi2SetFMUstate", 2))
            .system(CONTROLLED)
            .ends(12, &["fmi2SetFMUstate", "fmi2Discard"]),
        Case::new("Fatal from fmi2SetFMUstate", a().reply("fmi2SetFMUstate", 4))
            .system(CONTROLLED)
            .ends(12, &["fmi2SetFMUstate", "fmi2Fatal"]),
        Case::new("Error from fmi2FreeFMUstate", a().reply("fmi2FreeFMUstate", 3))
            .system(CONTROLLED)
            .ends(12, &["fmi2FreeFMUstate", "fmi2Error"]),
        Case::new("NULL as state", a().define("NULL_STATE"))
            .system(CONTROLLED)
            .ends(12, &["fmi2GetFMUstate", "the state is NULL"]),
        Case::new("state that forgets", a().define("FORGETFUL_STATE")).system(CONTROLLED).ends(10, &["after a rollback"]),
        Case::new("state that comes back inexactly", a().define("ROLLBACK_NOISE=0.1"))
            .system(CONTROLLED)
            .ends(10, &["after a rollback", "changes its output `a.y`"]),
        Case::new("state that forgets, with an event", a().define("FORGETFUL_STATE"))
            .system(EVENTS)
            .ends(0, &["does not return exactly to its saved states", "`a.y`"]),
        Case::new("state that forgets, with an event and a tolerance", a().define("FORGETFUL_STATE"))
            .system(VERIFIED_EVENTS)
            .ends(10, &["`tolerance` = 1e-4 is too small", "after a rollback"]),
        Case::new("state that comes back inexactly, with an event", a().define("ROLLBACK_NOISE=1e-3"))
            .system(EVENTS)
            .ends(0, &["does not return exactly to its saved states", "`a.y`"]),
        Case::new("state that comes back almost exactly, with an event", a().define("ROLLBACK_NOISE=1e-12"))
            .system(EVENTS)
            .ends(0, &[]),
        Case::new("serialized state of a terabyte", a().define("SERIALIZED_SIZE=((size_t)1 << 40)"))
            .checkpointed()
            .ends(12, &["fmi2SerializedFMUstateSize", "a size of 1099511627776 bytes"]),
        Case::new("serialized state of the largest size there is", a().define("SERIALIZED_SIZE=(size_t)-1"))
            .checkpointed()
            .ends(12, &["fmi2SerializedFMUstateSize", "a size of"]),
        Case::new("serialized state of no bytes", a().define("SERIALIZED_SIZE=0"))
            .checkpointed()
            .ends(12, &["fmi2SerializeFMUstate", "fmi2Error"]),
        Case::new("Error from fmi2SerializeFMUstate", a().reply("fmi2SerializeFMUstate", 3))
            .checkpointed()
            .ends(12, &["fmi2SerializeFMUstate", "fmi2Error"]),
        Case::new("states declared but not needed", a().reply("fmi2GetFMUstate", 3)).runs(&[]),
    ]
}
