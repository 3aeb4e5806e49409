//! `lotka compile`: FMUs with sources get a library.

use std::{
    fs::{self, File},
    path::Path,
    process::Command,
};

use super::support::{Case, Ended, lotka};
use tests::hostile::{Entry, Hostile};

const LAG: &str = include_str!("sources_of_fmus/lag.c");
const GAIN: &str = "static double gain(void) { return 1.0; }\n";
const LISTED: &str = r#"<SourceFiles><File name="model/lag.c"/></SourceFiles></CoSimulation>"#;

/// `a.fmu` with these files in `sources/` and a resource, and without a library.
fn case(files: &[(&str, &str)], has_list: bool) -> Case {
    let files: Vec<_> = files.iter().map(|(name, text)| Entry::deflated(&format!("sources/{name}"), text.as_bytes())).collect();
    let fmu = Hostile::new("a").edit_archive(move |entries| {
        entries.retain(|entry| !entry.name.starts_with("binaries/"));
        entries.extend(files);
        entries.push(Entry::stored("binaries/win64/a.dll", "for others"));
        entries.push(Entry::deflated("resources/table.csv", &[7; 5000]));
    });
    let list = move |xml: &mut String| {
        if has_list {
            *xml = xml.replace(r#"providesDirectionalDerivative="false"/>"#, r#"providesDirectionalDerivative="false">"#);
            *xml = xml.replacen("\n  <LogCategories>", &format!("{LISTED}\n  <LogCategories>"), 1);
        }
    };
    let modest = |xml: &mut String| {
        *xml = xml
            .replace("AndSetFMUstate=\"true\"", "AndSetFMUstate=\"false\"")
            .replace("SerializeFMUstate=\"true\"", "SerializeFMUstate=\"false\"")
    };
    Case::new("", [fmu.edit_xml(modest).edit_xml(list)])
}

/// The compiled FMU runs like its equation, `x' = k (u - x)`.
#[track_caller]
fn assert_runs(case: &Case, fmu: &str) {
    let ended = case.lotka(&["run", fmu, "--start-value", "u=2", "--start-value", "k=3", "--record", "y"]);
    assert_eq!(ended.code, 0, "{ended:?}");
    let last: f64 = ended.stdout.lines().last().unwrap().split(',').nth(1).unwrap().parse().unwrap();
    assert!((last - (2.0 - (-3.0_f64).exp())).abs() < 1e-12, "{ended:?}");
}

/// Name, raw data and checksum of each entry.
fn entries(path: &Path) -> Vec<(String, Vec<u8>, u32)> {
    let mut archive = zip::ZipArchive::new(File::open(path).unwrap()).unwrap();
    let count = archive.len();
    let mut entry = |index: usize| {
        let mut raw = archive.by_index_raw(index).unwrap();
        let mut bytes = Vec::new();
        std::io::Read::read_to_end(&mut raw, &mut bytes).unwrap();
        (raw.name().unwrap().into_owned(), bytes, raw.crc32())
    };
    (0..count).map(&mut entry).collect()
}

#[test]
fn listed_sources_become_a_library_beside_what_was_there() {
    let case = case(&[("model/lag.c", LAG), ("gain.h", GAIN), ("unused.c", "#error not listed")], true);
    let ended = case.lotka(&["compile", "a.fmu"]);
    assert_eq!(
        (ended.code, ended.stdout.as_str()),
        (0, "a-linux64.fmu: binaries/linux64/a.so from 1 source file\n"),
        "{ended:?}"
    );
    let (before, after) = (entries(&case.path("a.fmu")), entries(&case.path("a-linux64.fmu")));
    assert_eq!(after[..before.len()], before);
    assert_eq!((after.len(), after[before.len()].0.as_str()), (before.len() + 1, "binaries/linux64/a.so"));
    assert_runs(&case, "a-linux64.fmu");
}

#[test]
fn without_a_list_it_is_all_c_or_every_file() {
    let all = case(&[("all.c", "#include \"lag.c\"\n"), ("lag.c", LAG), ("gain.h", GAIN)], false);
    all.lotka(&["compile", "a.fmu", "-o", "b.fmu"]).assert(0, &[]);
    assert_runs(&all, "b.fmu");
    let split = LAG.replace("#include \"gain.h\"", "double gain(void);");
    let every = case(&[("lag.c", &split), ("below/gain.c", "double gain(void) { return 1.0; }\n")], false);
    let ended = every.lotka(&["compile", "a.fmu", "-o", "b.fmu"]);
    assert!(ended.stdout.contains("from 2 source files"), "{ended:?}");
    assert_runs(&every, "b.fmu");
}

#[test]
fn functions_lose_the_prefix_that_sources_give_them() {
    let case = case(&[("all.c", &format!("#define PREFIXED\n{LAG}")), ("gain.h", GAIN)], false);
    case.lotka(&["compile", "a.fmu"]).assert(0, &[]);
    assert_runs(&case, "a-linux64.fmu");
}

#[test]
fn headers_of_the_sources_come_before_ours() {
    let own = "#define fmi2Version \"2.0\"\n#error the own header\n";
    let case = case(&[("all.c", LAG), ("gain.h", GAIN), ("fmi2Functions.h", own)], false);
    case.lotka(&["compile", "a.fmu"]).assert(11, &["the own header"]);
}

#[test]
fn the_compiler_speaks_for_itself() {
    let broken = case(&[("all.c", "#include \"solver.h\"\n")], false);
    broken
        .lotka(&["compile", "a.fmu"])
        .assert(11, &["a.fmu: `cc` does not compile the sources: [not-compiled]\n", "solver.h", "all.c:1"]);
    assert!(!broken.path("a-linux64.fmu").exists());
    let undefined = case(&[("all.c", LAG), ("gain.h", "double gain(void);\n")], false);
    undefined.lotka(&["compile", "a.fmu"]).assert(11, &["does not compile the sources", "gain"]);
    let with = |name: &str, value: &str| -> Ended {
        Command::new(lotka()).current_dir(broken.dir()).args(["compile", "a.fmu"]).env(name, value).output().unwrap().into()
    };
    let missing = with("CC", "no-such-compiler");
    missing.assert(11, &["the C compiler `no-such-compiler` cannot be started", "apt install gcc libc6-dev", "CC"]);
    with("CFLAGS", "-DUNUSED -Inowhere").assert(11, &["solver.h"]);
    fs::write(broken.path("solver.h"), format!("{GAIN}{}", LAG.replace("#include \"gain.h\"\n", ""))).unwrap();
    with("CFLAGS", &format!("-I{}", broken.dir().display())).assert(0, &[]);
}

#[test]
fn a_library_without_the_functions_is_refused() {
    let case = case(&[("all.c", "int fmi2DoStep(void) { return 0; }\n")], false);
    case.lotka(&["compile", "a.fmu"])
        .assert(11, &["a.fmu: the compiled library cannot be used: it does not export fmi2GetTypesPlatform", "[not-compiled]"]);
    assert!(!case.path("a-linux64.fmu").exists());
    let few = self::case(&[("all.c", &format!("#define INCOMPLETE\n{LAG}")), ("gain.h", GAIN)], false);
    few.lotka(&["compile", "a.fmu"]).assert(0, &["[missing-functions]"]);
}

#[test]
fn there_must_be_something_to_compile() {
    let nothing = |fmu: Hostile, text: &str| {
        Case::new("", [fmu]).lotka(&["compile", "a.fmu"]).assert(11, &["a.fmu: nothing to compile: ", text]).code
    };
    nothing(Hostile::new("a"), "it has a library for linux64");
    let bare = |fmu: Hostile| fmu.edit_archive(|entries| entries.retain(|entry| !entry.name.starts_with("binaries/")));
    nothing(bare(Hostile::new("a")), "it has no sources");
    let listed = case(&[("lag.c", LAG)], true);
    listed
        .lotka(&["compile", "a.fmu"])
        .assert(11, &["the model description lists the source file model/lag.c, which does not exist"]);
    let empty = case(&[("gain.h", GAIN)], false);
    empty.lotka(&["compile", "a.fmu"]).assert(11, &["there are no C files in its sources"]);
    let outside = Hostile::new("a").edit_xml(|xml| {
        *xml = xml.replace(
            r#"providesDirectionalDerivative="false"/>"#,
            r#"providesDirectionalDerivative="false"><SourceFiles><File name="../../x.c"/></SourceFiles></CoSimulation>"#,
        );
    });
    nothing(
        bare(outside).edit_archive(|entries| entries.push(Entry::stored("sources/a.c", ""))),
        "../../x.c, which is not in sources/",
    );
}

#[test]
fn nothing_is_written_over_unless_it_is_asked_for() {
    let case = case(&[("all.c", LAG), ("gain.h", GAIN)], false);
    case.write("a-linux64.fmu", "precious");
    case.lotka(&["compile", "a.fmu"])
        .assert(2, &["`a-linux64.fmu` already exists; choose another file with --output-file, or pass --force", "[file-exists]"]);
    assert_eq!(case.read("a-linux64.fmu"), "precious");
    case.lotka(&["compile", "a.fmu", "--force"]).assert(0, &[]);
    assert_runs(&case, "a-linux64.fmu");
}
