//! An FMU for every rule of archive and library.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use fmu::Limits;
use tests::hostile::{BadArchive, Entry, Hostile};

/// A neighbor that moves away as soon as it is loaded.
const RUDE_NEIGHBOR: &str = "#include <unistd.h>\n\
    __attribute__((constructor)) static void rude(void) { if (chdir(\"/\")) _exit(3); }\n\
    double neighbor(void) { return 0; }\n";

/// A description of FMI 3.0 with a clock.
const CLOCKED: &str = r#"<fmiModelDescription fmiVersion="3.0" modelName="clocked" instantiationToken="{0}">
  <CoSimulation modelIdentifier="clocked" hasEventMode="true"/>
  <ModelVariables>
    <Float64 name="time" valueReference="0" causality="independent"/>
    <Clock name="tick" valueReference="1" causality="input" intervalVariability="triggered"/>
    <Float64 name="x" valueReference="2" causality="local" variability="discrete" clocks="1"/>
  </ModelVariables>
  <ModelStructure/>
</fmiModelDescription>"#;

/// A description of FMI 3.0 with an array of 2^40 elements.
const LARGE_ARRAY: &str = r#"<fmiModelDescription fmiVersion="3.0" modelName="large" instantiationToken="{0}">
  <CoSimulation modelIdentifier="large"/>
  <ModelVariables>
    <Float64 name="time" valueReference="0" causality="independent"/>
    <Float64 name="y" valueReference="1"><Dimension start="1048576"/><Dimension start="1048576"/></Float64>
  </ModelVariables>
  <ModelStructure/>
</fmiModelDescription>"#;

/// An FMU that breaks a rule as badly as it can be broken.
pub struct Example {
    pub rule: &'static str,
    pub limits: Limits,
    pub build: Box<dyn FnOnce(&Path) -> PathBuf>,
}

impl Example {
    fn new(rule: &'static str, build: impl FnOnce(&Path) -> PathBuf + 'static) -> Self {
        Self { rule, limits: Limits::default(), build: Box::new(build) }
    }
}

/// One for each rule.
pub fn all() -> Vec<Example> {
    // A library of one name is loaded once per process: the neighbor that misbehaves comes first.
    [loading(), archives(), limits(), contents(), libraries()].into_iter().flatten().collect()
}

fn archives() -> Vec<Example> {
    let bad = |rule, bad: BadArchive| Example::new(rule, move |folder| bad.build(folder));
    vec![
        Example::new("extension", |folder| {
            let path = folder.join("sound.zip");
            fs::rename(Hostile::new("sound").build(folder), &path).unwrap();
            path
        }),
        bad("not-an-archive", BadArchive::NotAZip),
        bad("entry-too-dense", BadArchive::Bomb),
        bad("entry-outside", BadArchive::ParentPath),
        edited("entry-name", |entries| entries.push(Entry::stored("resources/a\nb", "x"))),
        bad("entry-link", BadArchive::Link),
        bad("entry-duplicate", BadArchive::FileAndDirectory),
        bad("entry-repeated", BadArchive::Repeated),
        patched("entry-overlap", |bytes, second| bytes.copy_within(second - HEADER + 42..second - HEADER + 46, second + 42)),
        bad("entry-encrypted", BadArchive::Encrypted),
        bad("entry-compression", BadArchive::ForeignMethod),
        bad("entry-damaged", BadArchive::BadChecksum),
        bad("entry-spelling", BadArchive::DotSlash),
        edited("entry-not-ascii", |entries| {
            entries.push(Entry { flags: 0x800, ..Entry::stored("resources/größe.txt", "x") });
        }),
        patched("version-needed", |bytes, second| bytes[second + 6] = 45),
        edited("streaming-flag", |entries| entries[1].flags |= 8),
    ]
}

fn limits() -> Vec<Example> {
    let sound = |folder: &Path| Hostile::new("sound").build(folder);
    let with = |rule, limits| Example { limits, ..Example::new(rule, sound) };
    vec![
        with("too-many-entries", Limits { entries: 1, ..Limits::default() }),
        with("archive-too-large", Limits { total_size: 100, ..Limits::default() }),
    ]
}

