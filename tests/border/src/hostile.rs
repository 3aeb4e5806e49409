//! Faulty FMUs, built during the test by the C compiler; `tests/hostile/faults.h` lists the faults.
//!
//! Start reading at [`Hostile`]. [`BadArchive`] lists archives that must be rejected before anything is loaded.

mod archive;
mod bad_archive;
mod compile;
mod ends;
mod gate;

use std::path::{Path, PathBuf};

pub use archive::{Entry, pack};
pub use bad_archive::BadArchive;
pub use compile::source_dir;
use compile::{Variant, Version, library};

pub use ends::*;
pub use gate::{Gate, Waiting};

type Edit<T> = Box<dyn FnOnce(&mut T)>;

/// Builds one FMU: `x' = k (u - x)`, `y = x`, with Real `u`, `y`, `k`, `x0`, Integer `level`, `steps`, Boolean `enable`,
/// `positive`, String `label`, `text` (input or parameter first, output second).
///
/// Without faults, the FMU is well-behaved and strict about the order of calls. It terminates the process if it is called
/// after `fmi2Fatal`.
///
/// ```no_run
/// let dir = tempfile::tempdir()?;
/// let fmu = border::hostile::Hostile::new("stiff").reply("fmi2DoStep", 2).define("FAULT_ABOVE=0.01").build(dir.path());
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// Methods panic if the compiler or the file system fails; the test then ends with the reason.
pub struct Hostile {
    name: String,
    variant: Variant,
    replies: Vec<String>,
    with_neighbor: bool,
    xml_edits: Vec<Edit<String>>,
    archive_edits: Vec<Edit<Vec<Entry>>>,
}

