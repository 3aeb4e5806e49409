//! FMUs with the habits of other tools, made on the spot by the C compiler: nothing is wrong with them, and masters that take too much for granted
//! get wrong numbers from them.
//!
//! A source in `tests/quirks` says what an FMU computes and what its habit is; `quirk.h` is what it is made from.

use std::path::{Path, PathBuf};

use crate::{
    c_library::{USUAL_LIBRARIES, fingerprint, in_scratch_dir, kept, link},
    hostile::{Entry, pack},
};

type Edit = Box<dyn FnOnce(&mut String)>;

/// Builds one FMU from `tests/quirks/SOURCE.c` and `tests/quirks/DESCRIPTION.xml`.
///
/// ```no_run
/// let dir = tempfile::tempdir()?;
/// let fmu = tests::quirks::Quirk::new("lost_start").described_by("lag").named("plant").build(dir.path());
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// Methods panic when the compiler or the file system fails: that ends the test with the reason.
pub struct Quirk {
    name: String,
    source: String,
    description: String,
    defines: Vec<String>,
    libraries: Vec<&'static str>,
    edits: Vec<Edit>,
}

impl Quirk {
    /// The FMU of this source, its name, and that of its model description.
    pub fn new(source: &str) -> Self {
        Self {
            name: source.to_owned(),
            source: source.to_owned(),
            description: source.to_owned(),
            defines: Vec::new(),
            libraries: USUAL_LIBRARIES.to_vec(),
            edits: Vec::new(),
        }
    }

    /// Another name of the FMU: its model identifier and its file.
    pub fn named(mut self, name: &str) -> Self {
        name.clone_into(&mut self.name);
        self
    }

    /// The model description of another source.
    pub fn described_by(mut self, description: &str) -> Self {
        description.clone_into(&mut self.description);
        self
    }

    /// Defines a macro of the source: `NAME` or `NAME=VALUE`.
    pub fn define(mut self, definition: &str) -> Self {
        self.defines.push(definition.to_owned());
        self
    }

    /// What the library is linked with (`-lm`) instead of what a C program usually brings.
    pub fn libraries(mut self, libraries: &[&'static str]) -> Self {
        self.libraries = libraries.to_vec();
        self
    }

    /// Changes the model description as text.
    pub fn edit_xml(mut self, edit: impl FnOnce(&mut String) + 'static) -> Self {
        self.edits.push(Box::new(edit));
        self
    }

    /// Sets an attribute of the model description that stands there already, wherever its first occurrence is.
    ///
    /// # Panics
    /// It does not stand there.
    pub fn attribute(self, name: &str, value: &str) -> Self {
        let (begin, value) = (format!(" {name}=\""), value.to_owned());
        self.edit_xml(move |xml| {
            let start = xml.find(&begin).map_or_else(|| panic!("no attribute{begin}"), |at| at + begin.len());
            let end = start + xml[start..].find('"').unwrap_or_default();
            xml.replace_range(start..end, &value);
        })
    }

    /// Compiles, packs and returns the path `dir/NAME.fmu`.
    pub fn build(self, dir: &Path) -> PathBuf {
        let path = dir.join(format!("{}.fmu", self.name));
        let entries = [
            Entry::stored(&format!("binaries/linux64/{}.so", self.name), self.library()),
            Entry::stored("modelDescription.xml", self.model_description().into_bytes()),
        ];
        std::fs::write(&path, pack(&entries)).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        path
    }

    /// The same FMU is compiled once, whatever its name.
    fn library(&self) -> Vec<u8> {
        let variant = (&self.source, &self.defines, &self.libraries);
        kept(fingerprint(&[source_dir(), crate::hostile::source_dir()], variant), || in_scratch_dir(|dir| self.compile(dir)))
    }

    fn compile(&self, dir: &Path) -> Vec<u8> {
        let sources = ["quirk.c".to_owned(), format!("{}.c", self.source)].map(|name| source_dir().join(name));
        let mut arguments: Vec<String> = self.defines.iter().map(|define| format!("-D{define}")).collect();
        arguments.push("-fvisibility=hidden".to_owned());
        link(dir, "fmu.so", &sources, &arguments, &self.libraries)
    }

    fn model_description(self) -> String {
        let path = source_dir().join(format!("{}.xml", self.description));
        let template = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let mut xml = template.replace("@NAME@", &self.name);
        self.edits.into_iter().for_each(|edit| edit(&mut xml));
        xml
    }
}

/// Where the C sources and the model descriptions are.
pub fn source_dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("quirks")
}
