//! FMUs with habits of other tools, built during the test by the C compiler. They are valid, but a master that makes too many
//! assumptions computes wrong numbers with them.
//!
//! Each source in `tests/quirks` documents what the FMU computes and what its habit is. All sources include `quirk.h`.

use std::path::{Path, PathBuf};

use border::{
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
    companion: Option<Companion>,
    resources: Vec<Entry>,
    edits: Vec<Edit>,
}

/// A library that an FMU brings along.
struct Companion {
    name: String,
    value: u32,
}

impl Companion {
    fn compile(&self, dir: &Path) -> Vec<u8> {
        let name = format!("lib{}.so", self.name);
        let arguments = [format!("-DVALUE={}", self.value), format!("-Wl,-soname={name}")];
        link(dir, &name, &[source_dir().join("companion_library.c")], &arguments, &USUAL_LIBRARIES)
    }
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
            companion: None,
            resources: Vec::new(),
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

    /// Adds a file to its resources.
    pub fn resource(mut self, name: &str, text: &str) -> Self {
        self.resources.push(Entry::stored(&format!("resources/{name}"), text));
        self
    }

    /// Brings along `companion_library.c`, with this value, as `lib{name}.so` beside the library of the FMU, which finds it by
    /// its run path. The source is `companion`.
    pub fn companion(mut self, name: &str, value: u32) -> Self {
        self.companion = Some(Companion { name: name.to_owned(), value });
        self.define("WITH_COMPANION")
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
        let mut entries = vec![Entry::stored(&format!("binaries/linux64/{}.so", self.name), self.library())];
        if let Some(companion) = &self.companion {
            let library = in_scratch_dir(|dir| companion.compile(dir));
            entries.push(Entry::stored(&format!("binaries/linux64/lib{}.so", companion.name), library));
        }
        entries.extend(self.resources.iter().cloned());
        entries.push(Entry::stored("modelDescription.xml", self.model_description().into_bytes()));
        std::fs::write(&path, pack(&entries)).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        path
    }

    /// Returns the library. FMUs that differ only in their names share it.
    fn library(&self) -> Vec<u8> {
        let variant = (&self.source, &self.defines, &self.libraries, self.companion.as_ref().map(|companion| &companion.name));
        kept(fingerprint(&[source_dir(), border::hostile::source_dir()], variant), || in_scratch_dir(|dir| self.compile(dir)))
    }

    fn compile(&self, dir: &Path) -> Vec<u8> {
        let sources = ["quirk.c".to_owned(), format!("{}.c", self.source)].map(|name| source_dir().join(name));
        let mut arguments: Vec<String> = self.defines.iter().map(|define| format!("-D{define}")).collect();
        arguments.push("-fvisibility=hidden".to_owned());
        if let Some(companion) = &self.companion {
            companion.compile(dir);
            arguments.extend([format!("-L{}", dir.display()), format!("-l{}", companion.name), "-Wl,-rpath,$ORIGIN".to_owned()]);
        }
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