impl Hostile {
    /// Creates a well-behaved FMU; `name` (a C identifier) is its model name, model identifier and file name.
    pub fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            variant: Variant::default(),
            replies: Vec::new(),
            with_neighbor: false,
            xml_edits: Vec::new(),
            archive_edits: Vec::new(),
        }
    }

    /// Creates a well-behaved FMU of FMI 3.0 with the same variables, but Int64 `level` and UInt64 `steps`, and the outputs
    /// `pair` (y and -y) and Binary `blob`. It has its own faults, listed in `fmi3.c`, and of `faults.h` those that it mentions.
    pub fn fmi3(name: &str) -> Self {
        let mut fmu = Self::new(name);
        fmu.variant.version = Version::Three;
        fmu
    }

    /// Creates an FMU of FMI 3.0 with a fault that `families.c` names; "" stands for none. All of them share one compiled
    /// library.
    pub fn family(name: &str, fault: &str) -> Self {
        let mut fmu = Self::new(name);
        fmu.variant.version = Version::Families;
        fmu.replies.push(format!("fault={fault}"));
        fmu
    }

    /// Defines a macro of `faults.h`: `NAME` or `NAME=VALUE`.
    pub fn define(mut self, definition: &str) -> Self {
        self.variant.defines.push(definition.to_owned());
        self
    }

    /// Makes a function (such as `fmi2DoStep`) return this status, or end as one of the numbers from [`ABORT`] on specifies.
    /// `constructor`, `destructor` and `at_exit` count as functions. `FAULT_AT`, `FAULT_TIMES` and `FAULT_ABOVE` select the
    /// calls.
    pub fn reply(mut self, function: &str, status: i32) -> Self {
        self.replies.push(format!("{function}={status}"));
        self
    }

    /// Makes each call of a function wait at the gate before it does its work. `FAULT_AT`, `FAULT_TIMES` and `FAULT_ABOVE` select
    /// the first call. All gated functions of an FMU share one gate.
    pub fn gated(mut self, function: &str, gate: &Gate) -> Self {
        let name = format!("gate={}", gate.name());
        if !self.replies.contains(&name) {
            self.replies.push(name);
        }
        self.reply(function, GATE)
    }

    /// Does not export this symbol.
    pub fn omit(mut self, symbol: &str) -> Self {
        self.variant.omitted.push(symbol.to_owned());
        self
    }

    /// Makes the library depend on another one, `libneighbor.so`, which is beside it in the archive (`present`) or missing.
    pub fn neighbor(mut self, present: bool) -> Self {
        self.variant.needs_neighbor = true;
        self.with_neighbor = present;
        self.define("NEEDS_NEIGHBOR")
    }

    /// Links the library with the C library only: the loading program must provide the other functions that it calls.
    pub fn unlinked(mut self) -> Self {
        self.variant.unlinked = true;
        self
    }

    /// Edits the model description as text.
    pub fn edit_xml(mut self, edit: impl FnOnce(&mut String) + 'static) -> Self {
        self.xml_edits.push(Box::new(edit));
        self
    }

    /// Declares that instances may be used on several threads at the same time.
    pub fn thread_safe(self) -> Self {
        let fmi2::description::Annotation { tool, xml } = fmi2::description::Annotation::thread_safe();
        self.edit_xml(move |text| {
            let annotation =
                format!("<VendorAnnotations><Tool name=\"{tool}\">{xml}</Tool></VendorAnnotations>\n  <ModelVariables>");
            *text = text.replacen("<ModelVariables>", &annotation, 1);
        })
    }

    /// Sets an attribute of `CoSimulation`, such as `canGetAndSetFMUstate`. The XML must already contain the attribute.
    pub fn capability(self, attribute: &str, value: bool) -> Self {
        let (old, new) = (format!("{attribute}=\"{}\"", !value), format!("{attribute}=\"{value}\""));
        self.edit_xml(move |xml| *xml = xml.replacen(&old, &new, 1))
    }

    /// Adds direct feedthrough, `y = x + gain * u`, and declares it in the model description.
    pub fn feedthrough(self, gain: f64) -> Self {
        self.define(&format!("FEEDTHROUGH=({gain:?})")).edit_xml(|xml| {
            *xml = xml
                .replace(r#"<Unknown index="2" dependencies=""/>"#, r#"<Unknown index="2" dependencies="1"/>"#)
                .replace(r#"<Unknown index="2" dependencies="4"/>"#, r#"<Unknown index="2" dependencies="1 4"/>"#);
        })
    }

    /// Edits the archive after the library and the model description have been added.
    pub fn edit_archive(mut self, edit: impl FnOnce(&mut Vec<Entry>) + 'static) -> Self {
        self.archive_edits.push(Box::new(edit));
        self
    }

    /// Compiles, packs and returns the path `dir/NAME.fmu`. Equal libraries are compiled once per process.
    pub fn build(self, dir: &Path) -> PathBuf {
        let path = dir.join(format!("{}.fmu", self.name));
        let bytes = self.bytes();
        std::fs::write(&path, bytes).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        path
    }

    /// Returns the archive as bytes.
    pub fn bytes(self) -> Vec<u8> {
        pack(&self.entries())
    }

    /// Returns the entries of the archive.
    pub fn entries(mut self) -> Vec<Entry> {
        let mut entries = vec![
            Entry::stored("modelDescription.xml", self.model_description().into_bytes()),
            Entry::stored(
                &format!("binaries/{}/{}.so", self.variant.version.platform(), self.name),
                library(&self.variant, &self.replies.join(",")),
            ),
        ];
        if self.with_neighbor {
            entries.push(Entry::stored("binaries/linux64/libneighbor.so", compile::neighbor()));
        }
        self.archive_edits.into_iter().for_each(|edit| edit(&mut entries));
        entries
    }

    fn model_description(&mut self) -> String {
        let path = source_dir().join(self.variant.version.description());
        let template = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let mut xml = template.replace("@NAME@", &self.name);
        self.xml_edits.drain(..).for_each(|edit| edit(&mut xml));
        xml
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fault_of_the_header_compiles_and_exports_the_34_functions() {
        let faults = [
            "INSTANTIATE_FAILS",
            "INSTANTIATE_FAILS_SILENTLY",
            "ONCE_PER_PROCESS",
            "NOT_IN_HOSTS",
            "STATIC_SCRATCH",
            "KEEP_CALLBACKS",
            "MEMORY_CALLBACKS",
            "STRICT_TIME",
            "STRICT_STOP",
            "STRICT_STEP",
            "STRICT_GET",
            "NEEDS_STOP",
            "NEEDS_TOLERANCE",
            "FORGETFUL_GRID",
            "FORGETFUL_RESET",
            "FORGETFUL_STATE",
            "UNWRITTEN_OUTPUTS",
            "NULL_STRINGS",
            "NULL_STATE",
            "BAD_LOG",
            "LOG_FROM_THREAD",
            "LOG_AFTER_FREE",
            "LOG_EACH_STEP",
            "CHANGE_DIRECTORY",
            "CHANGE_ROUNDING",
            "FLUSH_TO_ZERO",
            "ENABLE_TRAPS",
            "CHANGE_SIGNALS",
            "CHANGE_LOCALE",
            "IGNORE_CHILDREN",
            "BLOCK_SIGNALS",
            "CHANGE_UMASK",
            "CLEAR_ENVIRONMENT",
            "CLOSE_STDIN",
            "CLOSE_STDOUT",
            "CLOSE_STDERR",
            "CLOSE_FILES",
            "REPLACE_FILES",
            "WAKE_THREADS",
            "NO_MORE_FILES",
            "NO_FILE_SIZE",
            "START_TIMER",
            "START_PROCESS",
            "NEEDS_NOBODY",
            "NEEDS_LIBRARIES",
            "LEAVE_THREAD",
            "LEAVE_FILE",
            "LEAVE_FILE_OPEN",
            "DIFFERENT_EACH_TIME",
            "SHARED_STATE",
            "NO_STOP",
            "MISBEHAVE_IN_STEP",
        ];
        let all = faults.iter().fold(Hostile::new("all"), |fmu, fault| fmu.define(fault));
        let entries = all.reply("fmi2DoStep", HANG).define("LAST_SUCCESSFUL_TIME=NAN").neighbor(true).feedthrough(-2.0).entries();
        assert_eq!(entries.len(), 3);
        for string in ["BAD_UTF8", "SHARED_STRING_BUFFER", "HUGE_STRINGS", "ODD_STRINGS", "LOG_FOREVER"] {
            assert!(!Hostile::new("string").define(string).bytes().is_empty());
        }
        assert_eq!(exported(&entries[1].data), 34);
    }

    #[test]
    fn every_fault_of_fmi3_compiles() {
        let faults =
            ["INSTANTIATE_FAILS", "UNWRITTEN_OUTPUTS", "NULL_STRING", "NULL_BINARY", "NULL_STATE", "FORGETFUL_STATE", "UPDATES"];
        let all = faults.iter().fold(Hostile::fmi3("all"), |fmu, fault| fmu.define(fault));
        let entries = all.reply("fmi3DoStep", CRASH).define("LAST_TIME=NAN").define("UPDATE_BETWEEN_STEPS").entries();
        assert_eq!((entries.len(), exported(&entries[1].data)), (2, 25));
        assert!(!Hostile::fmi3("string").define("BAD_UTF8").define("UPDATES").define("UPDATE_FROM_THREAD").bytes().is_empty());
    }

    #[test]
    fn faults_of_families_share_a_library() {
        let library = |fault: &str| Hostile::family("a", fault).entries().swap_remove(1).data;
        let [one, other] = ["early-next", "string-freed"].map(library);
        let differing = one.iter().zip(&other).filter(|(one, other)| one != other).count();
        assert!(differing > 0 && differing < 20, "{differing}");
        assert_eq!(exported(&one), 38);
    }

    #[test]
    fn an_omitted_symbol_is_not_exported() {
        let entries = Hostile::new("omits").omit("fmi2GetFMUstate").omit("fmi2SetFMUstate").entries();
        assert_eq!(exported(&entries[1].data), 32);
    }

    fn exported(library: &[u8]) -> usize {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("library.so");
        std::fs::write(&path, library).unwrap();
        let output = std::process::Command::new("nm").arg("-D").arg("--defined-only").arg(path).output().unwrap();
        String::from_utf8(output.stdout).unwrap().matches(" T fmi").count()
    }
}
