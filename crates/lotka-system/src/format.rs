//! Recognizes the kind of a file by its name or its first bytes: a description of a system, or something else.

use std::{fs::File, io::Read, path::Path};

use lotka_results::FORMATS;
use quick_xml::events::Event;

/// Kinds of files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Lotka's own format.
    Toml,
    /// System Structure and Parameterization: a description, or a package.
    Ssp,
    /// A project of MasterSim.
    MasterSim,
    /// A system structure of the Open Simulation Platform.
    Osp,
    /// A multi-model of INTO-CPS, or the configuration of its simulation.
    MultiModel,
    /// An FMU, which is a part of a system.
    Fmu,
    /// Not a description of a system: its kind, and help.
    Foreign(&'static str, &'static str),
}

/// Number of bytes that are examined.
const LOOKED_AT: u64 = 1 << 16;

/// XML of an unknown kind.
const XML: &str = "XML of another kind";

/// Help for results.
const RESULTS: &str = "compare results with `lotka compare`, or name the file as a source in a system file";

/// Help for a part of a package.
const OF_SSP: &str = "pass the description (.ssd) or the package (.ssp) that uses it";

/// Help for unknown files.
const KNOWN: &str = "pass a .toml, .ssd, .ssp or .msim file, an OspSystemStructure.xml or a multi-model (mm.json)";

/// The first bytes of files of other kinds.
const SIGNATURES: [(&[u8], Format); 11] = [
    (b"\x7fELF", Format::Foreign("a program or a library", "pass a system file")),
    (b"MZ", Format::Foreign("a program or a library of Windows", "pass a system file")),
    (b"MATLAB 5.0", Format::Foreign("a file of MATLAB", RESULTS)),
    (b"\x89HDF", Format::Foreign("an HDF5 file", RESULTS)),
    (b"\x1f\x8b", Format::Foreign("a gzip archive", "unpack it")),
    (b"7z\xbc\xaf", Format::Foreign("a 7z archive", "unpack it")),
    (b"SQLite format 3", Format::Foreign("an SQLite database", KNOWN)),
    (b"%PDF", Format::Foreign("a PDF document", KNOWN)),
    (b"\x89PNG", Format::Foreign("a picture", KNOWN)),
    (b"\xff\xfe", Format::Foreign("text in UTF-16", "save it as UTF-8")),
    (b"\xfe\xff", Format::Foreign("text in UTF-16", "save it as UTF-8")),
];

/// The extensions of other files.
const EXTENSIONS: [(&str, Format); 6] = [
    ("tsv", Format::Foreign("a table", RESULTS)),
    ("mo", Format::Foreign("a Modelica model", "export it as an FMU for co-simulation")),
    ("slx", Format::Foreign("a Simulink model", "export it as an FMU for co-simulation")),
    ("yaml", Format::Foreign("YAML", KNOWN)),
    ("yml", Format::Foreign("YAML", KNOWN)),
    ("md", Format::Foreign("a text", KNOWN)),
];

impl Format {
    /// The kind of a file; if it cannot be read, the kind that its name suggests.
    #[must_use]
    pub fn of(path: &Path) -> Self {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let exists = path.exists();
        let file = if exists { name } else { name.rsplit_once('#').map_or(name, |(file, _)| file) };
        let extension = file.rsplit_once('.').map(|(_, extension)| extension.to_lowercase()).unwrap_or_default();
        let by_name = match extension.as_str() {
            "toml" => return Self::Toml,
            "msim" => return Self::MasterSim,
            "ssp" => return Self::Ssp,
            "fmu" => return Self::Fmu,
            "ssd" => Self::Ssp,
            "json" => Self::MultiModel,
            _ => {
                let known = EXTENSIONS.iter().find(|(known, _)| *known == extension).map(|(_, format)| *format);
                let table = FORMATS.iter().find(|table| table.extensions[0] == extension);
                known.or_else(|| table.map(Self::of_table)).unwrap_or(Self::Toml)
            }
        };
        let real = path.with_file_name(file);
        match (by_content(&real, &begin(&real)), by_name) {
            (Some(Self::Foreign(XML, _)), Self::Ssp) => Self::Ssp,
            (found, by_name) => found.unwrap_or(by_name),
        }
    }

    fn of_table(table: &lotka_results::Format) -> Self {
        Self::Foreign(table.kind, RESULTS)
    }
}

/// The first bytes of a file, if it can be read.
fn begin(path: &Path) -> Vec<u8> {
    let mut bytes = Vec::new();
    if let Ok(file) = File::open(path).map(|file| file.take(LOOKED_AT)) {
        let _ = { file }.read_to_end(&mut bytes);
    }
    bytes
}

fn by_content(path: &Path, begin: &[u8]) -> Option<Format> {
    if begin.starts_with(b"PK") {
        return Some(of_archive(path));
    }
    if let Some((_, format)) = SIGNATURES.iter().find(|(signature, _)| begin.starts_with(signature)) {
        return Some(*format);
    }
    if let Some(table) = lotka_results::Format::of_content(begin) {
        return Some(Format::of_table(table));
    }
    if begin.contains(&0) {
        return Some(Format::Foreign("a binary file", KNOWN));
    }
    let text = String::from_utf8_lossy(begin.strip_prefix(b"\xef\xbb\xbf").unwrap_or(begin));
    match text.trim_start().chars().next()? {
        '<' => Some(of_xml(&text).unwrap_or(Format::Foreign(XML, KNOWN))),
        '{' => Some(of_json(&text)),
        _ => None,
    }
}

