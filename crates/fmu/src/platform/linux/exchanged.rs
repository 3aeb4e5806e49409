//! The locale and the environment variables of an FMU, exchanged with those of the program.

use std::{
    ffi::{CStr, CString, c_char},
    ptr,
};

use crate::process_state::Parts;

unsafe extern "C" {
    /// The environment variables of the process, up to NULL.
    static mut environ: *mut *mut c_char;
}

#[derive(Debug)]
pub(super) struct Exchanged {
    locale: Option<Locales>,
    variables: Option<Variables>,
}

impl Exchanged {
    pub fn new(reach: Parts) -> Self {
        Self {
            locale: reach.has(Parts::LOCALE).then(Locales::default),
            variables: reach.has(Parts::VARIABLES).then(Variables::copy),
        }
    }

    pub fn enter(&mut self) {
        self.locale.iter_mut().for_each(Locales::enter);
        self.variables.iter_mut().for_each(Variables::exchange);
    }

    /// Returns what the FMU has of its own.
    pub fn leave(&mut self) -> Parts {
        let has_variables = self.variables.as_mut().is_some_and(|variables| {
            variables.exchange();
            variables.differ()
        });
        let has_locale = self.locale.as_mut().is_some_and(Locales::leave);
        Parts::LOCALE.when(has_locale) | Parts::VARIABLES.when(has_variables)
    }
}

impl Clone for Exchanged {
    fn clone(&self) -> Self {
        Self { locale: self.locale.clone(), variables: self.variables.as_ref().map(Variables::again) }
    }
}

/// The locale of the program, and that of the FMU while it is another one.
#[derive(Debug, Clone, Default)]
struct Locales {
    program: CString,
    fmu: Option<CString>,
    /// What the FMU set for its thread; NULL if it did not.
    of_thread: Thread,
    before: Thread,
}

/// A handle of a locale; it belongs to the FMU.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Thread(libc::locale_t);

// SAFETY: it is a handle, which threads may pass on.
unsafe impl Send for Thread {}
// SAFETY: as above.
unsafe impl Sync for Thread {}

impl Default for Thread {
    fn default() -> Self {
        Self(ptr::null_mut())
    }
}

impl Locales {
    fn enter(&mut self) {
        let now = locale();
        if now != &*self.program {
            self.program = now.to_owned();
        }
        if let Some(fmu) = &self.fmu {
            set_locale(fmu);
        }
        self.before = use_locale(self.of_thread);
    }

    /// Returns whether the FMU left another locale than that of the program.
    fn leave(&mut self) -> bool {
        let of_thread = use_locale(self.before);
        let is_other_of_thread = of_thread != self.before;
        self.of_thread = if is_other_of_thread { of_thread } else { Thread::default() };
        let now = locale();
        if now == &*self.program {
            self.fmu = None;
            return is_other_of_thread;
        }
        if self.fmu.as_deref() != Some(now) {
            self.fmu = Some(now.to_owned());
        }
        set_locale(&self.program);
        true
    }
}

/// The locale of the process; valid until the next call of `setlocale`.
fn locale<'a>() -> &'a CStr {
    // SAFETY: without a name `setlocale` only returns the locale.
    let name = unsafe { libc::setlocale(libc::LC_ALL, ptr::null()) };
    if name.is_null() {
        return c"C";
    }
    // SAFETY: it points to a text that ends with NUL.
    unsafe { CStr::from_ptr(name) }
}

fn set_locale(name: &CStr) {
    // SAFETY: the name ends with NUL; FMUs with a state of their own are called one at a time.
    unsafe { libc::setlocale(libc::LC_ALL, name.as_ptr()) };
}

/// Sets the locale of this thread, and returns that before; NULL changes nothing.
fn use_locale(locale: Thread) -> Thread {
    // SAFETY: the locale is NULL, the one of the process, or one that `uselocale` returned.
    Thread(unsafe { libc::uselocale(locale.0) })
}

/// The environment variables of an FMU: a list of its own with texts that nobody changes.
#[derive(Debug)]
struct Variables {
    /// The list as it was made, up to NULL.
    _made: Box<[*mut c_char]>,
    /// As the FMU found it.
    found: Box<[*mut c_char]>,
    /// The list that is not in use: that of the FMU, or that of the program during a call.
    other: *mut *mut c_char,
}

// SAFETY: the lists are used by one thread at a time: `OwnState::within` sees to it.
unsafe impl Send for Variables {}
// SAFETY: shared lists are only read: a call in their state needs `&mut`.
unsafe impl Sync for Variables {}

impl Variables {
    /// Those of the program.
    fn copy() -> Self {
        // SAFETY: the list is not changed meanwhile: FMUs are loaded and called one at a time.
        Self::of(unsafe { environ })
    }

    /// The same for another instance.
    fn again(&self) -> Self {
        Self::of(self.other)
    }

    fn of(list: *mut *mut c_char) -> Self {
        let mut made: Box<[_]> = texts(list).chain([ptr::null_mut()]).collect();
        let other = made.as_mut_ptr();
        Self { found: made.clone(), _made: made, other }
    }

    fn exchange(&mut self) {
        // SAFETY: FMUs with a state of their own are called one at a time.
        let present = unsafe { environ };
        let other = std::mem::replace(&mut self.other, present);
        // SAFETY: as above; it is a list up to NULL.
        unsafe { environ = other };
    }

    /// Whether the FMU has changed its variables.
    fn differ(&self) -> bool {
        !texts(self.other).eq(self.found[..self.found.len() - 1].iter().copied())
    }
}

/// The texts of a list, which may be NULL.
fn texts(list: *mut *mut c_char) -> impl Iterator<Item = *mut c_char> {
    let at = move |index: usize| {
        if list.is_null() {
            return None;
        }
        // SAFETY: the list has elements up to NULL, and the index is not behind it.
        let place = unsafe { list.add(index) };
        // SAFETY: as above.
        Some(unsafe { *place })
    };
    (0..).map_while(at).take_while(|text| !text.is_null())
}
