//! FMUs with the habits of other tools, in every way to run: the values are those of a correct master, or the run says why they
//! are not.
//!
//! [`case`] is a line of the table, [`runner`] carries it out, [`summary`] keeps `tests/quirks/README.md` equal to the table. The
//! other modules have the cases; `GROUPS` lists them.

mod case;
mod runner;
mod summary;

mod derivatives;
mod ends;
mod feedthrough;
mod feedthrough_calls;
mod inner_steps;
mod jumps;
mod loops;
mod no_solution;
mod processes;
mod promises;
mod reading;
mod start_values;
mod thermostat;
mod tolerances;

use case::Case;

/// Makes the cases of a module.
type Cases = fn() -> Vec<Case>;

/// Title and cases of each module.
const GROUPS: &[(&str, Cases)] = &[
    ("Start values", start_values::cases),
    ("Promises", promises::cases),
    ("Derivatives", derivatives::cases),
    ("Reading", reading::cases),
    ("Tolerances", tolerances::cases),
    ("Ends", ends::cases),
    ("Steps inside", inner_steps::cases),
    ("The process", processes::cases),
    ("Feedthrough", feedthrough::cases),
    ("Jumps", jumps::cases),
    ("Algebraic loops", loops::cases),
    ("Switches", thermostat::cases),
];

/// Runs all cases of a group, and shows all that are not as they should be.
fn assert_group(cases: Vec<Case>) {
    let count = cases.len();
    let complaints: Vec<String> = cases.into_iter().flat_map(runner::run).collect();
    assert!(complaints.is_empty(), "{} complaints about {count} cases:\n\n{}", complaints.len(), complaints.join("\n\n"));
}

macro_rules! groups {
    ($($name:ident)*) => {$(
        #[test]
        fn $name() {
            assert_group($name::cases());
        }
    )*};
}

groups! { derivatives ends feedthrough inner_steps jumps loops processes promises reading start_values thermostat tolerances }
