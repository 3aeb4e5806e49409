//! A small importer over the function table.

use std::any::TypeId;
use std::collections::HashMap;
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::ptr;
use std::sync::{Arc, LazyLock, Mutex};

use fmi2::ffi::{self, Functions};

use fmu_sdk::Model;

use crate::model::Everything;

/// Statuses as integers.
pub const OK: c_int = 0;
pub const WARNING: c_int = 1;
pub const DISCARD: c_int = 2;
pub const ERROR: c_int = 3;

/// Status, category and text of log lines.
pub type Lines = Vec<(c_int, String, String)>;

/// One instance of a model, usually of [`Everything`].
pub struct Host {
    pub f: Functions,
    pub c: ffi::Component,
    log: Arc<Mutex<Lines>>,
}

/// Receives log lines. It takes the one argument that the kit passes for `%s`.
unsafe extern "C" fn log(
    environment: *mut c_void,
    instance: *const c_char,
    status: c_int,
    category: *const c_char,
    format: *const c_char,
    text: *const c_char,
) {
    // SAFETY: the hosts below pass their log as environment.
    let lines = unsafe { &*environment.cast::<Mutex<Lines>>() };
    let string = |pointer: *const c_char| {
        assert!(!pointer.is_null());
        // SAFETY: the kit passes C strings.
        unsafe { CStr::from_ptr(pointer) }.to_str().unwrap().to_owned()
    };
    assert_eq!(string(format), "%s");
    assert_eq!(string(instance), "a/b c");
    lines.lock().unwrap().push((status, string(category), string(text)));
}

/// The callback as the variadic function that FMI wants.
fn logger() -> ffi::CallbackLogger {
    let fixed: unsafe extern "C" fn(*mut c_void, *const c_char, c_int, *const c_char, *const c_char, *const c_char) = log;
    // SAFETY: on the platforms these tests run on, a variadic call with pointer arguments passes them like a fixed one.
    unsafe { std::mem::transmute(fixed) }
}

/// What a function tells, which is asked once: Miri takes long to copy a description.
pub fn identifier<F: Fn() -> String + 'static>(tell: F) -> CString {
    static TOLD: LazyLock<Mutex<HashMap<TypeId, CString>>> = LazyLock::new(Mutex::default);
    TOLD.lock().unwrap().entry(TypeId::of::<F>()).or_insert_with(|| CString::new(tell()).unwrap()).clone()
}

impl Host {
    /// Instantiated, with debug logging as told.
    pub fn new(debug: bool) -> Self {
        Self::of::<Everything>(debug, None)
    }

    /// The same of another model, with a location of its resources.
    pub fn of<M: Model>(debug: bool, resources: Option<&str>) -> Self {
        let log = Arc::new(Mutex::new(Vec::new()));
        let f = fmu_sdk::functions::<M>();
        let guid = identifier(|| fmu_sdk::description::<M>().guid);
        let resources = resources.map(|resources| CString::new(resources).unwrap());
        let location = resources.as_ref().map_or(ptr::null(), |resources| resources.as_ptr());
        let identity = (c"a/b c".as_ptr(), ffi::CO_SIMULATION, guid.as_ptr(), location);
        let c = instantiate(&f, identity, Some(&log), debug);
        assert!(!c.is_null());
        Self { f, c, log }
    }

    /// Ready for the first step, at 0 s.
    pub fn stepping() -> Self {
        let host = Self::new(false);
        host.enter();
        host.exit();
        host
    }

    pub fn enter(&self) {
        assert_eq!(self.setup(0.0, None), OK);
        // SAFETY: a live instance.
        assert_eq!(unsafe { (self.f.enter_initialization_mode)(self.c) }, OK);
    }

    pub fn exit(&self) {
        // SAFETY: a live instance.
        assert_eq!(unsafe { (self.f.exit_initialization_mode)(self.c) }, OK);
    }

    pub fn setup(&self, start: f64, stop: Option<f64>) -> c_int {
        // SAFETY: a live instance.
        unsafe { (self.f.setup_experiment)(self.c, 0, 0.0, start, c_int::from(stop.is_some()), stop.unwrap_or(0.0)) }
    }

