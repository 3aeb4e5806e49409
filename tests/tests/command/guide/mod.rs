//! The guide: every block of code in `docs/` and in the README runs, every link leads somewhere, every method and every flag has
//! its place, no text has private words.
//!
//! A page is Markdown. What becomes of its blocks follows from their language and their mark, `LANGUAGE` or `LANGUAGE,MARK`:
//!
//! | block | what is done |
//! |---|---|
//! | `sh` | each line runs in a folder as readers have it; exit code 0, unless a comment says `exit code N` |
//! | `text` right after it | is what its last line prints; `…` stands for any text in a line, or for any lines |
//! | `toml` | is a system file, which is read and checked against its FMUs |
//! | `toml,fragment` | is a part of one: its sections, keys and kinds of values are checked |
//! | `python` | runs with the packages of `tests/interop/requirements.txt` |
//! | `python,package` | runs with the Python package: see `crates/lotka-python/tests/test_docs.py` |
//! | `rust` | is a documentation test: see `tests/src/lib.rs` |
//! | `yaml`, `dockerfile` | run in `tests/tests/tools/dist/ci.rs` |
//! | with the mark `file:PATH` | is saved there for the blocks after it |
//! | with the mark `no_run` | is not run, for a reason that stands in `not_run.rs` |
//!
//! The examples of `docs/messages.md` are run by `tests/tests/command/messages`.
//!
//! Blocks of a page run one after the other in the same folder. Start reading at `page.rs` (what a page consists of), then
//! `reader.rs` (what runs it).

mod blocks;
mod expected;
mod first_screen;
mod links;
mod methods;
mod not_run;
mod options;
mod page;
mod private_words;
mod reader;
