//! The rules for archive and library, as listed in `docs/checks.md`.

use fmi2::description::Rule;
use fmi2::description::Severity::{self, Error, Note, Warning};

const fn rule(name: &'static str, worst: Severity, demands: &'static str) -> Rule {
    Rule { name, worst, demands }
}

/// All rules for archive and library; those for `modelDescription.xml` are [`fmi2::description::RULES`].
pub const RULES: &[Rule] = &[
    rule("extension", Warning, "the file name ends with .fmu"),
    rule("not-an-archive", Error, "the file is a complete zip archive"),
    rule("too-many-entries", Error, "there are at most 50000 entries"),
    rule("archive-too-large", Error, "it unpacks to at most 8 GiB, the model description to 512 MiB"),
    rule("entry-too-dense", Error, "no large entry unpacks to more than 200 times its size"),
    rule("entry-outside", Error, "no entry points outside the archive"),
    rule("entry-name", Error, "names of entries are not empty and have no control characters"),
    rule("entry-link", Error, "there are no links and devices"),
    rule("entry-duplicate", Error, "names of entries differ, also without regard to case; no file has the name of a folder"),
    rule("entry-repeated", Warning, "no file is there twice, not even with the same contents"),
    rule("entry-overlap", Error, "entries do not share their data"),
    rule("entry-encrypted", Error, "nothing is encrypted"),
    rule("entry-compression", Error, "entries are stored or deflated"),
    rule("entry-damaged", Error, "sizes and checksums are those of the data"),
    rule("entry-spelling", Warning, "names have slashes, no backslashes, and no leading ./"),
    rule("entry-not-ascii", Warning, "names are ASCII"),
    rule("version-needed", Warning, "zip version 2.0 is enough to read the archive"),
    rule("streaming-flag", Warning, "sizes follow the data of deflated entries only"),
    rule("top-folder", Error, "modelDescription.xml is at the top, not in a folder"),
    rule("no-description", Error, "modelDescription.xml exists"),
    rule("no-co-simulation", Error, "the FMU supports co-simulation"),
    rule("clocks", Error, "no variable depends on a clock (FMI 3.0)"),
    rule("array-size", Error, "its arrays have at most 1 048 576 elements (FMI 3.0)"),
    rule("unexpected-entry", Note, "the top of the archive has only entries of the standard"),
    rule("extra-name", Note, "folders in extra/ have reversed domain names"),
    rule("layered-standard", Warning, "extra/ has no manifest of a layered standard (FMI 3.0)"),
    rule("no-documentation", Note, "documentation/index.html exists"),
    rule("no-license", Note, "documentation/licenses/license.txt or license.html exists"),
    rule("model-picture", Warning, "model.png is a PNG image"),
    rule("source-file", Warning, "source files that are listed are in sources/"),
    rule("unlisted-sources", Note, "sources/ comes with a list of source files"),
    rule("platform", Note, "folders in binaries/ are those of the standard"),
    rule("no-library", Error, "there is a library for this platform"),
    rule("library-name", Warning, "libraries are named after the modelIdentifier"),
    rule("library-ambiguous", Error, "if several libraries have other names, it is clear which one to load"),
    rule("library-format", Error, "the library is a complete shared library for the platform"),
    rule("missing-functions", Error, "the library exports all functions of its version of FMI: 34 of 2.0, 75 of 3.0"),
    rule("extra-symbols", Note, "it exports nothing else"),
    rule("needed-library", Warning, "its dependencies are in the archive or part of every system"),
    rule(
        "run-path",
        Warning,
        "it searches its own folder ($ORIGIN) for libraries of the archive, and no folders of the build machine",
    ),
    rule("undefined-symbols", Warning, "its dependencies define every symbol that it uses"),
    rule("needed-glibc", Note, "it runs with the C library of systems from 2014 on (glibc 2.17)"),
    rule("load", Error, "the library loads and implements the version of FMI of the description"),
    rule("capability", Warning, "capabilities are declared only where the library has their functions"),
    rule("surroundings", Warning, "loading the library does not change the working directory or the floating-point control"),
    rule("instantiate", Error, "the FMU can be instantiated"),
    rule("logged", Warning, "instantiation logs no warning"),
];
