//! FMI 2.0.

use std::{ffi::CString, ptr, rc::Rc};

use fmi2::ffi::{self, Functions};
use fmu::Fmu;
use lotka_instance::InstanceFactory;

use super::{Side, ok};

/// One instance with its connected inputs and outputs. The functions are shared, as a program in C would.
pub struct Side2 {
    functions: Rc<Functions>,
    component: ffi::Component,
    state: ffi::FmuState,
    inputs: Vec<u32>,
    outputs: Vec<u32>,
}

impl Side2 {
    /// Creates an instance; those of the same FMU share its functions.
    pub fn sharing(functions: &Rc<Functions>, fmu: &Fmu, inputs: &[u32], outputs: &[u32]) -> Self {
        let name = CString::new("bare").expect("no NUL");
        let guid = CString::new(InstanceFactory::description(fmu).token.as_str()).expect("no NUL");
        let callbacks = ffi::CallbackFunctions {
            logger: None,
            allocate_memory: None,
            free_memory: None,
            step_finished: None,
            component_environment: ptr::null_mut(),
        };
        // SAFETY: the strings and the callbacks live during the call; our FMUs tolerate missing callbacks.
        let component =
            unsafe { (functions.instantiate)(name.as_ptr(), ffi::CO_SIMULATION, guid.as_ptr(), ptr::null(), &callbacks, 0, 0) };
        assert!(!component.is_null());
        Self {
            functions: functions.clone(),
            component,
            state: ptr::null_mut(),
            inputs: inputs.to_vec(),
            outputs: outputs.to_vec(),
        }
    }

    #[inline(always)]
    fn get(&self, outputs: &mut [f64]) {
        assert_eq!(outputs.len(), self.outputs.len());
        let get_real = self.functions.get_real.expect("our FMUs have all functions");
        // SAFETY: as many references as values.
        ok(unsafe { get_real(self.component, self.outputs.as_ptr(), self.outputs.len(), outputs.as_mut_ptr()) });
    }
}

impl Side for Side2 {
    fn new(fmu: &Fmu, inputs: &[u32], outputs: &[u32]) -> Self {
        Self::sharing(&Rc::new(*fmu.functions().expect("FMI 2.0")), fmu, inputs, outputs)
    }

    fn begin(&mut self, outputs: &mut [f64]) {
        let reset = self.functions.reset.expect("our FMUs have all functions");
        // SAFETY: the component is alive.
        ok(unsafe { reset(self.component) });
        // SAFETY: the component is alive and in the right phase.
        ok(unsafe { (self.functions.setup_experiment)(self.component, 0, 0.0, 0.0, 0, 0.0) });
        // SAFETY: as before.
        ok(unsafe { (self.functions.enter_initialization_mode)(self.component) });
        // SAFETY: as before.
        ok(unsafe { (self.functions.exit_initialization_mode)(self.component) });
        self.get(outputs);
    }

    #[inline(always)]
    fn step(&self, inputs: &[f64], t: f64, h: f64, outputs: &mut [f64]) {
        assert_eq!(inputs.len(), self.inputs.len());
        let set_real = self.functions.set_real.expect("our FMUs have all functions");
        // SAFETY: as many references as values.
        ok(unsafe { set_real(self.component, self.inputs.as_ptr(), self.inputs.len(), inputs.as_ptr()) });
        // SAFETY: the component is alive and at `t`.
        ok(unsafe { (self.functions.do_step)(self.component, t, h, 0) });
        self.get(outputs);
    }

    #[inline(always)]
    fn save(&mut self) {
        let get_state = self.functions.get_fmu_state.expect("our FMUs have all functions");
        // SAFETY: the state is NULL or was made by this component.
        ok(unsafe { get_state(self.component, &mut self.state) });
    }

    #[inline(always)]
    fn restore(&self) {
        let set_state = self.functions.set_fmu_state.expect("our FMUs have all functions");
        // SAFETY: the state was made by this component.
        ok(unsafe { set_state(self.component, self.state) });
    }
}

impl Drop for Side2 {
    fn drop(&mut self) {
        if let Some(free_state) = self.functions.free_fmu_state {
            // SAFETY: the state is NULL or was made by this component.
            ok(unsafe { free_state(self.component, &mut self.state) });
        }
        // SAFETY: the component is alive and not used again.
        unsafe { (self.functions.free_instance)(self.component) };
    }
}
