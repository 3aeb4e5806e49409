//! A small importer over the function table of FMI 3.0.

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::ptr;
use std::sync::{Arc, Mutex};

use fmi3::ffi::{self, Functions};
use fmu_sdk::Model;

use crate::host::{Lines, OK, identifier};
use crate::model::Everything;

/// One instance of a model, usually of [`Everything`].
pub struct Host {
    pub f: Functions,
    pub c: ffi::Instance,
    pub shared: Arc<Shared>,
}

/// An instance, for callbacks.
#[derive(Clone, Copy)]
pub struct Pointer(pub ffi::Instance);

// SAFETY: tests use an instance on one thread.
unsafe impl Send for Pointer {}

impl Pointer {
    /// Calls a function that sets Float64 variables.
    pub fn set(self, set: ffi::SetFloat64, reference: u32, values: &[f64]) -> c_int {
        // SAFETY: callbacks are called while the instance lives; the arrays have these lengths.
        unsafe { set(self.0, &reference, 1, values.as_ptr(), values.len()) }
    }
}

/// What callbacks of the importer use.
pub struct Shared {
    pub log: Mutex<Lines>,
    /// Called for inputs during a step, with the time.
    pub inputs: Mutex<Box<dyn FnMut(f64) + Send>>,
}

/// What an importer wants of an instance.
#[derive(Clone)]
pub struct Wishes {
    pub name: &'static CStr,
    pub token: Option<CString>,
    pub resources: Option<CString>,
    pub debug: bool,
    pub event_mode: bool,
    pub early_return: bool,
    pub intermediate: Vec<u32>,
}

/// The answers of a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Step {
    pub status: c_int,
    pub event: bool,
    pub terminate: bool,
    pub early: bool,
    pub time: f64,
}

impl Step {
    /// A complete step.
    pub fn to(time: f64) -> Self {
        Self { status: OK, event: false, terminate: false, early: false, time }
    }
}

unsafe extern "C" fn log(environment: *mut c_void, status: c_int, category: *const c_char, text: *const c_char) {
    // SAFETY: the hosts below pass their shared part as environment.
    let shared = unsafe { &*environment.cast::<Shared>() };
    let string = |pointer: *const c_char| {
        assert!(!pointer.is_null());
        // SAFETY: the kit passes C strings.
        unsafe { CStr::from_ptr(pointer) }.to_str().unwrap().to_owned()
    };
    shared.log.lock().unwrap().push((status, string(category), string(text)));
}

unsafe extern "C" fn update(
    environment: *mut c_void,
    time: f64,
    set: u8,
    get: u8,
    finished: u8,
    can_return: u8,
    _requested: *mut u8,
    _return_time: *mut f64,
) {
    assert_eq!((set, get, finished, can_return), (1, 0, 0, 0));
    // SAFETY: the hosts below pass their shared part as environment.
    let shared = unsafe { &*environment.cast::<Shared>() };
    (shared.inputs.lock().unwrap())(time);
}

impl Wishes {
    pub fn of<M: Model>() -> Self {
        let token = identifier(|| fmu_sdk::fmi3::description::<M>().instantiation_token);
        Self {
            name: c"it",
            token: Some(token),
            resources: None,
            debug: false,
            event_mode: false,
            early_return: false,
            intermediate: vec![],
        }
    }
}

impl Host {
    /// Instantiated; `None` if that is refused.
    pub fn try_new<M: Model>(wishes: &Wishes) -> (Option<Self>, Lines) {
        let f = fmu_sdk::fmi3::functions::<M>();
        let shared = Arc::new(Shared { log: Mutex::default(), inputs: Mutex::new(Box::new(|_| ())) });
        let pointer = |text: &Option<CString>| text.as_ref().map_or(ptr::null(), |text| text.as_ptr());
        // SAFETY: strings are NULL or valid, and the environment outlives the instance.
        let c = unsafe {
            (f.instantiate_co_simulation)(
                wishes.name.as_ptr(),
                pointer(&wishes.token),
                pointer(&wishes.resources),
                0,
                u8::from(wishes.debug),
                u8::from(wishes.event_mode),
                u8::from(wishes.early_return),
                wishes.intermediate.as_ptr(),
                wishes.intermediate.len(),
                Arc::as_ptr(&shared).cast_mut().cast(),
                Some(log),
                Some(update),
            )
        };
        let host = Self { f, c, shared };
        let lines = host.lines();
        ((!c.is_null()).then_some(host), lines)
    }

    pub fn of<M: Model>(wishes: &Wishes) -> Self {
        Self::try_new::<M>(wishes).0.unwrap()
    }

    pub fn new() -> Self {
        Self::of::<Everything>(&Wishes::of::<Everything>())
    }

    /// Ready for the first step, at 0 s.
    pub fn stepping() -> Self {
        Self::new().started()
    }

    pub fn started(self) -> Self {
        assert_eq!(self.enter(0.0, None), OK);
        assert_eq!(self.exit(), OK);
        self
    }

    pub fn enter(&self, start: f64, stop: Option<f64>) -> c_int {
        // SAFETY: a live instance.
        unsafe { (self.f.enter_initialization_mode)(self.c, 0, 0.0, start, u8::from(stop.is_some()), stop.unwrap_or(0.0)) }
    }

    pub fn exit(&self) -> c_int {
        // SAFETY: a live instance.
        unsafe { (self.f.exit_initialization_mode)(self.c) }
    }

    pub fn terminate(&self) -> c_int {
        // SAFETY: a live instance.
        unsafe { (self.f.terminate)(self.c) }
    }

    pub fn reset(&self) -> c_int {
        // SAFETY: a live instance.
        unsafe { (self.f.reset.unwrap())(self.c) }
    }