fn contents() -> Vec<Example> {
    let add = |rule, name: &'static str| edited(rule, move |entries| entries.push(Entry::stored(name, "x")));
    vec![
        edited("top-folder", |entries| entries.iter_mut().for_each(|entry| entry.name.insert_str(0, "top/"))),
        Example::new("no-description", |folder| BadArchive::NoDescription.build(folder)),
        described("no-co-simulation", |xml| {
            let (start, end) = (xml.find("<CoSimulation").unwrap(), xml.find("<LogCategories").unwrap());
            xml.replace_range(start..end, "<ModelExchange modelIdentifier=\"bad\"/>");
        }),
        described("clocks", |xml| *xml = CLOCKED.to_owned()),
        described("array-size", |xml| *xml = LARGE_ARRAY.to_owned()),
        add("unexpected-entry", "notes.txt"),
        add("extra-name", "extra/notes/a.txt"),
        add("layered-standard", "extra/org.fmi-standard.fmi-ls-xcp/fmi-ls-manifest.xml"),
        add("no-documentation", "documentation/other.html"),
        add("no-license", "documentation/license.txt"),
        add("model-picture", "model.png"),
        described("source-file", |xml| {
            *xml = xml.replace(
                "providesDirectionalDerivative=\"false\"/>",
                "providesDirectionalDerivative=\"false\"><SourceFiles><File name=\"fmu.c\"/></SourceFiles></CoSimulation>",
            );
        }),
        add("unlisted-sources", "sources/fmu.c"),
        add("platform", "binaries/amiga/bad.so"),
    ]
}

fn libraries() -> Vec<Example> {
    let bad = |rule, bad: BadArchive| Example::new(rule, move |folder| bad.build(folder));
    vec![
        bad("no-library", BadArchive::ForeignPlatform),
        bad("library-name", BadArchive::Misnamed),
        bad("library-ambiguous", BadArchive::TwoMisnamed),
        bad("library-format", BadArchive::TruncatedLibrary),
        Example::new("missing-functions", |folder| Hostile::new("bad").omit("fmi2DoStep").build(folder)),
        Example::new("extra-symbols", |folder| {
            let library = compiled(folder, RUDE_NEIGHBOR);
            let other = move |entries: &mut Vec<Entry>| entries[1] = Entry::stored("binaries/linux64/bad.so", library);
            Hostile::new("bad").edit_archive(other).build(folder)
        }),
        Example::new("needed-library", |folder| Hostile::new("bad").neighbor(false).build(folder)),
        Example::new("run-path", |folder| Hostile::new("bad").neighbor(true).build(folder)),
        Example::new("undefined-symbols", |folder| Hostile::new("bad").define("NEEDS_NEIGHBOR").build(folder)),
        Example::new("needed-glibc", |_| tests::packed("prey")),
    ]
}

fn loading() -> Vec<Example> {
    vec![
        Example::new("surroundings", |folder| {
            let neighbor = compiled(folder, RUDE_NEIGHBOR);
            let rude = Hostile::new("bad").neighbor(true);
            rude.edit_archive(move |entries| entries[2] = Entry::stored("binaries/linux64/libneighbor.so", neighbor))
                .build(folder)
        }),
        Example::new("load", |folder| Hostile::new("bad").define("NEEDS_NEIGHBOR").build(folder)),
        Example::new("capability", |folder| Hostile::new("bad").omit("fmi2GetFMUstate").build(folder)),
        Example::new("instantiate", |folder| Hostile::new("bad").define("INSTANTIATE_FAILS").build(folder)),
        Example::new("logged", |folder| Hostile::new("bad").define("CHANGE_ROUNDING").build(folder)),
    ]
}

fn edited(rule: &'static str, edit: impl FnOnce(&mut Vec<Entry>) + 'static) -> Example {
    Example::new(rule, |folder| Hostile::new("bad").edit_archive(edit).build(folder))
}

fn described(rule: &'static str, edit: impl FnOnce(&mut String) + 'static) -> Example {
    Example::new(rule, |folder| Hostile::new("bad").edit_xml(edit).build(folder))
}

/// Length of a header in the central directory with the name of the first entry behind it.
const HEADER: usize = 46 + "modelDescription.xml".len();

/// A sound archive in which the header of the second entry in the central directory, which begins at the byte given, is changed.
fn patched(rule: &'static str, patch: impl FnOnce(&mut [u8], usize) + 'static) -> Example {
    Example::new(rule, |folder| {
        let mut bytes = Hostile::new("bad").bytes();
        let directory = bytes.windows(4).rposition(|window| window == b"PK\x01\x02").unwrap();
        patch(&mut bytes, directory);
        let path = folder.join("bad.fmu");
        fs::write(&path, bytes).unwrap();
        path
    })
}

/// A shared library made of one file of C.
fn compiled(folder: &Path, source: &str) -> Vec<u8> {
    let (input, output) = (folder.join("neighbor.c"), folder.join("libneighbor.so"));
    fs::write(&input, source).unwrap();
    let compiler = std::env::var_os("CC").unwrap_or_else(|| "cc".into());
    let mut command = Command::new(compiler);
    command.args(["-shared", "-fPIC", "-Wl,-soname=libneighbor.so", "-o"]).args([&output, &input]);
    assert!(command.status().unwrap().success());
    fs::read(output).unwrap()
}
