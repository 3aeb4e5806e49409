//! Reading and setting.

use crate::host::{DISCARD, ERROR, Host, OK};
use crate::model::{integer, real};

#[test]
fn every_type_is_read_and_set() {
    let host = Host::new(false);
    host.enter();
    assert_eq!(host.set_reals(&[real::OFFSET, real::U], &[0.25, 3.0]), OK);
    assert_eq!(host.set_integers(&[integer::SIZE, integer::K, integer::SHIFT], &[5, 7, 2]), OK);
    assert_eq!(host.set_booleans(&[1], &[-9]), OK);
    assert_eq!(host.set_strings(&[0, 1], &["grün", "t"]), OK);
    assert_eq!(host.reals(&[real::Z, real::Y, real::Y, real::DOUBLE]), [4.0, 7.25, 7.25, 0.5]);
    assert_eq!(host.integers(&[integer::SUM, integer::SHIFTED, integer::GEAR]), [12, 2, 1]);
    assert_eq!(host.booleans(&[0, 1, 2]), [1, 1, 0]);
    assert_eq!(host.strings(&[0, 2, 0]), ["grün", "start at 0 with grün", "grün"]);
    host.exit();
    assert_eq!(host.do_step(0.0, 0.5), OK);
    assert_eq!(host.strings(&[2]), ["grün: t at 0.5"]);
    assert_eq!(host.lines(), []);
}

#[test]
fn values_are_read_right_after_instantiation_and_inputs_set() {
    let host = Host::new(false);
    assert_eq!(host.reals(&[real::GAIN, real::Y]), [2.0, 5.5]);
    assert_eq!(host.set_reals(&[real::U], &[2.0]), OK);
    assert_eq!(host.reals(&[real::Y]), [6.5]);
    host.enter();
    assert_eq!(host.reals(&[real::Y]), [6.5]);
}

#[test]
fn initialization_follows_what_was_set_and_runs_only_when_needed() {
    let host = Host::new(false);
    host.enter();
    assert_eq!(host.integers(&[integer::INITIALIZATIONS]), [1]);
    assert_eq!(host.integers(&[integer::INITIALIZATIONS]), [1]);
    assert_eq!(host.set_reals(&[real::Z], &[8.0]), OK);
    assert_eq!(host.reals(&[real::Y]), [9.5]);
    host.exit();
    assert_eq!(host.integers(&[integer::INITIALIZATIONS]), [2]);
    assert_eq!(host.set_reals(&[real::U], &[0.0]), OK);
    assert_eq!(host.integers(&[integer::INITIALIZATIONS]), [2]);
}

#[test]
fn a_parameter_out_of_range_is_discarded_with_a_sentence() {
    let host = Host::new(false);
    for (value, part) in [(-1.0, "minimum 0"), (11.0, "maximum 10"), (f64::NAN, "finite"), (f64::INFINITY, "finite")] {
        assert_eq!(host.set_reals(&[real::GAIN], &[value]), DISCARD);
        host.explained("logStatusDiscard", part);
    }
    assert_eq!(host.set_integers(&[integer::SIZE], &[0]), DISCARD);
    host.explained("logStatusDiscard", "`size`");
    for value in [0, 3, -1] {
        assert_eq!(host.set_integers(&[integer::GEAR], &[value]), DISCARD);
        host.explained("logStatusDiscard", "`gear`");
    }
    assert_eq!(host.reals(&[real::GAIN]), [2.0]);
    assert_eq!(host.set_reals(&[real::U], &[f64::NAN]), OK, "inputs are the model's business");
}

#[test]
fn tunables_and_inputs_can_be_set_between_steps_and_nothing_else() {
    let host = Host::stepping();
    assert_eq!(host.set_reals(&[real::GAIN, real::U], &[1.0, 1.0]), OK);
    assert_eq!(host.do_step(0.0, 1.0), OK);
    assert_eq!(host.reals(&[real::Z]), [5.0]);
    for reference in [real::OFFSET, real::Z, real::Y, real::DER_Z, real::DOUBLE] {
        let host = Host::stepping();
        assert_eq!(host.set_reals(&[reference], &[1.0]), ERROR);
        host.explained("logStatusError", "cannot be set in phase `step complete`");
    }
}

#[test]
fn unknown_references_are_errors() {
    for reference in [8, u32::MAX] {
        let host = Host::new(false);
        assert_eq!(host.set_reals(&[reference], &[1.0]), ERROR);
        host.explained("logStatusError", &format!("no Real variable has the value reference {reference}"));
    }
}

#[test]
fn nothing_to_read_or_set_is_fine() {
    let host = Host::stepping();
    assert_eq!(host.set_reals(&[], &[]), OK);
    assert_eq!(host.strings(&[]), [""; 0]);
}
