//! The rules of archive and library, as `docs/checks.md` lists them.

use fmi2::description::Rule;

const fn rule(name: &'static str, demands: &'static str) -> Rule {
    Rule { name, demands }
}

/// All rules of archive and library; those of `modelDescription.xml` are [`fmi2::description::RULES`].
pub const RULES: &[Rule] = &[
    rule("extension", "the file name ends with .fmu"),
    rule("not-an-archive", "the file is a zip archive, and whole"),
    rule("too-many-entries", "there are at most 50000 entries"),
    rule("archive-too-large", "it unpacks to at most 8 GiB"),
    rule("entry-too-dense", "no large entry unpacks to more than 200 times its size"),
    rule("entry-outside", "no entry leads out of the archive"),
    rule("entry-name", "names of entries are not empty and have no control characters"),
    rule("entry-link", "there are no links and devices"),
    rule("entry-duplicate", "names of entries differ, also without regard to case; no file is called like a folder"),
    rule("entry-overlap", "entries do not share their data"),
    rule("entry-encrypted", "nothing is encrypted"),
    rule("entry-compression", "entries are stored or deflated"),
    rule("entry-damaged", "sizes and checksums are those of the data"),
    rule("entry-spelling", "names have slashes, no backslashes, and no leading ./"),
    rule("entry-not-ascii", "names are ASCII"),
    rule("version-needed", "zip version 2.0 is enough to read the archive"),
    rule("streaming-flag", "sizes follow the data of deflated entries only"),
    rule("top-folder", "modelDescription.xml is at the top, not in a folder"),
    rule("no-description", "modelDescription.xml is there"),
    rule("no-co-simulation", "the FMU can co-simulate"),
    rule("unexpected-entry", "note: what is at the top is what the standard knows"),
    rule("extra-name", "note: folders in extra/ are called like a domain, reversed"),
    rule("no-documentation", "note: documentation/index.html is there"),
    rule("no-license", "note: documentation/licenses/license.txt or license.html is there"),
    rule("model-picture", "model.png is a PNG picture"),
    rule("source-file", "source files that are listed are in sources/"),
    rule("unlisted-sources", "note: sources/ comes with a list of source files"),
    rule("platform", "note: folders in binaries/ are those of the standard"),
    rule("no-library", "there is a library for this platform"),
    rule("library-name", "libraries are called like the modelIdentifier"),
    rule("library-ambiguous", "of several libraries with other names it is clear which one to load"),
    rule("library-format", "the library is a whole shared library of the platform"),
    rule("missing-functions", "the library exports the functions of FMI 2.0 co-simulation, all 34"),
    rule("extra-symbols", "note: it exports nothing else"),
    rule("needed-library", "libraries that it needs are in the archive, or those of every system"),
    rule(
        "run-path",
        "it looks for the libraries of the archive beside itself ($ORIGIN), and not in folders of the machine it was built on",
    ),
    rule("undefined-symbols", "every symbol that it uses is in a library that it needs"),
    rule("needed-glibc", "note: it runs with the C library of systems from 2014 on (glibc 2.17)"),
    rule("load", "the library can be loaded, and is one of FMI 2.0"),
    rule("capability", "capabilities are declared only where the library has their functions"),
    rule("surroundings", "loading the library leaves working directory and floating-point control alone"),
    rule("instantiate", "an instance can be made"),
    rule("logged", "making an instance logs no warning"),
];
