//! Saved states.

use std::ptr;

use fmi2::ffi;

use crate::host::{ERROR, Host, OK};
use crate::model::{integer, real};

impl Host {
    pub fn save(&self, handle: &mut ffi::FmuState) {
        // SAFETY: a live instance, and a handle that is NULL inside or holds a saved state.
        assert_eq!(unsafe { (self.f.get_fmu_state.unwrap())(self.c, handle) }, OK);
    }

    pub fn restore(&self, state: ffi::FmuState) {
        // SAFETY: a live instance and a live saved state.
        assert_eq!(unsafe { (self.f.set_fmu_state.unwrap())(self.c, state) }, OK);
    }

    pub fn free(&self, handle: &mut ffi::FmuState) {
        // SAFETY: a live instance and a live saved state that is not used again.
        assert_eq!(unsafe { (self.f.free_fmu_state.unwrap())(self.c, handle) }, OK);
        assert!(handle.is_null());
    }

    pub fn serialize(&self, state: ffi::FmuState) -> Vec<ffi::Byte> {
        let mut size = 0;
        // SAFETY: a live instance, a live saved state and room for the size.
        assert_eq!(unsafe { (self.f.serialized_fmu_state_size.unwrap())(self.c, state, &mut size) }, OK);
        let mut bytes = vec![0; size];
        // SAFETY: a live instance, a live saved state and room for the bytes.
        assert_eq!(unsafe { (self.f.serialize_fmu_state.unwrap())(self.c, state, bytes.as_mut_ptr(), size) }, OK);
        bytes
    }

    pub fn deserialize(&self, bytes: &[ffi::Byte], handle: &mut ffi::FmuState) -> i32 {
        // SAFETY: a live instance, an array of bytes and room for a handle.
        unsafe { (self.f.de_serialize_fmu_state.unwrap())(self.c, bytes.as_ptr(), bytes.len(), handle) }
    }

    /// Something that depends on all parts of the state: bits of outputs after two more steps, and a string.
    fn continued(&self, t: f64) -> (u64, u64, Vec<String>) {
        assert_eq!(self.do_step(t, 0.3), OK);
        assert_eq!(self.do_step(t + 0.3, 0.1), OK);
        let values = self.reals(&[real::Z, real::Y]);
        (values[0].to_bits(), values[1].to_bits(), self.strings(&[0, 2]))
    }

    fn set_slope(&self, value: f64) {
        // SAFETY: a live instance and arrays of length 1.
        let status = unsafe { (self.f.set_real_input_derivatives.unwrap())(self.c, &real::U, 1, &1, &value) };
        assert_eq!(status, OK);
    }
}

/// An instance in the middle of a run, with an input derivative set for its next step from 0.1 s.
fn in_the_middle() -> Host {
    let host = Host::new(false);
    host.enter();
    assert_eq!(host.set_strings(&[0], &["mid"]), OK);
    host.exit();
    assert_eq!(host.set_reals(&[real::U, real::GAIN], &[0.7, 0.3]), OK);
    assert_eq!(host.do_step(0.0, 0.1), OK);
    host.set_slope(1.7);
    host
}

#[test]
fn restored_and_stepped_again_is_the_same_to_the_bit() {
    let host = in_the_middle();
    let mut state = ptr::null_mut();
    host.save(&mut state);
    let first = host.continued(0.1);
    for _ in 0..3 {
        host.restore(state);
        assert_eq!(host.continued(0.1), first);
    }
    host.free(&mut state);
    host.free(&mut state);
}

#[test]
fn a_handle_is_used_again() {
    let host = in_the_middle();
    let mut state = ptr::null_mut();
    host.save(&mut state);
    let before = state;
    assert_eq!(host.do_step(0.1, 0.1), OK);
    host.save(&mut state);
    assert_eq!(state, before);
    let second = host.continued(0.2);
    host.restore(state);
    assert_eq!(host.continued(0.2), second);
    host.free(&mut state);
}

#[test]
fn a_state_leads_out_of_error_and_of_a_discarded_step() {
    for fault in [1, 2, 3] {
        let host = in_the_middle();
        let mut state = ptr::null_mut();
        host.save(&mut state);
        assert_eq!(host.set_integers(&[integer::FAULT], &[fault]), OK);
        assert_ne!(host.do_step(0.1, 0.1), OK);
        host.restore(state);
        assert_eq!(host.integers(&[integer::FAULT]), [0]);
        host.continued(0.1);
        host.free(&mut state);
    }
}

#[test]
fn a_serialized_state_moves_to_another_instance() {
    let (host, other) = (in_the_middle(), Host::new(false));
    let (mut state, mut copy) = (ptr::null_mut(), ptr::null_mut());
    host.save(&mut state);
    let bytes = host.serialize(state);
    let expected = host.continued(0.1);
    assert_eq!(other.deserialize(&bytes, &mut copy), OK);
    other.restore(copy);
    assert_eq!(other.continued(0.1), expected);
    host.free(&mut state);
    other.free(&mut copy);
}

#[test]
fn damaged_bytes_are_refused_with_a_reason() {
    let host = in_the_middle();
    let mut state = ptr::null_mut();
    host.save(&mut state);
    let bytes = host.serialize(state);
    host.free(&mut state);
    let mut cases: Vec<_> = (0..bytes.len()).map(|end| bytes[..end].to_vec()).collect();
    cases.extend((0..bytes.len()).map(|i| {
        let mut flipped = bytes.clone();
        flipped[i] ^= 4;
        flipped
    }));
    cases.push([&bytes[..], &[0]].concat());
    let host = Host::new(false);
    for case in cases {
        let mut handle = ptr::null_mut();
        assert_eq!(host.deserialize(&case, &mut handle), ERROR);
        assert!(handle.is_null());
        host.explained("logStatusError", "not a serialized state of this FMU");
    }
}

#[test]
fn room_of_another_size_is_refused() {
    let host = in_the_middle();
    let mut state = ptr::null_mut();
    host.save(&mut state);
    let mut byte = 0;
    // SAFETY: a live instance, a live saved state and room for one byte.
    assert_eq!(unsafe { (host.f.serialize_fmu_state.unwrap())(host.c, state, &mut byte, 1) }, ERROR);
    host.explained("logStatusError", "but the array has 1");
    host.free(&mut state);
}
