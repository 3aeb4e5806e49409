//! What programs that print errors with their causes see.

use std::{error::Error, path::Path};

use lotka::{CheckpointFile, Fmu, OpenOptions, Results, System};
use tests::joined;

use super::models::Decay;

/// A message is complete, and no cause repeats a part of it.
fn prints_once(error: &dyn Error) {
    let message = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        assert!(!message.contains(&inner.to_string()), "`{message}` contains its cause `{inner}`");
        cause = inner.source();
    }
}

#[test]
fn no_error_prints_its_cause_twice() {
    let missing = Path::new("no-such-folder/no-such-file");
    let found = |error: &dyn Error| {
        assert!(error.to_string().contains("No such file"), "{error}");
        prints_once(error);
    };
    found(&System::from_file(missing.with_extension("toml")).unwrap_err());
    found(&Fmu::open(missing).unwrap_err());
    found(&Fmu::from_folder(missing, missing, &OpenOptions::default()).unwrap_err());
    found(&CheckpointFile::read(missing).unwrap_err());
    found(&Results::open(missing).unwrap_err());
    let decay = System::new().instance_of("a", &joined::<Decay>()).stop(1.0).step(0.25);
    found(&System::new().instance("a", missing).stop(1.0).step(0.25).build().unwrap_err());

    // Steps above the largest one are discarded, and fixed steps cannot be reduced.
    let failing = decay.start_value("a.largest", 0.1);
    let failure = failing.build().unwrap().run(&mut []).unwrap_err();
    assert!(failure.to_string().contains("discarded"), "{failure}");
    prints_once(&*failure);
    prints_once(&lotka::Error::from(failure));
}
