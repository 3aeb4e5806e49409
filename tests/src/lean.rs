//! FMUs in optimized C that do the least work an FMU can do: with them, time is that of the master.

use std::{
    fmt::Write,
    path::{Path, PathBuf},
};

use border::{
    c_library::{USUAL_LIBRARIES, fingerprint, in_scratch_dir, kept, link},
    hostile::{Entry, pack},
};
use fmi2::description::Annotation;

/// Builds an FMU from `tests/lean/fmu.c`: `signals` inputs `u1`, `u2` … and as many outputs `y1`, `y2` ….
///
/// ```no_run
/// let dir = tempfile::tempdir()?;
/// let fmu = tests::lean::Lean::new("prey").signals(5).define("WORK=100").build(dir.path());
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// Its instances may be used on several threads at the same time, as its model description declares.
pub struct Lean {
    name: String,
    signals: usize,
    defines: Vec<String>,
}

impl Lean {
    /// Creates the FMU of this name, with one input and one output.
    pub fn new(name: &str) -> Self {
        Self { name: name.to_owned(), signals: 1, defines: Vec::new() }
    }

    /// Sets the number of inputs, and of outputs.
    pub fn signals(mut self, signals: usize) -> Self {
        self.signals = signals;
        self
    }

    /// Defines a macro of the source: `NAME` or `NAME=VALUE`.
    pub fn define(mut self, definition: &str) -> Self {
        self.defines.push(definition.to_owned());
        self
    }

    /// Compiles, packs and returns the path `dir/NAME.fmu`.
    ///
    /// # Panics
    /// Panics if the compiler or the file system fails.
    pub fn build(self, dir: &Path) -> PathBuf {
        let path = dir.join(format!("{}.fmu", self.name));
        let entries = [
            Entry::stored("modelDescription.xml", self.model_description().into_bytes()),
            Entry::stored(&format!("binaries/linux64/{}.so", self.name), self.library()),
        ];
        std::fs::write(&path, pack(&entries)).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        path
    }

    /// Returns the library. FMUs that differ only in their names share it.
    fn library(&self) -> Vec<u8> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("lean");
        let defines = [format!("SIGNALS={}", self.signals)].into_iter().chain(self.defines.iter().cloned());
        let mut arguments: Vec<_> = defines.map(|define| format!("-D{define}")).collect();
        arguments.extend(["-O2", "-fvisibility=hidden"].map(str::to_owned));
        kept(fingerprint(&[folder.clone(), crate::hostile::source_dir()], &arguments), || {
            in_scratch_dir(|dir| link(dir, "fmu.so", &[folder.join("fmu.c")], &arguments, &USUAL_LIBRARIES))
        })
    }

    fn model_description(&self) -> String {
        let Annotation { tool, xml } = Annotation::thread_safe();
        let (name, n) = (&self.name, self.signals);
        let has_feedthrough = self.defines.iter().any(|define| define.starts_with("FEEDTHROUGH"));
        let (mut variables, mut outputs) = (String::new(), String::new());
        for i in 1..=n {
            let input = format!(r#"<ScalarVariable name="u{i}" valueReference="{}" causality="input"><Real start="10"/>"#, i - 1);
            writeln!(variables, "{input}</ScalarVariable>").expect("texts can be written to");
        }
        for i in 1..=n {
            let output = format!(r#"<ScalarVariable name="y{i}" valueReference="{}" causality="output"><Real/>"#, n + i - 1);
            writeln!(variables, "{output}</ScalarVariable>").expect("texts can be written to");
            let source = if has_feedthrough { i.to_string() } else { String::new() };
            writeln!(outputs, r#"<Unknown index="{}" dependencies="{source}"/>"#, n + i).expect("texts can be written to");
        }
        format!(
            r#"<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="2.0" modelName="{name}" guid="lean {name}">
<CoSimulation modelIdentifier="{name}" canHandleVariableCommunicationStepSize="true" canGetAndSetFMUstate="true"/>
<VendorAnnotations><Tool name="{tool}">{xml}</Tool></VendorAnnotations>
<ModelVariables>
{variables}</ModelVariables>
<ModelStructure><Outputs>
{outputs}</Outputs></ModelStructure>
</fmiModelDescription>
"#
        )
    }
}
