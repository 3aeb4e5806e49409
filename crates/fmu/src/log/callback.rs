//! The callback structure passed to an FMU at instantiation.

use std::ffi::{c_char, c_int, c_void};
use std::slice;
use std::sync::{Mutex, PoisonError};

use fmi2::ffi::{CallbackFunctions, CallbackLogger, ComponentEnvironment, FmiString, RawStatus};
use fmi3::ffi::{InstanceEnvironment, LogMessageCallback};

use super::Journal;
use crate::v3::Gate;

/// The same value as in `logger.c`.
const MARK: u64 = 0x6c6f_746b_6120_6c6f;

/// All environments, so that leak detectors find them.
static ALIVE: Mutex<Vec<&Environment>> = Mutex::new(Vec::new());

type Line = unsafe extern "C" fn(*const Environment, c_int, *const c_char, usize, *const c_char, usize);

unsafe extern "C" {
    #[cfg(not(miri))]
    fn lotka_fmu_logger(
        environment: ComponentEnvironment,
        instance: FmiString,
        status: RawStatus,
        category: FmiString,
        message: FmiString,
        ...
    );
    fn calloc(count: usize, size: usize) -> *mut c_void;
    fn free(memory: *mut c_void);
}

/// The data behind the environment pointer of an instance. It is never freed: an FMU may log from a thread that outlives
/// the instance, and some FMUs keep the pointer to the callback structure instead of a copy.
#[repr(C)]
pub(crate) struct Environment {
    // The first two fields are read by `logger.c`.
    mark: u64,
    line: Line,
    callbacks: CallbackFunctions,
    journal: Journal,
    gate: Gate,
}

// SAFETY: after `leak` nothing in it is written any more except inside the journal and the gate, which are `Sync`; the raw
// pointer among the callbacks is the address of the environment itself.
unsafe impl Sync for Environment {}

impl Environment {
    /// Creates an environment that lives as long as the process.
    pub(crate) fn leak(journal: Journal) -> &'static Self {
        let environment = Box::into_raw(Box::new(Self {
            mark: MARK,
            line,
            callbacks: CallbackFunctions {
                logger: Some(logger()),
                allocate_memory: Some(calloc),
                free_memory: Some(free),
                step_finished: None,
                component_environment: std::ptr::null_mut(),
            },
            journal,
            gate: Gate::new(),
        }));
        // SAFETY: the pointer comes from a box and is not shared yet; the pointer that is written is the one passed to the FMU.
        unsafe { (*environment).callbacks.component_environment = environment.cast() };
        // SAFETY: the memory is never freed, and from here on it is only read.
        let environment: &'static Self = unsafe { &*environment };
        ALIVE.lock().unwrap_or_else(PoisonError::into_inner).push(environment);
        environment
    }

    /// Returns the structure to pass to `fmi2Instantiate`.
    pub(crate) fn callbacks(&'static self) -> &'static CallbackFunctions {
        &self.callbacks
    }

    pub(crate) fn journal(&self) -> &Journal {
        &self.journal
    }

    /// Returns the step during which FMUs of FMI 3.0 call back.
    pub(crate) fn gate(&self) -> &Gate {
        &self.gate
    }

    /// Returns the environment behind a pointer from an FMU of FMI 3.0; `None` if it is recognized as another one.
    ///
    /// # Safety
    /// The pointer is NULL, or that of an environment, or at least eight bytes can be read there.
    pub(crate) unsafe fn behind(pointer: InstanceEnvironment) -> Option<&'static Self> {
        let environment = pointer.cast::<Self>();
        if environment.is_null() || !environment.is_aligned() {
            return None;
        }
        // SAFETY: the caller guarantees it; the mark comes first.
        let mark = unsafe { environment.cast::<u64>().read() };
        // SAFETY: the mark is that of an environment, and environments are never freed.
        (mark == MARK).then(|| unsafe { &*environment })
    }

    /// Returns the pointer to pass to FMUs of FMI 3.0 as their environment.
    pub(crate) fn pointer(&'static self) -> InstanceEnvironment {
        self.callbacks.component_environment
    }

    /// Returns the callback of FMI 3.0, which receives finished texts.
    pub(crate) fn log_message() -> LogMessageCallback {
        log_message
    }
}

/// Returns the logger for FMUs.
#[cfg(not(miri))]
fn logger() -> CallbackLogger {
    lotka_fmu_logger
}

/// Miri has no `logger.c`: this logger passes on the single text that FMUs of the kit log.
#[cfg(miri)]
fn logger() -> CallbackLogger {
    unsafe extern "C" fn fixed(
        environment: ComponentEnvironment,
        _: FmiString,
        status: RawStatus,
        category: FmiString,
        _: FmiString,
        text: FmiString,
    ) {
        // SAFETY: the kit passes C strings.
        let [category_length, length] = [category, text].map(|text| unsafe { std::ffi::CStr::from_ptr(text) }.count_bytes());
        // SAFETY: the kit passes the environment that it received, and both texts were measured.
        unsafe { line(environment.cast(), status, category, category_length, text, length) };
    }
    let fixed: fmi2::ffi::FixedLogger = fixed;
    // SAFETY: the caller under Miri converts it back to its actual type.
    unsafe { std::mem::transmute(fixed) }
}