/// A package of SSP, an FMU, or something else.
fn of_archive(path: &Path) -> Format {
    let Ok(package) = fmu::Package::open(path, &fmu::Limits::default()) else { return Format::Ssp };
    let names: Vec<_> = package.names().collect();
    if names.contains(&"modelDescription.xml") {
        Format::Fmu
    } else if names.iter().any(|name| name.ends_with(".ssd")) {
        Format::Ssp
    } else {
        Format::Foreign("a zip archive without a system description", "pass an SSP package or a system file")
    }
}

/// Recognizes XML by the name of the root element.
fn of_xml(text: &str) -> Option<Format> {
    let mut reader = quick_xml::Reader::from_str(text);
    let root = loop {
        match reader.read_event().ok()? {
            Event::Start(tag) | Event::Empty(tag) => break tag.local_name().as_ref().to_owned(),
            Event::Eof => return None,
            _ => {}
        }
    };
    Some(match root.as_str() {
        "SystemStructureDescription" => Format::Ssp,
        "OspSystemStructure" => Format::Osp,
        "ParameterSet" => Format::Foreign("a parameter set of SSP", OF_SSP),
        "ParameterMapping" => Format::Foreign("a parameter mapping of SSP", OF_SSP),
        "SignalDictionary" => Format::Foreign("a signal dictionary of SSP", OF_SSP),
        "OspModelDescription" => {
            Format::Foreign("a model description of the Open Simulation Platform", "pass the OspSystemStructure.xml that uses it")
        }
        "fmiModelDescription" => Format::Foreign("the model description of an FMU", "add the FMU (.fmu) to a system file"),
        "html" | "HTML" => Format::Foreign("an HTML page", KNOWN),
        _ => return None,
    })
}

/// Recognizes JSON by the keys in the first part of the text.
fn of_json(text: &str) -> Format {
    let has = |key: &str| text.contains(&format!("\"{key}\""));
    if has("fmus") || has("multiModel") || has("multimodel_path") || (has("endTime") && has("startTime")) {
        Format::MultiModel
    } else {
        Format::Foreign("JSON that is not a multi-model of INTO-CPS", KNOWN)
    }
}

/// Returns whether a file can be read and begins like a zip archive, as FMUs and packages of SSP do.
#[must_use]
pub fn is_archive(path: &Path) -> bool {
    let mut start = [0; 2];
    File::open(path).and_then(|mut file| file.read_exact(&mut start)).is_ok() && start == *b"PK"
}

#[cfg(test)]
mod tests {
    use std::{fs, io::Write};

    use super::*;

    fn archive(entry: &str) -> Vec<u8> {
        let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
        archive.start_file(entry, zip::write::SimpleFileOptions::default()).unwrap();
        archive.write_all(b"x").unwrap();
        archive.finish().unwrap().into_inner()
    }

    #[test]
    fn a_file_is_what_it_holds_and_else_what_it_is_called() {
        let folder = tempfile::tempdir().unwrap();
        let format = |name: &str, bytes: &[u8]| {
            let path = folder.path().join(name);
            fs::write(&path, bytes).unwrap();
            let found = Format::of(&path);
            fs::remove_file(path).unwrap();
            found
        };
        assert_eq!(format("a.toml", b"[experiment]"), Format::Toml);
        assert_eq!(format("system", b"[experiment]"), Format::Toml);
        assert_eq!(format("a.xml", b"<?xml version='1.0'?><!-- c --><x:SystemStructureDescription xmlns:x='u'>"), Format::Ssp);
        assert_eq!(format("OspSystemStructure.xml", b"\xef\xbb\xbf\n<OspSystemStructure version='0.1'/>"), Format::Osp);
        assert_eq!(format("a.ssd", b"no XML"), Format::Ssp);
        assert_eq!(format("a.ssd", b"<Structure/>"), Format::Ssp, "the root element decides");
        assert_eq!(format("a.msim", b"tEnd 1 s"), Format::MasterSim);
        assert_eq!(format("mm.json", b"{ \"fmus\": {} }"), Format::MultiModel);
        assert_eq!(format("coe.json", b"{ \"startTime\": 0, \"endTime\": 1 }"), Format::MultiModel);
        assert_eq!(format("any", &archive("modelDescription.xml")), Format::Fmu);
        assert_eq!(format("any", &archive("SystemStructure.ssd")), Format::Ssp);
        assert_eq!(Format::of(&folder.path().join("absent.ssp#Winter.ssd")), Format::Ssp);
        let foreign = |name: &str, bytes: &[u8]| match format(name, bytes) {
            Format::Foreign(what, _) => what,
            other => panic!("{name}: {other:?}"),
        };
        assert_eq!(foreign("any", &archive("readme.txt")), "a zip archive without a system description");
        assert_eq!(foreign("rows.dat", b"PAR1...."), "a Parquet file");
        assert_eq!(foreign("a.so", b"\x7fELF\x02"), "a program or a library");
        assert_eq!(foreign("a.bin", b"a\0b"), "a binary file");
        assert_eq!(foreign("d.ssb", b"<SignalDictionary/>"), "a signal dictionary of SSP");
        assert_eq!(foreign("p.ssv", b"<ssv:ParameterSet xmlns:ssv='u'>"), "a parameter set of SSP");
        assert_eq!(foreign("modelDescription.xml", b"<fmiModelDescription/>"), "the model description of an FMU");
        assert_eq!(foreign("run.json", b"{ \"rows\": 1 }"), "JSON that is not a multi-model of INTO-CPS");
        assert_eq!(foreign("pom.xml", b"<project/>"), XML);
        assert_eq!(foreign("rows.csv", b"time,x\n"), "a table");
        assert_eq!(foreign("a.mo", b"model A end A;"), "a Modelica model");
    }
}
