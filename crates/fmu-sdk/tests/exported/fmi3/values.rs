//! Reading and setting.

use super::host::{Host, vr};
use crate::host::{DISCARD, ERROR, OK};

#[test]
fn every_type_of_a_model_for_both_versions_is_read_and_set() {
    let host = Host::new();
    assert_eq!(host.enter(0.0, None), OK);
    assert_eq!(host.set_f64(&[vr::OFFSET, vr::U], &[0.25, 3.0]), OK);
    assert_eq!(host.set_i32(&[vr::SIZE, vr::K], &[5, 7]), OK);
    assert_eq!(host.set_i64(&[vr::SHIFT], &[2]), OK);
    assert_eq!(host.set_booleans(&[vr::ON], &[0x55]), OK, "every byte but 0 is true");
    assert_eq!(host.set_strings(&[vr::LABEL, vr::TEXT], &["grün", "t"]), OK);
    assert_eq!(host.f64(&[vr::Z, vr::Y, vr::Y, vr::DOUBLE], 4), Ok(vec![4.0, 7.25, 7.25, 0.5]));
    assert_eq!(host.i32(&[vr::SUM], 1), Ok(vec![12]));
    assert_eq!(host.i64(&[vr::SHIFTED, vr::GEAR], 2), Ok(vec![2, 1]));
    assert_eq!(host.booleans(&[vr::ENABLED, vr::ON, vr::OFF], 3), Ok(vec![1, 1, 0]));
    assert_eq!(host.strings(&[vr::LABEL, vr::MESSAGE, vr::LABEL], 3), ["grün", "start at 0 with grün", "grün"]);
    assert_eq!(host.exit(), OK);
    assert_eq!(host.do_step(0.0, 0.5).status, OK);
    assert_eq!(host.strings(&[vr::MESSAGE], 1), ["grün: t at 0.5"]);
    assert_eq!(host.lines(), []);
}

#[test]
fn the_time_is_a_variable() {
    let host = Host::stepping();
    assert_eq!(host.f64(&[vr::TIME], 1), Ok(vec![0.0]));
    assert_eq!(host.do_step(0.0, 0.5).status, OK);
    assert_eq!(host.f64(&[vr::Z, vr::TIME], 2), Ok(vec![5.0, 0.5]));
    assert_eq!(host.set_f64(&[vr::TIME], &[1.0]), ERROR);
    host.explained("logStatusError", "no Float64 variable has the value reference 0");
}

#[test]
fn a_function_accesses_variables_of_its_type_only() {
    for (reference, is_f64) in [(vr::GAIN, true), (vr::SIZE, false), (vr::GEAR, false), (vr::ENABLED, false), (vr::LABEL, false)]
    {
        assert_eq!(Host::new().f64(&[reference], 1).is_ok(), is_f64, "{reference}");
        assert_eq!(Host::new().i64(&[reference], 1).is_ok(), reference == vr::GEAR, "{reference}");
        assert_eq!(Host::new().i32(&[reference], 1).is_ok(), reference == vr::SIZE, "{reference}");
        let host = Host::new();
        assert_eq!(host.f32(&[reference], 1), Err(ERROR));
        host.explained("logStatusError", &format!("no Float32 variable has the value reference {reference}"));
    }
    for reference in [23, u32::MAX] {
        let host = Host::new();
        assert_eq!(host.set_f64(&[reference], &[1.0]), ERROR);
        host.explained("logStatusError", &format!("no Float64 variable has the value reference {reference}"));
    }
}

#[test]
fn values_are_read_right_after_instantiation_and_inputs_set() {
    let host = Host::new();
    assert_eq!(host.f64(&[vr::GAIN, vr::Y], 2), Ok(vec![2.0, 5.5]));
    assert_eq!(host.set_f64(&[vr::U], &[2.0]), OK);
    assert_eq!(host.f64(&[vr::Y], 1), Ok(vec![6.5]));
    assert_eq!(host.i32(&[vr::INITIALIZATIONS], 1), Ok(vec![2]));
}

#[test]
fn the_number_of_values_must_fit() {
    for n in [0, 1, 3] {
        let host = Host::new();
        assert_eq!(host.f64(&[vr::Z, vr::Y], n), Err(ERROR), "{n}");
        host.explained("logStatusError", &format!("expected 2 values for these variables, found {n}"));
        let host = Host::new();
        assert_eq!(host.set_f64(&[vr::U, vr::HELD], &vec![1.0; n]), ERROR, "{n}");
        host.explained("logStatusError", &format!("expected 2 values for these variables, found {n}"));
    }
    assert_eq!(Host::new().set_f64(&[], &[]), OK);
    assert_eq!(Host::new().strings(&[], 0), [""; 0]);
}

#[test]
fn a_parameter_out_of_range_is_discarded_with_a_sentence() {
    let host = Host::new();
    for (value, part) in [(-1.0, "minimum 0"), (11.0, "maximum 10"), (f64::NAN, "finite"), (f64::INFINITY, "finite")] {
        assert_eq!(host.set_f64(&[vr::GAIN], &[value]), DISCARD);
        host.explained("logStatusDiscard", part);
    }
    assert_eq!(host.set_i32(&[vr::SIZE], &[0]), DISCARD);
    host.explained("logStatusDiscard", "`size`");
    for value in [0, 3, -1] {
        assert_eq!(host.set_i64(&[vr::GEAR], &[value]), DISCARD);
        host.explained("logStatusDiscard", "`gear`");
    }
    assert_eq!(host.set_i64(&[vr::GEAR], &[i64::MAX]), DISCARD);
    host.explained("logStatusDiscard", "no enumeration has an item with the value 9223372036854775807");
    assert_eq!(host.set_f64(&[vr::U], &[f64::NAN]), OK, "inputs are the model's business");
}

#[test]
fn tunables_and_inputs_can_be_set_between_steps_and_nothing_else() {
    let host = Host::stepping();
    assert_eq!(host.set_f64(&[vr::GAIN, vr::U], &[1.0, 1.0]), OK);
    assert_eq!(host.do_step(0.0, 1.0).status, OK);
    assert_eq!(host.f64(&[vr::Z], 1), Ok(vec![5.0]));
    for reference in [vr::OFFSET, vr::Z, vr::Y, vr::DER_Z, vr::DOUBLE] {
        let host = Host::stepping();
        assert_eq!(host.set_f64(&[reference], &[1.0]), ERROR);
        host.explained("logStatusError", "cannot be set in phase `step complete`");
    }
}