/// Length to which texts are cut \[byte\], as in `logger.c`.
const LONGEST_TEXT: usize = 8191;

/// Called by FMUs of FMI 3.0.
unsafe extern "C" fn log_message(pointer: InstanceEnvironment, status: RawStatus, category: FmiString, message: FmiString) {
    // SAFETY: FMI requires the pointer that was passed at instantiation.
    let Some(environment) = (unsafe { Environment::behind(pointer) }) else { return };
    // SAFETY: FMI requires NULL, or a text that ends with a NUL character.
    let [category, message] = [category, message].map(|text| unsafe { c_bytes(text) });
    environment.journal.line(status, category, message);
}

/// # Safety
/// The text is NULL, or ends with a NUL character and outlives `'a`.
unsafe fn c_bytes<'a>(text: FmiString) -> &'a [u8] {
    if text.is_null() {
        return &[];
    }
    // SAFETY: the caller guarantees it.
    let bytes = unsafe { std::ffi::CStr::from_ptr(text) }.to_bytes();
    &bytes[..bytes.len().min(LONGEST_TEXT)]
}

/// Called by `logger.c` with texts of limited length.
unsafe extern "C" fn line(
    environment: *const Environment,
    status: c_int,
    category: *const c_char,
    category_length: usize,
    message: *const c_char,
    message_length: usize,
) {
    // SAFETY: `logger.c` has found the mark of an environment there, and environments are never freed.
    let environment = unsafe { &*environment };
    // SAFETY: `logger.c` passes the category with its length, which it has measured.
    let category = unsafe { bytes(category, category_length) };
    // SAFETY: as for the category.
    let message = unsafe { bytes(message, message_length) };
    environment.journal.line(status, category, message);
}

/// # Safety
/// `length` bytes can be read at `text`, or it is NULL.
unsafe fn bytes<'a>(text: *const c_char, length: usize) -> &'a [u8] {
    if text.is_null() {
        return &[];
    }
    // SAFETY: the caller guarantees it.
    unsafe { slice::from_raw_parts(text.cast(), length) }
}

#[cfg(all(test, not(miri)))]
mod tests {
    use super::*;
    use std::ptr::null;

    fn environment() -> (&'static Environment, ComponentEnvironment) {
        let environment = Environment::leak(Journal::new("prey", None));
        (environment, environment.callbacks().component_environment)
    }

    #[test]
    fn formats_are_carried_out() {
        let (environment, pointer) = environment();
        // SAFETY: the arguments fit the format.
        unsafe {
            lotka_fmu_logger(
                pointer,
                c"prey".as_ptr(),
                0,
                c"logAll".as_ptr(),
                c"%s: %d of %.2f %%".as_ptr(),
                c"x".as_ptr(),
                3,
                0.5,
            )
        };
        assert_eq!(environment.journal().last_lines(), ["x: 3 of 0.50 %"]);
    }

    #[test]
    fn what_is_no_format_is_logged_as_it_stands() {
        let (environment, pointer) = environment();
        for text in [c"100% done: %s", c"%n", c"a %y b", c"%ls", c"%99999999d", c"plain", c""] {
            // SAFETY: none of these texts makes the function look for arguments.
            unsafe { lotka_fmu_logger(pointer, null(), 1, null(), text.as_ptr()) };
        }
        assert_eq!(environment.journal().last_lines(), ["100% done: %s", "%n", "a %y b", "%ls", "%99999999d", "plain", ""]);
    }

    #[test]
    fn null_pointers_and_foreign_environments_do_no_harm() {
        let (environment, pointer) = environment();
        let mut foreign = [0u64; 16];
        // SAFETY: all pointers are NULL or point to memory of sufficient size.
        unsafe { lotka_fmu_logger(pointer, null(), 77, null(), null()) };
        // SAFETY: as above.
        unsafe { lotka_fmu_logger(std::ptr::null_mut(), null(), 0, null(), c"lost".as_ptr()) };
        // SAFETY: as above.
        unsafe { lotka_fmu_logger(foreign.as_mut_ptr().cast(), null(), 0, null(), c"lost".as_ptr()) };
        assert_eq!(environment.journal().last_lines(), [""]);
    }

    #[test]
    fn long_texts_are_cut() {
        let (environment, pointer) = environment();
        let long = std::ffi::CString::new(vec![b'x'; 100_000]).unwrap();
        // SAFETY: a text without percent sign needs no argument.
        unsafe { lotka_fmu_logger(pointer, null(), 0, null(), long.as_ptr()) };
        // SAFETY: the argument fits the format.
        unsafe { lotka_fmu_logger(pointer, null(), 0, null(), c"%s".as_ptr(), long.as_ptr()) };
        let lengths: Vec<_> = environment.journal().last_lines().iter().map(String::len).collect();
        assert_eq!(lengths, [8192, 8191]);
    }
}