    pub fn terminate(&self) -> c_int {
        // SAFETY: a live instance.
        unsafe { (self.f.terminate)(self.c) }
    }

    pub fn reset(&self) -> c_int {
        // SAFETY: a live instance.
        unsafe { (self.f.reset.unwrap())(self.c) }
    }

    pub fn do_step(&self, t: f64, h: f64) -> c_int {
        // SAFETY: a live instance.
        unsafe { (self.f.do_step)(self.c, t, h, 1) }
    }

    /// The log lines since the last call of this.
    pub fn lines(&self) -> Lines {
        std::mem::take(&mut *self.log.lock().unwrap())
    }

    /// Asserts that there is exactly one log line, and that it holds `part`.
    pub fn explained(&self, category: &str, part: &str) {
        let lines = self.lines();
        assert_eq!(lines.len(), 1, "{lines:?}");
        assert_eq!(lines[0].1, category);
        assert!(lines[0].2.contains(part), "{lines:?}");
    }

    pub fn set_strings(&self, references: &[u32], values: &[&str]) -> c_int {
        let strings: Vec<_> = values.iter().map(|value| CString::new(*value).unwrap()).collect();
        let pointers: Vec<_> = strings.iter().map(|string| string.as_ptr()).collect();
        // SAFETY: a live instance and arrays of equal length.
        unsafe { (self.f.set_string.unwrap())(self.c, references.as_ptr(), references.len(), pointers.as_ptr()) }
    }

    pub fn strings(&self, references: &[u32]) -> Vec<String> {
        let mut pointers = vec![ptr::null(); references.len()];
        // SAFETY: a live instance and arrays of equal length.
        let status =
            unsafe { (self.f.get_string.unwrap())(self.c, references.as_ptr(), references.len(), pointers.as_mut_ptr()) };
        assert_eq!(status, OK);
        // SAFETY: the strings stay valid until the next call.
        pointers.iter().map(|p| unsafe { CStr::from_ptr(*p) }.to_str().unwrap().to_owned()).collect()
    }
}

macro_rules! numbers {
    ($($set:ident $set_function:ident $get:ident $get_function:ident $number:ty;)*) => {
        impl Host {$(
            pub fn $set(&self, references: &[u32], values: &[$number]) -> c_int {
                assert_eq!(references.len(), values.len());
                // SAFETY: a live instance and arrays of equal length.
                unsafe { (self.f.$set_function.unwrap())(self.c, references.as_ptr(), references.len(), values.as_ptr()) }
            }

            pub fn $get(&self, references: &[u32]) -> Vec<$number> {
                let mut values = vec![<$number>::MAX; references.len()];
                let get = self.f.$get_function.unwrap();
                // SAFETY: a live instance and arrays of equal length.
                assert_eq!(unsafe { get(self.c, references.as_ptr(), references.len(), values.as_mut_ptr()) }, OK);
                values
            }
        )*}
    };
}

numbers! {
    set_reals set_real reals get_real f64;
    set_integers set_integer integers get_integer i32;
    set_booleans set_boolean booleans get_boolean i32;
}

impl Drop for Host {
    fn drop(&mut self) {
        // SAFETY: a live instance that is not used again.
        unsafe { (self.f.free_instance)(self.c) };
    }
}

/// `fmi2Instantiate` with name, type, GUID and location of the resources; the callback structure is gone when it returns.
pub fn instantiate(
    f: &Functions,
    (name, fmu_type, guid, resources): (ffi::FmiString, ffi::RawType, ffi::FmiString, ffi::FmiString),
    log: Option<&Mutex<Lines>>,
    debug: bool,
) -> ffi::Component {
    let callbacks = ffi::CallbackFunctions {
        logger: log.map(|_| logger()),
        allocate_memory: None,
        free_memory: None,
        step_finished: None,
        component_environment: log.map_or(ptr::null_mut(), |log| ptr::from_ref(log).cast_mut().cast()),
    };
    // SAFETY: strings are NULL or valid, and the log outlives the instance.
    unsafe { (f.instantiate)(name, fmu_type, guid, resources, &callbacks, 0, c_int::from(debug)) }
}
