//! Behavior records of FMUs in the cache of the user.

use std::path::Path;

use lotka::{
    BehaviorRecord, behavior_record,
    instance::{Comparison, OwnSteps, RefusedSizes, Rollback, RoundedSizes},
    keep_behavior_record, user_cache,
};

/// Returns the record of an FMU, if there is one.
pub(crate) fn record(fmu: &Path) -> Option<BehaviorRecord> {
    behavior_record(&user_cache()?, fmu)
}

/// Keeps the record of an FMU. Without a cache, runs do without it.
pub(crate) fn keep(fmu: &Path, record: &BehaviorRecord) {
    if let Some(folder) = user_cache() {
        let _ = keep_behavior_record(&folder, fmu, record);
    }
}

/// Returns the size of internal steps, if there are any [s].
pub(crate) fn own_steps(record: &BehaviorRecord) -> Option<f64> {
    match record.own_steps {
        Some(OwnSteps::Fixed(size)) => Some(size),
        Some(OwnSteps::NotSeen) | None => None,
    }
}

/// Describes what was measured: a name and a sentence each.
pub(crate) fn lines(record: &BehaviorRecord) -> Vec<(&'static str, String)> {
    let sizes = record.refused_sizes.map(|RefusedSizes { step, sizes }| match sizes {
        RoundedSizes { longer: true, shorter: true } => format!("refuses sizes that are off by rounding from {step} s"),
        RoundedSizes { longer: true, shorter: false } => format!("refuses sizes that are longer than {step} s, even by rounding"),
        RoundedSizes { longer: false, shorter: true } => {
            format!("refuses sizes that are shorter than {step} s, even by rounding")
        }
        RoundedSizes { longer: false, shorter: false } => format!("accepts sizes that are off by rounding from {step} s"),
    });
    let own = record.own_steps.map(|steps| match steps {
        OwnSteps::Fixed(size) => format!("{size} s: communication steps should be multiples of it"),
        OwnSteps::NotSeen => "none seen".to_owned(),
    });
    let rollback = record.rollback.as_ref().map(|rollback| match rollback {
        Rollback::Exact => "exact".to_owned(),
        Rollback::Inexact(difference) => format!("inexact: {difference}"),
    });
    let compared = |comparison: &Option<Comparison>| {
        comparison.as_ref().map(|comparison| match comparison {
            Comparison::Same => "the same outputs".to_owned(),
            Comparison::Differs(difference) => format!("other outputs: {difference}"),
        })
    };
    let (again, together) = (compared(&record.repetition), compared(&record.together));
    let facts = [
        ("step sizes", sizes),
        ("internal steps", own),
        ("saved states", rollback),
        ("a second run", again),
        ("two instances", together),
    ];
    facts.into_iter().filter_map(|(name, text)| Some((name, text?))).collect()
}
