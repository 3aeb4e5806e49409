//! What FMUs take for granted of the process that they run in: that it has the usual libraries, and one thread.

use tests::quirks::Quirk;

use super::case::Case;

/// `y' = 2` from 1.
const NESTED: &str = "[instances]\n'group/a' = { fmu = 'a.fmu', start = { u = 2 } }\n";

pub fn cases() -> Vec<Case> {
    let system = "[instances]\na = { fmu = 'static_scratch.fmu', start = { x0 = 3, k = 0.5, u = 2 } }\n\
                  b = { fmu = 'static_scratch.fmu', start = { u = 1 } }\n";
    let quirk = || Quirk::new("static_scratch").described_by("lag");
    let expected = |case: Case| case.expect("a.y", 2.0 + (3.0 - 2.0) * (-0.5_f64).exp()).expect("b.y", 1.0);
    vec![
        expected(Case::new("a step uses memory that all instances share", [quirk()], system)),
        Case::new(
            "a file is named after an instance of a nested system",
            [Quirk::new("file_name").described_by("lag").named("a")],
            NESTED,
        )
        .expect("group/a.y", 3.0),
        expected(Case::new("linked without any library", [quirk().libraries(&["-nostdlib"])], system)),
    ]
}
