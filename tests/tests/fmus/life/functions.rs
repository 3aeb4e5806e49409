//! Calls of the functions of an FMU of the kit, for FMI 2.0.

use std::{
    ffi::{CStr, CString, c_char, c_int, c_void},
    ptr,
    sync::Mutex,
};

use fmi2::ffi;
use models::Prey;

use super::{
    Answer, Subject,
    call::{Call, SLOTS},
};

/// An instance: its functions, the variables that a sequence uses, its saved states, and its last log line.
pub struct Functions {
    f: ffi::Functions,
    c: ffi::Component,
    set: u32,
    get: u32,
    states: [ffi::FmuState; SLOTS],
    line: Box<Mutex<String>>,
}

/// Keeps a log line. It takes the one argument that the kit passes for `%s`.
unsafe extern "C" fn log(
    environment: *mut c_void,
    _: *const c_char,
    _: c_int,
    _: *const c_char,
    _: *const c_char,
    text: *const c_char,
) {
    // SAFETY: the environment is the line of an instance.
    let line = unsafe { &*environment.cast::<Mutex<String>>() };
    // SAFETY: the kit passes C strings.
    *line.lock().unwrap() = unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned();
}

/// The callback as the variadic function that FMI wants.
fn logger() -> ffi::CallbackLogger {
    let fixed: unsafe extern "C" fn(*mut c_void, *const c_char, c_int, *const c_char, *const c_char, *const c_char) = log;
    // SAFETY: on the platforms these tests run on, a variadic call with pointer arguments passes them like a fixed one.
    unsafe { std::mem::transmute(fixed) }
}

impl Functions {
    pub fn new() -> Self {
        let (f, description) = (fmu_sdk::functions::<Prey>(), fmu_sdk::description::<Prey>());
        let reference = |name: &str| description.variables.iter().find(|variable| variable.name == name).unwrap().value_reference;
        let (set, get) = (reference("y"), reference("x"));
        let line = Box::new(Mutex::new(String::new()));
        let callbacks = ffi::CallbackFunctions {
            logger: Some(logger()),
            allocate_memory: None,
            free_memory: None,
            step_finished: None,
            component_environment: ptr::from_ref(&*line).cast_mut().cast(),
        };
        let guid = CString::new(description.guid).unwrap();
        // SAFETY: the strings live during the call, and the line as long as the instance.
        let c = unsafe { (f.instantiate)(c"it".as_ptr(), ffi::CO_SIMULATION, guid.as_ptr(), ptr::null(), &callbacks, 0, 0) };
        assert!(!c.is_null());
        Self { f, c, set, get, states: [ptr::null_mut(); SLOTS], line }
    }

    fn copy(&mut self, from: usize, to: usize) -> c_int {
        let mut size = 0;
        // SAFETY: a live instance, NULL or a live state, and room for the size.
        let status = unsafe { (self.f.serialized_fmu_state_size.unwrap())(self.c, self.states[from], &mut size) };
        if status != 0 {
            return status;
        }
        let mut bytes = vec![0; size];
        // SAFETY: a live instance, a live state, and room for the bytes.
        let status = unsafe { (self.f.serialize_fmu_state.unwrap())(self.c, self.states[from], bytes.as_mut_ptr(), size) };
        if status != 0 {
            return status;
        }
        // SAFETY: a live instance, and NULL or a live state that is not used again.
        unsafe { (self.f.free_fmu_state.unwrap())(self.c, &mut self.states[to]) };
        // SAFETY: a live instance, an array of bytes, and room for a state.
        unsafe { (self.f.de_serialize_fmu_state.unwrap())(self.c, bytes.as_ptr(), size, &mut self.states[to]) }
    }
}

impl Subject for Functions {
    fn call(&mut self, call: Call, time: f64) -> Answer {
        let (f, c) = (&self.f, self.c);
        let mut value = f64::NAN;
        let status = match call {
            // SAFETY: a live instance.
            Call::Setup => unsafe { (f.setup_experiment)(c, 0, 0.0, 0.0, 0, 0.0) },
            // SAFETY: a live instance.
            Call::EnterInitialization => unsafe { (f.enter_initialization_mode)(c) },
            // SAFETY: a live instance.
            Call::ExitInitialization => unsafe { (f.exit_initialization_mode)(c) },
            Call::EnterEventMode | Call::Update | Call::EnterStepMode => unreachable!("FMI 2.0 has no event mode"),
            // SAFETY: a live instance and arrays of length 1.
            Call::Set(value) => unsafe { (f.set_real.unwrap())(c, &self.set, 1, &value) },
            // SAFETY: a live instance and arrays of length 1.
            Call::Get => unsafe { (f.get_real.unwrap())(c, &self.get, 1, &mut value) },
            // SAFETY: a live instance.
            Call::Step(h) => unsafe { (f.do_step)(c, time, h, 0) },
            // SAFETY: a live instance, and NULL or a live state.
            Call::Save(slot) => unsafe { (f.get_fmu_state.unwrap())(c, &mut self.states[slot]) },
            // SAFETY: a live instance, and NULL or a live state.
            Call::Restore(slot) => unsafe { (f.set_fmu_state.unwrap())(c, self.states[slot]) },
            // SAFETY: a live instance, and NULL or a live state.
            Call::FreeSaved(slot) => unsafe { (f.free_fmu_state.unwrap())(c, &mut self.states[slot]) },
            // The state is there already.
            Call::Copy(from, to) if from == to && !self.states[from].is_null() => 0,
            Call::Copy(from, to) => self.copy(from, to),
            // SAFETY: a live instance.
            Call::Terminate => unsafe { (f.terminate)(c) },
            // SAFETY: a live instance.
            Call::Reset => unsafe { (f.reset.unwrap())(c) },
        };
        match status {
            0 if call == Call::Get => Answer::Value(value),
            0 => Answer::Done,
            2 => Answer::Discarded,
            _ => Answer::Refused(std::mem::take(&mut *self.line.lock().unwrap())),
        }
    }
}

impl Drop for Functions {
    fn drop(&mut self) {
        // SAFETY: a live instance that is not used again.
        unsafe { (self.f.free_instance)(self.c) };
    }
}
