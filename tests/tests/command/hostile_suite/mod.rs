//! Every fault that an FMU is known to have, run through the command: no run hangs, crashes the command, writes outside of its
//! folder or calls a failure a success, and what a user reads names instance, function and reason.
//!
//! [`faults`] is the table: a fault, how its FMU is built, and the verdicts. [`case`] is one line of it, [`runner`] carries it
//! out, [`inspection`] looks at what a run left behind, [`summary`] keeps `tests/hostile/README.md` equal to the table.

mod case;
mod faults;
mod inspection;
mod kill;
mod lies;
mod process;
mod rogue;
mod rows;
mod runner;
mod summary;

use std::thread;

/// Runs all faults of a group, and shows all that are not as they should be.
fn assert_group(group: faults::Group) {
    let faults = group.faults;
    let all = faults();
    let count = all.len();
    let (waiting, others): (Vec<_>, Vec<_>) = all.into_iter().enumerate().partition(|(_, case)| !case.limit.is_empty());
    // Those that end by a time limit do nothing but wait, so they wait together.
    let waiting = waiting.into_iter().map(|(index, _)| thread::spawn(move || runner::run(faults().swap_remove(index))));
    let waiting: Vec<_> = waiting.collect();
    let complaints = others.into_iter().flat_map(|(_, case)| runner::run(case));
    let complaints: Vec<String> = complaints.chain(waiting.into_iter().flat_map(|case| case.join().unwrap())).collect();
    assert!(complaints.is_empty(), "{}: {} of {count} faults:\n\n{}", group.title, complaints.len(), complaints.join("\n\n"));
}

macro_rules! groups {
    ($($name:ident)*; families: $($family:ident)*) => {
        $(
            #[test]
            fn $name() {
                assert_group(faults::$name::GROUP);
            }
        )*
        $(
            #[test]
            fn $family() {
                assert_group(faults::families::$family::GROUP);
            }
        )*
    };
}

groups! {
    instantiation crashes ends hangs statuses values logging surroundings strictness symbols libraries archives descriptions
    variables structure states fmi3;
    families: initialization arrays structural_parameters types lifetimes saved_states early_returns event_times callbacks clocks terminations
}

#[test]
fn there_are_more_than_five_hundred_faults_and_each_has_a_name_of_its_own() {
    let mut names: Vec<String> = faults::groups().into_iter().flat_map(|group| (group.faults)()).map(|case| case.name).collect();
    assert!(names.len() > 500, "{}", names.len());
    names.sort();
    let twice: Vec<_> = names.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| &pair[0]).collect();
    assert!(twice.is_empty(), "{twice:?}");
}
