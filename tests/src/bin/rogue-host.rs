//! A host that sends other replies than its FMU gave. The folder in `LOTKA_ROGUE` says which: the file `N` has the bytes in place
//! of reply `N`, and `from-N` those in place of all replies of its kind from then on. A folder `honest` in it receives all honest
//! replies.

use std::{env, fs, path::PathBuf, process::ExitCode};

fn main() -> ExitCode {
    let folder = PathBuf::from(env::var_os("LOTKA_ROGUE").unwrap_or_default());
    let (mut number, mut lasting) = (0, None);
    lotka_host::serve_lies(move |honest| {
        // There may be several hosts, and only one of them is looked at.
        let _ = fs::write(folder.join(format!("honest/{}-{number}", std::process::id())), &honest);
        if let Ok(lie) = fs::read(folder.join(format!("from-{number}"))) {
            lasting = Some((honest.first().copied(), lie));
        }
        let lie = fs::read(folder.join(number.to_string())).ok();
        number += 1;
        match &lasting {
            Some((kind, lie)) if honest.first().copied() == *kind => lie.clone(),
            _ => lie.unwrap_or(honest),
        }
    })
}
