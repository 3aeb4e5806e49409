//! Saved states.

use std::ptr;

use fmi3::ffi;

use super::host::{Host, Wishes, vr};
use crate::host::{ERROR, OK};
use crate::model::Everything;

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

    fn serialize(&self, state: ffi::FmuState) -> Vec<ffi::Byte> {
        let mut size = 0;
        // SAFETY: a live instance, a live saved state and room for the size.
        assert_eq!(unsafe { (self.f.serialized_fmu_state_size.unwrap())(self.c, state, &mut size) }, OK);
        let mut bytes = vec![0; size];
        // SAFETY: a live instance, a live saved state and room for the bytes.
        assert_eq!(unsafe { (self.f.serialize_fmu_state.unwrap())(self.c, state, bytes.as_mut_ptr(), size) }, OK);
        bytes
    }

    fn deserialize(&self, bytes: &[ffi::Byte], handle: &mut ffi::FmuState) -> i32 {
        // SAFETY: a live instance, an array of bytes and room for a handle.
        unsafe { (self.f.deserialize_fmu_state.unwrap())(self.c, bytes.as_ptr(), bytes.len(), handle) }
    }

    /// Something that depends on all parts of the state.
    fn continued(&self, t: f64) -> (u64, u64, Vec<String>) {
        assert_eq!((self.do_step(t, 0.3).status, self.do_step(t + 0.3, 0.1).status), (OK, OK));
        let values = self.f64(&[vr::Z, vr::Y], 2).unwrap();
        (values[0].to_bits(), values[1].to_bits(), self.strings(&[vr::LABEL, vr::MESSAGE], 2))
    }
}

/// An instance in the middle of a run.
fn in_the_middle() -> Host {
    let host = Host::new();
    assert_eq!((host.enter(0.0, None), host.set_strings(&[vr::LABEL], &["mid"]), host.exit()), (OK, OK, OK));
    assert_eq!(host.set_f64(&[vr::U, vr::GAIN], &[0.7, 0.3]), OK);
    assert_eq!(host.do_step(0.0, 0.1).status, OK);
    host
}

#[test]
fn restored_and_stepped_again_is_the_same_to_the_bit_with_one_handle() {
    let host = in_the_middle();
    let mut state = ptr::null_mut();
    host.save(&mut state);
    let (handle, first) = (state, host.continued(0.1));
    for _ in 0..3 {
        host.restore(state);
        host.save(&mut state);
        assert_eq!(state, handle);
        assert_eq!(host.continued(0.1), first);
    }
    host.free(&mut state);
    host.free(&mut state);
}

#[test]
fn a_state_leads_out_of_an_error() {
    let host = in_the_middle();
    let mut state = ptr::null_mut();
    host.save(&mut state);
    assert_eq!(host.set_i32(&[vr::FAULT], &[1]), OK);
    assert_eq!(host.do_step(0.1, 0.1).status, ERROR);
    host.restore(state);
    assert_eq!(host.i32(&[vr::FAULT], 1), Ok(vec![0]));
    host.continued(0.1);
    host.free(&mut state);
}

#[test]
fn a_serialized_state_moves_to_another_instance_of_the_same_version() {
    let (host, other) = (in_the_middle(), Host::new());
    let (mut state, mut copy) = (ptr::null_mut(), ptr::null_mut());
    host.save(&mut state);
    let bytes = host.serialize(state);
    let expected = host.continued(0.1);
    assert_eq!(other.deserialize(&bytes, &mut copy), OK);
    other.restore(copy);
    assert_eq!(other.continued(0.1), expected);
    other.free(&mut copy);
    host.free(&mut state);

    let of_2 = crate::host::Host::new(false);
    let bytes: Vec<_> = bytes.into_iter().map(|byte| byte as std::ffi::c_char).collect();
    assert_eq!(of_2.deserialize(&bytes, &mut copy), ERROR);
    of_2.explained("logStatusError", "they come from the FMU with the identifier {");
}

#[test]
fn damaged_bytes_are_refused_with_a_reason() {
    let host = in_the_middle();
    let mut state = ptr::null_mut();
    host.save(&mut state);
    let bytes = host.serialize(state);
    host.free(&mut state);
    let host = Host::new();
    for end in [0, 7, 8, 30, bytes.len() - 1] {
        assert_eq!(host.deserialize(&bytes[..end], &mut state), ERROR);
        assert!(state.is_null());
        host.explained("logStatusError", "not a serialized state of this FMU");
    }
}

#[test]
fn what_the_importer_chose_is_not_part_of_the_state() {
    let (host, mut state) = (in_the_middle(), ptr::null_mut());
    host.save(&mut state);
    let wishes = Wishes { early_return: true, ..Wishes::of::<Everything>() };
    let other = Host::of::<Everything>(&wishes);
    other.restore(state);
    assert_eq!(other.set_i32(&[vr::FAULT], &[4]), OK);
    assert!(other.do_step(0.1, 0.5).early);
    host.free(&mut state);
}
