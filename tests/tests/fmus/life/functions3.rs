//! Calls of the functions of an FMU of the kit, for FMI 3.0.

use std::{
    ffi::{CStr, CString, c_char, c_int, c_void},
    ptr,
    sync::Mutex,
};

use fmi3::ffi;
use models::BouncingBall;

use super::{
    Answer, Subject,
    call::{Call, SLOTS},
};

/// An instance: its functions, the variables that a sequence uses, its saved states, and its last log line.
pub struct Functions {
    f: ffi::Functions,
    c: ffi::Instance,
    set: u32,
    get: u32,
    states: [ffi::FmuState; SLOTS],
    line: Box<Mutex<String>>,
}

/// Keeps a log line.
unsafe extern "C" fn log(environment: *mut c_void, _: c_int, _: *const c_char, text: *const c_char) {
    // SAFETY: the environment is the line of an instance.
    let line = unsafe { &*environment.cast::<Mutex<String>>() };
    // SAFETY: the kit passes C strings.
    *line.lock().unwrap() = unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned();
}

impl Functions {
    pub fn new(event_mode: bool) -> Self {
        let (f, description) = (fmu_sdk::fmi3::functions::<BouncingBall>(), fmu_sdk::fmi3::description::<BouncingBall>());
        let reference = |name: &str| description.variables.iter().find(|variable| variable.name == name).unwrap().value_reference;
        let (set, get) = (reference("e"), reference("h"));
        let line = Box::new(Mutex::new(String::new()));
        let token = CString::new(description.instantiation_token).unwrap();
        // SAFETY: the strings live during the call, and the line as long as the instance.
        let c = unsafe {
            (f.instantiate_co_simulation)(
                c"it".as_ptr(),
                token.as_ptr(),
                ptr::null(),
                0,
                0,
                u8::from(event_mode),
                0,
                ptr::null(),
                0,
                ptr::from_ref(&*line).cast_mut().cast(),
                Some(log),
                None,
            )
        };
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
        unsafe { (self.f.deserialize_fmu_state.unwrap())(self.c, bytes.as_ptr(), size, &mut self.states[to]) }
    }

    fn step(&self, time: f64, h: f64) -> c_int {
        let (mut event, mut terminate, mut early, mut last) = (0, 0, 0, f64::NAN);
        // SAFETY: a live instance and room for the answers.
        let status = unsafe { (self.f.do_step)(self.c, time, h, 0, &mut event, &mut terminate, &mut early, &mut last) };
        assert_eq!((event, terminate, early), (0, 0, 0), "a ball in flight has no event");
        status
    }

    fn update(&self) -> c_int {
        let (mut flags, mut next) = ([0; 5], 0.0);
        let [needs, terminate, nominals, values, defined] = &mut flags;
        // SAFETY: a live instance and room for the answers.
        unsafe { (self.f.update_discrete_states.unwrap())(self.c, needs, terminate, nominals, values, defined, &mut next) }
    }
}

impl Subject for Functions {
    fn call(&mut self, call: Call, time: f64) -> Answer {
        let (f, c) = (&self.f, self.c);
        let mut value = f64::NAN;
        let status = match call {
            Call::Setup => unreachable!("FMI 3.0 has no such function"),
            // SAFETY: a live instance.
            Call::EnterInitialization => unsafe { (f.enter_initialization_mode)(c, 0, 0.0, 0.0, 0, 0.0) },
            // SAFETY: a live instance.
            Call::ExitInitialization => unsafe { (f.exit_initialization_mode)(c) },
            // SAFETY: a live instance.
            Call::EnterEventMode => unsafe { (f.enter_event_mode.unwrap())(c) },
            Call::Update => self.update(),
            // SAFETY: a live instance.
            Call::EnterStepMode => unsafe { (f.enter_step_mode.unwrap())(c) },
            // SAFETY: a live instance and arrays of length 1.
            Call::Set(value) => unsafe { (f.set_float64.unwrap())(c, &self.set, 1, &value, 1) },
            // SAFETY: a live instance and arrays of length 1.
            Call::Get => unsafe { (f.get_float64.unwrap())(c, &self.get, 1, &mut value, 1) },
            Call::Step(h) => self.step(time, h),
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
