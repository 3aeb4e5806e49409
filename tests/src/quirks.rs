//! FMUs with habits of other tools, built during the test by the C compiler. They are valid, but a master that makes too many
//! assumptions computes wrong numbers with them.
//!
//! Each source in `tests/quirks` documents what the FMU computes and what its habit is. All sources include `quirk.h`.

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
/// Methods panic if the compiler or the file system fails; the test then ends with the reason.
pub struct Quirk {
    name: String,
    source: String,
    description: String,
    defines: Vec<String>,
    libraries: Vec<&'static str>,
    edits: Vec<Edit>,
}

impl Quirk {
    /// Creates the FMU of a source, with the name and the model description of that source.
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

    /// Sets another name of the FMU: its model identifier and its file name.
    pub fn named(mut self, name: &str) -> Self {
        name.clone_into(&mut self.name);
        self
    }

    /// Uses the model description of another source.
    pub fn described_by(mut self, description: &str) -> Self {
        description.clone_into(&mut self.description);
        self
    }

    /// Defines a macro of the source: `NAME` or `NAME=VALUE`.
    pub fn define(mut self, definition: &str) -> Self {
        self.defines.push(definition.to_owned());
        self
    }

    /// Sets the libraries to link (such as `-lm`) instead of the usual ones.
    pub fn libraries(mut self, libraries: &[&'static str]) -> Self {
        self.libraries = libraries.to_vec();
        self
    }

    /// Edits the model description as text.
    pub fn edit_xml(mut self, edit: impl FnOnce(&mut String) + 'static) -> Self {
        self.edits.push(Box::new(edit));
        self
    }

    /// Sets an attribute at its first occurrence in the model description.
    ///
    /// # Panics
    /// Panics if the attribute does not occur.
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

    /// Returns the library. FMUs that differ only in their names share it.
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

/// Returns the folder of the C sources and model descriptions.
pub fn source_dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("quirks")
}
