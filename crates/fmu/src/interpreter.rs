//! Interpreters that an FMU can run in its process.

use crate::loading::Linkage;

/// An interpreter, of which a process has one.
pub(crate) struct Interpreter {
    pub name: &'static str,
    /// Beginnings of its symbols.
    symbols: &'static [&'static str],
    /// Beginning of the name of its library.
    library: &'static str,
    /// The function that starts it; some FMUs look it up by its name.
    start: &'static [u8],
}

pub(crate) const INTERPRETERS: [Interpreter; 3] = [
    Interpreter {
        name: "Python",
        symbols: &[
            "Py_",
            "_Py",
            "PyObject_",
            "PyImport_",
            "PyRun_",
            "PyGILState_",
            "PyEval_",
            "PyErr_",
            "PyExc_",
            "PyLong_",
            "PyFloat_",
            "PyList_",
            "PyTuple_",
            "PyDict_",
            "PyUnicode_",
            "PyModule_",
            "PyType_",
        ],
        library: "libpython",
        start: b"Py_Initialize",
    },
    Interpreter { name: "Julia", symbols: &["jl_"], library: "libjulia", start: b"jl_init" },
    Interpreter { name: "Java", symbols: &["JNI_"], library: "libjvm", start: b"JNI_CreateJavaVM" },
];

impl Interpreter {
    pub fn is_used_by(&self, library: &Linkage, bytes: &[u8]) -> bool {
        library.needed.iter().any(|name| name.starts_with(self.library))
            || library.symbols.iter().any(|symbol| self.symbols.iter().any(|prefix| symbol.starts_with(prefix)))
            || library.symbols.iter().any(|symbol| symbol == "dlsym") && memchr::memmem::find(bytes, self.start).is_some()
    }
}

/// The interpreter that defines this symbol: its name, and the beginning of the name of its library.
pub(crate) fn interpreter_with(symbol: &str) -> Option<(&'static str, &'static str)> {
    let has = |interpreter: &&Interpreter| interpreter.symbols.iter().any(|prefix| symbol.starts_with(prefix));
    INTERPRETERS.iter().find(has).map(|interpreter| (interpreter.name, interpreter.library))
}