    pub fn do_step(&self, t: f64, h: f64) -> Step {
        let (mut event, mut terminate, mut early, mut time) = (9, 9, 9, f64::NAN);
        // SAFETY: a live instance and room for the answers.
        let status = unsafe { (self.f.do_step)(self.c, t, h, 1, &mut event, &mut terminate, &mut early, &mut time) };
        let boolean = |byte: u8| if status == OK { [false, true][usize::from(byte)] } else { false };
        Step { status, event: boolean(event), terminate: boolean(terminate), early: boolean(early), time }
    }

    /// The log lines since the last call of this.
    pub fn lines(&self) -> Lines {
        std::mem::take(&mut *self.shared.log.lock().unwrap())
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
        let set = self.f.set_string.unwrap();
        // SAFETY: a live instance and arrays of these lengths.
        unsafe { set(self.c, references.as_ptr(), references.len(), pointers.as_ptr(), pointers.len()) }
    }

    pub fn strings(&self, references: &[u32], n: usize) -> Vec<String> {
        let mut pointers = vec![ptr::null(); n];
        let get = self.f.get_string.unwrap();
        // SAFETY: a live instance and arrays of these lengths.
        assert_eq!(unsafe { get(self.c, references.as_ptr(), references.len(), pointers.as_mut_ptr(), n) }, OK);
        // SAFETY: the strings stay valid until the next call.
        pointers.iter().map(|p| unsafe { CStr::from_ptr(*p) }.to_str().unwrap().to_owned()).collect()
    }

    pub fn set_binaries(&self, references: &[u32], values: &[&[u8]]) -> c_int {
        let (sizes, pointers): (Vec<_>, Vec<_>) = values.iter().map(|value| (value.len(), value.as_ptr())).unzip();
        let set = self.f.set_binary.unwrap();
        // SAFETY: a live instance and arrays of these lengths.
        unsafe { set(self.c, references.as_ptr(), references.len(), sizes.as_ptr(), pointers.as_ptr(), values.len()) }
    }

    pub fn binaries(&self, references: &[u32], n: usize) -> Vec<Vec<u8>> {
        let (mut sizes, mut pointers) = (vec![usize::MAX; n], vec![ptr::null(); n]);
        let get = self.f.get_binary.unwrap();
        // SAFETY: a live instance and arrays of these lengths.
        let status = unsafe { get(self.c, references.as_ptr(), references.len(), sizes.as_mut_ptr(), pointers.as_mut_ptr(), n) };
        assert_eq!(status, OK);
        let bytes = |(pointer, size): (&ffi::Binary, &usize)| {
            // SAFETY: the values stay valid until the next call.
            unsafe { std::slice::from_raw_parts(*pointer, *size) }.to_vec()
        };
        pointers.iter().zip(&sizes).map(bytes).collect()
    }
}

macro_rules! numbers {
    ($($set:ident $set_function:ident $get:ident $get_function:ident $number:ty, $filler:expr;)*) => {
        impl Host {$(
            pub fn $set(&self, references: &[u32], values: &[$number]) -> c_int {
                let set = self.f.$set_function.unwrap();
                // SAFETY: a live instance and arrays of these lengths.
                unsafe { set(self.c, references.as_ptr(), references.len(), values.as_ptr(), values.len()) }
            }

            pub fn $get(&self, references: &[u32], n: usize) -> Result<Vec<$number>, c_int> {
                let mut values = vec![$filler; n];
                let get = self.f.$get_function.unwrap();
                // SAFETY: a live instance and arrays of these lengths.
                let status = unsafe { get(self.c, references.as_ptr(), references.len(), values.as_mut_ptr(), n) };
                if status == OK { Ok(values) } else { Err(status) }
            }
        )*}
    };
}

numbers! {
    set_f64 set_float64 f64 get_float64 f64, f64::MAX;
    set_f32 set_float32 f32 get_float32 f32, f32::MAX;
    set_i8 set_int8 i8 get_int8 i8, 99;
    set_u8 set_uint8 u8 get_uint8 u8, 99;
    set_i16 set_int16 i16 get_int16 i16, 99;
    set_u16 set_uint16 u16 get_uint16 u16, 99;
    set_i32 set_int32 i32 get_int32 i32, 99;
    set_u32 set_uint32 u32 get_uint32 u32, 99;
    set_i64 set_int64 i64 get_int64 i64, 99;
    set_u64 set_uint64 u64 get_uint64 u64, 99;
    set_booleans set_boolean booleans get_boolean u8, 99;
}

impl Drop for Host {
    fn drop(&mut self) {
        // SAFETY: a live instance that is not used again.
        unsafe { (self.f.free_instance)(self.c) };
    }
}

/// Value references of [`Everything`] in FMI 3.0, in the order of its declaration.
pub mod vr {
    pub const TIME: u32 = 0;
    pub const GAIN: u32 = 1;
    pub const OFFSET: u32 = 2;
    pub const SIZE: u32 = 3;
    pub const GEAR: u32 = 4;
    pub const ENABLED: u32 = 5;
    pub const LABEL: u32 = 6;
    pub const U: u32 = 7;
    pub const HELD: u32 = 8;
    pub const K: u32 = 9;
    pub const SHIFT: u32 = 10;
    pub const FAULT: u32 = 11;
    pub const ON: u32 = 12;
    pub const TEXT: u32 = 13;
    pub const Z: u32 = 14;
    pub const Y: u32 = 15;
    pub const DER_Z: u32 = 16;
    pub const DOUBLE: u32 = 17;
    pub const SUM: u32 = 18;
    pub const SHIFTED: u32 = 19;
    pub const OFF: u32 = 20;
    pub const MESSAGE: u32 = 21;
    pub const INITIALIZATIONS: u32 = 22;
}
