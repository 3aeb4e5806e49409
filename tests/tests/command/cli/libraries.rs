//! Libraries that an FMU expects in its process: those of every program in C, and those of `preload-global`.

use std::process::Command;

use tests::hostile::Hostile;

use super::support::Case;

/// Both places where FMUs run.
const PLACES: [&[&str]; 2] = [&[], &["--isolate"]];

/// `x' = k (u - x)`, from `x0` and what the library adds to it.
fn system(experiment: &str, keys: &str) -> String {
    format!("[experiment]\nstop = 1\nstep = 0.1\n{experiment}\n[instances]\na = {{ fmu = 'a.fmu'{keys} }}\n")
}

fn lacks_nobody() -> Hostile {
    Hostile::new("a").unlinked().define("NEEDS_NOBODY")
}

/// A library with the function that [`lacks_nobody`] lacks, which returns 4.
fn compile_somebody(case: &Case, name: &str) {
    case.write("somebody.c", "double nobody(void) { return 4; }\n");
    let compiler = std::env::var_os("CC").unwrap_or_else(|| "cc".into());
    let mut command = Command::new(compiler);
    command.args(["-shared", "-fPIC", "-o", name, "somebody.c"]).current_dir(case.dir());
    assert!(command.status().unwrap().success());
}

/// Runs the system; the instance begins with this value.
#[track_caller]
fn assert_begins_with(case: &Case, flags: &[&str], x0: f64) {
    case.run(flags).assert(0, &[]);
    assert_eq!(case.rows()[0][1].parse::<f64>().unwrap(), x0, "{flags:?}");
}

#[test]
fn an_fmu_that_is_linked_with_the_c_library_alone_finds_what_every_program_in_c_has() {
    let fmu = || Hostile::new("a").unlinked().define("NEEDS_LIBRARIES");
    let library = &fmu().entries()[1].data;
    assert_eq!(fmu::Library::inspect(library).unwrap().needed, ["libc.so.6"]);
    let case = Case::new(&system("", ""), [fmu()]);
    for place in PLACES {
        assert_begins_with(&case, place, 3.0);
    }
    assert_begins_with(&case, &["--sandbox"], 3.0);
    let checked = case.lotka(&["check", "a.fmu", "--run"]);
    checked.assert(0, &[]);
    assert!(!checked.stdout.contains("cannot be loaded"), "{}", checked.stdout);
}

#[test]
fn libraries_that_are_named_are_loaded_before_the_fmu() {
    for (experiment, keys) in [("", ", preload-global = ['./somebody.so']"), ("preload-global = ['./somebody.so']", "")] {
        let case = Case::new(&system(experiment, keys), [lacks_nobody()]);
        compile_somebody(&case, "somebody.so");
        for place in PLACES {
            assert_begins_with(&case, place, 5.0);
        }
        assert_begins_with(&case, &["--sandbox"], 5.0);
    }
}

#[test]
fn names_without_a_slash_are_for_the_dynamic_linker() {
    let case = Case::new(&system("", ", preload-global = ['libsomebody.so']"), [lacks_nobody()]);
    compile_somebody(&case, "libsomebody.so");
    for place in PLACES {
        let refused = case.run(place);
        refused.assert(11, &["instance `a`", "cannot load libsomebody.so, listed in `preload-global`"]);
        let mut found = assert_cmd::Command::new(tests::lotka());
        found.current_dir(case.dir()).env("LD_LIBRARY_PATH", case.dir()).args(["run", "system.toml"]).args(place);
        found.assert().success();
    }
}

#[test]
fn a_library_that_is_not_there_is_a_problem_of_its_key() {
    let case = Case::new(&system("", ", preload-global = ['lib/somebody.so']"), [Hostile::new("a")]);
    case.run(&[]).assert(10, &["system.toml:6:", "`preload-global` of instance `a` lists", "lib/somebody.so", "[missing-path]"]);
    case.write("system.toml", &system("", ", preload-global = ['somebody.so', 3]"));
    case.run(&[]).assert(10, &["expected the path or the name of a library in `preload-global`, found an integer"]);
}

#[test]
fn a_file_that_is_no_library_is_named_with_its_key() {
    let case = Case::new(&system("", ", preload-global = ['./somebody.so']"), [Hostile::new("a")]);
    case.write("somebody.so", "no library");
    for place in PLACES {
        case.run(place).assert(11, &["listed in `preload-global`", "somebody.so", "file too short"]);
    }
}

#[test]
fn an_fmu_that_lacks_its_interpreter_is_told_which_library_to_preload() {
    for (symbol, library) in
        [("Py_IsInitialized", "libpython3.11.so.1.0"), ("_PyObject_New", "libpython"), ("jl_eval_string", "libjulia.so")]
    {
        let fmu = Hostile::new("a").unlinked().define("NEEDS_NOBODY").define(&format!("nobody={symbol}"));
        let case = Case::new(&system("", ""), [fmu]);
        for place in PLACES {
            case.run(place).assert(11, &["instance `a`", symbol, "in `preload-global` of the instance, such as", library]);
        }
    }
}
