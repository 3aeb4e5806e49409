//! FMI 3.0.

use std::{ffi::CString, ptr, rc::Rc};

use fmi3::ffi::{self, Functions};
use fmu::Fmu;
use lotka_instance::InstanceFactory;

use super::{Side, ok};

/// One instance with its connected inputs and outputs.
pub struct Side3 {
    functions: Rc<Functions>,
    instance: ffi::Instance,
    state: ffi::FmuState,
    inputs: Vec<u32>,
    outputs: Vec<u32>,
}

impl Side3 {
    #[inline(always)]
    fn get(&self, outputs: &mut [f64]) {
        let get_float64 = self.functions.get_float64.expect("our FMUs have all functions");
        let references = (self.outputs.as_ptr(), self.outputs.len());
        // SAFETY: there is memory for all values.
        ok(unsafe { get_float64(self.instance, references.0, references.1, outputs.as_mut_ptr(), outputs.len()) });
    }
}

impl Side for Side3 {
    fn new(fmu: &Fmu, inputs: &[u32], outputs: &[u32]) -> Self {
        let functions = Rc::new(*fmu.fmi3_functions().expect("FMI 3.0"));
        let name = CString::new("bare").expect("no NUL");
        let token = CString::new(InstanceFactory::description(fmu).token.as_str()).expect("no NUL");
        let (no, none) = (ffi::FALSE, ptr::null_mut());
        let (name, token, path) = (name.as_ptr(), token.as_ptr(), ptr::null());
        // SAFETY: the strings live during the call; our FMUs tolerate missing callbacks.
        let instance =
            unsafe { (functions.instantiate_co_simulation)(name, token, path, no, no, no, no, ptr::null(), 0, none, None, None) };
        assert!(!instance.is_null());
        Self { functions, instance, state: ptr::null_mut(), inputs: inputs.to_vec(), outputs: outputs.to_vec() }
    }

    fn begin(&mut self, outputs: &mut [f64]) {
        let reset = self.functions.reset.expect("our FMUs have all functions");
        // SAFETY: the instance is alive.
        ok(unsafe { reset(self.instance) });
        // SAFETY: the instance is alive and in the right phase.
        ok(unsafe { (self.functions.enter_initialization_mode)(self.instance, ffi::FALSE, 0.0, 0.0, ffi::FALSE, 0.0) });
        // SAFETY: as before.
        ok(unsafe { (self.functions.exit_initialization_mode)(self.instance) });
        self.get(outputs);
    }

    #[inline(always)]
    fn step(&self, inputs: &[f64], t: f64, h: f64, outputs: &mut [f64]) {
        let set_float64 = self.functions.set_float64.expect("our FMUs have all functions");
        let references = (self.inputs.as_ptr(), self.inputs.len());
        // SAFETY: all values are there.
        ok(unsafe { set_float64(self.instance, references.0, references.1, inputs.as_ptr(), inputs.len()) });
        let (mut event, mut terminate, mut early, mut time) = (ffi::FALSE, ffi::FALSE, ffi::FALSE, 0.0);
        let do_step = self.functions.do_step;
        // SAFETY: the instance is alive and at `t`, and there is memory for the answers.
        ok(unsafe { do_step(self.instance, t, h, ffi::FALSE, &mut event, &mut terminate, &mut early, &mut time) });
        assert!((event, terminate, early) == (ffi::FALSE, ffi::FALSE, ffi::FALSE) && time == t + h);
        self.get(outputs);
    }

    #[inline(always)]
    fn save(&mut self) {
        let get_state = self.functions.get_fmu_state.expect("our FMUs have all functions");
        // SAFETY: the state is NULL or was made by this instance.
        ok(unsafe { get_state(self.instance, &mut self.state) });
    }

    #[inline(always)]
    fn restore(&self) {
        let set_state = self.functions.set_fmu_state.expect("our FMUs have all functions");
        // SAFETY: the state was made by this instance.
        ok(unsafe { set_state(self.instance, self.state) });
    }
}

impl Drop for Side3 {
    fn drop(&mut self) {
        if let Some(free_state) = self.functions.free_fmu_state {
            // SAFETY: the state is NULL or was made by this instance.
            ok(unsafe { free_state(self.instance, &mut self.state) });
        }
        // SAFETY: the instance is alive and not used again.
        unsafe { (self.functions.free_instance)(self.instance) };
    }
}
