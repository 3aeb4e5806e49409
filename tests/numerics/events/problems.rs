//! Events that make no sense are refused with a sentence, all problems at once.

use lotka::{Direction, System};
use tests::{packed, systems::switching::tanks};

/// The problems of the two-state model with these events and this algorithm.
fn problems(experiment: &str, events: &str, algorithm: &str) -> Vec<String> {
    let text = format!(
        "[experiment]\nstop = 5\nstep = 0.1\n{experiment}\n[instances]\nswitch = '{}'\nplant = '{}'\n[connections]\n'plant.c2' = 'switch.c2'\n\
         'plant.c4' = 'switch.c4'\n'switch.y1' = 'plant.y1'\n[events]\n{events}\n[algorithm]\n{algorithm}\n",
        packed("two_state_switch").display(),
        packed("two_state_plant").display()
    );
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("system.toml");
    std::fs::write(&path, text).unwrap();
    let Err(error) = System::from_file(&path).and_then(|system| system.build().map(|_| ())) else { return Vec::new() };
    let text = error.to_string();
    let place = format!("{}:", path.display());
    text.lines().map(|line| line.strip_prefix(&place).unwrap_or(line).to_owned()).collect()
}

#[test]
fn indicators_are_real_outputs_and_problems_come_all_at_once() {
    let events = "'switch.y1' = 'up'\n'switch.state' = 'both'\n'plant.y' = 'up'\n'plant.c1' = {}\n'valve.y' = 'down'\n\
                  'plant.y1' = [{ level = 'switch.stat', direction = 'upp' }, { level = 'plant.c2' }, 5]\n'plant.y2' = []";
    let found = problems("", events, "");
    let expected = [
        "13:1: `switch.y1` cannot be an event indicator: it is an input; name the output that feeds it, `plant.y1`",
        "14:1: `switch.state` cannot be an event indicator: it is not a Real variable; available: `c2`, `c4`, `limit`",
        "15:1: instance `plant` has no variable `y`; did you mean `y1`?",
        "17:1: unknown instance `valve`; available: `switch`, `plant`",
        "18:25: instance `switch` has no variable `stat`; available: `c2`, `c4`, `limit`",
        "18:52: unknown direction `upp`; did you mean `up`?",
        "18:71: `plant.c2` cannot be the level of an event indicator: it is an input; name the output that feeds it, `switch.c2`",
        "18:85: expected an event for `plant.y1`, found an integer; write \"up\", \"down\" or \"both\", { level = 1.0, direction = \"up\" }, or a list of these",
        "19:14: expected at least one event for `plant.y2`, found an empty list; remove the line",
    ];
    assert_eq!(found, expected, "{found:#?}");
}

#[test]
fn an_instance_can_only_discard_or_have_event_mode() {
    assert_eq!(
        problems("", "plant = 'stop'\nvalve = 'discard'", ""),
        [
            "13:9: unknown event of an instance `stop`; available: `discard`, `event-mode`",
            "14:1: unknown instance `valve`; available: `switch`, `plant`"
        ]
    );
}

#[test]
fn what_reacts_must_step_after_what_it_reacts_to() {
    let events = "'plant.y1' = { level = 'switch.limit' }";
    assert_eq!(problems("", events, ""), [""; 0]);
    assert_eq!(
        problems("", events, "sweep = 'jacobi'"),
        [
            "15:9: [events] does not support the sweep jacobi: instances would react one step late; remove `sweep`, or set sweep = \
          \"gauss-seidel\""
        ]
    );
    assert_eq!(
        problems("", events, "order = ['switch', 'plant']"),
        [
            "15:9: `switch` reads an event indicator of `plant` but steps before it; put `plant` first in `order`; otherwise \
             the reaction is one step late",
            "15:9: `switch` has discrete outputs but steps before `plant`, which reads them; put `switch` after `plant` in \
             `order`, or remove `order`; otherwise `plant` reads an event before it occurs"
        ]
    );
    assert_eq!(
        problems("", events, "iterations = 20"),
        ["15:14: cannot iterate the loop `plant`, `switch`: it has discrete outputs that react to events; remove `iterations`"]
    );
}

#[test]
fn a_tolerance_of_events_needs_events_and_is_positive() {
    assert_eq!(
        problems("event-tolerance = 1e-9", "", ""),
        ["4:19: `event-tolerance` has no effect without events; list the events in [events], or remove it"]
    );
    assert_eq!(
        problems("event-tolerance = 0", "'plant.y1' = 'up'", ""),
        ["4:19: expected a value greater than 0 for `event-tolerance`, found 0"]
    );
}

#[test]
fn fmus_that_cannot_go_back_have_no_events() {
    let folder = tempfile::tempdir().unwrap();
    let fmu = tests::hostile::Hostile::new("a").capability("canGetAndSetFMUstate", false).build(folder.path());
    let system = System::new().instance("a", fmu).event("a.y", 0.5, Direction::Down).stop(1.0).step(0.1);
    let told = system.build().err().unwrap().to_string();
    assert!(told.contains("event localization (`[events]`) needs rollback, which the FMU"), "{told}");
    assert!(told.ends_with("remove [events]; events then occur up to one step late"), "{told}");
}

#[test]
fn the_choice_of_the_sweep_is_explained() {
    let simulation = tanks().event("lower.x", 1.0, Direction::Up).step(0.1).build().unwrap();
    assert!(simulation.describe_algorithm().ends_with(
        "An instance that reacts to an event must step after the instance that causes it; linear inputs give order 2 without \
        extra calls."
    ));
}

#[test]
fn times_of_events_are_whole_and_belong_to_instances() {
    let found = problems("", "plant = { every = -1.0 }\nvalve = { at = [1.0] }\nswitch = { every = 0.1, at = 2.0 }", "");
    let expected = [
        "13:19: expected a value greater than 0 for `every`, found -1",
        "14:1: unknown instance `valve`; available: `switch`, `plant`",
        "15:10: expected either `every` (with `offset`) or `at`; write { every = 0.1, offset = 0.0 }, or { at = [1.0, 2.5] }",
    ];
    assert_eq!(found, expected, "{found:#?}");
    assert_eq!(problems("", "plant = { every = 0.1 }\nswitch = { at = 0.3 }", ""), [""; 0]);
    let found = problems("", "plant = { every = 1e-8 }", "");
    assert_eq!(
        found,
        ["13:19: `every` 0.00000001 s results in 5.0e8 events until the stop time (limit: 1e6); increase `every`, or reduce \
             `stop`"]
    );
}
